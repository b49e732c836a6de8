import { weaknessesOf } from "../weaknesses.ts";
import { exitCodeOf } from "../../platform/process/process-end.ts";
import type { BaseChecked, CheckInRoom, OwnRun } from "../../core/evidence/event.ts";
import type { Attempt, ManualDecision, RunState } from "../../core/state.ts";
import { NO_NAMES, type TestFindings } from "../../core/evidence/findings.ts";
import type { Proof } from "../results/proof.ts";
import type { Described, DescribedFields } from "../../core/report/described.ts";
import type {
  candidate as candidateSchema,
  roomOfTest as roomOfTestFields,
  roomReports as roomFields,
  testResults,
  testRun,
} from "./schema-room.ts";

/** The report's fields about the room and the base. */
type RoomReports = DescribedFields<typeof roomFields>;
type RoomOfTest = DescribedFields<typeof roomOfTestFields>;
type BaseReport = NonNullable<RoomReports["base"]>;

export function roomReports(state: RunState): RoomReports {
  return {
    room: roomReport(state),
    base: baseReport(state),
    protected_decisions: state.decisions.flatMap((decision) => protectedFilesDecision(decision) ?? []),
    not_covered: notCovered(state),
    changes: changesReport(state),
  };
}

function changesReport({ changes }: RunState): RoomReports["changes"] {
  if (!changes) return null;
  const { lost, outside, kept, ...counts } = changes;
  return { ...counts, lost_files: lost.count, lost: lost.some, outside, diff: kept?.diff ?? null };
}

function notCovered(state: RunState): RoomReports["not_covered"] {
  return ["special_casing", ...(state.settings.room ? weaknessesOf(state) : (["no_clean_room"] as const))];
}

function roomReport(state: RunState): RoomReports["room"] {
  const { settings, base } = state;
  const { room } = settings;
  if (!room) return null;
  return {
    kind: base?.taken.room ?? null,
    weak: weaknessesOf(state),
    setup: room.setup,
    allow: room.allow,
    protect: room.protect,
    product: room.product,
    pass_env: room.passEnv,
    prove_tests: room.proveTests,
    test_changes: room.testChanges,
    allow_no_change: room.allowNoChange,
    accept_tree: room.acceptTree,
  };
}

function baseReport({ base }: RunState): RoomReports["base"] {
  if (!base) return null;
  const { tree, commit, files, inherited } = base.taken;
  const some = inherited.some.map(({ path, runId, added }) => ({ path, run_id: runId, added }));
  return {
    tree,
    commit,
    files,
    protected: base.taken.protected,
    inherited: { count: inherited.count, some },
    tests: base.checks.map(baseTestReport),
  };
}

function baseTestReport({
  phase,
  index,
  process,
  output,
  tests,
  from,
}: BaseChecked): BaseReport["tests"][number] {
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

function protectedFilesDecision({
  about,
  attempt,
  answer,
  note,
  via,
  at,
}: ManualDecision): RoomReports["protected_decisions"][number] | undefined {
  if (about !== "protected" || answer.kind !== "option") return undefined;
  return { attempt, decision: answer.option === "allow" ? "allow" : "refuse", note, via, at };
}

export function candidateReport({ candidate }: Attempt): Described<typeof candidateSchema> {
  if (!candidate) return null;
  const { tree, allowed, newTests, hidden, programs } = candidate.taken;
  return {
    tree,
    confirmed: candidate.confirmed,
    protected_changes: candidate.taken.protected,
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
    frozen: optionalRun(room?.baseTests),
    own: optionalRun(room?.candidateTests),
    lost: room?.lost ?? NO_NAMES,
    without: room?.baseProduct ? withoutReport(room.baseProduct) : null,
    control: optionalRun(room?.baseControl),
    rewritten: room?.rewritten ?? NO_NAMES,
    problem: room?.problem ?? null,
    set_ups: room?.setUps ?? [],
  };
}

function withoutReport(without: OwnRun & Proof): NonNullable<RoomOfTest["without"]> {
  return { ...runReport(without), revived: without.revived, unproven: without.unproven };
}

function optionalRun(run: OwnRun | null | undefined): Described<typeof testRun> | null {
  return run ? runReport(run) : null;
}

function runReport({ process, output, findings }: OwnRun): Described<typeof testRun> {
  return {
    exit_code: exitCodeOf(process.end),
    end: process.end,
    duration_ms: process.durationMs,
    output,
    tests: findings && findingsReport(findings),
  };
}

function findingsReport(findings: TestFindings): Described<typeof testResults> {
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
