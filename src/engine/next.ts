import type { Decision } from "../core/decision.ts";
import type { OpenTurn, RunState } from "../core/state.ts";
import { withRoomSteps } from "../evidence/before-decision.ts";

/** State → next decision, or null when the run has ended. Open work comes first in every mode. */
export function next(state: RunState): Decision | null {
  const { settings, openTurn, wait, question } = state;
  if (state.ended) return null;
  if (openTurn) return onOpenTurn(openTurn);
  if (wait && !hasLeft(state)) return { do: "sit_out", until: wait.until };
  if (question) return { do: "await_answer", questionId: question.id };
  return withRoomSteps(state, state.mode.next(state, settings));
}

/** The person has left the chat, so there is nothing to wait for. */
function hasLeft({ chat }: RunState): boolean {
  return typeof chat?.live === "object";
}

function onOpenTurn({ attempt, turn, lost }: OpenTurn): Decision {
  return lost ? { do: "record_interrupted", attempt, turn } : { do: "take_turn", attempt, turn };
}
