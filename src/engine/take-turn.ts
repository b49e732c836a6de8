import type { Decision } from "../core/decision.ts";
import type { RunEvent } from "../core/event.ts";
import type { RunState } from "../core/state.ts";
import { takeAgentTurn } from "./agent-turn.ts";
import type { RunContext } from "./ports.ts";

/** Runs one turn of the chosen agent, or of the person's own command. */
export function takeTurn(
  decision: Decision & { do: "take_turn" },
  state: RunState,
  context: RunContext,
): Promise<RunEvent> {
  const agent = state.openTurn?.agent ?? null;
  if (agent !== null) return takeAgentTurn(decision, agent, state, context);
  if (!context.mode.takeCommandTurn) throw new Error(`${state.settings.mode} takes no command`);
  return context.mode.takeCommandTurn(decision, state, context);
}
