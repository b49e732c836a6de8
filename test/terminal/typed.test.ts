import { describe, expect, test } from "vitest";
import { Typed, type Draft } from "../../src/platform/terminal/typed.ts";

const EMPTY: Draft = { text: "", certain: true, unfinished: false, brokeOff: false, enters: 0, entered: "" };

function typed(...chunks: readonly (string | Buffer)[]): Draft {
  const keys = new Typed();
  for (const chunk of chunks) keys.push(Buffer.from(chunk));
  return keys.draft;
}

describe("the draft", () => {
  test.each<[string, string, Partial<Draft>]>([
    ["nothing", "", {}],
    ["text", "hello 世界", { text: "hello 世界" }],
    ["backspace", "ab👩\u007f\b", { text: "a" }],
    ["backspace in an empty box", "\u007f", {}],
    ["Enter", "fix it\r", { enters: 1, entered: "fix it" }],
    ["a second one", "one\rtwo\rth", { text: "th", enters: 2, entered: "two" }],
    ["Ctrl-C", "never mind\u0003", { brokeOff: true }],
    ["Ctrl-U", "all of it\u0015", {}],
    ["Ctrl-U on the second line", "one\ntwo\u0015", { text: "one\n" }],
    ["Ctrl-W", "two words\u0017", { text: "two " }],
    ["line feed, Alt-Enter", "a\nb\u001b\rc", { text: "a\nb\nc" }],
    ["Shift-Enter by number", "a\u001b[13;2ub", { text: "a\nb" }],
    ["Enter by number", "a\u001b[13u", { enters: 1, entered: "a" }],
    ["Enter on the number pad", "a\u001bOM", { enters: 1, entered: "a" }],
    ["Ctrl-C by number", "a\u001b[99;5u", { brokeOff: true }],
    ["a letter by number, and its release", "\u001b[97;1:1u\u001b[97;1:3u", { text: "a" }],
    ["a letter in the other way of numbers", "\u001b[27;5;99~x", { text: "x", brokeOff: true }],
    ["a modifier alone by number", "\u001b[57441;2u", {}],
    ["an arrow", "ab\u001b[D", { text: "ab", certain: false }],
    ["an arrow in application mode", "ab\u001bOA", { text: "ab", certain: false }],
    ["Tab", "/he\t", { text: "/he", certain: false }],
    ["Escape", "ab\u001b", { text: "ab", certain: false, brokeOff: true }],
    ["Escape twice", "\u001b\u001b", { certain: false, brokeOff: true }],
    ["Escape, and an arrow, which recalls another text", "\u001b\u001b[A", { certain: false }],
    ["Ctrl-C before Enter", "\u0003ab\r", { enters: 1, entered: "ab" }],
    ["Alt and a letter", "ab\u001bf", { text: "ab", certain: false }],
    ["certain again after Enter", "ab\u001b[D\rcd", { text: "cd", enters: 1, entered: "ab" }],
    ["mouse and focus", "a\u001b[<35;10;5M\u001b[I\u001b[O\u001b[M !!b", { text: "ab" }],
    [
      "answers of the terminal",
      "a\u001b[?62;c\u001b[12;1R\u001b]11;rgb:0/0/0\u001b\\\u001bP1$r0m\u001b\\b",
      { text: "ab" },
    ],
    ["a paste", "\u001b[200~two\r\nlines\u001b[201~", { text: "two\nlines" }],
    ["a paste with keys in it", "\u001b[200~\u0003\r\u001b[A\u001b[201~", { text: "\u0003\n\u001b[A" }],
    ["a paste that goes on", "\u001b[200~half", { text: "half", unfinished: true }],
    ["half a sequence: no terminal leaves it so for long", "a\u001b[1;", { text: "a" }],
  ])("%s", (_, keys, expected) => {
    expect(typed(keys)).toEqual({ ...EMPTY, ...expected });
  });

  test("does not depend on where a paste or a character is cut", () => {
    const bytes = Buffer.from("世a\u001b[200~p世\rq\u001b[201~b\u007f");
    for (let cut = 1; cut < bytes.length; cut++) {
      // Right after an escape, a byte means the key itself, because terminals send a sequence in one piece.
      if (bytes[cut - 1] === 0x1b || bytes[cut - 2] === 0x1b) continue;
      expect(typed(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual({ ...EMPTY, text: "世ap世\nq" });
    }
  });

  test("finds the end of a paste wherever it is cut", () => {
    const end = "\u001b[201~";
    for (let cut = 1; cut < end.length; cut++)
      expect(typed("\u001b[200~x", end.slice(0, cut), `${end.slice(cut)}y`)).toEqual({
        ...EMPTY,
        text: "xy",
      });
  });

  test("is bounded, and a huge paste is quick", () => {
    const { text, unfinished } = typed(
      "\u001b[200~",
      ..."x"
        .repeat(200)
        .split("")
        .map(() => "y".repeat(50_000)),
    );
    expect([text.length, unfinished]).toEqual([256 * 1024, true]);
  });
});

describe("the text at each Enter", () => {
  function entered(...chunks: readonly string[]): Typed {
    const keys = new Typed();
    for (const chunk of chunks) keys.push(Buffer.from(chunk));
    return keys;
  }

  test("is reported once, in order, with its certainty", () => {
    const keys = entered("one\r", "/he\t\rthree\r", "fo");
    expect(keys.takeEntered()).toEqual([
      { text: "one", certain: true },
      { text: "/he", certain: false },
      { text: "three", certain: true },
    ]);
    expect(keys.takeEntered()).toEqual([]);
    keys.push(Buffer.from("ur\r"));
    expect(keys.takeEntered()).toEqual([{ text: "four", certain: true }]);
  });

  test.each([
    ["attributes", "\u001b[?62;22;52c\u001b[>41;354;0c"],
    ["the cursor's place, and that all is well", "\u001b[12;1R\u001b[?12;1R\u001b[0n"],
    ["the window's size", "\u001b[8;24;80t"],
    ["colours and settings", "\u001b]11;rgb:0/0/0\u001b\\\u001b]10;rgb:f/f/f\u0007\u001bP1$r0m\u001b\\"],
    ["modes and the keyboard's ways", "\u001b[?2026;2$y\u001b[?1u"],
    ["focus and mouse", "\u001b[I\u001b[O\u001b[<0;13;13M\u001b[M\r\r\r"],
    ["a paste with line ends", "\u001b[200~a\rb\r\n\u001b[201~"],
    ["Shift-Enter, Alt-Enter and a release", "\u001b[13;2u\u001b\r\u001b[13;1:3u"],
  ])("is not taken after a key other than Enter: %s", (_, bytes) => {
    const keys = entered(bytes);
    expect([keys.takeEntered(), keys.draft.enters]).toEqual([[], 0]);
  });

  test("an answer of the terminal does not make a draft uncertain", () => {
    expect(entered("o\u001b[?62;c\u001b[1;1R\u001b[0nne\r").takeEntered()).toEqual([
      { text: "one", certain: true },
    ]);
  });

  test("is bounded if it is never read: the last ones are kept", () => {
    const drafts = entered(Array.from({ length: 150 }, (_, at) => `${at}\r`).join("")).takeEntered();
    expect([drafts.length, drafts.at(0)?.text, drafts.at(-1)?.text]).toEqual([100, "50", "149"]);
  });
});
