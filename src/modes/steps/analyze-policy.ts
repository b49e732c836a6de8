import type { Decision } from "../../core/decision.ts";
import type { AnalyzeSettings } from "../../core/settings.ts";
import { lastAttempt, type RunState } from "../../core/state.ts";
import { end } from "../../core/end.ts";
import { inTurn, nextTurn } from "../../core/next-agent.ts";

/** The `analyze` mode: asks until one answer is usable as steps, then writes them. */
export function nextAnalyze(state: RunState, { agents }: AnalyzeSettings): Decision {
  const names = inTurn(
    agents.map(({ name }) => name),
    state,
  );
  const ask = (attempt: number): Decision => nextTurn(state, { role: "worker", attempt, names });
  const attempt = lastAttempt(state);
  if (!attempt) return ask(1);
  if (!attempt.turn) return ask(attempt.index);
  if (!attempt.judged) return { do: "judge", attempt: attempt.index };
  if (attempt.judged.verdict === "accepted")
    return state.written ? end("passed", "accepted") : { do: "write_steps" };
  return attempt.index < state.maxLoops ? ask(attempt.index + 1) : end("failed", "limit_reached");
}
