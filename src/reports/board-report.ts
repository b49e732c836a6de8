import type { NextAgent } from "../domain/board/answer.ts";
import { droppedTasks, isDroppedOrSkipped, type LeftTasks } from "../domain/board/decided.ts";
import { iterationOf, reportIn, roleOf } from "../domain/board/iterations.ts";
import type { Order, ReviewMode } from "../domain/board/order.ts";
import { tasksOf, type Acceptance, type PlanTask, type TaskStatus } from "../domain/board/plan.ts";
import { readPlan } from "../domain/board/read-plan.ts";
import type { RoleSaid } from "../domain/board/role-said.ts";
import { BOARD_RULES, type BoardRule } from "../domain/board/rule.ts";
import { reviewThatVerified } from "../domain/board/verified.ts";
import type { MainEnded, Tools, TreeChange } from "../domain/event.ts";
import type { Captured } from "../domain/process-end.ts";
import type { Reason } from "../domain/reason.ts";
import type { OrchestrateSettings, RoleAgents } from "../domain/settings.ts";
import { endInEvidence } from "../domain/room/verdict.ts";
import { attemptMs } from "../domain/run-time.ts";
import type { Attempt, ManualDecision, RunState } from "../domain/state.ts";
import { lacksIn, seenAs, type Lack, type Seen } from "../domain/verdict-role.ts";
import {
  commonReport,
  promptReport,
  testReport,
  turnReport,
  type CommonReport,
  type PromptReport,
  type TestReport,
  type TurnReport,
} from "./report-parts.ts";
import { candidateReport, type CandidateReport } from "./room-report.ts";

/** The report of `orchestrate`. */
export interface BoardReport extends CommonReport {
  readonly mode: "orchestrate";
  readonly board_dir: string;
  readonly roles: RoleAgents;
  readonly max_iterations: number;
  /** `max_iterations` plus what a person granted. */
  readonly allowed_iterations: number;
  /** The board had seen so many before the run: their numbers go on. */
  readonly iterations_before: number;
  readonly totals: Readonly<Record<"milestones" | "tasks" | "verified" | "dropped", number>>;
  readonly milestones: readonly MilestoneReport[];
  readonly iterations: readonly IterationReport[];
  /** What people said to questions with options. */
  readonly decisions: readonly DecisionReport[];
  /** How often a person changed the board between two processes of the run. */
  readonly board_edits: number;
  readonly prompts: Readonly<Record<keyof OrchestrateSettings["prompts"], PromptReport>>;
}

interface MilestoneReport {
  readonly id: string;
  readonly title: string;
  readonly verified: number;
  readonly tasks: readonly TaskReport[];
}

interface TaskReport {
  readonly id: string;
  readonly title: string;
  /** Null: MAIN, or a person, added the task during the run. */
  readonly status_before: TaskStatus | null;
  readonly status: TaskStatus;
  readonly acceptance: readonly Acceptance[];
  readonly depends: readonly string[];
  readonly evidence: string;
  /** The iteration of the REVIEW that bears it out. */
  readonly verified_in: number | null;
  /** It is verified by what stood on the board already, not by a REVIEW of this run. */
  readonly verified_before: boolean;
  /** Why no failing test was asked for first, each time it was waived. */
  readonly waivers: readonly { readonly iteration: number; readonly why: string }[];
  /** Each time MAIN changed what a person wrote, after it had asked. */
  readonly acceptance_changed: readonly AcceptanceChangeReport[];
  /** A person agreed that it is left undone. */
  readonly dropped: boolean;
}

interface AcceptanceChangeReport {
  readonly iteration: number;
  readonly from: readonly Acceptance[];
  readonly to: readonly Acceptance[];
}

interface IterationReport {
  readonly iteration: number;
  readonly started_at: string;
  /** Every time MAIN was asked; the last answer stands, if `next_agent` is not null. */
  readonly main: readonly MainReport[];
  readonly next_agent: NextAgent | null;
  readonly reason: string | null;
  /** MAIN wanted to finish too early: only its plan was taken over. */
  readonly finish_refused: boolean;
  readonly tasks: readonly string[];
  /** Tasks that MAIN recorded as verified. */
  readonly verified: readonly string[];
  readonly order: OrderReport | null;
  readonly work: TurnReport | null;
  readonly said: RoleSaidReport | null;
  /** Test files that the report names and that are not there. */
  readonly absent_files: readonly string[];
  /** Files the role may not touch; null: nobody can tell. */
  readonly changed_files: TreeChange;
  readonly checks: readonly (TestReport & { readonly seen: Seen })[];
  readonly candidate: CandidateReport | null;
  /** Test files that these commands themselves have changed. */
  readonly changed_by_checks: readonly string[];
  /** Null: there was nothing to judge, or it is not judged yet. */
  readonly decision: "accepted" | "rejected" | null;
  readonly reasons: readonly Reason[];
  /** What its report has to say and does not: `report_incomplete`. */
  readonly lacks: readonly Lack[];
  readonly duration_ms: number;
  readonly changed_inputs: readonly string[];
  readonly feedback: Captured | null;
}

interface MainReport extends TurnReport {
  readonly tools: Tools;
  /** Null: the answer could not be read as one. */
  readonly next_agent: NextAgent | null;
  /** Each with the row of the contract that it comes from. */
  readonly broken: readonly { readonly rule: BoardRule; readonly row: string; readonly about: string }[];
  readonly refused_commands: readonly string[];
  readonly changed_files: TreeChange;
}

interface OrderReport {
  readonly self_test: Order["selfTest"];
  readonly review_mode: ReviewMode | null;
  readonly partial: string | null;
  readonly red_waiver: string | null;
}

interface RoleSaidReport {
  readonly claim: RoleSaid["claim"];
  readonly test_files: readonly string[];
  readonly commands: readonly string[];
  readonly covered: readonly number[];
  readonly block_type: RoleSaid["blockType"];
  readonly failure_type: RoleSaid["failureType"];
  readonly fault: RoleSaid["fault"];
  readonly test_feedback: string | null;
  readonly clarification: string | null;
}

interface DecisionReport {
  readonly iteration: number;
  /** What MAIN wanted to know, or what to do about a MAIN that breaks rules. */
  readonly about: "user" | "main";
  readonly title: string | null;
  readonly question: string | null;
  readonly option: string;
  readonly description: string | null;
  readonly comment: string | null;
  readonly via: "terminal" | "decide";
  readonly at: string;
}

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

function milestoneReports(state: RunState, settings: OrchestrateSettings): readonly MilestoneReport[] {
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

function mainReport(ended: MainEnded): MainReport {
  return {
    ...turnReport(ended),
    tools: ended.tools,
    next_agent: ended.answer?.nextAgent ?? null,
    broken: ended.broken.map(({ rule, about }) => ({ rule, row: BOARD_RULES[rule], about })),
    refused_commands: ended.refusedCommands,
    changed_files: ended.changed,
  };
}

function orderReport({ selfTest, reviewMode, partial, redWaiver }: Order): OrderReport {
  return { self_test: selfTest, review_mode: reviewMode, partial, red_waiver: redWaiver };
}

function saidReport(said: RoleSaid): RoleSaidReport {
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

function decisionReport(decision: ManualDecision, state: RunState): DecisionReport | undefined {
  const { about, attempt, answer, note, via, at } = decision;
  // Of changed tests every report tells.
  if (about === "limit" || about === "oracle" || answer.kind !== "option") return undefined;
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
