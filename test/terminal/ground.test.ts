import { describe, expect, test } from "vitest";
import { Ground } from "../../src/platform/terminal/ground.ts";

function after(...chunks: readonly (string | Buffer)[]): Ground {
  const ground = new Ground();
  for (const chunk of chunks) ground.push(Buffer.from(chunk));
  return ground;
}

describe("between two sequences", () => {
  test.each([
    ["nothing", ""],
    ["text", "plain text\r\n"],
    ["a whole control sequence", "\u001b[1;31mred\u001b[0m"],
    ["a title ended by a bell", "\u001b]0;title\u0007"],
    ["a title ended by its terminator", "\u001b]0;title\u001b\\"],
    ["a device string", "\u001bPq#0;2;0\u001b\\"],
    ["a choice of letters", "\u001b(B"],
    ["a sequence that was given up", "\u001b[12\u0018"],
    ["a character of several bytes", "字👩"],
    ["bytes that are no character", Buffer.from([0xff, 0x80, 0x80, 0x80, 0x80])],
  ])("after %s", (_, text) => {
    expect(after(text).between).toBe(true);
  });

  test.each([
    ["an escape", "\u001b"],
    ["half a control sequence", "\u001b[38;5"],
    ["half a title", "\u001b]0;tit"],
    ["a title whose end has begun", "\u001b]0;title\u001b"],
    ["half a device string", "\u001bPq#0"],
    ["a device string with a bell, which does not end it", "\u001bPq\u0007"],
    ["half a choice of letters", "\u001b("],
    ["half a character", Buffer.from("字").subarray(0, 2)],
    ["a third of an emoji", Buffer.from("👩").subarray(0, 1)],
  ])("not after %s", (_, text) => {
    expect(after(text).between).toBe(false);
  });

  test("knows the state at the end, wherever the stream is cut", () => {
    const stream = Buffer.from("a\u001b[?1049h字\u001b]2;標題\u0007\u001b[31m👩\u001bP1$r\u001b\\\u001b(0");
    const whole = after(stream);
    for (let cut = 1; cut < stream.length; cut++) {
      const parted = after(stream.subarray(0, cut), stream.subarray(cut));
      expect([parted.between, parted.resets(), parted.title]).toEqual([true, whole.resets(), "標題"]);
    }
    const bytes = after(...Array.from(stream, (byte) => Buffer.from([byte])));
    expect([bytes.between, bytes.resets()]).toEqual([true, whole.resets()]);
  });
});

describe("modes that were left on", () => {
  test.each([
    ["nothing", "text\u001b[2J\u001b[1;1H", ""],
    ["mouse and paste", "\u001b[?1000;1006h\u001b[?2004h", "\u001b[?1000l\u001b[?1006l\u001b[?2004l"],
    ["a hidden cursor", "\u001b[?25l", "\u001b[?25h"],
    ["no wrapping", "\u001b[?7l", "\u001b[?7h"],
    ["what was switched off again", "\u001b[?1003h\u001b[?25l\u001b[?25h\u001b[?1003l", ""],
    ["the alternate screen", "\u001b[?1049h", "\u001b[?1049l"],
    ["colour", "\u001b[1;31m", "\u001b[m"],
    ["colour that was reset", "\u001b[1;31m\u001b[0m\u001b[32m\u001b[m\u001b[33;0m", ""],
    [
      "colours and styles that were each switched off",
      "\u001b[1;38;5;0;48;2;0;1;0;4m\u001b[22;39;49m\u001b[24m",
      "",
    ],
    ["a colour whose number is that of a reset", "\u001b[38;5;0m", "\u001b[m"],
    ["an underline with a colour by colons", "\u001b[4:3;58:2::1:2:3m\u001b[24m", "\u001b[m"],
    ["a keyboard protocol", "\u001b[>1u\u001b[>5u\u001b[<u", "\u001b[<1u"],
    ["a keyboard protocol set without pushing", "\u001b[=1;1u", "\u001b[=0u"],
    [
      "keyboard protocols of both screens",
      "\u001b[>1u\u001b[?1049h\u001b[>3u\u001b[>3u",
      "\u001b[<2u\u001b[?1049l\u001b[<1u",
    ],
    ["other keys", "\u001b[>4;2m", "\u001b[>4m"],
    ["other keys, reset", "\u001b[>4;2m\u001b[>4;0m", ""],
    ["a cursor's form", "\u001b[5 q", "\u001b[0 q"],
    ["margins", "\u001b[2;10r", "\u001b7\u001b[r\u001b8"],
    ["keypad and line drawing", "\u001b=\u001b(0", "\u001b>\u001b(B\u000f"],
    ["progress", "\u001b]9;4;3;\u0007", "\u001b]9;4;0\u0007"],
    ["a link", "\u001b]8;;http://x\u0007here", "\u001b]8;;\u0007"],
    ["everything before a full reset", "\u001b[?1049h\u001b[>1u\u001b[31m\u001bc", ""],
    ["a blinking cursor, whose state is unknown", "\u001b[?12h", ""],
  ])("%s", (_, written, resets) => {
    expect(after(written).resets()).toBe(resets);
  });

  test("first ends a sequence that was cut off", () => {
    expect(after("\u001b[?25l\u001b]0;half").resets()).toBe("\u0018\u001b\\\u001b[?25h");
  });

  test("from afar, what changes with every picture is always reset", () => {
    expect(after("").resetsFromAfar()).toBe("\u0018\u001b\\\u001b[?25h\u001b[?2026l\u001b[J");
  });

  test("changes in every frame are no lasting change", () => {
    const ground = after("\u001b[?2004h");
    const { changes } = ground;
    ground.push(Buffer.from("\u001b[?2026h\u001b[?25l\u001b[31mframe\u001b[?25h\u001b[?2026l"));
    expect(ground.changes).toBe(changes);
    ground.push(Buffer.from("\u001b[?1003h"));
    expect(ground.changes).toBe(changes + 1);
  });
});
