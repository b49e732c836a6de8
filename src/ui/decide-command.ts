import { openUserQuestion } from "../core/question-options.ts";
import { MAIN_OPTIONS } from "../core/question-options.ts";
import type { RunState } from "../core/state.ts";
import { shellWord } from "../text/shell-quote.ts";

/** Answers the open question with its default; undefined if there is none. */
export function decideCommand(state: RunState): string | undefined {
  const answer = state.question?.about === "main" ? MAIN_OPTIONS[0] : openUserQuestion(state)?.recommended;
  return answer === undefined ? undefined : `agent-foreman decide ${state.runId} ${shellWord(answer)}`;
}
