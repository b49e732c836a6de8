import type { CheckEnded } from "../core/event.ts";
import { succeeded, type ProcessEnd } from "../platform/process/process-end.ts";
import type { Reason } from "../core/reason.ts";
import { lastAttempt, type Attempt, type RunState } from "../core/state.ts";
import { reasonsAgainst, runPassed } from "./results/run-passed.ts";
import { verdictOf, type Verdict } from "../core/verdict.ts";
import type { OwnRun } from "../core/evidence/event.ts";
import { changedNothing, heldChanges, keepsChanging } from "./held.ts";

/** An exit code of 0 is not enough if reported tests did not run. */
export function checkPassed(check: CheckEnded): boolean {
  return succeeded(check.process.end) && reasonsAgainstCheck(check).length === 0;
}

/** The run with the agent's own tests, if it failed although the original tests passed. */
export function failedByCandidateTests({ process, room }: CheckEnded): OwnRun | null {
  const own = room?.candidateTests ?? null;
  const isOwn = own !== null && !runPassed(own.findings, own.process.end);
  return isOwn && runPassed(room?.findings ?? null, process.end) ? own : null;
}

/** The run that decides a check and explains its failure. */
export function decisiveRun(check: CheckEnded): OwnRun {
  const { process, output, room } = check;
  return failedByCandidateTests(check) ?? { process, output, findings: room?.findings ?? null };
}

/** Whether only the agent's version of the tests passed, and that version was not approved. */
export function passedOnlyWithAgentTests(check: CheckEnded, attempt: Attempt | undefined): boolean {
  const isRefused = attempt?.judged?.reasons.includes("oracle_changed") === true;
  return isRefused && check.room?.baseTests != null && checkPassed(check);
}

/**
 * The result of a check in an attempt. If it passed only with the agent's version of protected files, it is undecided until a person decides
 * about that version, or the attempt is judged.
 */
export function checkResult(
  check: CheckEnded,
  attempt: Attempt | undefined,
  state: RunState,
): "passed" | "failed" | "undecided" {
  if (!checkPassed(check)) return "failed";
  if (!check.room?.baseTests || !attempt || heldChanges(state, attempt).length === 0) return "passed";
  return attempt.judged !== null || attempt.candidate?.decided === "refuse" ? "failed" : "undecided";
}

/** The end of a check as evidence: a successful command with missing tests has failed. */
export function endInEvidence(check: CheckEnded): ProcessEnd {
  const { end } = check.process;
  return succeeded(end) && !checkPassed(check) ? { kind: "exited", code: 1 } : end;
}

/** Reasons to reject a check even if its command succeeded. */
export function reasonsAgainstCheck({ process, room }: CheckEnded): readonly Reason[] {
  if (!room) return [];
  const { candidateTests, baseProduct, baseControl } = room;
  const candidateTestsFail =
    candidateTests !== null && !runPassed(candidateTests.findings, candidateTests.process.end);
  return [
    ...(room.problem === null ? [] : (["room_failed"] as const)),
    ...(room.setUps?.some(({ problem }) => problem !== null) ? (["dependencies_missing"] as const) : []),
    ...(room.rewritten.count > 0 ? (["tests_rewritten"] as const) : []),
    ...reasonsAgainst(room.findings, process.end),
    ...(candidateTestsFail ? (["own_tests_failed"] as const) : []),
    ...((baseProduct?.unproven.count ?? 0) > 0 ? (["tests_prove_nothing"] as const) : []),
    ...(baseControl && succeeded(baseControl.process.end) ? (["passes_without_work"] as const) : []),
  ];
}

/** Adds the room's findings to the mode's verdict. Only the tree that the checks saw can be accepted. */
function withRoom(byMode: Verdict, state: RunState, attempt: Attempt): Verdict {
  if (!state.settings.room) return byMode;
  const reasons: Reason[] = [
    ...byMode.reasons,
    ...attempt.checks.flatMap(reasonsAgainstCheck),
    ...(heldChanges(state, attempt).length > 0 ? (["oracle_changed"] as const) : []),
    ...((attempt.candidate?.taken.programs.length ?? 0) > 0 ? (["programs_changed"] as const) : []),
    ...(attempt.candidate?.taken.unreadable ? (["tree_unreadable"] as const) : []),
    ...(keepsChanging(attempt) ? (["tree_changed_in_checks"] as const) : []),
  ];
  const isAccepted = byMode.verdict === "accepted";
  if (isAccepted && reasons.length === 0 && changedNothing(state, attempt)) reasons.push("nothing_changed");
  return verdictOf(reasons, isAccepted && attempt.candidate?.confirmed === true);
}

/** The verdict on the last attempt from recorded facts; null while there cannot be one. */
export function verdictOn(state: RunState): Verdict | null {
  const attempt = lastAttempt(state);
  const byMode = verdictByMode(state);
  return byMode && attempt ? withRoom(byMode, state, attempt) : byMode;
}

/** The same, assuming that the room shows nothing against its checks. */
export function verdictByMode(state: RunState): Verdict | null {
  const attempt = lastAttempt(state);
  if (!attempt || attempt.judged) return null;
  return state.mode.verdict(state, attempt, state.settings);
}
