import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/core/decision.ts";
import type { Answer, RunEvent } from "../../src/core/event.ts";
import { succeeded, type ProcessEnd } from "../../src/platform/process/process-end.ts";
import { fold } from "../../src/core/fold.ts";
import { begin } from "../../src/modes/registry.ts";
import { lastAttempt, type RunState } from "../../src/core/state.ts";
import { judge } from "../../src/core/verdict.ts";
import { next } from "../../src/engine/next.ts";
import type { SuperviseSettings } from "../../src/core/settings.ts";
import * as story from "../rig/story.ts";

/** The world's random answer to one effect. After the last one, answers are plain: no crash, no more time granted. */
interface Luck {
  readonly crash: boolean;
  readonly interactive: boolean;
  readonly interrupted: boolean;
  readonly end: ProcessEnd;
  readonly status: "DONE" | "NEEDS_WORK" | "BLOCKED" | "invalid" | null;
  readonly evidence: string | null;
  readonly answer: Answer;
}

const anyEnd = fc.oneof(
  { weight: 6, arbitrary: fc.constant<ProcessEnd>({ kind: "exited", code: 0 }) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 255 }).map((code): ProcessEnd => ({ kind: "exited", code })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<ProcessEnd>(
      { kind: "signaled", signal: "SIGKILL" },
      { kind: "timeout", afterMs: 5 },
      { kind: "output_cap", capBytes: 5 },
      { kind: "not_started", message: "E2BIG" },
    ),
  },
);

const anyLuck: fc.Arbitrary<Luck> = fc.record({
  crash: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  interactive: fc.boolean(),
  interrupted: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  end: anyEnd,
  status: fc.oneof(
    { weight: 3, arbitrary: fc.constant("DONE" as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom("NEEDS_WORK" as const, "BLOCKED" as const, "invalid" as const, null),
    },
  ),
  evidence: fc.option(fc.string(), { freq: 4 }),
  answer: fc.oneof(
    fc.integer({ min: 1, max: 4 }).map((n): Answer => ({ kind: "continue_n", n })),
    fc.constantFrom<Answer>({ kind: "mark_pass" }, { kind: "mark_fail" }),
  ),
});

const anySetting = fc.record({
  maxLoops: fc.integer({ min: 1, max: 5 }),
  fast: fc.integer({ min: 1, max: 3 }),
  full: fc.integer({ min: 1, max: 3 }),
  interactive: fc.boolean(),
});

const PLAIN: Luck = {
  crash: false,
  interactive: false,
  interrupted: false,
  end: { kind: "exited", code: 1 },
  status: "NEEDS_WORK",
  evidence: null,
  answer: { kind: "mark_fail" },
};

/** More decisions than any of these runs needs. */
const FOREVER = 5000;

interface Course {
  readonly states: readonly RunState[];
  readonly decisions: readonly Decision[];
  readonly last: RunState;
}

/** The engine's loop in a random world. */
function live(
  setting: { maxLoops: number; fast: number; full: number; interactive: boolean },
  lucks: readonly Luck[],
): Course {
  const settings = {
    maxLoops: setting.maxLoops,
    testFast: story.testsNamed("fast", setting.fast),
    testFull: story.testsNamed("full", setting.full),
  };
  let state = begin(story.started(settings, { interactive: setting.interactive }), story.AT);
  const states: RunState[] = [state];
  const decisions: Decision[] = [];
  for (let step = 0; step < FOREVER; step++) {
    const decision = next(state);
    if (!decision) return { states, decisions, last: state };
    const luck = lucks[step] ?? PLAIN;
    decisions.push(decision);
    const event = luck.crash
      ? story.resumed({ interactive: luck.interactive })
      : happens(decision, state, luck);
    state = fold(state, event, story.AT);
    states.push(state);
  }
  throw new Error("the run does not end");
}

function happens(decision: Decision, state: RunState, luck: Luck): RunEvent {
  switch (decision.do) {
    case "take_turn": {
      const { attempt, turn } = decision;
      if (luck.interrupted) return { type: "turn_interrupted", attempt, turn };
      return story.turnEnded(attempt, { status: luck.status, evidence: luck.evidence }, luck.end, turn);
    }
    case "run_check":
      return story.checkEnded(decision.attempt, decision.phase, decision.index, luck.end);
    case "judge":
      return { ...story.judged(decision.attempt), ...judge(evidenceOf(state)) };
    case "start_wait":
    case "sit_out":
    case "stop":
      throw new Error(`a command is always available: ${decision.do}`);
    case "await_answer":
      return story.answered(luck.answer, decision.questionId);
    default:
      return story.happensAlways(decision, state);
  }
}

function evidenceOf(state: RunState): Parameters<typeof judge>[0] {
  const attempt = lastAttempt(state);
  if (!attempt?.turn?.claim) throw new Error("asked to judge what did not happen");
  const { testFast, testFull } = superviseSettings(state);
  return {
    turnEnd: attempt.turn.process.end,
    claim: attempt.turn.claim,
    agentFailure: null,
    checks: attempt.checks.map((check) => ({ phase: check.phase, end: check.process.end })),
    fastTests: testFast.length,
    fullTests: testFull.length,
  };
}

function superviseSettings({ settings }: RunState): SuperviseSettings {
  if (settings.mode !== "supervise") throw new Error(settings.mode);
  return settings;
}

function granted(state: RunState): number {
  return state.decisions.reduce((sum, { answer }) => sum + (answer.kind === "continue_n" ? answer.n : 0), 0);
}

/** Everything that acceptance needs, written independently of the product. */
function deservesAcceptance(state: RunState): boolean {
  const attempt = lastAttempt(state);
  const green = (phase: "fast" | "full", index: number): boolean =>
    attempt?.checks.some(
      (check) => check.phase === phase && check.index === index && succeeded(check.process.end),
    ) === true;
  const { testFast, testFull } = superviseSettings(state);
  return (
    attempt?.turn?.claim?.status === "DONE" &&
    attempt.turn.claim.evidence !== null &&
    succeeded(attempt.turn.process.end) &&
    testFast.every((_, at) => green("fast", at + 1)) &&
    testFull.every((_, at) => green("full", at + 1))
  );
}

const anyCourse = fc
  .tuple(anySetting, fc.array(anyLuck, { maxLength: 80 }))
  .map(([setting, lucks]) => live(setting, lucks));
const RUNS = { numRuns: 2000 };

describe("in any random world", () => {
  test("the run ends", () => {
    fc.assert(
      fc.property(anyCourse, ({ last }) => {
        expect(last.ended).not.toBeNull();
      }),
      RUNS,
    );
  });

  test("there are never more attempts than allowed, and their numbers have no gap", () => {
    fc.assert(
      fc.property(anyCourse, ({ states }) => {
        for (const state of states) {
          expect(state.attempts.length).toBeLessThanOrEqual(state.settings.maxLoops + granted(state));
          expect(state.attempts.map((attempt) => attempt.index)).toEqual(
            state.attempts.map((_, at) => at + 1),
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a run passes exactly when its last attempt deserves it", () => {
    fc.assert(
      fc.property(anyCourse, ({ last }) => {
        expect(last.ended?.status === "passed").toBe(deservesAcceptance(last));
        const accepted = last.attempts.filter((attempt) => attempt.judged?.verdict === "accepted");
        expect(accepted).toHaveLength(last.ended?.status === "passed" ? 1 : 0);
      }),
      RUNS,
    );
  });

  test("exits with 0 only if the run passed, by evidence or by a person's word", () => {
    fc.assert(
      fc.property(anyCourse, ({ last }) => {
        const byPerson = last.decisions.at(-1)?.answer.kind === "mark_pass";
        expect(last.ended?.status === "manually_passed").toBe(byPerson);
        expect(last.ended?.exitCode === 0).toBe(byPerson || deservesAcceptance(last));
      }),
      RUNS,
    );
  });

  test("full tests are asked for only after DONE and with every fast test green", () => {
    fc.assert(
      fc.property(anyCourse, ({ states, decisions }) => {
        for (const [step, decision] of decisions.entries()) {
          if (decision.do !== "run_check" || decision.phase !== "full") continue;
          const state = states[step];
          const attempt = state && lastAttempt(state);
          const fast = attempt?.checks.filter((check) => check.phase === "fast") ?? [];
          expect(attempt?.turn?.claim?.status).toBe("DONE");
          expect(fast.map((check) => succeeded(check.process.end))).toEqual(
            state && superviseSettings(state).testFast.map(() => true),
          );
        }
      }),
      RUNS,
    );
  });
});

test("a claim alone never ends a run well: an agent that always says DONE, with one test that never passes", () => {
  const claims = fc.record({ evidence: fc.string(), red: fc.constantFrom("fast", "full") });
  fc.assert(
    fc.property(anySetting, claims, (setting, { evidence, red }) => {
      const says: Luck = { ...PLAIN, status: "DONE", evidence, end: { kind: "exited", code: 0 } };
      let state = begin(story.started({ maxLoops: setting.maxLoops }), story.AT);
      for (let decision = next(state); decision; decision = next(state)) {
        const fails = decision.do === "run_check" && decision.phase === red;
        const end: ProcessEnd = { kind: "exited", code: fails ? 1 : 0 };
        state = fold(state, happens(decision, state, { ...says, end }), story.AT);
      }
      expect(state.ended).toMatchObject({ status: "failed", exitCode: 1, reason: "limit_reached" });
      expect(state.attempts).toHaveLength(setting.maxLoops);
    }),
  );
});
