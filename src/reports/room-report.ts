import { weaknessesOf } from "../domain/room/weaknesses.ts";
import type { TestChanges } from "../domain/room/settings.ts";
import type { Silenced } from "../domain/silencing.ts";
import type { CheckPhase } from "../domain/event.ts";
import type { OracleChange } from "../domain/oracle/change.ts";
import { exitCodeOf, type Captured, type ProcessEnd } from "../domain/process-end.ts";
import type { ChangeCounts, LostFile } from "../domain/room/changes.ts";
import type { BaseChecked, CheckInRoom, OwnRun, RoomKind, SetUp, Weakness } from "../domain/room/event.ts";
import type { CandidateState } from "../domain/room/state.ts";
import type { Attempt, ManualDecision, RunState } from "../domain/state.ts";
import type { Names, TestFindings } from "../domain/tests/findings.ts";
import type { Proof } from "../domain/tests/proof.ts";
import type { Runner } from "../domain/tests/result.ts";

/** What the report of every mode says about where its checks ran, and on what they were held against. */
export interface RoomReports {
  /** Null: in the work tree itself. */
  readonly room: RoomReport | null;
  /** Null: not looked at. */
  readonly base: BaseReport | null;
  /** What people said about changed tests, and what decides about them. */
  readonly oracle_decisions: readonly OracleDecisionReport[];
  /** What the evidence does not cover. */
  readonly not_covered: readonly NotCovered[];
  /** What the run changed; null: there is no base to compare with. */
  readonly changes: ChangesReport | null;
}

interface ChangesReport extends ChangeCounts {
  readonly lost_files: number;
  readonly lost: readonly LostFile[];
  readonly outside: readonly string[];
  /** Null while the run can go on. */
  readonly diff: Captured | null;
}

/** Product code that knows its tests is never noticed. */
export const NOT_COVERED = ["special_casing", "no_clean_room"] as const;
type NotCovered = (typeof NOT_COVERED)[number] | Weakness;

interface RoomReport {
  /** Null: it was not come to that. */
  readonly kind: RoomKind | null;
  readonly weak: readonly Weakness[];
  readonly setup: string | null;
  readonly allow: readonly string[];
  readonly pass_env: readonly string[];
  /** New tests have to fail without the work that they came with. */
  readonly prove_tests: boolean;
  readonly test_changes: TestChanges;
  readonly allow_no_change: boolean;
  /** Protected files are taken as an unaccepted run left them. */
  readonly accept_tree: boolean;
}

interface BaseReport {
  readonly tree: string;
  readonly commit: string | null;
  readonly files: number;
  readonly oracle: { readonly files: number; readonly sha256: string };
  /** Protected files that an unaccepted run left changed: their original versions count. */
  readonly inherited: {
    readonly count: number;
    readonly some: readonly { readonly path: string; readonly run_id: string; readonly added: boolean }[];
  };
  readonly tests: readonly BaseTestReport[];
}

interface BaseTestReport {
  readonly phase: CheckPhase;
  readonly index: number;
  readonly command: string;
  readonly exit_code: number | null;
  readonly end: ProcessEnd;
  readonly duration_ms: number;
  readonly output: Captured;
  /** Null: it told no tests. */
  readonly tests: BaseTestsReport | null;
  /** The earlier run that it was seen in; null: this one. */
  readonly from_run: string | null;
}

interface BaseTestsReport {
  readonly runners: readonly Runner[];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly kept: Captured;
}

interface OracleDecisionReport {
  readonly attempt: number;
  readonly decision: "allow" | "refuse";
  readonly note: string | null;
  readonly via: "terminal" | "decide";
  readonly at: string;
}

export interface CandidateReport {
  readonly tree: string;
  /** It was still the same after the checks. */
  readonly confirmed: boolean;
  readonly oracle_changes: readonly OracleChange[];
  /** Which of these were allowed beforehand. */
  readonly allowed: readonly string[];
  /** What a person said about the others; null: nobody was asked, or nobody answered. */
  readonly decided: CandidateState["decided"];
  readonly new_tests: Names;
  /** Ignored files that the checks did not see. */
  readonly hidden: Names;
  readonly programs: readonly string[];
  /** Comments that keep a checker quiet, and were added. */
  readonly silenced: readonly Silenced[];
}

/** What a check showed besides its exit code; nothing of it where it ran in the work tree itself. */
export interface RoomOfTest {
  readonly tests: FindingsReport | null;
  /** It failed, and passed on the same tree; null: it was not run twice. */
  readonly flaky: Names | null;
  /** With the base's tests, where it failed by them and goes by the candidate's own. */
  readonly frozen: RunReport | null;
  /** The same command with all tests as the candidate has them. */
  readonly own: RunReport | null;
  /** Original tests that the agent's version no longer runs. */
  readonly lost: Names;
  /** These again, with the product as it was on the base. */
  readonly without: (RunReport & Proof) | null;
  /** The tree as it was on the base, where the command failed there. */
  readonly control: RunReport | null;
  /** Tests and scripts that were changed while they ran. */
  readonly rewritten: Names;
  /** Why there was no room. */
  readonly problem: string | null;
  /** How its dependencies were installed; empty: they are as on the base. */
  readonly set_ups: readonly SetUp[];
}

interface FindingsReport {
  readonly runners: readonly Runner[];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly added: number;
  readonly regressed: Names;
  readonly already_failing: Names;
  readonly new_failing: Names;
  readonly failing: Names;
  readonly vanished: Names;
  readonly skipped_now: Names;
  readonly complete: boolean;
  readonly exited_by: readonly string[];
  readonly kept: Captured;
}

interface RunReport {
  readonly exit_code: number | null;
  readonly end: ProcessEnd;
  readonly duration_ms: number;
  readonly output: Captured;
  readonly tests: FindingsReport | null;
}

export function roomReports(state: RunState): RoomReports {
  return {
    room: roomReport(state),
    base: baseReport(state),
    oracle_decisions: state.decisions.flatMap((decision) => oracleDecision(decision) ?? []),
    not_covered: notCovered(state),
    changes: changesReport(state),
  };
}

function changesReport({ changes }: RunState): ChangesReport | null {
  if (!changes) return null;
  const { lost, outside, kept, ...counts } = changes;
  return { ...counts, lost_files: lost.count, lost: lost.some, outside, diff: kept?.diff ?? null };
}

function notCovered(state: RunState): readonly NotCovered[] {
  return ["special_casing", ...(state.settings.room ? weaknessesOf(state) : (["no_clean_room"] as const))];
}

function roomReport(state: RunState): RoomReport | null {
  const { settings, base } = state;
  const { room } = settings;
  if (!room) return null;
  return {
    kind: base?.taken.room ?? null,
    weak: weaknessesOf(state),
    setup: room.setup,
    allow: room.allow,
    pass_env: room.passEnv,
    prove_tests: room.proveTests,
    test_changes: room.testChanges,
    allow_no_change: room.allowNoChange,
    accept_tree: room.acceptTree,
  };
}

function baseReport({ base }: RunState): BaseReport | null {
  if (!base) return null;
  const { tree, commit, files, oracle, inherited } = base.taken;
  const some = inherited.some.map(({ path, runId, added }) => ({ path, run_id: runId, added }));
  return {
    tree,
    commit,
    files,
    oracle,
    inherited: { count: inherited.count, some },
    tests: base.checks.map(baseTestReport),
  };
}

function baseTestReport({ phase, index, process, output, tests, from }: BaseChecked): BaseTestReport {
  return {
    phase,
    index,
    command: process.command,
    exit_code: exitCodeOf(process.end),
    end: process.end,
    duration_ms: process.durationMs,
    output,
    tests,
    from_run: from ?? null,
  };
}

function oracleDecision({
  about,
  attempt,
  answer,
  note,
  via,
  at,
}: ManualDecision): OracleDecisionReport | undefined {
  if (about !== "oracle" || answer.kind !== "option") return undefined;
  return { attempt, decision: answer.option === "allow" ? "allow" : "refuse", note, via, at };
}

export function candidateReport({ candidate }: Attempt): CandidateReport | null {
  if (!candidate) return null;
  const { tree, oracle, allowed, newTests, hidden, programs } = candidate.taken;
  return {
    tree,
    confirmed: candidate.confirmed,
    oracle_changes: oracle,
    allowed,
    decided: candidate.decided,
    new_tests: newTests,
    hidden,
    programs,
    silenced: candidate.taken.silenced ?? [],
  };
}

export function roomOfTest(room: CheckInRoom | undefined): RoomOfTest {
  return {
    tests: room?.findings ? findingsReport(room.findings) : null,
    flaky: room?.flaky ?? null,
    frozen: room?.frozen ? runReport(room.frozen) : null,
    own: room?.own ? runReport(room.own) : null,
    lost: room?.lost ?? { count: 0, some: [] },
    without: room?.without ? withoutReport(room.without) : null,
    control: room?.control ? runReport(room.control) : null,
    rewritten: room?.rewritten ?? { count: 0, some: [] },
    problem: room?.problem ?? null,
    set_ups: room?.setUps ?? [],
  };
}

function withoutReport(without: OwnRun & Proof): RunReport & Proof {
  return { ...runReport(without), revived: without.revived, unproven: without.unproven };
}

function runReport({ process, output, findings }: OwnRun): RunReport {
  return {
    exit_code: exitCodeOf(process.end),
    end: process.end,
    duration_ms: process.durationMs,
    output,
    tests: findings && findingsReport(findings),
  };
}

function findingsReport(findings: TestFindings): FindingsReport {
  const { runners, passed, failed, skipped, added, regressed, vanished, complete, kept } = findings;
  return {
    runners,
    passed,
    failed,
    skipped,
    added,
    regressed,
    already_failing: findings.alreadyFailing,
    new_failing: findings.newFailing,
    failing: findings.failing,
    vanished,
    skipped_now: findings.skippedNow,
    complete,
    exited_by: findings.exitedBy,
    kept,
  };
}
