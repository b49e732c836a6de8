import type { Answer } from "./event.ts";
import { lastAttempt, type ManualDecision, type RunState } from "./state.ts";
import type { UserQuestion } from "./board/answer.ts";

/** For the question about the limit. */
export const LIMIT_ANSWERS: readonly string[] = ["continue", "pass", "fail"];

/** For a MAIN that breaks rules. */
export const MAIN_OPTIONS = ["ask_again", "stop"] as const;

/** For changed tests and other protected files. */
export const PROTECTED_OPTIONS = ["allow", "refuse"] as const;

/** MAIN's question to the person, if that one is open. */
export function openUserQuestion(state: RunState): UserQuestion | null {
  return state.question?.about === "user" ? (lastAttempt(state)?.call?.answer.question ?? null) : null;
}

/** Valid answers to the open question; null: it is about the limit, which has its own answers. */
export function optionsOf(state: RunState): readonly string[] | null {
  switch (state.question?.about) {
    case "user":
      return openUserQuestion(state)?.options.map(({ id }) => id) ?? [];
    case "main":
      return MAIN_OPTIONS;
    case "protected":
      return PROTECTED_OPTIONS;
    case "limit":
    case undefined:
      return null;
  }
}

export function isAnswerToIt(state: RunState, answer: Answer): boolean {
  const options = optionsOf(state);
  return answer.kind === "option" ? options?.includes(answer.option) === true : options === null;
}

/** A person who was asked about MAIN chose to stop. */
export function isStopped(decision: ManualDecision | undefined): boolean {
  return decision?.about === "main" && decision.answer.kind === "option" && decision.answer.option === "stop";
}
