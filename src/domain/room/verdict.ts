import type { CheckEnded } from "../event.ts";
import { succeeded, type ProcessEnd } from "../process-end.ts";
import type { Reason } from "../reason.ts";
import type { Attempt, RunState } from "../state.ts";
import { against, speaksFor } from "../tests/against.ts";
import { verdictOf, type Verdict } from "../verdict.ts";
import type { OwnRun } from "./event.ts";
import { changedNothing, heldChanges, isRestless } from "./held.ts";

/** Whether a check speaks for the work: an exit code of 0 alone does not, where tests were told and some of them did not run. */
export function checkPassed(check: CheckEnded): boolean {
  return succeeded(check.process.end) && againstCheck(check).length === 0;
}

/** The run with the agent's own tests, where it failed although the original tests passed. */
export function failedByOwn({ process, room }: CheckEnded): OwnRun | null {
  const own = room?.own ?? null;
  const isOwn = own !== null && !speaksFor(own.findings, own.process.end);
  return isOwn && speaksFor(room?.findings ?? null, process.end) ? own : null;
}

/** The run of a check that decides about it, and explains a failure. */
export function decisiveRun(check: CheckEnded): OwnRun {
  const { process, output, room } = check;
  return failedByOwn(check) ?? { process, output, findings: room?.findings ?? null };
}

/** Whether only the agent's version of the tests passed, and that version was not approved. */
export function passedOnlyWithAgentTests(check: CheckEnded, attempt: Attempt | undefined): boolean {
  const isRefused = attempt?.judged?.reasons.includes("oracle_changed") === true;
  return isRefused && check.room?.frozen != null && checkPassed(check);
}

/**
 * What a check shows of an attempt. Where it passed only with the agent's version of protected files, that is undecided until a person
 * allows or refuses that version, or the attempt is judged.
 */
export function checkResult(
  check: CheckEnded,
  attempt: Attempt | undefined,
  state: RunState,
): "passed" | "failed" | "undecided" {
  if (!checkPassed(check)) return "failed";
  if (!check.room?.frozen || !attempt || heldChanges(state, attempt).length === 0) return "passed";
  return attempt.judged !== null || attempt.candidate?.decided === "refuse" ? "failed" : "undecided";
}

/** How a check ended, as evidence: a command that ends well while tests were missing has failed. */
export function endInEvidence(check: CheckEnded): ProcessEnd {
  const { end } = check.process;
  return succeeded(end) && !checkPassed(check) ? { kind: "exited", code: 1 } : end;
}

/** What speaks against a check although its command may have ended well. */
export function againstCheck({ process, room }: CheckEnded): readonly Reason[] {
  if (!room) return [];
  const { own, without, control } = room;
  const ownRed = own !== null && !speaksFor(own.findings, own.process.end);
  return [
    ...(room.problem === null ? [] : (["room_failed"] as const)),
    ...(room.setUps?.some(({ problem }) => problem !== null) ? (["dependencies_missing"] as const) : []),
    ...(room.rewritten.count > 0 ? (["tests_rewritten"] as const) : []),
    ...against(room.findings, process.end),
    ...(ownRed ? (["own_tests_failed"] as const) : []),
    ...((without?.unproven.count ?? 0) > 0 ? (["tests_prove_nothing"] as const) : []),
    ...(control && succeeded(control.process.end) ? (["passes_without_work"] as const) : []),
  ];
}

/** What the room shows, added to the verdict of the mode. Only a tree that is still what the checks have seen is accepted. */
export function withRoom(borne: Verdict, state: RunState, attempt: Attempt): Verdict {
  if (!state.settings.room) return borne;
  const reasons: Reason[] = [
    ...borne.reasons,
    ...attempt.checks.flatMap(againstCheck),
    ...(heldChanges(state, attempt).length > 0 ? (["oracle_changed"] as const) : []),
    ...((attempt.candidate?.taken.programs.length ?? 0) > 0 ? (["programs_changed"] as const) : []),
    ...(attempt.candidate?.taken.unreadable ? (["tree_unreadable"] as const) : []),
    ...(isRestless(attempt) ? (["tree_changed_in_checks"] as const) : []),
  ];
  const isBorne = borne.verdict === "accepted";
  if (isBorne && reasons.length === 0 && changedNothing(state, attempt)) reasons.push("nothing_changed");
  return verdictOf(reasons, isBorne && attempt.candidate?.confirmed === true);
}
