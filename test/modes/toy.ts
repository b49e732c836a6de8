import type { ModeRules, RunState } from "../../src/core/mode.ts";
import { end } from "../../src/core/end.ts";
import { whyNoNextAttempt, whyNothingAccepted } from "../../src/core/legality-attempts.ts";
import { nextTurn } from "../../src/core/next-agent.ts";
import { checkPassed } from "../../src/evidence/verdict.ts";
import type { Settings } from "../../src/core/settings.ts";
import { lastAttempt } from "../../src/core/state.ts";
import { verdictOf } from "../../src/core/verdict.ts";
import type { ModeWork } from "../../src/engine/ports.ts";
import { evidenceRules } from "../../src/evidence/rules.ts";
import type { Mode } from "../../src/modes/mode.ts";
import { supervise } from "../../src/modes/supervise/mode.ts";
import { commonReport } from "../../src/modes/report/report-parts.ts";

const checkIn = (settings: object): string => ("check" in settings ? String(settings.check) : "");

/** Agents work on the task until one check passes. */
const rules: ModeRules = {
  name: "toy" as Settings["mode"],
  turnResult: null,
  claims: false,
  movesBase: false,
  hasPerson: false,
  knowsTestsAtStart: true,
  testsDecide: true,
  prompts: () => [],
  next(state, { agents, maxLoops }) {
    const { index = 0, turn, checks = [], judged } = lastAttempt(state) ?? {};
    if (judged?.verdict === "accepted") return end("passed", "accepted");
    if (judged && index === maxLoops) return end("failed", "limit_reached");
    const attempt = judged ? index + 1 : Math.max(index, 1);
    if (judged || !turn)
      return nextTurn(state, { role: "worker", attempt, names: agents.map(({ name }) => name) });
    if (checks.length > 0) return { do: "judge", attempt };
    return { do: "run_check", attempt, phase: "fast", index: 1, command: checkIn(state.settings) };
  },
  verdict: (_, { turn, checks }) =>
    turn && verdictOf(checks.every(checkPassed) ? [] : ["fast_test_failed"], checks.length > 0),
  baseCommands: (settings) => [{ phase: "fast", index: 1, command: checkIn(settings) }],
  testCommands: (_, settings) => [checkIn(settings)],
  commandsDue: (_, phase, settings) => (phase === "fast" ? [checkIn(settings)] : []),
  protectsTests: () => true,
  expectsChange: () => true,
  evidence: evidenceRules,
  legality: {
    turn: whyNoNextAttempt,
    question: () => "this mode asks no question",
    passed: whyNothingAccepted,
  },
};

const report = (state: RunState, _: Settings, journal: string): object => ({
  ...commonReport(state, journal),
  mode: "toy",
  attempts: state.attempts.map(({ judged }) => judged?.verdict),
});

const work: ModeWork = {
  rules,
  restrictsWorker: false,
  forksReview: false,
  inputFiles: () => [],
  treeBefore: () => null,
  assignment: (_, { settings: { task: prompt } }) => ({
    prompt,
    tools: "all",
    env: {},
    answers: () => false,
    conclude: (_text, ended) => ({ type: "turn_ended", ...ended, claim: null, product: null }),
  }),
  feedback: (_, { index }, { reasons }) => `Attempt ${index}: ${reasons.join()}\n`,
  report,
};

export const toy: Mode = { rules, work, view: { ...supervise.view, startAgain: () => null } };
