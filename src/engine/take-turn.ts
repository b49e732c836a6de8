import type { Decision } from "../domain/decision.ts";
import type { RunEvent } from "../domain/event.ts";
import type { RunState } from "../domain/state.ts";
import { takeAgentTurn } from "./agent-turn.ts";
import { takeCommandTurn } from "./command-turn.ts";
import type { RunContext } from "./ports.ts";

/** One turn: of the agent that was chosen for it, or of the person's own command. */
export function takeTurn(
  decision: Decision & { do: "take_turn" },
  state: RunState,
  context: RunContext,
): Promise<RunEvent> {
  const agent = state.openTurn?.agent ?? null;
  return agent === null
    ? takeCommandTurn(decision, state, context)
    : takeAgentTurn(decision, agent, state, context);
}
