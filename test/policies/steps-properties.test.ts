import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/core/decision.ts";
import type { Answer, RunEvent } from "../../src/core/event.ts";
import { fold } from "../../src/core/fold.ts";
import { begin } from "../../src/modes/registry.ts";
import { succeeded } from "../../src/platform/process/process-end.ts";
import type { StepsSettings } from "../../src/core/settings.ts";
import { lastAttempt, type RunState } from "../../src/core/state.ts";
import { DOING, DONE, TODO, type StepStatus } from "../../src/core/step.ts";
import { next } from "../../src/engine/next.ts";
import * as steps from "../rig/steps-story.ts";
import * as story from "../rig/story.ts";

/** The random choices for one decision. Unused choices are ignored. */
interface Luck {
  readonly crash: boolean;
  readonly interrupted: boolean;
  readonly unavailable: boolean;
  readonly code: number;
  readonly named: boolean;
  readonly refused: boolean;
  readonly passes: boolean;
  readonly verdict: "pass" | "fail" | "none" | "meddles";
  readonly fileTrouble: boolean;
  readonly tree: string;
  readonly answer: Answer;
}

const PLAIN: Luck = {
  crash: false,
  interrupted: false,
  unavailable: false,
  code: 0,
  named: false,
  refused: false,
  passes: true,
  verdict: "pass",
  fileTrouble: false,
  tree: "a",
  answer: { kind: "mark_fail" },
};

const rarely = fc.integer({ min: 0, max: 14 }).map((n) => n === 0);
const anyLuck: fc.Arbitrary<Luck> = fc.record({
  crash: rarely,
  interrupted: rarely,
  unavailable: rarely,
  code: fc.constantFrom(0, 0, 0, 1),
  named: fc.boolean(),
  refused: rarely,
  passes: fc.boolean(),
  verdict: fc.constantFrom("pass", "pass", "fail", "none", "meddles"),
  fileTrouble: fc.integer({ min: 0, max: 60 }).map((n) => n === 0),
  tree: fc.constantFrom("a", "b", "c"),
  answer: fc.constantFrom<Answer>(
    { kind: "mark_fail" },
    { kind: "mark_pass" },
    { kind: "continue_n", n: 1 },
    { kind: "continue_n", n: 3 },
  ),
});

interface Setting {
  readonly statuses: readonly StepStatus[];
  readonly tested: boolean;
  readonly fullVerify: boolean;
  readonly reverify: boolean;
  readonly onStuck: StepsSettings["onStuck"];
  readonly interactive: boolean;
  readonly agents: number;
  readonly chosen: readonly number[] | null;
}

const anySetting: fc.Arbitrary<Setting> = fc.record({
  statuses: fc.array(fc.constantFrom(TODO, DOING, DONE), { minLength: 1, maxLength: 4 }),
  tested: fc.boolean(),
  fullVerify: fc.boolean(),
  reverify: fc.boolean(),
  onStuck: fc.constantFrom("stop", "continue", "next-agent"),
  interactive: fc.boolean(),
  agents: fc.integer({ min: 1, max: 2 }),
  chosen: fc.constantFrom<readonly number[] | null>(null, null, [1]),
});

const NAMES = ["claude", "codex"];
const FOREVER = 2000;

interface Course {
  readonly setting: Setting;
  readonly states: readonly RunState[];
  readonly decisions: readonly Decision[];
  readonly last: RunState;
}

function course(setting: Setting, lucks: readonly Luck[]): Course {
  const workers = NAMES.slice(0, setting.agents);
  const files = setting.statuses.map((status, index) =>
    steps.aStep(String(index + 1).padStart(3, "0"), {
      status,
      unitTest: setting.tested ? { command: "unit" } : null,
    }),
  );
  const first = steps.stepsStarted({
    steps: files,
    workers,
    verifiers: [],
    agents: workers.map((name) => story.profile(name)),
    fullVerify: setting.fullVerify,
    reverify: setting.reverify,
    onStuck: setting.onStuck,
    chosen: setting.chosen,
  });
  let state = begin({ ...first, interactive: setting.interactive }, story.AT);
  const states = [state];
  const decisions: Decision[] = [];
  for (let at = 0; at < FOREVER; at++) {
    const decision = next(state);
    if (!decision) return { setting, states, decisions, last: state };
    const luck = lucks[at] ?? PLAIN;
    decisions.push(decision);
    const event = luck.crash
      ? story.resumed({ interactive: setting.interactive, limits: state.limits })
      : happens(decision, state, luck);
    state = fold(state, event, later(at));
    states.push(state);
    // A person fixes the cause of the stop.
    if (state.stopped !== null)
      state = fold(state, story.resumed({ limits: state.limits, askNow: true }), later(at));
  }
  throw new Error("the run does not end");
}

/** Time advances, so that waits end. */
const later = (at: number): string => story.later(at * 600);

function happens(decision: Decision, state: RunState, luck: Luck): RunEvent {
  switch (decision.do) {
    case "take_turn":
      return takesTurn(decision, state, luck);
    case "run_check":
      return story.checkEnded(decision.attempt, decision.phase, 1, story.exited(luck.passes ? 0 : 1));
    case "start_step": {
      const { step, regression } = decision;
      if (luck.fileTrouble) return { type: "step_refused", step, why: "changed", message: "description" };
      return { type: "step_started", step, regression };
    }
    case "mark_step": {
      const { step, status, unitTest } = decision;
      if (luck.fileTrouble) return { type: "step_refused", step, why: "write_failed", message: "EIO" };
      return { type: "step_marked", step, status, unitTest, sha256: story.NOTHING.sha256, edited: false };
    }
    case "await_answer":
      return story.answered(luck.answer, decision.questionId);
    default:
      return story.happensAlways(decision, state, luck.tree);
  }
}

function takesTurn({ attempt, turn }: Decision & { do: "take_turn" }, state: RunState, luck: Luck): RunEvent {
  const agent = state.openTurn?.agent ?? "";
  if (luck.interrupted) return { type: "turn_interrupted", attempt, turn };
  if (luck.unavailable) return story.turnFailed(attempt, turn, agent, "quota");
  const end = story.exited(luck.code);
  if (state.openTurn?.role === "reviewer")
    return steps.reviewed(attempt, turn, {
      agent: story.agentRecord(agent),
      process: story.ran("codex", end),
      items: luck.verdict === "none" ? [] : [{ item: 1, passed: luck.verdict !== "fail", evidence: "seen" }],
      problem: luck.verdict === "none" ? { kind: "missing" } : null,
      changed: luck.verdict === "meddles" ? ["x"] : [],
    });
  const own = state.steps[(state.step ?? 1) - 1]?.step.unitTest ?? null;
  const refused = luck.refused && own === null ? "rule" : null;
  return {
    ...story.turnEnded(attempt, {}, end, turn),
    claim: null,
    agent: story.agentRecord(agent),
    product: {
      kind: "step_work",
      unitTest: luck.named && own === null && refused === null ? { command: "unit" } : null,
      refused,
      tree: luck.tree,
    },
  };
}

const anyCourse = fc
  .tuple(anySetting, fc.array(anyLuck, { maxLength: 120 }))
  .map(([setting, lucks]) => course(setting, lucks));
const RUNS = { numRuns: 400 };

/** Everything that the acceptance of a step's attempt needs, written independently of the product. */
function deservesIt(state: RunState, { reverify }: Setting): boolean {
  const attempt = lastAttempt(state);
  const step = state.steps[(attempt?.step ?? 0) - 1];
  if (!attempt || !step) return false;
  const { turn, checks, review, index } = attempt;
  const worked =
    index === 0 || (turn !== null && succeeded(turn.process.end) && turn.agent?.failure === null);
  const reopened = state.attempts.some((each) => each.step === attempt.step && each.index === 0);
  if (worked && index > 0 && reopened && !reverify) return true;
  const tested =
    step.unitTest === null || (checks.length === 1 && checks.every(({ process }) => succeeded(process.end)));
  const reviewed =
    review !== null &&
    succeeded(review.process.end) &&
    review.problem === null &&
    review.items.length > 0 &&
    review.items.every(({ passed }) => passed) &&
    review.changed?.length === 0;
  return worked && tested && reviewed;
}

describe("with random actions of agents, tests, files and people", () => {
  test("R15 R26 M1 a run ends, and attempts no step more than five times plus granted attempts", () => {
    fc.assert(
      fc.property(anyCourse, ({ last }) => {
        expect(last.ended).not.toBeNull();
        const granted = last.decisions.reduce(
          (sum, { answer }) => sum + (answer.kind === "continue_n" ? answer.n : 0),
          0,
        );
        for (const attempt of last.attempts) expect(attempt.index).toBeLessThanOrEqual(5 + granted);
      }),
      RUNS,
    );
  });

  test("R25 an attempt is accepted only on all its evidence", () => {
    fc.assert(
      fc.property(anyCourse, ({ setting, states }) => {
        const judged = states.filter((state) => lastAttempt(state)?.judged?.verdict === "accepted");
        expect(judged.every((state) => deservesIt(state, setting))).toBe(true);
      }),
      RUNS,
    );
  });

  test("a file says done only where it did at the start, an attempt was accepted, or a person decided so", () => {
    fc.assert(
      fc.property(anyCourse, ({ states }) => {
        for (const state of states) {
          for (const [index, step] of state.steps.entries()) {
            if (step.status !== DONE) continue;
            const own = state.attempts.filter((attempt) => attempt.step === index + 1);
            const untouched =
              step.step.status === DONE && own.every(({ judged }) => judged === null || judged.attempt === 0);
            const accepted = own.some(({ judged }) => judged?.verdict === "accepted");
            expect(untouched || accepted || step.markedDone).toBe(true);
          }
        }
      }),
      RUNS,
    );
  });

  test("a run passes only if every chosen step is done in its file", () => {
    fc.assert(
      fc.property(anyCourse, ({ setting, last }) => {
        const chosen = last.steps.filter((_, index) => setting.chosen?.includes(index + 1) ?? true);
        const allDone = chosen.every(({ status }) => status === DONE);
        expect(last.ended?.exitCode === 0 && !allDone).toBe(false);
      }),
      RUNS,
    );
  });

  test("M23 no review before the unit test passed, nor after a failed turn", () => {
    fc.assert(
      fc.property(anyCourse, ({ states, decisions }) => {
        for (const [at, decision] of decisions.entries()) {
          if (decision.do !== "open_turn" || decision.role !== "reviewer") continue;
          const state = states[at];
          const attempt = state && lastAttempt(state);
          const due = state?.steps[(state.step ?? 1) - 1]?.unitTest ? 1 : 0;
          const passed = attempt?.checks.filter(({ process }) => succeeded(process.end));
          expect(passed).toHaveLength(due);
          expect(attempt?.checks).toHaveLength(due);
          expect(attempt?.turn ? succeeded(attempt.turn.process.end) : attempt?.index === 0).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test("another agent reviews if one is available", () => {
    const calm = fc.array(
      anyLuck.map((luck) => ({ ...luck, unavailable: false })),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(anySetting, calm, (setting, lucks) => {
        const { attempts } = course({ ...setting, agents: 2 }, lucks).last;
        const alone = attempts.filter(({ turn, review }) => turn && turn.agent?.name === review?.agent.name);
        expect(alone).toEqual([]);
      }),
      RUNS,
    );
  });
});
