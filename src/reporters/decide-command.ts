import { openUserQuestion } from "../domain/board/asked.ts";
import { MAIN_OPTIONS } from "../domain/board/asked.ts";
import type { RunState } from "../domain/state.ts";
import { shellWord } from "../reports/shell-command.ts";

/** Answers the open question with what suggests itself; undefined where nothing does. */
export function decideCommand(state: RunState): string | undefined {
  const answer = state.question?.about === "main" ? MAIN_OPTIONS[0] : openUserQuestion(state)?.recommended;
  return answer === undefined ? undefined : `agent-foreman decide ${state.runId} ${shellWord(answer)}`;
}
