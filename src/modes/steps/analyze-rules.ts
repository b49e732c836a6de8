import { evidenceRules } from "../../evidence/rules.ts";
import { wasAccepted, whyNoNextAttempt } from "../../core/legality-attempts.ts";
import type { ModeRules } from "../../core/mode.ts";
import type { AnalyzeSettings } from "../../core/settings.ts";
import type { Attempt } from "../../core/state.ts";
import { agentReasons, turnReasons, verdictOf, type Verdict } from "../../core/verdict.ts";
import { nextAnalyze } from "./analyze-policy.ts";

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
    question: () => "nobody is asked here",
    passed(state, { reason }) {
      if (reason !== "accepted") return "its reason is another's";
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
