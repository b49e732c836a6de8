import { randomInt } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { errorCode, Failure, messageOf } from "../domain/failure.ts";
import { RUN_ID } from "../domain/run-id.ts";
import { twoDigits } from "../domain/time-text.ts";
import type { RunStarted } from "../domain/event.ts";
import type { RunState } from "../domain/state.ts";
import { makeDirectories } from "../files/directories.ts";
import { readPlainFile, tryReadPlainFile } from "../files/read-file.ts";
import { readJournal } from "./read.ts";
import { JOURNAL_VERSION, type JournalRecord } from "./record.ts";

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
  /** How the run was called; goes when its first record is there. */
  readonly starting: string;
  /** Space set aside so that the end of a run can be written on a full disk. */
  readonly reserve: string;
}

/** What a person typed, and where. */
export interface Call {
  readonly cwd: string;
  readonly args: readonly string[];
}

export type ListedRun =
  | { readonly runId: string; readonly state: RunState }
  | { readonly runId: string; readonly problem: Failure };

const IS_RUN_ID = new RegExp(`^${RUN_ID}$`);
const ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";
/** The random part of an id. Less of it would make typing errors name a run. */
const RANDOM_LETTERS = 4;
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
      starting: join(dir, "starting.json"),
      reserve: join(dir, "reserve"),
    };
  }

  /** Makes a new run's directory, or null where the id is taken. */
  create(runId: string, call: Call): RunPaths | null {
    const paths = this.paths(runId);
    let made = false;
    try {
      makeDirectories(join(this.root, "runs"), 0o700);
      made = makeDirectory(paths.dir);
      if (!made) return null;
      fs.writeFileSync(paths.starting, JSON.stringify(call), { mode: 0o600 });
      fs.mkdirSync(paths.inbox, { mode: 0o700 });
      fs.mkdirSync(paths.turns, { mode: 0o700 });
      fs.writeFileSync(paths.reserve, Buffer.alloc(RESERVE_BYTES));
      return paths;
    } catch (error) {
      if (made) fs.rmSync(paths.dir, { recursive: true, force: true });
      throw new Failure(
        "state_dir_not_writable",
        { path: this.root, why: messageOf(error) },
        { cause: error },
      );
    }
  }

  /** The id of a run, by itself or by an end of it that no other run has: at least its random letters. */
  resolve(given: string): string {
    if (IS_RUN_ID.test(given)) return given;
    const names = given.length < RANDOM_LETTERS ? [] : this.#names();
    const [runId, ...more] = names.filter((name) => name.endsWith(given));
    if (runId === undefined) throw new Failure("run_id_invalid", { runId: given });
    if (more.length === 0) return runId;
    throw new Failure("run_id_ambiguous", { end: given, runs: [runId, ...more].toSorted().join(", ") });
  }

  /** The paths of a run that exists. */
  find(runId: string): RunPaths {
    if (!IS_RUN_ID.test(runId)) throw new Failure("run_id_invalid", { runId });
    const paths = this.paths(runId);
    if (!fs.existsSync(paths.journal)) throw new Failure("run_not_found", { runId, path: this.root });
    return paths;
  }

  /** Of runs that have begun. */
  ids(): readonly string[] {
    return this.#names().filter(
      (name) => fs.existsSync(this.paths(name).journal) && !this.#hasNotBegun(name),
    );
  }

  /** Of runs that have no record yet: they are being started, or their process was killed. */
  notBegun(): readonly string[] {
    return this.#names().filter((name) => this.#hasNotBegun(name));
  }

  /** How a run was called that has no record; null: it has one, or this is not known. */
  callOf(runId: string): Call | null {
    try {
      return JSON.parse(readPlainFile(this.paths(runId).starting).toString("utf8")) as Call;
    } catch {
      return null;
    }
  }

  /** An emptied journal does not count: `starting` is gone after the first record. */
  #hasNotBegun(runId: string): boolean {
    const { dir, starting, journal } = this.paths(runId);
    try {
      if (!fs.existsSync(starting)) return fs.readdirSync(dir).length === 0;
      return tryReadPlainFile(journal)?.includes(0x0a) !== true;
    } catch {
      return false;
    }
  }

  #names(): readonly string[] {
    try {
      return fs.readdirSync(join(this.root, "runs")).filter((name) => IS_RUN_ID.test(name));
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

  /** Newest first. Only the beginnings of journals are read; unreadable and older ones are left out. */
  startedWith(matches: (started: RunStarted) => boolean): readonly RunStarted[] {
    const found = this.ids().flatMap((runId) => {
      const record = firstRecord(this.paths(runId).journal);
      if (!record || record.v < JOURNAL_VERSION) return [];
      return record.event.type === "run_started" && matches(record.event)
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

/** Month, day and four letters a person can type. */
export function newRunId(now: Date): string {
  const letters = Array.from({ length: RANDOM_LETTERS }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]).join(
    "",
  );
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
