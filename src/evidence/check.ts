import type { CheckId } from "../core/check-phase.ts";
import type { CheckEnded } from "../core/event.ts";
import { succeeded } from "../platform/process/process-end.ts";
import { lastAttempt, type RunState } from "../core/state.ts";
import { NO_NAMES, type Names, type TestFindings } from "../core/evidence/findings.ts";
import type { CheckInRoom, OwnRun, SetUp, TestRunEnded } from "../core/evidence/event.ts";
import { changesOf } from "./held.ts";
import { nextRun, type BaseResult, type CheckSoFar } from "./plan.ts";
import { readRuns } from "./runs.ts";
import { withSetUps } from "./set-ups.ts";

export function checkSoFar(state: RunState, { phase, index }: Pick<CheckId, "phase" | "index">): CheckSoFar {
  const attempt = lastAttempt(state);
  return {
    runs: attempt?.runs.filter((run) => run.phase === phase && run.index === index) ?? [],
    isEdited: attempt !== undefined && changesOf(attempt).length > 0,
    hasNewTests: (attempt?.candidate?.taken.newTests.count ?? 0) > 0,
    provesTests: state.settings.room?.proveTests === true,
  };
}

export function baseResult({ base }: RunState, command: string): BaseResult {
  return base?.checks.find(({ process }) => process.command === command);
}

/** Combines the runs of a check into its result. Null: a run is still due. */
export function endedCheck(state: RunState, check: CheckId): CheckEnded | null {
  const { attempt, phase, index, command } = check;
  // The same command on the same tree would show the same.
  const seen = lastAttempt(state)?.checks.find(({ process }) => process.command === command);
  if (seen) return { ...seen, phase, index };
  const [soFar, base] = [checkSoFar(state, check), baseResult(state, command)];
  const { runs } = soFar;
  const { result } = readRuns(runs);
  if (!result || nextRun(soFar, base) !== "done") return null;
  const { process, output } = result;
  const room = evidenceOf(runs, base);
  return withSetUps({ type: "check_ended", attempt, phase, index, process, output, room }, setUpsOf(runs));
}

function evidenceOf(runs: readonly TestRunEnded[], base: BaseResult): CheckInRoom {
  const { first, isFlaky, original, own, baseProduct, controls, isByOwn, result } = readRuns(runs);
  const { revived = NO_NAMES, unproven = NO_NAMES } = baseProduct?.proof ?? {};
  const control = base && !succeeded(base.process.end) ? controls.at(-1) : undefined;
  return {
    findings: result?.findings ?? null,
    flaky: isFlaky ? failingIn(first?.findings ?? null) : null,
    baseTests: isByOwn ? runOf(original) : null,
    candidateTests: runOf(own),
    lost: own?.lost ?? NO_NAMES,
    baseProduct: baseProduct ? { ...partsOf(baseProduct), revived, unproven } : null,
    baseControl: runOf(control),
    rewritten: result?.rewritten ?? NO_NAMES,
    problem: result?.problem ?? null,
  };
}

function runOf(run: OwnRun | undefined): OwnRun | null {
  return run ? partsOf(run) : null;
}

function partsOf({ process, output, findings }: OwnRun): OwnRun {
  return { process, output, findings };
}

function failingIn(findings: TestFindings | null): Names {
  if (!findings) return NO_NAMES;
  const { regressed, newFailing, failing } = findings;
  return {
    count: regressed.count + newFailing.count + failing.count,
    some: [...regressed.some, ...newFailing.some, ...failing.some],
  };
}

/** The last result of each installation. */
function setUpsOf(runs: readonly TestRunEnded[]): readonly SetUp[] {
  const last = new Map<string, SetUp>();
  for (const setUp of runs.flatMap(({ setUps = [] }) => setUps)) {
    const key = `${setUp.folder}\n${setUp.command}`;
    last.delete(key);
    last.set(key, setUp);
  }
  return [...last.values()];
}
