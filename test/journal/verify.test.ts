import { begin } from "../../src/modes/registry.ts";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { Journal } from "../../src/core/journal/journal.ts";
import { forged, newJournalDir, refusal } from "../rig/journals.ts";
import { acceptedAt, AT, resumed, RUN_ID, started, turnStarted } from "../rig/story.ts";

const STORY = [started({ task: "the task" }), ...acceptedAt(1)];

function open(): { journal: Journal; path: string } {
  const path = newJournalDir();
  const journal = Journal.create(path, begin);
  for (const event of STORY) journal.append(event, AT);
  return { journal, path };
}

/** Writes into the open file itself instead of replacing it. */
function rewrite(path: string, text: string): void {
  const fd = fs.openSync(path, "r+");
  fs.writeSync(fd, text, 0);
  fs.closeSync(fd);
}

describe("this process's knowledge of its journal", () => {
  test("is borne out by the file, also where another process began it", () => {
    const { journal, path } = open();
    journal.verify();
    expect(journal.records).toBe(STORY.length);
    journal.close();
    const again = Journal.open(path, RUN_ID, begin);
    again.verify();
    expect(again.head).toBe(journal.head);
    again.append(resumed(), AT);
    again.verify();
    expect([again.records, again.head === journal.head]).toEqual([STORY.length + 1, false]);
    again.close();
  });

  test("is not by another story of the same length, checksums and all", () => {
    const { journal, path } = open();
    const other = forged([started({ task: "the tusk" }), ...acceptedAt(1)]);
    expect(other).toHaveLength(fs.statSync(path).size);
    rewrite(path, other);
    expect(refusal(path), "it verifies by itself").toBe("taken");
    expect(() => journal.verify()).toThrow(/journal_changed_while_running/);
    journal.close();
    expect(refusal(path), "and it stays refused").toBe("journal_tampered");
  });

  test("is not by one that was rewritten before the last append", () => {
    const { journal, path } = open();
    rewrite(path, forged([started({ task: "the tusk" }), ...acceptedAt(1)]));
    journal.append(resumed(), AT);
    expect(() => journal.verify()).toThrow(/journal_changed_while_running/);
    journal.close();
  });

  test.each<[string, (path: string) => void]>([
    ["a record more", (path) => fs.appendFileSync(path, "{}\n")],
    ["a byte that is another", (path) => rewrite(path, '{"v":4')],
    ["the last line end gone", (path) => fs.truncateSync(path, fs.statSync(path).size - 1)],
    ["nothing in it", (path) => fs.truncateSync(path, 0)],
    [
      "another file",
      (path) => {
        fs.copyFileSync(path, `${path}.copy`);
        fs.renameSync(`${path}.copy`, path);
      },
    ],
    ["no file", (path) => fs.rmSync(path)],
  ])("is not by a file with %s", (_, change) => {
    const { journal, path } = open();
    change(path);
    expect(() => journal.verify()).toThrow(/journal_changed_while_running/);
    journal.close();
    expect(fs.existsSync(`${path}.tampered`)).toBe(true);
  });

  test("is not by fewer records that are sound in themselves", () => {
    const path = newJournalDir();
    const journal = Journal.create(path, begin);
    journal.append(started(), AT);
    journal.append(turnStarted(1), AT);
    // The same length as before: missing bytes are added in another place.
    const whole = fs.statSync(path).size;
    const short = forged([started()]).length;
    rewrite(path, forged([started({ task: "the task".padEnd("the task".length + whole - short) })]));
    expect(fs.statSync(path).size).toBe(whole);
    expect(() => journal.verify()).toThrow(/journal_changed_while_running/);
    journal.close();
  });
});
