import type { Decision } from "../domain/decision.ts";
import type { OpenTurn, RunState } from "../domain/state.ts";
import { nextAnalyze } from "./analyze.ts";
import { nextChat } from "./chat.ts";
import { nextOnBoard } from "./blackboard.ts";
import { throughRoom } from "./room.ts";
import type { Settings } from "../domain/settings.ts";
import { nextStep } from "./steps.ts";
import { nextSupervise } from "./supervise.ts";

/** State → what to do next, or null when the run has ended. What is open comes first in every mode. */
export function next(state: RunState): Decision | null {
  const { settings, openTurn, wait, question } = state;
  if (state.ended) return null;
  if (openTurn) return onOpenTurn(openTurn);
  if (wait && !hasLeft(state)) return { do: "sit_out", until: wait.until };
  if (question) return { do: "await_answer", questionId: question.id };
  return throughRoom(state, byMode(state, settings));
}

function byMode(state: RunState, settings: Settings): Decision {
  switch (settings.mode) {
    case "supervise":
      return nextSupervise(state, settings);
    case "run":
      return nextStep(state, settings);
    case "analyze":
      return nextAnalyze(state, settings);
    case "orchestrate":
      return nextOnBoard(state, settings);
    case "chat":
      return nextChat(state, settings);
  }
}

/** Nobody is there any more for whom anything could be waited for. */
function hasLeft({ chat }: RunState): boolean {
  return typeof chat?.live === "object";
}

function onOpenTurn({ attempt, turn, lost }: OpenTurn): Decision {
  return lost ? { do: "record_interrupted", attempt, turn } : { do: "take_turn", attempt, turn };
}
