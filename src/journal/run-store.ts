import { randomInt } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { errorCode, Failure, messageOf } from "../domain/failure.ts";
import { RUN_ID } from "../domain/run-id.ts";
import type { RunStarted } from "../domain/event.ts";
import type { RunState } from "../domain/state.ts";
import { makeDirectories } from "../files/directories.ts";
import { readPlainFile } from "../files/read-file.ts";
import { readJournal } from "./read.ts";
import type { JournalRecord } from "./record.ts";

/** A run's own directory in the state directory. */
export interface RunPaths {
  readonly dir: string;
  readonly journal: string;
  /** The plan as it was at the start. */
  readonly plan: string;
  readonly inbox: string;
  readonly pipes: string;
  /** Transcripts and feedback, a directory a turn. */
  readonly turns: string;
  /** Space set aside so that the end of a run can be written on a full disk. */
  readonly reserve: string;
}

export type ListedRun =
  | { readonly runId: string; readonly state: RunState }
  | { readonly runId: string; readonly problem: Failure };

const IS_RUN_ID = new RegExp(`^${RUN_ID}$`);
const ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";
const RESERVE_BYTES = 64 * 1024;

export class RunStore {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  paths(runId: string): RunPaths {
    const dir = join(this.root, "runs", runId);
    return {
      dir,
      journal: join(dir, "journal.jsonl"),
      plan: join(dir, "plan.md"),
      inbox: join(dir, "inbox"),
      pipes: join(dir, "pipes"),
      turns: join(dir, "turns"),
      reserve: join(dir, "reserve"),
    };
  }

  /** Makes a new run's directory under a fresh id: month, day and four letters a person can type. */
  create(now: Date): { runId: string; paths: RunPaths } {
    let paths: RunPaths | undefined;
    try {
      makeDirectories(join(this.root, "runs"), 0o700);
      for (;;) {
        const runId = newRunId(now);
        if (!makeDirectory(this.paths(runId).dir)) continue;
        paths = this.paths(runId);
        fs.mkdirSync(paths.inbox, { mode: 0o700 });
        fs.mkdirSync(paths.turns, { mode: 0o700 });
        fs.writeFileSync(paths.reserve, Buffer.alloc(RESERVE_BYTES));
        return { runId, paths };
      }
    } catch (error) {
      if (paths) fs.rmSync(paths.dir, { recursive: true, force: true });
      throw new Failure(
        "state_dir_not_writable",
        { path: this.root, why: messageOf(error) },
        { cause: error },
      );
    }
  }

  /** The paths of a run that exists. */
  find(runId: string): RunPaths {
    if (!IS_RUN_ID.test(runId)) throw new Failure("run_id_invalid", { runId });
    const paths = this.paths(runId);
    if (!fs.existsSync(paths.journal)) throw new Failure("run_not_found", { runId, path: this.root });
    return paths;
  }

  /** Of runs that have begun: a directory without a journal is one that is just being made. */
  ids(): readonly string[] {
    try {
      return fs
        .readdirSync(join(this.root, "runs"))
        .filter((name) => IS_RUN_ID.test(name) && fs.existsSync(this.paths(name).journal));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw new Failure(
        "state_dir_not_writable",
        { path: this.root, why: messageOf(error) },
        { cause: error },
      );
    }
  }

  /** The newest run that was started so. */
  newestWith(matches: (started: RunStarted) => boolean): string | null {
    return this.startedWith(matches)[0]?.runId ?? null;
  }

  /** Newest first. Only the beginnings of journals are read; those that cannot be are passed over. */
  startedWith(matches: (started: RunStarted) => boolean): readonly RunStarted[] {
    const found = this.ids().flatMap((runId) => {
      const record = firstRecord(this.paths(runId).journal);
      return record?.event.type === "run_started" && matches(record.event)
        ? [{ started: record.event, at: record.at }]
        : [];
    });
    return found.toSorted((a, b) => (a.at < b.at ? 1 : -1)).map(({ started }) => started);
  }

  /** Every run with its state, the newest first; a damaged one is listed with what is wrong. */
  list(): readonly ListedRun[] {
    const startedAt = (run: ListedRun): string => ("state" in run ? run.state.startedAt : "");
    return this.ids()
      .map((runId): ListedRun => {
        try {
          return { runId, state: readJournal(this.paths(runId).journal, runId).state };
        } catch (error) {
          if (error instanceof Failure) return { runId, problem: error };
          throw error;
        }
      })
      .sort((a, b) => (startedAt(a) < startedAt(b) ? 1 : -1));
  }
}

/** Long enough for nearly all. */
const USUAL_BEGINNING = 64 * 1024;
const LONGEST_BEGINNING = 64 * 1024 * 1024;

function firstRecord(path: string): JournalRecord | undefined {
  try {
    const usual = readPlainFile(path, USUAL_BEGINNING);
    const bytes = usual.includes(0x0a) ? usual : readPlainFile(path, LONGEST_BEGINNING);
    const [line = ""] = bytes.toString("utf8").split("\n", 1);
    return JSON.parse(line) as JournalRecord;
  } catch {
    return undefined;
  }
}

function newRunId(now: Date): string {
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  const letters = Array.from({ length: 4 }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join("");
  return `${twoDigits(now.getMonth() + 1)}${twoDigits(now.getDate())}-${letters}`;
}

/** False when the id is taken. */
function makeDirectory(path: string): boolean {
  try {
    fs.mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
