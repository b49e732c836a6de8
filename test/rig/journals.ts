import { begin } from "../../src/modes/registry.ts";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { Failure, type FailureCode } from "../../src/platform/failure.ts";
import { Journal } from "../../src/core/journal/journal.ts";
import { encodeRecord, FIRST_PREV, JOURNAL_VERSION } from "../../src/core/journal/record.ts";
import { readJournal } from "../../src/core/journal/read.ts";
import { AT, RUN_ID } from "./story.ts";

/** A directory for a journal, removed after the test. */
export function newJournalDir(): string {
  const dir = fs.mkdtempSync(join(tmpdir(), "foreman-journal-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return join(dir, "journal.jsonl");
}

/** A journal with these events, written by the product itself. */
export function written(...events: RunEvent[]): string {
  const path = newJournalDir();
  const journal = Journal.create(path, begin);
  for (const event of events) journal.append(event, AT);
  journal.close();
  return path;
}

/** Lines with valid checksums and a valid chain but any content. */
export function forged(events: readonly unknown[], change: Readonly<Record<string, unknown>> = {}): string {
  let prev = FIRST_PREV;
  return events
    .map((event, index) => {
      const record = {
        v: JOURNAL_VERSION,
        seq: index + 1,
        at: AT,
        prev,
        event: event as RunEvent,
        ...change,
      };
      const { line, hash } = encodeRecord(record);
      prev = hash;
      return line;
    })
    .join("");
}

export function linesOf(path: string): string[] {
  return fs.readFileSync(path, "utf8").split("\n").slice(0, -1);
}

/** The reason why a journal is refused, or "taken". Any other error is a bug and is thrown. */
export function refusal(path: string, runId = RUN_ID): FailureCode | "taken" {
  try {
    readJournal(path, runId, begin);
    return "taken";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}
