import type { BaseCommand, CheckPhase } from "../core/check-phase.ts";
import type { ProtectedChange } from "../core/evidence/change.ts";
import { isForemanConfig } from "./protected/test-paths.ts";
import type { CheckEnded } from "../core/event.ts";
import { reasonsAgainst } from "./results/run-passed.ts";
import type { OwnRun } from "../core/evidence/event.ts";
import type { Attempt, RunState } from "../core/state.ts";

/** How often a tree may be taken again because it changed during its checks. */
const MAX_RETAKES = 3;

/** Commands of a phase, counted from 1. */
export function numbered(phase: CheckPhase, commands: readonly string[]): readonly BaseCommand[] {
  return commands.map((command, index) => ({ phase, index: index + 1, command }));
}

export function nextBaseCommand({ mode, settings, base }: RunState): BaseCommand | undefined {
  return mode.baseCommands(settings)[base?.checks.length ?? 0];
}

/** For modes in which accepted work becomes the next base. */
export function isOutdated({ base, attempts, mode }: RunState): boolean {
  if (!mode.movesBase || !base) return false;
  return attempts.slice(base.attempts).some(({ judged }) => judged?.verdict === "accepted");
}

/** Changes of protected files that were not approved in advance. */
export function changesOf({ candidate }: Pick<Attempt, "candidate">): readonly ProtectedChange[] {
  const { protected: changes = [], allowed = [] } = candidate?.taken ?? {};
  return changes.filter(({ path }) => !allowed.includes(path));
}

/** Whether a change may only add tests. */
export function mayAddTests({ kind, how }: ProtectedChange): boolean {
  return kind === "test" && (how === "extended" || how === "added");
}

/**
 * Whether the runs of a check speak against the agent's version of protected files. They do if the original tests fail on the new code, if
 * tests are missing from the agent's version, or if its tests pass on the original product where the originals failed.
 */
function contradictsEdits({ room }: CheckEnded, onlyTests: boolean): boolean {
  const { baseTests = null, lost, baseProduct } = room ?? {};
  const originalsFail = baseTests !== null && !(onlyTests && allTestsPassed(baseTests));
  return originalsFail || (lost?.count ?? 0) > 0 || (baseProduct?.revived.count ?? 0) > 0;
}

/**
 * The command failed, but no test did. It may require code coverage that only the agent's tests provide. An edit of configuration or scripts
 * may also have switched off the check that failed.
 */
function allTestsPassed({ findings, process }: OwnRun): boolean {
  return findings?.failed === 0 && reasonsAgainst(findings, process.end).length === 0;
}

/**
 * A file that git ignored before and lists now, whose original is always used in checks; or the foreman's configuration, which judges the next
 * run. No check shows the effect of the agent's version.
 */
function isUnseen({ path, kind, how }: ProtectedChange): boolean {
  return (kind === "shadow" && how === "changed") || isForemanConfig(path);
}

/** Changes that a person has to see before the work is accepted. */
export function heldChanges(state: RunState, attempt: Attempt): readonly ProtectedChange[] {
  if (!state.mode.protectsTests(state, attempt) || attempt.candidate?.decided === "allow") return [];
  const changes = changesOf(attempt);
  const isStrict = state.settings.room?.testChanges === "hold" && !changes.every(mayAddTests);
  const onlyTests = changes.every(({ kind }) => kind === "test");
  const contradicts = attempt.checks.some((check) => contradictsEdits(check, onlyTests));
  const isHeld = isStrict || changes.some(isUnseen) || contradicts;
  return isHeld ? changes : [];
}

/** Protected files that an accepted attempt changed without a person's decision: its checks passed with the originals. */
export function listedEdits(state: RunState, attempt: Attempt): readonly ProtectedChange[] {
  const { judged, candidate } = attempt;
  const byRule =
    judged?.verdict === "accepted" &&
    candidate?.decided !== "allow" &&
    state.mode.protectsTests(state, attempt);
  return byRule ? changesOf(attempt) : [];
}

/** The agent insists: it changes a file again after a rejection for that change. Asking costs less than another attempt. */
export function isHeldAgain(state: RunState, attempt: Attempt): boolean {
  const before = state.attempts.findLast(
    ({ index, step }) => step === attempt.step && index === attempt.index - 1,
  );
  if (before?.judged?.reasons.includes("oracle_changed") !== true) return false;
  const paths = new Set(changesOf(before).map(({ path }) => path));
  return heldChanges(state, attempt).some(({ path }) => paths.has(path));
}

/** A verifier, not the worker, changed one of the files, so sending the worker back would not help. */
export function isVerifiersChange(state: RunState, attempt: Attempt): boolean {
  const paths = new Set(attempt.faultyReviews.flatMap(({ changed }) => changed ?? []));
  return heldChanges(state, attempt).some(({ path }) => paths.has(path));
}

/** Whether the attempt left the tree unchanged, where the mode expects a change. */
export function changedNothing({ base, mode, settings }: RunState, attempt: Attempt): boolean {
  if (!base?.taken.isRepository || settings.room?.allowNoChange !== false) return false;
  if (!mode.expectsChange(attempt, settings)) return false;
  const { candidate } = attempt;
  return candidate !== null && !candidate.taken.unreadable && candidate.taken.tree === base.taken.tree;
}

/** Whether to take a changed base again. Without a limit, tests that rewrite the tree would repeat this forever. */
export function mayRetakeBase({ base }: RunState): boolean {
  return (base?.times ?? 0) < MAX_RETAKES;
}

/** The tree kept changing during the checks. */
export function keepsChanging({ candidate }: Attempt): boolean {
  return (candidate?.times ?? 0) > MAX_RETAKES;
}
