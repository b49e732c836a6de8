import { commandsDue } from "./board/call.ts";
import { hasRestoredTests } from "./board/seen.ts";
import { isReviewable, judgeChat } from "./chat/reviews.ts";
import { reportIn, roleOf } from "./board/iterations.ts";
import { succeeded } from "./process-end.ts";
import { changedNothing, changesOf } from "./room/held.ts";
import { endInEvidence, withRoom } from "./room/verdict.ts";
import { currentStep, lastAttempt, reviewOf, type Attempt, type RunState } from "./state.ts";
import { DONE } from "./step.ts";
import { agentReasons, judge, turnReasons, verdictOf, type Verdict } from "./verdict.ts";
import { judgeFinish, judgeRole } from "./verdict-role.ts";
import { judgeStep, type StepEvidence } from "./verdict-step.ts";

/** The verdict on the last attempt by what is recorded of it; null while there cannot be one. */
export function verdictOn(state: RunState): Verdict | null {
  const attempt = lastAttempt(state);
  const borne = verdictByMode(state);
  return borne && attempt ? withRoom(borne, state, attempt) : borne;
}

/** The same, whatever the room shows about its checks: whether the work would be accepted if all is well there. */
export function verdictByMode(state: RunState): Verdict | null {
  const attempt = lastAttempt(state);
  if (!attempt || attempt.judged) return null;
  const { settings } = state;
  switch (settings.mode) {
    case "supervise": {
      const { turn } = attempt;
      if (!turn?.claim) return null;
      return judge({
        turnEnd: turn.process.end,
        claim: turn.claim,
        agentFailure: turn.agent?.failure?.class ?? null,
        checks: attempt.checks.map((check) => ({ phase: check.phase, end: endInEvidence(check) })),
        fastTests: settings.testFast.length,
        fullTests: settings.testFull.length,
      });
    }
    case "run": {
      const evidence = stepEvidence(attempt, state);
      return evidence && judgeStep(evidence);
    }
    case "analyze":
      return judgeAnalysis(attempt);
    case "orchestrate":
      return judgeIteration(attempt, state);
    case "chat": {
      const review = reviewOf(attempt);
      if (attempt.chat?.settled !== null) return null;
      const seen = attempt.turn !== null && !isReviewable(attempt);
      return seen || review ? judgeChat(attempt, review, settings) : null;
    }
  }
}

/** What speaks for and against an attempt at a step; null while nobody has worked yet. */
function stepEvidence(attempt: Attempt, state: RunState): StepEvidence | null {
  const { turn, checks } = attempt;
  if (!turn && attempt.index > 0) return null;
  return {
    turn: turn && { end: turn.process.end, agentFailure: turn.agent?.failure?.class ?? null },
    refused: turn?.product?.kind === "step_work" ? turn.product.refused : null,
    unitTests: { due: unitTestsDue(state, attempt).length, ends: checks.map(endInEvidence) },
    review: reviewOf(attempt),
    needsReview: !changedNothing(state, attempt),
    turnSuffices: turnSuffices(attempt, state),
  };
}

/**
 * The unit test of the step. Where protected files were changed, those of the steps that are done as well: their tests may be among the
 * changed files, and the unit test of this step need not run them.
 */
export function unitTestsDue(state: RunState, attempt: Attempt): readonly string[] {
  const own = currentStep(state)?.unitTest?.command;
  const others = changesOf(attempt).length === 0 ? [] : state.steps.filter(({ status }) => status === DONE);
  const commands = [own, ...others.map(({ unitTest }) => unitTest?.command)];
  return [...new Set(commands.filter((command) => command !== undefined))];
}

/** The person wants no second look at work on a step that a regression check has re-opened. */
export function turnSuffices(attempt: Attempt, state: RunState): boolean {
  const { settings } = state;
  if (settings.mode !== "run" || settings.reverify || attempt.index === 0) return false;
  return state.attempts.some(({ step, index }) => step === attempt.step && index === 0);
}

/** Whether the turn at a step left something to test. */
export function turnWorked({ turn }: Attempt): boolean {
  if (!turn) return false;
  const refused = turn.product?.kind === "step_work" && turn.product.refused !== null;
  return !refused && succeeded(turn.process.end) && turn.agent?.failure == null;
}

function judgeAnalysis({ turn }: Attempt): Verdict | null {
  if (turn?.product?.kind !== "analysis") return null;
  const { problem, changed } = turn.product;
  const meddled = changed !== null && changed.length > 0;
  const reasons = [
    ...turnReasons(turn.process.end),
    ...agentReasons(turn.agent?.failure?.class ?? null),
    ...(problem === null ? [] : (["analysis_unusable"] as const)),
    ...(meddled ? (["agent_changed_tree"] as const) : []),
  ];
  return verdictOf(reasons, true);
}

/** What MAIN called for, held against what the foreman saw. */
function judgeIteration(attempt: Attempt, state: RunState): Verdict | null {
  const { call, turn } = attempt;
  if (!call || call.finishRefused) return null;
  const checks = attempt.checks.map(endInEvidence);
  const due = commandsDue(attempt).length;
  if (call.answer.nextAgent === "FINISH") return judgeFinish(checks, due);
  const role = roleOf(attempt);
  const report = reportIn(attempt);
  if (!role || !turn || !report || !call.order) return null;
  return judgeRole({
    role,
    order: call.order,
    tasks: call.tasks,
    turn: { end: turn.process.end, agentFailure: turn.agent?.failure?.class ?? null },
    report,
    checks,
    due,
    restored: hasRestoredTests(state, attempt),
  });
}
