import { randomInt } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import type { Begin } from "../fold.ts";
import { errorCode, Failure, messageOf } from "../../platform/failure.ts";
import { RUN_ID } from "../../text/run-id.ts";
import { twoDigits } from "../../text/time-text.ts";
import type { RunStarted } from "../event.ts";
import type { RunState } from "../state.ts";
import { makeDirectories } from "../../platform/files/directories.ts";
import { readPlainFile, tryReadPlainFile } from "../../platform/files/read-file.ts";
import { Journal } from "./journal.ts";
import { readJournal, salvageJournal, type JournalContent, type SalvagedJournal } from "./read.ts";
import { JOURNAL_VERSION, type JournalRecord } from "./record.ts";

/** A run's own directory in the state directory. */
export interface RunPaths {
  readonly dir: string;
  readonly journal: string;
  /** The plan from the start of the run. */
  readonly plan: string;
  readonly inbox: string;
  readonly pipes: string;
  /** Transcripts and feedback, one directory per turn. */
  readonly turns: string;
  /** The run's command line; deleted once its first record exists. */
  readonly starting: string;
  /** Space set aside so that the end of a run can be written on a full disk. */
  readonly reserve: string;
}

/** The person's command line and directory. */
export interface Call {
  readonly cwd: string;
  readonly args: readonly string[];
}

export type ListedRun =
  | { readonly runId: string; readonly state: RunState }
  | { readonly runId: string; readonly problem: Failure };

const IS_RUN_ID = new RegExp(`^${RUN_ID}$`);
const ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";
/** The random part of an id. With fewer letters a typing error could name another run. */
const RANDOM_LETTERS = 4;
const RESERVE_BYTES = 64 * 1024;

export class RunStore {
  readonly root: string;
  readonly #begin: Begin;

  constructor(root: string, begin: Begin) {
    this.root = root;
    this.#begin = begin;
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

  /** Makes a new run's directory, or returns null if the id is taken. */
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

  /** The id of a run, from the id or a unique ending with at least its random letters. */
  resolve(given: string): string {
    if (IS_RUN_ID.test(given)) return given;
    const names = given.length < RANDOM_LETTERS ? [] : this.#names();
    const [runId, ...more] = names.filter((name) => name.endsWith(given));
    if (runId === undefined) throw new Failure("run_id_invalid", { runId: given });
    if (more.length === 0) return runId;
    throw new Failure("run_id_ambiguous", { end: given, runs: [runId, ...more].toSorted().join(", ") });
  }

  has(runId: string): boolean {
    return IS_RUN_ID.test(runId) && fs.existsSync(this.paths(runId).journal);
  }

  /** The paths of an existing run. */
  find(runId: string): RunPaths {
    if (!IS_RUN_ID.test(runId)) throw new Failure("run_id_invalid", { runId });
    if (!this.has(runId)) throw new Failure("run_not_found", { runId, path: this.root });
    return this.paths(runId);
  }

  /** Of runs that have begun. */
  ids(): readonly string[] {
    return this.#names().filter(
      (name) => fs.existsSync(this.paths(name).journal) && !this.#hasNotBegun(name),
    );
  }

  /** Runs without a record: they are starting, or their process was killed. */
  notBegun(): readonly string[] {
    return this.#names().filter((name) => this.#hasNotBegun(name));
  }

  /** The command line of a run without a record; null: it has one, or the command line is unknown. */
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

  /** A run's journal, if it verifies. */
  read(runId: string): JournalContent {
    return readJournal(this.find(runId).journal, runId, this.#begin);
  }

  /** As much of a journal as verifies. */
  salvage(runId: string): SalvagedJournal {
    return salvageJournal(this.find(runId).journal, runId, this.#begin);
  }

  newJournal(runId: string): Journal {
    return Journal.create(this.paths(runId).journal, this.#begin);
  }

  openJournal(runId: string): Journal {
    return Journal.open(this.find(runId).journal, runId, this.#begin);
  }

  /** The newest run whose first event matches. */
  newestWith(matches: (started: RunStarted) => boolean): string | null {
    return this.startedWith(matches)[0]?.runId ?? null;
  }

  /** Newest first. Reads only the beginnings of journals; skips unreadable and older ones. */
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

  /** Every run with its state, newest first; a damaged one is listed with its fault. */
  list(): readonly ListedRun[] {
    const startedAt = (run: ListedRun): string => ("state" in run ? run.state.startedAt : "");
    return this.ids()
      .map((runId): ListedRun => {
        try {
          return { runId, state: this.read(runId).state };
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

/** False: the id is taken. */
function makeDirectory(path: string): boolean {
  try {
    fs.mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
