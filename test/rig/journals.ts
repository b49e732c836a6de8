import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { RunEvent } from "../../src/domain/event.ts";
import { Failure, type FailureCode } from "../../src/domain/failure.ts";
import { Journal } from "../../src/journal/journal.ts";
import { encodeRecord, FIRST_PREV, JOURNAL_VERSION } from "../../src/journal/record.ts";
import { readJournal } from "../../src/journal/read.ts";
import { AT, RUN_ID } from "./story.ts";

/** A place for a journal, removed when the test is over. */
export function newPlace(): string {
  const dir = fs.mkdtempSync(join(tmpdir(), "foreman-journal-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return join(dir, "journal.jsonl");
}

/** A journal with these events, written by the product itself. */
export function written(...events: RunEvent[]): string {
  const path = newPlace();
  const journal = Journal.create(path);
  for (const event of events) journal.append(event, AT);
  journal.close();
  return path;
}

/** Lines with sound checksums and a sound chain, whatever they say. */
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

/** Why a journal is refused; "taken" when it is not. Any other error is a bug and is thrown. */
export function refusal(path: string, runId = RUN_ID): FailureCode | "taken" {
  try {
    readJournal(path, runId);
    return "taken";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}
