import { begin } from "../../src/modes/registry.ts";
import fs from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { readJournal } from "../../src/core/journal/read.ts";
import { encodeRecord, FIRST_PREV, JOURNAL_VERSION } from "../../src/core/journal/record.ts";
import { forged, linesOf, newJournalDir, refusal, written } from "../rig/journals.ts";
import { acceptedAt, AT, rejected, resumed, RUN_ID, started, turnStarted } from "../rig/story.ts";

const STORY: RunEvent[] = [
  started({ task: "déjà vu, 你好, 😀 \ufffd" }),
  ...rejected(1),
  resumed(),
  ...acceptedAt(2),
];

function holding(bytes: string | Buffer): string {
  const path = newJournalDir();
  fs.writeFileSync(path, bytes);
  return path;
}

describe("one byte changed", () => {
  test("any bit of any byte", () => {
    const path = written(...STORY);
    const bytes = fs.readFileSync(path);
    const taken: string[] = [];
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      fs.writeFileSync(path, flipped);
      if (refusal(path) === "taken") taken.push(`byte ${at} of ${bytes.length}`);
    }
    expect(taken).toEqual([]);
  });

  test("any byte to any other", () => {
    const path = written(...STORY);
    const bytes = fs.readFileSync(path);
    const place = fc.integer({ min: 0, max: bytes.length - 1 });
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const flipped = Buffer.from(bytes);
        flipped[at] = (bytes[at] ?? 0) ^ mask;
        fs.writeFileSync(path, flipped);
        expect(refusal(path)).not.toBe("taken");
      }),
      { numRuns: 3000 },
    );
  });

  // Decoding replaces invalid UTF-8 with U+FFFD. If the text contains U+FFFD, another byte may decode to the same text.
  test("a byte of text that decodes to the same text", () => {
    const path = written(...STORY);
    const bytes = fs.readFileSync(path);
    const at = bytes.indexOf(Buffer.from("\ufffd"));
    const flipped = Buffer.from(bytes);
    flipped[at] = 0xf0;
    expect(flipped.toString()).toBe(bytes.toString());
    fs.writeFileSync(path, flipped);
    expect(refusal(path)).not.toBe("taken");
  });
});

describe("lines moved", () => {
  const last = STORY.length - 1;
  test.each(STORY.slice(0, last).map((event, index) => [index, event.type] as const))(
    "line %i (%s) dropped, doubled, or swapped with the next",
    (index) => {
      const lines = linesOf(written(...STORY));
      const [here = "", next = ""] = lines.slice(index, index + 2);
      const text = (changed: readonly string[]): string => `${changed.join("\n")}\n`;
      expect(refusal(holding(text(lines.toSpliced(index, 1))))).not.toBe("taken");
      expect(refusal(holding(text(lines.toSpliced(index, 0, here))))).not.toBe("taken");
      expect(refusal(holding(text(lines.toSpliced(index, 2, next, here))))).not.toBe("taken");
      expect(refusal(holding(text(lines.toSpliced(index, 0, ""))))).not.toBe("taken");
    },
  );

  test("a line of another run's journal", () => {
    const lines = linesOf(written(...STORY));
    const others = linesOf(written(started({ task: "another" }), ...STORY.slice(1)));
    const mixed = lines.with(3, others[3] ?? "");
    expect(refusal(holding(`${mixed.join("\n")}\n`))).toBe("journal_tampered");
  });
});

describe("a journal of another program", () => {
  test.each<[string, string | Buffer, string]>([
    ["nothing", "", "journal_empty"],
    ["no whole line", "half a li", "journal_empty"],
    ["text", "hello\nworld\n", "journal_foreign"],
    ["JSON", '{"a":1}\n', "journal_foreign"],
    ["bytes", Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80, 0x0a]), "journal_foreign"],
    ["an empty line", "\n", "journal_foreign"],
    ["Windows line ends", forged([started()]).replace("\n", "\r\n"), "journal_foreign"],
    ["a byte order mark", `\ufeff${forged([started()])}`, "journal_foreign"],
    ["another run's journal", forged([started({}, { runId: "0101-xxxx" })]), "journal_foreign"],
    ["a newer format", forged([started()], { v: JOURNAL_VERSION + 1 }), "journal_newer"],
    ["an older format", forged([started()], { v: JOURNAL_VERSION - 1 }), "journal_older"],
    ["a newer format that keeps its checksum elsewhere", '{"v":7,"crc":"00","what":[]}\n', "journal_newer"],
    ["a newer record after older ones", newerAtTheEnd(), "journal_newer"],
    ["a journal without its beginning", forged([resumed(), turnStarted(1)]), "journal_tampered"],
    ["a story that cannot have happened", forged([started(), started()]), "journal_tampered"],
    ["an unknown event", forged([started(), { type: "run_blessed" }]), "journal_tampered"],
    ["a record that counts wrong", forged([started(), resumed()], { seq: 1 }), "journal_tampered"],
  ])("%s", (_, content, code) => {
    expect(refusal(holding(content))).toBe(code);
  });

  test.each<[string, unknown]>([
    ["no event", undefined],
    ["null", null],
    ["a number", 7],
    ["a list", []],
    ["no type", {}],
    ["a beginning without settings", { type: "run_started", runId: RUN_ID }],
    ["a beginning without anything", { type: "run_started" }],
  ])("a sound checksum over nonsense is refused as well, not stumbled over: %s", (_, event) => {
    expect(refusal(holding(forged([event])))).toMatch(/^journal_/);
  });

  test.each<[string, unknown]>([
    ["null", null],
    ["a verdict without reasons", { type: "attempt_judged", attempt: 1 }],
    ["an answer without an answer", { type: "question_answered", id: "q1" }],
  ])("the same in the middle of a story: %s", (_, event) => {
    expect(refusal(holding(forged([started(), turnStarted(1), event, resumed()])))).toMatch(/^journal_/);
  });

  test("any JSON with a sound checksum: refused by a reason, never by an accident", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (first, second) => {
        expect(refusal(holding(forged([first])))).toMatch(/^journal_/);
        expect(refusal(holding(forged([started(), second])))).toMatch(/^journal_/);
      }),
      { numRuns: 300 },
    );
  });
});

test("a refusal says which run, which file and which line", () => {
  const path = holding(forged([started(), resumed(), started()]));
  const about = { runId: RUN_ID, path, line: "3" };
  expect(() => readJournal(path, RUN_ID, begin)).toThrow(
    expect.objectContaining({ code: "journal_tampered", about: expect.objectContaining(about) }),
  );
});

function newerAtTheEnd(): string {
  const { line, hash } = encodeRecord({
    v: JOURNAL_VERSION,
    seq: 1,
    at: AT,
    prev: FIRST_PREV,
    event: started(),
  });
  return line + encodeRecord({ v: JOURNAL_VERSION + 1, seq: 2, at: AT, prev: hash, event: resumed() }).line;
}
