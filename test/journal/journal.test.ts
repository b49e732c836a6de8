import { begin } from "../../src/modes/registry.ts";
import fs from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ImpossibleEvent } from "../../src/core/fold.ts";
import { Journal } from "../../src/core/journal/journal.ts";
import { readJournal } from "../../src/core/journal/read.ts";
import { forged, linesOf, newJournalDir, refusal, written } from "../rig/journals.ts";
import { acceptedAt, AT, judged, rejected, resumed, RUN_ID, started, turnStarted } from "../rig/story.ts";

const STORY = [
  started({ task: "déjà vu, 你好, 😀, \u2028 \u0000 \ufffd" }),
  ...rejected(1),
  ...acceptedAt(2),
];

/** The offset of the last record. */
function startOfLast(bytes: Buffer): number {
  return bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
}

describe("appended records", () => {
  test("is read back, with the same state", () => {
    const path = newJournalDir();
    const journal = Journal.create(path, begin);
    for (const event of STORY) journal.append(event, AT);
    const content = readJournal(path, RUN_ID, begin);
    expect(content.records.map((record) => record.event)).toEqual(STORY);
    expect(content.records.map((record) => record.seq)).toEqual(STORY.map((_, index) => index + 1));
    expect(content.state).toEqual(journal.state);
    expect(content).toMatchObject({ tornBytes: 0, length: fs.statSync(path).size });
    journal.close();
  });

  test("is read back whatever text it holds, one line a record", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (task) => {
        const path = written(started({ task }));
        expect(linesOf(path)).toHaveLength(1);
        expect(readJournal(path, RUN_ID, begin).state.settings.task).toBe(task);
      }),
      { numRuns: 200 },
    );
  });

  test("goes on where another process left off", () => {
    const path = written(...STORY.slice(0, 4));
    const journal = Journal.open(path, RUN_ID, begin);
    for (const event of STORY.slice(4)) journal.append(event, AT);
    journal.close();
    expect(readJournal(path, RUN_ID, begin).records.map((record) => record.event)).toEqual(STORY);
  });

  test("is readable by its owner alone", () => {
    expect(fs.statSync(written(started())).mode & 0o777).toBe(0o600);
  });

  test("is never an impossible event, and a refused one leaves no trace", () => {
    const path = newJournalDir();
    const journal = Journal.create(path, begin);
    expect(() => journal.append(turnStarted(1), AT)).toThrow(ImpossibleEvent);
    journal.append(started(), AT);
    expect(() => journal.append(judged(1), AT)).toThrow(ImpossibleEvent);
    journal.append(turnStarted(1), AT);
    journal.close();
    expect(readJournal(path, RUN_ID, begin).records.map((record) => record.event.type)).toEqual([
      "run_started",
      "turn_started",
    ]);
  });

  test("does not overwrite a journal that is there", () => {
    const path = written(started());
    expect(() => Journal.create(path, begin)).toThrow(/state_write_failed/);
    expect(refusal(path)).toBe("taken");
  });
});

describe("an append that was cut off", () => {
  const whole = fs.readFileSync.bind(fs);

  test("at any byte never happened, and the journal goes on", () => {
    const path = written(...STORY);
    const bytes = whole(path);
    const start = startOfLast(bytes);
    for (let end = start; end < bytes.length; end++) {
      fs.writeFileSync(path, bytes.subarray(0, end));
      const content = readJournal(path, RUN_ID, begin);
      expect(content).toMatchObject({ length: start, tornBytes: end - start });
      expect(content.records).toHaveLength(STORY.length - 1);
    }
  });

  test.each([1, 40, -1])("is kept beside the journal when it is opened (cut at %i)", (cut) => {
    const path = written(...STORY);
    const bytes = whole(path);
    const start = startOfLast(bytes);
    const torn = bytes.subarray(start, cut < 0 ? bytes.length + cut : start + cut);
    fs.writeFileSync(path, Buffer.concat([bytes.subarray(0, start), torn]));
    const journal = Journal.open(path, RUN_ID, begin);
    expect(whole(path)).toEqual(bytes.subarray(0, start));
    expect(whole(join(dirname(path), `journal.jsonl.torn-${start}`))).toEqual(torn);
    journal.append(resumed(), AT);
    journal.append(judged(2), AT);
    journal.close();
    expect(readJournal(path, RUN_ID, begin).records.at(-1)?.event).toEqual(judged(2));
  });

  test("may be rubbish, as some file systems leave it", () => {
    const path = written(...STORY);
    fs.appendFileSync(path, Buffer.alloc(300));
    expect(readJournal(path, RUN_ID, begin)).toMatchObject({ tornBytes: 300 });
  });

  test("at the very first record leaves a journal without a record", () => {
    const path = newJournalDir();
    fs.writeFileSync(path, forged([started()]).slice(0, -1));
    expect(refusal(path)).toBe("journal_empty");
  });
});

describe("a change by another process during the run", () => {
  test.each<[string, (path: string) => void]>([
    ["a record more", (path) => fs.appendFileSync(path, "{}\n")],
    ["a record less", (path) => fs.truncateSync(path, startOfLast(fs.readFileSync(path)))],
    [
      "another file",
      (path) => {
        fs.copyFileSync(path, `${path}.copy`);
        fs.renameSync(`${path}.copy`, path);
      },
    ],
    ["no file", (path) => fs.rmSync(path)],
  ])("is noticed: %s", (_, change) => {
    const path = written(started(), turnStarted(1));
    const journal = Journal.open(path, RUN_ID, begin);
    change(path);
    const there = fs.existsSync(path) ? fs.readFileSync(path) : null;
    expect(() => journal.append(resumed(), AT)).toThrow(/journal_changed_while_running/);
    expect(fs.existsSync(path) ? fs.readFileSync(path) : null, "what is there is left alone").toEqual(there);
    journal.close();
  });
});
