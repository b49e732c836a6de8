import type { Answer } from "../event.ts";
import { lastAttempt, type ManualDecision, type RunState } from "../state.ts";
import type { UserQuestion } from "./answer.ts";

/** To a question about the limit. */
export const LIMIT_ANSWERS: readonly string[] = ["continue", "pass", "fail"];

/** What a person can say about a MAIN that breaks rules. */
export const MAIN_OPTIONS = ["ask_again", "stop"] as const;

/** What a person can say about changed tests, and what decides about them. */
export const ORACLE_OPTIONS = ["allow", "refuse"] as const;

/** What MAIN asks the person, if that is the question that is open. */
export function openUserQuestion(state: RunState): UserQuestion | null {
  return state.question?.about === "user" ? (lastAttempt(state)?.call?.answer.question ?? null) : null;
}

/** The ids a person can answer the open question with; null: it is one about the limit, which has answers of its own. */
export function optionsOf(state: RunState): readonly string[] | null {
  switch (state.question?.about) {
    case "user":
      return openUserQuestion(state)?.options.map(({ id }) => id) ?? [];
    case "main":
      return MAIN_OPTIONS;
    case "oracle":
      return ORACLE_OPTIONS;
    case "limit":
    case undefined:
      return null;
  }
}

export function isAnswerToIt(state: RunState, answer: Answer): boolean {
  const options = optionsOf(state);
  return answer.kind === "option" ? options?.includes(answer.option) === true : options === null;
}

/** A person who was asked about MAIN did not want it to go on. */
export function isStopped(decision: ManualDecision | undefined): boolean {
  return decision?.about === "main" && decision.answer.kind === "option" && decision.answer.option === "stop";
}
