import type { AttemptJudged, RoleReport } from "../event.ts";
import { lastAttempt, type Attempt, type RunState } from "../state.ts";
import { isBoardRole, type BoardRole } from "./answer.ts";

/** How often MAIN is asked in one iteration before a person is. */
const MAX_ASKS = 3;

/** The number on the board: it goes on from run to run. */
export function iterationOf({ settings }: RunState, attempt: number): number {
  return (settings.mode === "orchestrate" ? settings.iterationsBefore : 0) + attempt;
}

/** After the iteration that began last the run needs more to go on. */
export function isLastIteration({ attempts, maxLoops }: RunState): boolean {
  return attempts.length >= maxLoops;
}

/** Nothing more happens in it. */
export function isOver(attempt: Attempt, state: RunState): boolean {
  const { call, judged, index } = attempt;
  if (call === null) return false;
  if (call.finishRefused) return true;
  return call.answer.nextAgent === "USER" ? isAnswered(state, index) : judged !== null;
}

/**
 * A turn with the same work was cut off before this one, and the tree is compared with the one before that: files that are different
 * may have been changed by it, or by a person meanwhile.
 */
export function followsCutOff(
  { attempts, interruptedTurns }: RunState,
  attempt: number,
  turn: number,
): boolean {
  const turns = attempts[attempt - 1]?.main.map((ended) => ended.turn).filter((one) => one < turn) ?? [];
  const since = Math.max(0, ...turns);
  return interruptedTurns.some((cut) => cut.attempt === attempt && cut.turn > since && cut.turn < turn);
}

/** A person has answered what MAIN asked in this iteration. */
export function isAnswered({ decisions }: RunState, attempt: number): boolean {
  return decisions.some(({ about, attempt: asked }) => about === "user" && asked === attempt);
}

export function openIteration(state: RunState): Attempt | undefined {
  const last = lastAttempt(state);
  return last && !isOver(last, state) ? last : undefined;
}

/** How often MAIN may still be asked in this iteration: a person may want it to be asked anew. */
export function asksLeft(state: RunState, attempt: Attempt): number {
  const again = state.decisions.filter(({ about, attempt: at }) => about === "main" && at === attempt.index);
  return MAX_ASKS * (again.length + 1) - attempt.main.length;
}

/** The iteration before the one that is under way, but for those in which MAIN only wanted to finish too early. */
export function previousOf(state: RunState): Attempt | undefined {
  return overIn(state).at(-1);
}

/** Those that count when MAIN is asked next. */
export function overIn(state: RunState): readonly Attempt[] {
  return state.attempts.filter((attempt) => isOver(attempt, state) && attempt.call?.finishRefused !== true);
}

export function roleOf({ call }: Pick<Attempt, "call">): BoardRole | null {
  return call && isBoardRole(call.answer.nextAgent) ? call.answer.nextAgent : null;
}

export function reportIn({ turn }: Pick<Attempt, "turn">): RoleReport | null {
  return turn?.product?.kind === "role_report" ? turn.product : null;
}

export function isInvestigation(attempt: Attempt): boolean {
  return roleOf(attempt) === "REVIEW" && attempt.call?.order?.reviewMode === "investigate";
}

export function isAccepted({ judged }: { readonly judged: Pick<AttemptJudged, "verdict"> | null }): boolean {
  return judged?.verdict === "accepted";
}

/** MAIN finished, and everything was green. */
export function hasFinished(attempt: Attempt): boolean {
  const { call } = attempt;
  return call?.answer.nextAgent === "FINISH" && !call.finishRefused && isAccepted(attempt);
}
