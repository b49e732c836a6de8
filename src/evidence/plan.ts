import type { BaseCommand } from "../core/check-phase.ts";
import type { RunState } from "../core/state.ts";
import { succeeded, type ProcessRecord } from "../platform/process/process-end.ts";
import { reasonsAgainst, runPassed } from "./results/run-passed.ts";
import type { BaseChecked, TestRun, TestRunEnded } from "../core/evidence/event.ts";
import { nextBaseCommand } from "./held.ts";
import { isFailure, readRuns, sameRun } from "./runs.ts";

/** The original tests on the agent's product: they decide. */
export const BASE_TESTS: TestRun = { tests: "base", product: "candidate", marked: false };
/** Everything as the agent left it. */
export const CANDIDATE_TESTS: TestRun = { tests: "candidate", product: "candidate", marked: false };
/** The agent's tests on the original product: do they notice that the work is missing? */
export const BASE_PRODUCT: TestRun = { tests: "candidate", product: "base", marked: false };
/** The original tree: does the command fail there, as it did before the work? */
export const BASE_CONTROL: TestRun = { tests: "base", product: "base", marked: false };
/** The original tests, which now report whether they reached their own end. */
export const MARKED_TESTS: TestRun = { tests: "base", product: "candidate", marked: true };
export const MARKED_CONTROL: TestRun = { tests: "base", product: "base", marked: true };

/** A check and its runs so far, in order. */
export interface CheckSoFar {
  readonly runs: readonly TestRunEnded[];
  /** Whether the agent changed protected files without advance approval. */
  readonly isEdited: boolean;
  readonly hasNewTests: boolean;
  /** Whether new tests must fail without the work. */
  readonly provesTests: boolean;
}

/** The command's result before the work; undefined: it did not run then. */
export type BaseResult = BaseChecked | undefined;

/**
 * Chooses the next run of a check. The run with the original tests decides; it is repeated if it may have failed by chance. If the agent's
 * tests differ, a run with them follows, and another on the original product if tests failed there. Tests that report through exit codes only
 * run once more with marks. The last run is on the original tree, if the command failed there before the work.
 */
export function nextRun(check: CheckSoFar, base: BaseResult): TestRun | "done" {
  const { first, again } = readRuns(check.runs);
  if (!first) return BASE_TESTS;
  if (!again && mayBeChance(first, base)) return BASE_TESTS;
  const due = candidateRun(check, base) ?? markedRun(check) ?? controlRun(check, base);
  return due ?? "done";
}

/** Chooses the next run on the base. One that may have failed by chance is repeated: it would later excuse a real failure. */
export function nextBaseRun(state: RunState): (BaseCommand & { readonly again: boolean }) | undefined {
  const command = nextBaseCommand(state);
  return command && { ...command, again: state.base?.failedRun != null };
}

/** Longer commands are not run twice to rule out chance. */
const SHORT_MS = 60_000;

/** Whether a first run on the base may have failed by chance. */
export function mayFailByChance({ end, durationMs }: ProcessRecord): boolean {
  return isFailure(end) && durationMs < SHORT_MS;
}

export function knownBefore(
  { runs }: Pick<CheckSoFar, "runs">,
  base: BaseResult,
): { readonly succeeded: boolean; readonly hasFailed: boolean } {
  const [control] = readRuns(runs).controls;
  const end = (base ?? control)?.process.end;
  if (!end) return { succeeded: true, hasFailed: false };
  const failed = (base ? base.tests?.failed : control?.findings?.failed) ?? 0;
  return { succeeded: succeeded(end), hasFailed: !succeeded(end) || failed > 0 };
}

/** It failed in a new way, not like the base. */
function mayBeChance({ problem, process, findings }: TestRunEnded, base: BaseResult): boolean {
  if (problem !== null || !isFailure(process.end)) return false;
  if (findings && findings.failed > 0) return findings.alreadyFailing.count === 0;
  return base !== undefined && succeeded(base.process.end);
}

/** A run with the agent's version of the tests, if it differs. */
function candidateRun(check: CheckSoFar, base: BaseResult): TestRun | null {
  const { isEdited, hasNewTests, provesTests } = check;
  const { original, own, baseProduct, controls } = readRuns(check.runs);
  if (!original || !(isEdited || hasNewTests)) return null;
  if (!original.passed && !mayPassByOwn(check, base)) return null;
  if (!own) return unlessRuledOut(check, CANDIDATE_TESTS);
  if (!own.passed || !(isEdited || provesTests)) return null;
  if (!base && controls.length === 0 && !isRuledOut(check, BASE_CONTROL)) return BASE_CONTROL;
  // An edit can make tests pass that failed before. Where none failed, a run shows nothing.
  const isAsked = provesTests || knownBefore(check, base).hasFailed;
  return isAsked && !baseProduct ? unlessRuledOut(check, BASE_PRODUCT) : null;
}

/**
 * It may pass with the agent's tests; then a person decides. If every original test passed as before, the command may check something that
 * only the new tests bring, such as code coverage or a test for each module.
 */
function mayPassByOwn({ runs, isEdited }: CheckSoFar, base: BaseResult): boolean {
  const { original } = readRuns(runs);
  if (!original || original.problem !== null || !isFailure(original.process.end)) return false;
  if (isEdited) return true;
  // On the base the command succeeded, or its failed tests were reported.
  const isKnown = base !== undefined && (succeeded(base.process.end) || (base.tests?.failed ?? 0) > 0);
  const { findings, process } = original;
  return isKnown && findings?.failed === 0 && reasonsAgainst(findings, process.end).length === 0;
}

function markedRun(check: CheckSoFar): TestRun | null {
  const { original, own, marked, markedControl } = readRuns(check.runs);
  if (!original?.passed || own?.passed === false) return null;
  if (!marked) return unlessRuledOut(check, MARKED_TESTS);
  if (!marked.passed || !marked.unfinished || markedControl) return null;
  return unlessRuledOut(check, MARKED_CONTROL);
}

function controlRun(check: CheckSoFar, base: BaseResult): TestRun | null {
  if (!base || succeeded(base.process.end)) return null;
  const { result, controls } = readRuns(check.runs);
  if (!result || result.problem !== null || !runPassed(result.findings, result.process.end)) return null;
  const [first, again] = controls;
  if (!first) return unlessRuledOut(check, BASE_CONTROL);
  // A test may pass once by chance, but rarely twice.
  return succeeded(first.process.end) && !again ? BASE_CONTROL : null;
}

function unlessRuledOut(check: CheckSoFar, run: TestRun): TestRun | null {
  return isRuledOut(check, run) ? null : run;
}

function isRuledOut({ runs }: CheckSoFar, run: TestRun): boolean {
  return runs.some(({ ruledOut }) => ruledOut.some((one) => sameRun(one, run)));
}
