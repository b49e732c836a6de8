import { droppedTasks, isDroppedOrSkipped, type LeftTasks } from "./user-decisions.ts";
import { iterationOf, reportIn, roleOf } from "../../core/board/iterations.ts";
import type { Order } from "../../core/board/answer.ts";
import { tasksOf, type PlanTask } from "../../core/board/plan.ts";
import { readPlan } from "./rules/read-plan.ts";
import type { RoleSaid } from "../../core/board/role-said.ts";
import { BOARD_RULES } from "../../core/board/rule.ts";
import { reviewThatVerified } from "./task-evidence.ts";
import type { MainEnded } from "../../core/event.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { endInEvidence } from "../../evidence/verdict.ts";
import { attemptMs } from "../../core/run-time.ts";
import type { Attempt, ManualDecision, RunState } from "../../core/state.ts";
import { lacksIn, seenAs } from "./verdict-role.ts";
import { commonReport, promptReport, testReport, turnReport } from "../report/report-parts.ts";
import type { Described } from "../../core/report/described.ts";
import { candidateReport } from "../../evidence/report/room-report.ts";
import type { boardReportSchema } from "./schema-board-report.ts";

/** The report of `orchestrate`. */
export type BoardReport = Described<typeof boardReportSchema>;
type TaskReport = BoardReport["milestones"][number]["tasks"][number];
type IterationReport = BoardReport["iterations"][number];

export function boardReport(state: RunState, settings: OrchestrateSettings, journal: string): BoardReport {
  const { main, test, dev, review } = settings.prompts;
  const milestones = milestoneReports(state, settings);
  const tasks = milestones.flatMap((milestone) => milestone.tasks);
  return {
    ...commonReport(state, journal),
    mode: settings.mode,
    board_dir: settings.boardDir,
    roles: settings.roles,
    max_iterations: settings.maxLoops,
    allowed_iterations: state.maxLoops,
    iterations_before: settings.iterationsBefore,
    totals: {
      milestones: milestones.length,
      tasks: tasks.length,
      verified: tasks.filter(({ status }) => status === "VERIFIED").length,
      dropped: tasks.filter(({ dropped }) => dropped).length,
    },
    milestones,
    iterations: state.attempts.map((attempt) => iterationEntry(attempt, state)),
    decisions: state.decisions.flatMap((decision) => decisionReport(decision, state) ?? []),
    board_edits: state.board?.edits ?? 0,
    prompts: {
      main: promptReport(main),
      test: promptReport(test),
      dev: promptReport(dev),
      review: promptReport(review),
    },
  };
}

function milestoneReports(state: RunState, settings: OrchestrateSettings): BoardReport["milestones"] {
  const first = readPlan(settings.plan);
  const before = "plan" in first ? tasksOf(first.plan) : [];
  const dropped = droppedTasks(state);
  return (state.board?.plan.milestones ?? []).map(({ id, title, tasks }) => ({
    id,
    title,
    verified: tasks.filter(({ status }) => status === "VERIFIED").length,
    tasks: tasks.map((task) => taskReport(task, before, dropped, state)),
  }));
}

function taskReport(
  task: PlanTask,
  before: readonly PlanTask[],
  dropped: LeftTasks,
  state: RunState,
): TaskReport {
  const { id, title, status, acceptance, depends, evidence } = task;
  const review = reviewThatVerified(state, task);
  return {
    id,
    title,
    status_before: before.find((one) => one.id === id)?.status ?? null,
    status,
    acceptance,
    depends,
    evidence,
    verified_in: review ? iterationOf(state, review.index) : null,
    verified_before: status === "VERIFIED" && review === undefined,
    waivers: state.attempts.flatMap(({ call, index }) => {
      const why = call?.tasks.includes(id) ? (call.order?.redWaiver ?? null) : null;
      return why === null ? [] : [{ iteration: iterationOf(state, index), why }];
    }),
    acceptance_changed: (state.board?.acceptanceChanges ?? [])
      .filter((change) => change.task === id)
      .map(({ attempt, from, to }) => ({ iteration: iterationOf(state, attempt), from, to })),
    dropped: isDroppedOrSkipped(task, dropped),
  };
}

function iterationEntry(attempt: Attempt, state: RunState): IterationReport {
  const { index, startedAt, main, call, turn, checks, judged } = attempt;
  const report = reportIn(attempt);
  return {
    iteration: iterationOf(state, index),
    started_at: startedAt,
    main: main.map(mainReport),
    next_agent: call?.answer.nextAgent ?? null,
    reason: call?.answer.reason ?? null,
    finish_refused: call?.finishRefused ?? false,
    tasks: call?.tasks ?? [],
    verified: call?.verified ?? [],
    order: roleOf(attempt) && call?.order ? orderReport(call.order) : null,
    work: turn && turnReport(turn),
    said: report && saidReport(report.said),
    absent_files: report?.absentFiles ?? [],
    changed_files: report ? report.changed : [],
    checks: checks.map((check) => ({ ...testReport(check), seen: seenAs(endInEvidence(check)) })),
    candidate: candidateReport(attempt),
    changed_by_checks: judged?.changedByChecks ?? [],
    decision: judged?.verdict ?? null,
    reasons: judged?.reasons ?? [],
    lacks: lacksIn(attempt),
    duration_ms: attemptMs(attempt),
    changed_inputs: [...new Set([...main, turn].flatMap((part) => part?.changedInputs ?? []))],
    feedback: judged?.feedback ?? null,
  };
}

function mainReport(ended: MainEnded): IterationReport["main"][number] {
  return {
    ...turnReport(ended),
    tools: ended.tools,
    next_agent: ended.answer?.nextAgent ?? null,
    broken: ended.broken.map(({ rule, about }) => ({ rule, row: BOARD_RULES[rule], about })),
    refused_commands: ended.refusedCommands,
    changed_files: ended.changed,
  };
}

function orderReport({
  selfTest,
  reviewMode,
  partial,
  redWaiver,
}: Order): NonNullable<IterationReport["order"]> {
  return { self_test: selfTest, review_mode: reviewMode, partial, red_waiver: redWaiver };
}

function saidReport(said: RoleSaid): NonNullable<IterationReport["said"]> {
  return {
    claim: said.claim,
    test_files: said.testFiles,
    commands: said.commands,
    covered: said.covered,
    block_type: said.blockType,
    failure_type: said.failureType,
    fault: said.fault,
    test_feedback: said.testFeedback,
    clarification: said.clarification,
  };
}

function decisionReport(
  decision: ManualDecision,
  state: RunState,
): BoardReport["decisions"][number] | undefined {
  const { about, attempt, answer, note, via, at } = decision;
  // Every report lists changed tests anyway.
  if (about === "limit" || about === "protected" || answer.kind !== "option") return undefined;
  const asked = about === "user" ? (state.attempts[attempt - 1]?.call?.answer.question ?? null) : null;
  return {
    iteration: iterationOf(state, attempt),
    about,
    title: asked?.title ?? null,
    question: asked?.question ?? null,
    option: answer.option,
    description: asked?.options.find(({ id }) => id === answer.option)?.description ?? null,
    comment: note,
    via,
    at,
  };
}
