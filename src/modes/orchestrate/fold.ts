import { isAnswered } from "../../core/board/iterations.ts";
import { callOf, commandsOf, circumstancesOf, standing } from "./call.ts";
import { taskIn, tasksOf, type DevPlan } from "../../core/board/plan.ts";
import type { ProjectEnv } from "../../core/board/project-env.ts";
import { readPlan } from "./rules/read-plan.ts";
import { readProjectEnv } from "./rules/read-project-env.ts";
import { partsOf } from "./tree-parts.ts";
import type { BoardEdited, MainEnded, TurnStarted } from "../../core/event.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import {
  isMains,
  lastAttempt,
  type Attempt,
  type BoardState,
  type QuestionAbout,
  type RunState,
} from "../../core/state.ts";

/** The board at the start of a run. */
export function firstBoard(settings: OrchestrateSettings): BoardState {
  const plan = planIn(settings.plan);
  const ids = tasksOf(plan).map(({ id }) => id);
  return {
    text: settings.plan,
    plan,
    context: settings.context,
    projectEnv: settings.projectEnv,
    env: settings.env,
    since: Object.fromEntries(ids.map((id) => [id, 0])),
    fromPerson: ids,
    acceptanceChanges: [],
    testsAtStart: null,
    envs: [settings.env],
    settled: true,
    edits: 0,
  };
}

/** A turn begins: from now on an agent may write on the board. */
export function whileWorking(board: BoardState | null, { turn, tree }: TurnStarted): BoardState | null {
  const known = turn === 1 && board ? { ...board, testsAtStart: partsOf(tree)?.tests ?? null } : board;
  return settled(known, false);
}

/** Sets whether later differences on the board count as a person's. */
export function settled(board: BoardState | null, isSettled: boolean): BoardState | null {
  return board && { ...board, settled: isSettled };
}

function planIn(text: string): DevPlan {
  const read = readPlan(text);
  if ("problems" in read) throw new Error("a plan that cannot be read has been taken for one");
  return read.plan;
}

/** Applies the valid part of MAIN's answer. */
export function withMain(state: RunState, event: MainEnded): RunState {
  const { board } = state;
  const last = lastAttempt(state);
  if (!board || !last) return state;
  const text = standing(event) === "not" ? null : (event.answer?.devPlanNext ?? null);
  const planned = { ...state, board: text === null ? board : withMainsPlan(board, text, last.index) };
  const call = callOf(event, board.plan, planned.board.plan, circumstancesOf(state));
  // The tree is compared again for each turn of MAIN.
  const meddles = event.changed !== null && event.changed.length > 0;
  const meddledWith = last.meddledWith ?? (meddles ? last.treeReviewed : null);
  const attempt = { ...last, main: [...last.main, event], call, treeReviewed: null, meddledWith };
  return {
    ...planned,
    sessions: worked(event) ? state.sessions : withoutMainSessions(state.sessions),
    attempts: [...state.attempts.slice(0, -1), attempt],
  };
}

/** In a session that is too long or broken, the next turn would fail in the same way. */
function worked({ process, agent }: MainEnded): boolean {
  return succeeded(process.end) && agent.failure === null;
}

/** MAIN's next turn starts a new session with the full prompt. */
function withoutMainSessions(sessions: RunState["sessions"]): RunState["sessions"] {
  return Object.fromEntries(Object.entries(sessions).filter(([key]) => !isMains(key)));
}

/** Takes over a person's edits of the board, also of text by MAIN or the foreman. */
export function withPersonsEdits(state: RunState, { plan, context, projectEnv }: BoardEdited): RunState {
  const { board } = state;
  if (!board) return state;
  const changed = plan === null ? board : withPlan(board, plan, lastAttempt(state)?.index ?? 0);
  const theirs = tasksOf(changed.plan)
    .filter((task) => {
      const before = taskIn(board.plan, task.id);
      return !before || commandsOf([before]).join("\n") !== commandsOf([task]).join("\n");
    })
    .map(({ id }) => id);
  const env = projectEnv === null ? board.env : envIn(projectEnv);
  return {
    ...state,
    // A session gets context and environment only at its start, so a change needs a new one.
    sessions: context === null && projectEnv === null ? state.sessions : withoutMainSessions(state.sessions),
    attempts: plan === null ? state.attempts : withoutFinish(state.attempts),
    board: {
      ...changed,
      context: context ?? board.context,
      projectEnv: projectEnv ?? board.projectEnv,
      env,
      envs: projectEnv === null ? board.envs : [...board.envs, env],
      fromPerson: [...new Set([...board.fromPerson, ...theirs])],
      edits: board.edits + 1,
    },
  };
}

/** MAIN wanted to finish with another plan, so its FINISH no longer counts. */
function withoutFinish(attempts: readonly Attempt[]): readonly Attempt[] {
  const last = attempts.at(-1);
  if (last?.call?.answer.nextAgent !== "FINISH" || last.judged?.verdict === "rejected") return attempts;
  return [...attempts.slice(0, -1), { ...last, call: { ...last.call, finishRefused: true } }];
}

function envIn(text: string): ProjectEnv {
  const read = readProjectEnv(text);
  if ("problems" in read) throw new Error("an environment that cannot be read has been taken for one");
  return read.env;
}

/** Records MAIN's changes to tasks that a person wrote. */
function withMainsPlan(board: BoardState, text: string, attempt: number): BoardState {
  const changed = withPlan(board, text, attempt);
  const changes = tasksOf(changed.plan).flatMap(({ id: task, acceptance: to }) => {
    const from = board.fromPerson.includes(task) ? taskIn(board.plan, task)?.acceptance : undefined;
    return from && JSON.stringify(from) !== JSON.stringify(to) ? [{ attempt, task, from, to }] : [];
  });
  return { ...changed, acceptanceChanges: [...board.acceptanceChanges, ...changes] };
}

function withPlan(board: BoardState, text: string, attempt: number): BoardState {
  const plan = planIn(text);
  const since = tasksOf(plan).map(({ id, status }) => {
    const same = taskIn(board.plan, id)?.status === status;
    return [id, same ? (board.since[id] ?? attempt) : attempt] as const;
  });
  return { ...board, text, plan, since: Object.fromEntries(since) };
}

/** The topic of a question that is asked now. */
export function questionAbout(state: RunState): QuestionAbout {
  const last = lastAttempt(state);
  if (!state.board || !last) return "limit";
  if (last.call === null) return "main";
  return last.call.answer.nextAgent === "USER" && !isAnswered(state, last.index) ? "user" : "limit";
}
