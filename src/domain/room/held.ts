import type { CheckPhase } from "../check-phase.ts";
import type { OracleChange } from "../oracle/change.ts";
import { isForemanConfig } from "../oracle/names.ts";
import type { CheckEnded } from "../event.ts";
import { against } from "../tests/against.ts";
import type { OwnRun } from "./event.ts";
import type { Settings } from "../settings.ts";
import type { Attempt, RunState } from "../state.ts";

/** A tree that changes each time before the checks are over is not looked at for ever. */
const MOST_LOOKS = 3;

export interface BaseCommand {
  readonly phase: CheckPhase;
  readonly index: number;
  readonly command: string;
}

/** The test commands that are known before anybody works, each once. */
export function baseCommands(settings: Settings): readonly BaseCommand[] {
  switch (settings.mode) {
    case "supervise": {
      const fast = numbered("fast", settings.testFast);
      const full = numbered("full", settings.testFull);
      return [...fast, ...full.filter(({ command }) => !settings.testFast.includes(command))];
    }
    case "chat":
      return numbered("check", settings.prompt === null ? [] : settings.checks);
    // What tests a step or a task is written while it is worked at.
    case "run":
    case "orchestrate":
    case "analyze":
      return [];
  }
}

function numbered(phase: CheckPhase, commands: readonly string[]): readonly BaseCommand[] {
  return commands.map((command, index) => ({ phase, index: index + 1, command }));
}

export function nextBaseCommand({ settings, base }: RunState): BaseCommand | undefined {
  return baseCommands(settings)[base?.checks.length ?? 0];
}

/** Where accepted work is what the next is held against. */
export function isOutdated({ base, attempts, settings }: RunState): boolean {
  if (settings.mode === "supervise" || !base) return false;
  return attempts.slice(base.attempts).some(({ judged }) => judged?.verdict === "accepted");
}

/** Whether the tests are the person's and the agent's alike, and stay as they were unless somebody says otherwise. */
export function isFrozen(state: RunState, attempt: Attempt): boolean {
  switch (state.settings.mode) {
    case "supervise":
    case "run":
      return true;
    case "orchestrate":
      // TEST is there to write tests; what else it may not change is looked at elsewhere.
      return attempt.call?.answer.nextAgent !== "TEST";
    // The person is in the conversation, and says what is to become of the tests.
    case "chat":
    case "analyze":
      return false;
  }
}

/** Changes of the oracle that nobody has allowed beforehand. */
export function changesOf({ candidate }: Pick<Attempt, "candidate">): readonly OracleChange[] {
  const { oracle = [], allowed = [] } = candidate?.taken ?? {};
  return oracle.filter(({ path }) => !allowed.includes(path));
}

/** Whether a change may be nothing but more tests. */
export function mayAddTests({ kind, how }: OracleChange): boolean {
  return kind === "test" && (how === "extended" || how === "added");
}

/**
 * Whether the runs of a check speak against taking the agent's version of protected files: the original tests fail on the new code,
 * tests are missing from the agent's version, or its tests pass on the original product although the originals failed there.
 */
function contradictsEdits({ room }: CheckEnded, onlyTests: boolean): boolean {
  const { frozen = null, lost, without } = room ?? {};
  const originalsFail = frozen !== null && !(onlyTests && allTestsPassed(frozen));
  return originalsFail || (lost?.count ?? 0) > 0 || (without?.revived.count ?? 0) > 0;
}

/**
 * The command failed, but not by a test. It may ask for a share of the code that tests have to cover, and the agent's tests bring it. An
 * edit of configuration or scripts may have switched off the check that failed.
 */
function allTestsPassed({ findings, process }: OwnRun): boolean {
  return findings?.failed === 0 && against(findings, process.end).length === 0;
}

/**
 * A file that git ignored before the work and lists now: checks always run with the original. Or the foreman's configuration, which says
 * how the next run judges. No check shows what the agent's version does.
 */
function isUnseen({ path, kind, how }: OracleChange): boolean {
  return (kind === "shadow" && how === "changed") || isForemanConfig(path);
}

/** What a person has to see before the work is accepted. */
export function heldChanges(state: RunState, attempt: Attempt): readonly OracleChange[] {
  if (!isFrozen(state, attempt) || attempt.candidate?.decided === "allow") return [];
  const changes = changesOf(attempt);
  const isStrict = state.settings.room?.testChanges === "hold" && !changes.every(mayAddTests);
  const onlyTests = changes.every(({ kind }) => kind === "test");
  const contradicts = attempt.checks.some((check) => contradictsEdits(check, onlyTests));
  const isHeld = isStrict || changes.some(isUnseen) || contradicts;
  return isHeld ? changes : [];
}

/** Protected files that an accepted attempt changed, although no person had to decide: its checks passed with the originals. */
export function listedEdits(state: RunState, attempt: Attempt): readonly OracleChange[] {
  const { judged, candidate } = attempt;
  const byRule = judged?.verdict === "accepted" && candidate?.decided !== "allow" && isFrozen(state, attempt);
  return byRule ? changesOf(attempt) : [];
}

/** The agent insists: the attempt before was rejected for changing a file that it changes again. Asking costs less than another try. */
export function isHeldAgain(state: RunState, attempt: Attempt): boolean {
  const before = state.attempts.findLast(
    ({ index, step }) => step === attempt.step && index === attempt.index - 1,
  );
  if (before?.judged?.reasons.includes("oracle_changed") !== true) return false;
  const paths = new Set(changesOf(before).map(({ path }) => path));
  return heldChanges(state, attempt).some(({ path }) => paths.has(path));
}

/** A verifier, not the worker, changed one of the files: sending the worker back would not help. */
export function isVerifiersChange(state: RunState, attempt: Attempt): boolean {
  const paths = new Set(attempt.faultyReviews.flatMap(({ changed }) => changed ?? []));
  return heldChanges(state, attempt).some(({ path }) => paths.has(path));
}

/** Whether the attempt left the tree as it was. In a conversation and on a board some turns rightly change nothing. */
export function changedNothing({ base, settings }: RunState, { candidate, index, step }: Attempt): boolean {
  const applies = settings.mode === "supervise" || settings.mode === "run";
  if (!applies || !base?.taken.isRepository || settings.room?.allowNoChange !== false || index === 0)
    return false;
  // An earlier run did the work, and nobody has judged it.
  if (settings.mode === "run" && settings.unjudgedBefore?.includes(step ?? 0) === true) return false;
  return candidate !== null && !candidate.taken.unreadable && candidate.taken.tree === base.taken.tree;
}

/** Whether a base that is not as it was taken is to be taken anew. One that changes with its own tests would be for ever. */
export function mayTakeAnew({ base }: RunState): boolean {
  return (base?.times ?? 0) < MOST_LOOKS;
}

/** The tree did not hold still. */
export function isRestless({ candidate }: Attempt): boolean {
  return (candidate?.times ?? 0) > MOST_LOOKS;
}
