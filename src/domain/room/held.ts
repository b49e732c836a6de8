import type { CheckPhase } from "../check-phase.ts";
import type { OracleChange } from "../oracle/change.ts";
import type { CheckInRoom } from "./event.ts";
import { succeeded } from "../process-end.ts";
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

/** Whether a change may be nothing but more tests: then it is enough that the tests of the base are seen to pass beside them. */
export function mayAddTests({ kind, how }: OracleChange): boolean {
  return kind === "test" && (how === "extended" || how === "added");
}

/**
 * The tests of the base are seen to run among the candidate's own, and these notice that the work is missing where it is taken away.
 * What failed is rejected anyway; and a command that was green on the base without telling of tests says nothing about them.
 */
function isBorneOut({ base }: RunState, { checks }: Attempt): boolean {
  const passed = checks.filter(({ process }) => succeeded(process.end));
  const telling = passed.filter(({ process, room }) => {
    const before = base?.checks.find((check) => check.process.command === process.command);
    const green = before !== undefined && succeeded(before.process.end);
    return !green || before.tests !== null || room?.own?.findings != null;
  });
  return (telling.length > 0 || passed.length === 0) && telling.every(({ room }) => isTelling(room));
}

function isTelling(room: CheckInRoom | undefined): boolean {
  const { own, without } = room ?? {};
  if (!own || !without || without.revived.count > 0) return false;
  const { findings } = own;
  if (!findings) return !succeeded(without.process.end);
  return findings.vanished.count === 0 && findings.skippedNow.count === 0 && findings.complete;
}

/** What a person has to see before the work is accepted. */
export function heldChanges(state: RunState, attempt: Attempt): readonly OracleChange[] {
  if (!isFrozen(state, attempt) || attempt.candidate?.decided === "allow") return [];
  const changes = changesOf(attempt);
  const onlyTests = changes.every(mayAddTests);
  return onlyTests && isBorneOut(state, attempt) ? [] : changes;
}

/** Whether a base that is not as it was taken is to be taken anew. One that changes with its own tests would be for ever. */
export function mayTakeAnew({ base }: RunState): boolean {
  return (base?.times ?? 0) < MOST_LOOKS;
}

/** The tree did not hold still. */
export function isRestless({ candidate }: Attempt): boolean {
  return (candidate?.times ?? 0) > MOST_LOOKS;
}
