import { evidenceRules } from "../../evidence/rules.ts";
import { whyNoNextAttempt, whyNothingAccepted } from "../../core/legality-attempts.ts";
import type { ModeRules } from "../../core/mode.ts";
import { numbered } from "../../evidence/held.ts";
import { endInEvidence } from "../../evidence/verdict.ts";
import type { SuperviseSettings } from "../../core/settings.ts";
import { lastAttempt } from "../../core/state.ts";
import { judge } from "../../core/verdict.ts";
import { nextSupervise } from "./policy.ts";

export const superviseRules: ModeRules<SuperviseSettings> = {
  name: "supervise",
  turnResult: null,
  claims: true,
  movesBase: false,
  hasPerson: false,
  knowsTestsAtStart: true,
  command: ({ agentCmd }) => agentCmd,
  prompts: ({ prompt }) => (prompt ? [prompt] : []),
  // The person's own command reads the current plan.
  inputs: ({ agentCmd, plan, planFile }) =>
    agentCmd === null && "sha256" in plan ? [{ path: planFile, sha256: plan.sha256 }] : [],
  next: nextSupervise,
  verdict(_, { turn, checks }, { testFast, testFull }) {
    if (!turn?.claim) return null;
    return judge({
      turnEnd: turn.process.end,
      claim: turn.claim,
      agentFailure: turn.agent?.failure?.class ?? null,
      checks: checks.map((check) => ({ phase: check.phase, end: endInEvidence(check) })),
      fastTests: testFast.length,
      fullTests: testFull.length,
    });
  },
  baseCommands({ testFast, testFull }) {
    const full = numbered("full", testFull).filter(({ command }) => !testFast.includes(command));
    return [...numbered("fast", testFast), ...full];
  },
  testCommands: (_, { testFast, testFull }) => [...new Set([...testFast, ...testFull])],
  commandsDue(_, phase, { testFast, testFull }) {
    if (phase === "fast") return testFast;
    return phase === "full" ? testFull : [];
  },
  testsDecide: true,
  protectsTests: () => true,
  expectsChange: () => true,
  evidence: evidenceRules,
  legality: {
    turn: whyNoNextAttempt,
    question: (state) => (lastAttempt(state)?.judged ? null : "there is nothing to ask"),
    passed: whyNothingAccepted,
  },
};
