import type { CheckPhase } from "../check-phase.ts";
import type { OracleChange } from "../oracle/change.ts";
import type { Captured, ProcessRecord } from "../process-end.ts";
import type { Proof } from "../tests/proof.ts";
import type { Silenced } from "../silencing.ts";
import type { LostFiles } from "./changes.ts";
import type { Names, TestFindings } from "../tests/findings.ts";
import type { NotStarted } from "../tests/not-started.ts";
import type { Runner } from "../tests/result.ts";

/** What a run records about the tree it began with and about the room in which its checks run. */
export type RoomEvent = BaseTaken | BaseChecked | CandidateTaken | CandidateConfirmed;

/** `overlay`: over the work tree's own path, seen by the check alone. `copy`: the files in another place. */
export type RoomKind = "overlay" | "copy";

/** What is less sure than it could be, here. */
export const WEAKNESSES = [
  "no_git",
  "no_commit",
  "no_overlay",
  "ignored_unknown",
  "best_effort",
  "tests_not_seen",
] as const;
export type Weakness = (typeof WEAKNESSES)[number];

/** The work tree as it is before anybody works at it: what comes later is held against it. */
export interface BaseTaken {
  readonly type: "base_taken";
  /** All files that count, as a digest. */
  readonly tree: string;
  readonly files: number;
  /** Where commands run, below the tree's root; empty: there. */
  readonly folder: string;
  /** Files and folders below the root that are ours, and no part of the tree. */
  readonly leftOut: readonly string[];
  readonly commit: string | null;
  /** Git says what counts, and whoever makes away with it decides that. */
  readonly isRepository: boolean;
  readonly oracle: { readonly files: number; readonly sha256: string };
  /** The names of all files, and what they hold, as digests. */
  readonly listing: Captured;
  /** The files themselves, the oracle's first; not all of a very large tree. */
  readonly pack: Captured;
  /** What the files that git ignores, and the programs on PATH, looked like. */
  readonly stamps: Captured;
  readonly room: RoomKind;
  readonly weak: readonly Weakness[];
  /** Protected files that an unaccepted run left changed: listing and pack have their original versions. */
  readonly inherited: { readonly count: number; readonly some: readonly InheritedFile[] };
}

export interface InheritedFile {
  readonly path: string;
  /** Which run changed it last. */
  readonly runId: string;
  /** Whether `restore` of that run brings the original back. */
  readonly restores: boolean;
  /** There was no such file before that run. */
  readonly added: boolean;
  /** The version that this run found: kind and digest; null: no file. */
  readonly found: string | null;
}

/** A test command, run on the base. */
export interface BaseChecked {
  readonly type: "base_checked";
  readonly phase: CheckPhase;
  readonly index: number;
  readonly process: ProcessRecord;
  readonly output: Captured;
  /** Null: it told no tests. */
  readonly tests: BaseTests | null;
  /** Tests and scripts that the command writes anew while it runs, here already. */
  readonly rewritten: readonly string[];
  /** Left out where the command started. */
  readonly notStarted?: NotStarted;
  /** A digest of all that decided about the result, where a later run may use it. */
  readonly key?: string;
  /** The run that it was seen in; absent: this one. */
  readonly from?: string;
}

export interface BaseTests {
  readonly runners: readonly Runner[];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly kept: Captured;
}

/** What a turn left. Taken anew when the tree changed after it: evidence about another tree is none. */
export interface CandidateTaken {
  readonly type: "candidate_taken";
  readonly attempt: number;
  readonly tree: string;
  /** It is gone, no repository any more, or so large that nobody can say what it holds: nothing is checked. */
  readonly unreadable?: true;
  /** What is not as on the base, and decides whether tests pass. */
  readonly oracle: readonly OracleChange[];
  /** Which of these a person has allowed beforehand. */
  readonly allowed: readonly string[];
  /** Of the others, what they hold now, as a digest: what a person says about them is about this. */
  readonly changesSha256: string;
  /** New files with tests. */
  readonly newTests: Names;
  /** Files that git ignores and that are not as on the base: checks do not see them. */
  readonly hidden: Names;
  /** Programs on PATH that are not as they were. */
  readonly programs: readonly string[];
  /** Left out where the person lost nothing. */
  readonly lost?: LostFiles;
  /** Comments that keep a checker among the test commands quiet, and that the attempt added; left out where there are none. */
  readonly silenced?: readonly Silenced[];
}

/** The tree is still what the checks have seen: the acceptance is of this tree. */
export interface CandidateConfirmed {
  readonly type: "candidate_confirmed";
  readonly attempt: number;
  readonly tree: string;
}

/** What a check showed in the room, besides its exit code. */
export interface CheckInRoom {
  /** Null: by its exit code alone. */
  readonly findings: TestFindings | null;
  /** It failed, and on the same tree it passed: which tests were different; null: it was not run twice. */
  readonly flaky: Names | null;
  /**
   * What it showed with the base's tests, where it failed by them and goes by the candidate's own instead: a person decides about
   * these, or all of the base's tests passed and something else (a share of the code that has to be tested) was missing. Null: the
   * base's tests decide.
   */
  readonly frozen: OwnRun | null;
  /** The same with all tests as the candidate has them; null: they are as on the base, or it was not asked. */
  readonly own: OwnRun | null;
  /** Original tests that the agent's version of changed protected files no longer runs; renamed and moved ones are not among them. */
  readonly lost: Names;
  /** These again, with the product as it was on the base; null: nobody asks. */
  readonly without: (OwnRun & Proof) | null;
  /**
   * The tree as it was on the base, where the command failed there: if that passes now, something else than the work made it pass. Null:
   * it passed on the base, or nothing speaks for the work anyway.
   */
  readonly control: OwnRun | null;
  /** Tests and scripts that were changed while they ran; not those that the base's run changes as well. */
  readonly rewritten: Names;
  /** Why there was no room; null: there was. */
  readonly problem: string | null;
  /** How its dependencies were installed; absent: they are as on the base. */
  readonly setUps?: readonly SetUp[];
}

/** Dependencies installed for checks, because a manifest or a lock file changed. */
export interface SetUp {
  /** Below the tree's root. */
  readonly folder: string;
  /** As a person would type it. */
  readonly command: string;
  /** Null: nothing went wrong. Where it did and the check passed all the same, the set-up is left out. */
  readonly problem: SetUpProblem | null;
  /** The tool that is missing, or the package that was replaced. */
  readonly subject: string | null;
  /** Null: it was not run. */
  readonly output: Captured | null;
}

/**
 * `no_tool`: the package manager is not on the PATH. `no_registry`: a registry cannot be reached, or refuses access. `failed`: it ended with an
 * error. `replaced`: a package of a registry was replaced by something else.
 */
export const SET_UP_PROBLEMS = ["no_tool", "no_registry", "failed", "replaced"] as const;
export type SetUpProblem = (typeof SET_UP_PROBLEMS)[number];

export interface OwnRun {
  readonly process: ProcessRecord;
  readonly output: Captured;
  readonly findings: TestFindings | null;
}
