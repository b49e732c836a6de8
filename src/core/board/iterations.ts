import type { AttemptJudged, RoleReport } from "../event.ts";
import { lastAttempt, type Attempt, type RunState } from "../state.ts";
import { isBoardRole, type BoardRole } from "./answer.ts";

/** How often MAIN may answer in one iteration before a person is asked. */
const MAX_ASKS = 3;

/** The number on the board, which continues from run to run. */
export function iterationOf({ settings }: RunState, attempt: number): number {
  return ("iterationsBefore" in settings ? settings.iterationsBefore : 0) + attempt;
}

/** Whether the current iteration is the last one granted. */
export function isLastIteration({ attempts, maxLoops }: RunState): boolean {
  return attempts.length >= maxLoops;
}

/** The iteration is complete. */
export function isOver(attempt: Attempt, state: RunState): boolean {
  const { call, judged, index } = attempt;
  if (call === null) return false;
  if (call.finishRefused) return true;
  return call.answer.nextAgent === "USER" ? isAnswered(state, index) : judged !== null;
}

/**
 * An earlier turn with the same work was cut off, and the tree is compared with the one before that turn. So that turn, or a person
 * meanwhile, may have changed the differing files.
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

/** A person has answered MAIN's question in this iteration. */
export function isAnswered({ decisions }: RunState, attempt: number): boolean {
  return decisions.some(({ about, attempt: asked }) => about === "user" && asked === attempt);
}

export function openIteration(state: RunState): Attempt | undefined {
  const last = lastAttempt(state);
  return last && !isOver(last, state) ? last : undefined;
}

/** How often MAIN may still be asked in this iteration; a person may have granted another try. */
export function asksLeft(state: RunState, attempt: Attempt): number {
  const again = state.decisions.filter(({ about, attempt: at }) => about === "main" && at === attempt.index);
  return MAX_ASKS * (again.length + 1) - attempt.main.length;
}

/** The iteration before the current one, without those in which MAIN only tried to finish too early. */
export function previousOf(state: RunState): Attempt | undefined {
  return overIn(state).at(-1);
}

/** The completed iterations, for MAIN's next prompt. */
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

/** MAIN finished, and all checks passed. */
export function hasFinished(attempt: Attempt): boolean {
  const { call } = attempt;
  return call?.answer.nextAgent === "FINISH" && !call.finishRefused && isAccepted(attempt);
}
