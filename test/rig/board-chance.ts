import * as fc from "fast-check";
import type { NextAgent } from "../../src/core/board/answer.ts";
import { judgeAnswer } from "../../src/modes/orchestrate/judge-answer.ts";
import { tasksOf, type TaskStatus } from "../../src/core/board/plan.ts";
import type { RoleSaid } from "../../src/core/board/role-said.ts";
import type { Broken } from "../../src/core/board/rule.ts";
import type { Decision } from "../../src/core/decision.ts";
import type { MainEnded, RunEvent } from "../../src/core/event.ts";
import { fold } from "../../src/core/fold.ts";
import { begin } from "../../src/modes/registry.ts";
import type { RunState } from "../../src/core/state.ts";
import { next } from "../../src/engine/next.ts";
import { answerTo, planOf, SAID, task, type Move } from "./board-answers.ts";
import { boardStarted } from "./board-story.ts";
import * as story from "./story.ts";

/** Random runs of a board: chance decides what MAIN, the roles, the commands and people do. */

/** The random choices for one decision. */
interface Luck {
  readonly crash: boolean;
  readonly interrupted: boolean;
  readonly unavailable: boolean;
  /** MAIN: follows the rules, or does anything. */
  readonly sensible: boolean;
  readonly unreadable: boolean;
  readonly agent: NextAgent;
  readonly statuses: readonly TaskStatus[];
  readonly evidence: boolean;
  readonly loses: boolean;
  readonly mode: "milestone" | "single" | "investigate";
  readonly waives: boolean;
  readonly meddles: boolean;
  readonly claim: RoleSaid["claim"];
  readonly feedback: boolean;
  readonly green: boolean;
  readonly option: string;
  readonly limit: "mark_pass" | "mark_fail" | "continue_n";
}

const STATUSES: readonly TaskStatus[] = ["TODO", "DOING", "BLOCKED", "DONE", "VERIFIED"];
const rarely = fc.integer({ min: 0, max: 14 }).map((n) => n === 0);
const often = fc.integer({ min: 0, max: 4 }).map((n) => n > 0);

const anyLuck: fc.Arbitrary<Luck> = fc.record({
  crash: rarely,
  interrupted: rarely,
  unavailable: rarely,
  sensible: often,
  unreadable: rarely,
  agent: fc.constantFrom<NextAgent>("TEST", "DEV", "REVIEW", "USER", "FINISH", "FINISH"),
  statuses: fc.array(fc.constantFrom(...STATUSES), { minLength: 4, maxLength: 4 }),
  evidence: fc.boolean(),
  loses: rarely,
  mode: fc.constantFrom("milestone", "milestone", "single", "investigate"),
  waives: rarely,
  meddles: rarely,
  claim: fc.constantFrom("PASS", "PASS", "PASS", "FAIL", "BLOCKED", null),
  feedback: rarely,
  green: fc.boolean(),
  option: fc.constantFrom("a", "b", "drop_tasks"),
  limit: fc.constantFrom("mark_pass", "mark_fail", "continue_n"),
});

export const TASKS = ["M1-T1", "M1-T2", "M2-T1", "M2-T2"];
export const MAX_ITERATIONS = 25;
const FOREVER = 4000;

export interface Course {
  readonly states: readonly RunState[];
  readonly events: readonly RunEvent[];
  readonly last: RunState;
}

export function course(interactive: boolean, lucks: readonly Luck[]): Course {
  const plan = planOf(TASKS.map((id) => task(id)));
  let state = begin({ ...boardStarted({ plan, maxLoops: MAX_ITERATIONS }), interactive }, story.AT);
  const states = [state];
  const events: RunEvent[] = [];
  for (let at = 0; at < FOREVER; at++) {
    const decision = next(state);
    if (!decision) return { states, events, last: state };
    const luck = lucks[at] ?? LUCKY;
    const event = luck.crash ? story.resumed({ interactive }) : happens(decision, state, luck);
    state = fold(state, event, later(at));
    states.push(state);
    events.push(event);
    if (state.stopped !== null) state = fold(state, story.resumed({ interactive, askNow: true }), later(at));
  }
  throw new Error("the run does not end");
}

const later = (at: number): string => story.later(at * 600);

function happens(decision: Decision, state: RunState, luck: Luck): RunEvent {
  switch (decision.do) {
    case "take_turn":
      return takesTurn(decision, state, luck);
    case "run_check": {
      const { attempt, phase, index, command } = decision;
      const role = state.attempts.at(-1)?.call?.answer.nextAgent;
      // In a sensible world tests are red after TEST and green after DEV.
      const green = luck.sensible ? role !== "TEST" : luck.green;
      const process = story.ran(command, story.exited(green ? 0 : 1));
      return { type: "check_ended", attempt, phase, index, process, output: story.NOTHING };
    }
    case "await_answer":
      return story.answered(answerOf(state, luck), decision.questionId);
    default:
      return story.happensAlways(decision, state, "t.p.o");
  }
}

function answerOf(state: RunState, luck: Luck) {
  switch (state.question?.about) {
    case "user":
      return { kind: "option", option: luck.option } as const;
    case "main":
      return { kind: "option", option: luck.limit === "mark_fail" ? "stop" : "ask_again" } as const;
    default:
      return luck.limit === "continue_n"
        ? ({ kind: "continue_n", n: 1 } as const)
        : ({ kind: luck.limit } as const);
  }
}

function takesTurn({ attempt, turn }: Decision & { do: "take_turn" }, state: RunState, luck: Luck): RunEvent {
  const agent = state.openTurn?.agent ?? "";
  if (luck.interrupted) return { type: "turn_interrupted", attempt, turn };
  if (luck.unavailable) return story.turnFailed(attempt, turn, agent, "quota");
  if (state.openTurn?.role === "main") return decides(attempt, turn, agent, state, luck);
  const order = state.attempts.at(-1)?.call?.order;
  const tasks = state.attempts.at(-1)?.call?.tasks ?? [];
  const investigates = order?.reviewMode === "investigate";
  return {
    ...story.turnEnded(attempt, {}, story.exited(0), turn),
    claim: null,
    agent: story.agentRecord(agent),
    product: {
      kind: "role_report",
      said: {
        ...SAID,
        tasks,
        claim: luck.sensible ? "PASS" : luck.claim,
        fault: investigates ? "implementation" : null,
        testFeedback: luck.feedback && !luck.sensible ? "the test is wrong" : null,
      },
      absentFiles: [],
      changed: luck.meddles && !luck.sensible ? ["x"] : [],
      unrestored: [],
      tests: null,
    },
  };
}

function decides(attempt: number, turn: number, agent: string, state: RunState, luck: Luck): MainEnded {
  const answer = luck.unreadable
    ? null
    : answerTo(state, luck.sensible ? sensible(state) : wild(state, luck));
  const broken: readonly Broken[] = answer
    ? judgeAnswer(state, answer, { changed: [], refusedCommands: [] })
    : [{ rule: "not_one_json_line", about: "prose" }];
  return {
    type: "main_ended",
    attempt,
    turn,
    process: story.ran(agent, story.exited(0)),
    stdout: story.NOTHING,
    stderr: story.NOTHING,
    agent: story.agentRecord(agent),
    tools: "none",
    answer,
    broken,
    refusedCommands: [],
    changed: [],
    changedInputs: [],
  };
}

/** A MAIN that follows the rules, written independently of the product. */
function sensible(state: RunState): Move {
  const tasks = tasksOf(state.board?.plan ?? { milestones: [] });
  const last = state.attempts.findLast(({ judged }) => judged !== null);
  const accepted = last?.judged?.verdict === "accepted";
  const agent = last?.call?.answer.nextAgent;
  const about = last?.call?.tasks ?? [];
  const failures = [`root_cause_analysis: looked at it again`];
  const statusOf = (id: string): TaskStatus | undefined => tasks.find((each) => each.id === id)?.status;
  const before = state.attempts.at(-1);
  const feedback = before?.turn?.product;
  if (feedback?.kind === "role_report" && feedback.said.testFeedback !== null && agent === "DEV")
    return { next: "REVIEW", reviewMode: "investigate", historyLines: failures };
  if (agent === "REVIEW" && accepted && last?.call?.order?.reviewMode !== "investigate") {
    const done = about.filter((id) => statusOf(id) === "DONE");
    if (done.length > 0) {
      const statuses = Object.fromEntries(done.map((id) => [id, "VERIFIED" as const]));
      const evidence = Object.fromEntries(done.map((id) => [id, `REVIEW Iteration ${last.index}`]));
      const rest = tasks.filter(({ id, status }) => status !== "VERIFIED" && !done.includes(id));
      return rest.length === 0
        ? { next: "FINISH", statuses, evidence }
        : { ...forWork(rest[0]?.id ?? "", state, failures), statuses, evidence };
    }
  }
  const green = agent === "DEV" && accepted ? about.filter((id) => statusOf(id) === "DOING") : [];
  const statuses: Record<string, TaskStatus> = Object.fromEntries(green.map((id) => [id, "DONE" as const]));
  const now = tasks.map((each) => ({ ...each, status: statuses[each.id] ?? each.status }));
  const left = now.find(({ status }) => status !== "VERIFIED");
  if (!left) return { next: "FINISH", historyLines: failures };
  const milestone = now.filter(({ id }) => id.startsWith(left.id.slice(0, 3)));
  const open = milestone.find(
    ({ status }) => status === "TODO" || status === "DOING" || status === "BLOCKED",
  );
  if (!open)
    return {
      next: "REVIEW",
      reviewMode: "milestone",
      historyLines: failures,
      ...(green.length > 0 && { statuses }),
    };
  if (open.status === "BLOCKED") statuses[open.id] = "DOING";
  if (open.status === "TODO") statuses[open.id] = "DOING";
  return {
    ...forWork(open.id, state, failures),
    ...(Object.keys(statuses).length > 0 && { statuses }),
  };
}

function forWork(id: string, state: RunState, historyLines: readonly string[]): Move {
  const tested = state.attempts.some(
    ({ call, judged }) =>
      call?.answer.nextAgent === "TEST" && call.tasks.includes(id) && judged?.verdict === "accepted",
  );
  const orderLines = [`note: turn ${state.turns}`];
  return tested ? { next: "DEV", historyLines, orderLines } : { next: "TEST", historyLines, orderLines };
}

function wild(state: RunState, luck: Luck): Move {
  const ids = tasksOf(state.board?.plan ?? { milestones: [] }).map(({ id }) => id);
  const statuses = Object.fromEntries(ids.map((id, at) => [id, luck.statuses[at] ?? "TODO"] as const));
  const review = state.attempts.findLast(({ call }) => call?.answer.nextAgent === "REVIEW");
  return {
    next: luck.agent,
    reviewMode: luck.mode,
    ...(luck.green ? {} : { statuses }),
    ...(luck.evidence && {
      evidence: Object.fromEntries(ids.map((id) => [id, `Iteration ${review?.index ?? 1}`] as const)),
    }),
    ...(luck.loses && { lost: [ids[0] ?? ""] }),
    ...(luck.waives && { redWaiver: "it exists already" }),
    ...(luck.agent === "USER" && {
      question: {
        title: "What about the rest?",
        question: `${state.turns}: what about ${ids.join(", ")}?`,
        options: ["a", "b", "drop_tasks"].map((id) => ({ id, description: id })),
        recommended: "a",
      },
    }),
  };
}

const LUCKY: Luck = {
  crash: false,
  interrupted: false,
  unavailable: false,
  sensible: true,
  unreadable: false,
  agent: "FINISH",
  statuses: [],
  evidence: false,
  loses: false,
  mode: "milestone",
  waives: false,
  meddles: false,
  claim: "PASS",
  feedback: false,
  green: true,
  option: "a",
  limit: "mark_fail",
};

export const anyCourse: fc.Arbitrary<Course> = fc
  .tuple(fc.boolean(), fc.array(anyLuck, { maxLength: 200 }))
  .map(([interactive, lucks]) => course(interactive, lucks));
