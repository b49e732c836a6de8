import { addUsage, totalTokens, type Usage } from "./agent-turn.ts";
import type { AgentRecord } from "./event.ts";
import { COMMAND_AGENT, sessionKey, type RunState, type Spent } from "./state.ts";

/** Adds an agent's report of a turn, successful or not: session, usage. */
export function recordAgentTurn(state: RunState, agent: AgentRecord | null): RunState {
  if (!agent) return state;
  const { sessionId, sessionTotals, name } = agent;
  const role = state.openTurn?.role ?? "worker";
  const lost = agent.failure?.class === "session_lost";
  const key = sessionKey(role, name);
  const { [key]: before, ...others } = state.sessions;
  // If the turn failed, the rules that were sent again may not have arrived.
  const compacted = agent.compacted === true || (agent.failure !== null && before?.compacted === true);
  const sessions =
    sessionId === null || lost
      ? others
      : { ...others, [key]: { id: sessionId, totals: sessionTotals, compacted } };
  // A command reports no usage.
  const spent =
    name === COMMAND_AGENT ? state.spent : withUsage(state.spent, agent.usage, agent.failure === null);
  const lastAgent = role === "worker" ? name : state.lastAgent;
  return { ...state, lastAgent, sessions, spent };
}

export function withUsage(spent: Spent, usage: Usage | null, completed: boolean): Spent {
  // An interrupted turn may have had no time to report; a completed one without a report never will.
  const worked = completed && (usage === null || totalTokens(usage) > 0);
  const unpriced = worked && (usage?.costUsd ?? null) === null;
  return {
    usage: usage ? addUsage(spent.usage, usage) : spent.usage,
    unreportedTokens: spent.unreportedTokens + (usage ? 0 : 1),
    unreportedCost: spent.unreportedCost + (usage && usage.costUsd !== null ? 0 : 1),
    unpriced: spent.unpriced + (unpriced ? 1 : 0),
    uncounted: spent.uncounted + (usage === null && completed ? 1 : 0),
  };
}
