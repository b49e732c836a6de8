import { isOnBoard, worksOn } from "../modes/orchestrate/on-board.ts";
import { isLive, runStore } from "./run-store.ts";
import { readBoard, type Board } from "../modes/orchestrate/disk/read-board.ts";
import { readDecisions, type BoardDecision } from "../core/board/decisions.ts";
import { decisionsOf, droppedTasks, isDroppedOrSkipped } from "../modes/orchestrate/user-decisions.ts";
import { tasksOf, type PlanTask } from "../core/board/plan.ts";
import { Failure } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import { runStatus, type RunStatus } from "../core/run-status.ts";
import type { RunState } from "../core/state.ts";
import { boardTexts } from "../modes/orchestrate/words/board.ts";
import { orchestrateCommand } from "../modes/orchestrate/orchestrate-command.ts";
import { diffCommand, resumeCommand } from "../ui/shell-command.ts";
import { decisionLines, planLines, reviewOf, standingOf } from "../modes/orchestrate/board-picture.ts";
import { boardQuestion, optionText } from "./board-question.ts";
import type { Io } from "./io.ts";
import { openPaper, printJson } from "./print.ts";
import { boardFailure, boardFlagsOf, refuseNoBoard, type BoardCall, type BoardFlags } from "./read-board.ts";

const MAX_DECISIONS = 3;

interface LastRun {
  readonly runId: string;
  readonly status: RunStatus;
  /** Null: the journal is damaged. */
  readonly state: RunState | null;
}

/** `board show`: prints milestones and tasks with their evidence, the latest decisions and the next command. */
export async function boardShow({ flags, dir, io }: BoardCall): Promise<number> {
  refuseNoBoard(dir);
  const read = readBoard(dir);
  const run = await lastRun(dir, io);
  if ("problems" in read) throw boardFailure(dir, read.problems, io, killedRun(run));
  const { board } = read;
  const decisions = allDecisions(board, run?.state ?? null);
  if (flags.json === true) printJson(io, asJson(dir, board, run, decisions, io));
  else print(flags, board, run, decisions, io);
  return ExitCode.accepted;
}

async function lastRun(dir: string, io: Io): Promise<LastRun | null> {
  const store = runStore(io.env);
  const runId = store.newestWith(worksOn(dir));
  if (runId === null) return null;
  try {
    const { state } = store.read(runId);
    return { runId, status: runStatus(state, state.ended === null && (await isLive(store, runId))), state };
  } catch (error) {
    if (error instanceof Failure) return { runId, status: "damaged", state: null };
    throw error;
  }
}

/** A run whose foreman was killed while agents may have written on the board. The board and the journal may then differ. */
function killedRun(run: LastRun | null): string | null {
  const isKilled = run?.status === "interrupted" && run.state?.stopped === null;
  return isKilled && run.state.board?.settled === false ? run.runId : null;
}

/** Merges decisions of the file (a person may have edited it) and of the run (which may not have written it yet). */
function allDecisions({ decisions }: Board, state: RunState | null): readonly BoardDecision[] {
  const written = readDecisions(decisions);
  const known = new Set(written.map(({ iteration }) => iteration));
  const made = state ? decisionsOf(state).filter(({ iteration }) => !known.has(iteration)) : [];
  return [...written, ...made];
}

function print(
  flags: BoardFlags,
  { plan }: Board,
  run: LastRun | null,
  decisions: readonly BoardDecision[],
  io: Io,
): void {
  const texts = boardTexts[io.lang].show;
  const state = run?.state ?? null;
  const killed = killedRun(run);
  const question = state && boardQuestion(state, io.lang);
  const isLeft = (task: PlanTask): boolean => state !== null && isDroppedOrSkipped(task, droppedTasks(state));
  const allDone = tasksOf(plan).every((task) => task.status === "VERIFIED" || isLeft(task));
  const next = nextCommand(flags, io.cwd, run, allDone, question?.recommended ?? null);
  openPaper(io).print([
    ...(run?.status === "damaged"
      ? [{ text: `! ${texts.runDamaged(run.runId)}`, tone: "warn" as const }]
      : []),
    ...(killed === null ? [] : [{ text: `! ${texts.killed(killed)}`, tone: "warn" as const }]),
    ...planLines(plan, state, texts),
    ...decisionLines(decisions.slice(-MAX_DECISIONS), texts),
    ...(question
      ? [
          { text: `? ${question.title}`, tone: "ask" as const },
          ...question.lines.map((text) => ({ text: `  ${text}` })),
          ...question.options.map((option) => ({ text: `  ${optionText(option, question, io.lang)}` })),
        ]
      : []),
    ...(next === null ? [] : [{ text: `${texts.next}  ${next}` }]),
  ]);
}

/** The next useful command; null: nothing is left to do. */
function nextCommand(
  flags: BoardFlags,
  here: string,
  run: LastRun | null,
  allDone: boolean,
  recommended: string | null,
): string | null {
  const settings = run?.state?.settings;
  const start =
    settings && isOnBoard(settings)
      ? orchestrateCommand(settings, here)
      : ["agent-foreman orchestrate", ...boardFlagsOf(flags)].join(" ");
  switch (run?.status) {
    case "asks_you":
      return `agent-foreman decide ${run.runId}${recommended === null ? "" : ` ${recommended}`}`;
    case "running":
    case "waiting":
    case "damaged":
      return `agent-foreman show ${run.runId}`;
    case "interrupted":
      return `agent-foreman resume ${run.runId}`;
    case "budget_reached":
    case "wait_limit_reached":
    case "no_agent_available":
    case "no_verdict":
    case "steps_dir_exists":
    case "dependencies_missing":
      return run.state && resumeCommand(run.state);
    case "accepted":
    case "marked_passed":
      if (!allDone) return start;
      return (run.state && diffCommand(run.state)) ?? `agent-foreman show ${run.runId}`;
    case "rejected":
    case "waiting_for_user":
    case "marked_failed":
    case "cancelled":
    case "not_started":
    case "nothing_to_do":
    // Only runs of steps.
    case "superseded":
      return start;
    case undefined:
      return allDone ? null : start;
  }
}

function asJson(
  dir: string,
  { plan }: Board,
  run: LastRun | null,
  decisions: readonly BoardDecision[],
  io: Io,
): object {
  const state = run?.state ?? null;
  return {
    board_dir: dir,
    milestones: plan.milestones.map((milestone) => ({
      id: milestone.id,
      title: milestone.title,
      verified: milestone.tasks.filter(({ status }) => status === "VERIFIED").length,
      review: reviewOf(milestone, state),
      tasks: milestone.tasks.map((task) => ({
        id: task.id,
        title: task.title,
        status: task.status,
        acceptance: task.acceptance,
        depends: task.depends,
        evidence: task.evidence,
        standing: standingOf(task, state),
      })),
    })),
    decisions,
    run: run && { run_id: run.runId, state: run.status },
    question: state && boardQuestion(state, io.lang),
  };
}
