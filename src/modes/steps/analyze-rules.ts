import { evidenceRules } from "../../evidence/rules.ts";
import { wasAccepted, whyNoNextAttempt } from "../../core/legality-attempts.ts";
import type { ModeRules } from "../../core/mode.ts";
import type { AnalyzeSettings } from "../../core/settings.ts";
import { type Attempt, lastAttempt, type RunState } from "../../core/state.ts";
import { agentReasons, turnReasons, verdictOf, type Verdict } from "../../core/verdict.ts";
import type { Decision } from "../../core/decision.ts";
import { end } from "../../core/end.ts";
import { inTurn, nextTurn } from "../../core/next-agent.ts";

export const analyzeRules: ModeRules<AnalyzeSettings> = {
  name: "analyze",
  turnResult: "analysis",
  claims: false,
  movesBase: true,
  hasPerson: false,
  knowsTestsAtStart: false,
  prompts: ({ prompts }) => Object.values(prompts),
  inputs: ({ requirements }) => [requirements],
  next: nextAnalyze,
  fold: (after, event) => (event.type === "steps_written" ? { ...after, written: event } : after),
  verdict: (_, attempt) => judgeAnalysis(attempt),
  baseCommands: () => [],
  testCommands: () => [],
  commandsDue: () => [],
  testsDecide: false,
  protectsTests: () => false,
  expectsChange: () => false,
  evidence: evidenceRules,
  legality: {
    own: (state) => (wasAccepted(state) ? null : "there is nothing to write"),
    turn: whyNoNextAttempt,
    question: () => "this mode asks no question",
    passed(state, { reason }) {
      if (reason !== "accepted") return "the reason does not fit the status";
      return state.written ? null : "nothing was written";
    },
  },
};

function judgeAnalysis({ turn }: Attempt): Verdict | null {
  if (turn?.product?.kind !== "analysis") return null;
  const { problem, changed } = turn.product;
  const meddled = changed !== null && changed.length > 0;
  const reasons = [
    ...turnReasons(turn.process.end),
    ...agentReasons(turn.agent?.failure?.class ?? null),
    ...(problem === null ? [] : (["analysis_unusable"] as const)),
    ...(meddled ? (["agent_changed_tree"] as const) : []),
  ];
  return verdictOf(reasons, true);
}

/** The `analyze` mode: asks until one answer is usable as steps, then writes them. */
function nextAnalyze(state: RunState, { agents }: AnalyzeSettings): Decision {
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
