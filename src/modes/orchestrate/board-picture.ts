import stringWidth from "fast-string-width";
import type { BoardDecision } from "../../core/board/decisions.ts";
import { droppedTasks, isDroppedOrSkipped, skippedTasks } from "./user-decisions.ts";
import { isAccepted, isInvestigation, iterationOf, roleOf } from "../../core/board/iterations.ts";
import {
  taskIdsIn,
  type DevPlan,
  type Milestone,
  type PlanTask,
  type TaskStatus,
} from "../../core/board/plan.ts";
import { reviewThatVerified } from "./task-evidence.ts";
import { openUserQuestion } from "../../core/question-options.ts";
import { oneLine } from "../../text/json/values.ts";
import { lastAttempt, type Attempt, type RunState } from "../../core/state.ts";
import { endInEvidence } from "../../evidence/verdict.ts";
import { visible } from "../../text/text.ts";
import { isRed } from "./verdict-role.ts";
import type { BoardTexts } from "./words/board.ts";
import { padToWidth } from "../../ui/format.ts";
import type { Line, Tone } from "../../ui/page.ts";

const SIGNS: Readonly<Record<TaskStatus, { readonly sign: string; readonly tone: Tone }>> = {
  TODO: { sign: "-", tone: "faint" },
  DOING: { sign: "~", tone: "busy" },
  BLOCKED: { sign: "!", tone: "warn" },
  DONE: { sign: "~", tone: "busy" },
  VERIFIED: { sign: "✓", tone: "good" },
};

const MAX_EVIDENCE = 120;

/** The evidence for a task's status. */
export type Standing =
  | { readonly kind: "asks_you" | keyof Texts["found"]; readonly iteration: number }
  | {
      readonly kind: "rejected";
      readonly role: string;
      readonly reasons: readonly string[];
      readonly iteration: number;
    }
  | { readonly kind: "dropped" | "skipped" }
  /** Only the plan's own text; this run has seen nothing. */
  | { readonly kind: "plan"; readonly text: string };

type Texts = BoardTexts["show"];

/** `state`: of the last run on the board, if there is one. */
export function standingOf(task: PlanTask, state: RunState | null): Standing {
  const fromPlan = { kind: "plan", text: oneLine(task.evidence, MAX_EVIDENCE) } as const;
  if (!state) return fromPlan;
  if (task.status === "VERIFIED") {
    const review = reviewThatVerified(state, task);
    return review ? { kind: "reviewed", iteration: iterationOf(state, review.index) } : fromPlan;
  }
  const last = lastAttempt(state);
  if (last && openUserQuestion(state) && isAskedAbout(task, last))
    return { kind: "asks_you", iteration: iterationOf(state, last.index) };
  if (isDroppedOrSkipped(task, droppedTasks(state))) return { kind: "dropped" };
  if (isDroppedOrSkipped(task, skippedTasks(state))) return { kind: "skipped" };
  const work = state.attempts.findLast(
    (attempt) => roleOf(attempt) && attempt.judged && attempt.call?.tasks.includes(task.id) === true,
  );
  return work ? standingAfter(work, state) : fromPlan;
}

function standingAfter(work: Attempt, state: RunState): Standing {
  const iteration = iterationOf(state, work.index);
  const role = roleOf(work);
  if (!isAccepted(work))
    return { kind: "rejected", role: role ?? "", reasons: work.judged?.reasons ?? [], iteration };
  if (role === "TEST") {
    const isRedSeen = work.checks.some((check) => isRed(endInEvidence(check)));
    if (isRedSeen) return { kind: "red", iteration };
    return { kind: work.call?.order?.redWaiver == null ? "red_before" : "red_waived", iteration };
  }
  if (role === "DEV") return { kind: work.checks.length > 0 ? "green" : "worked", iteration };
  return { kind: isInvestigation(work) ? "investigated" : "reviewed", iteration };
}

/** By name; a question that names no task is about no particular one. */
function isAskedAbout({ id }: PlanTask, { call }: Attempt): boolean {
  return taskIdsIn(JSON.stringify(call?.answer.question)).includes(id);
}

/** The last REVIEW behind a milestone's tasks. Tasks without one in this run count by the iteration in their evidence. */
export function reviewOf({ tasks }: Milestone, state: RunState | null): number | null {
  const found = tasks.flatMap((task) => {
    const review = state && reviewThatVerified(state, task);
    if (review) return [iterationOf(state, review.index)];
    const said = /(?:iteration|迭代|轮次|第|\[)\s*[:：#]?\s*(\d{1,9})/i.exec(task.evidence)?.[1];
    return task.status !== "VERIFIED" || said === undefined ? [] : [Number(said)];
  });
  return found.length === 0 ? null : Math.max(...found);
}

/** Verified milestones take one line each. The others show every task. */
export function planLines(plan: DevPlan, state: RunState | null, texts: Texts): Line[] {
  const { milestones } = plan;
  const nameOf = ({ id, title }: Milestone): string => `${id} ${visible(title)}`;
  const width = Math.max(...milestones.map((milestone) => stringWidth(nameOf(milestone))));
  return milestones.flatMap((milestone) => {
    const { tasks } = milestone;
    const verified = tasks.filter(({ status }) => status === "VERIFIED").length;
    const whole = verified === tasks.length;
    const review = reviewOf(milestone, state);
    const by = review === null ? "" : `  ${texts.review} [${review}]`;
    const head: Line = {
      lead: `${padToWidth(nameOf(milestone), width)}  `,
      text: `${verified}/${tasks.length} VERIFIED${by}`,
      ...(whole && { tone: "good" }),
    };
    return whole ? [head] : [head, ...taskLines(tasks, state, texts)];
  });
}

function taskLines(tasks: readonly PlanTask[], state: RunState | null, texts: Texts): Line[] {
  const widest = (cells: readonly string[]): number => Math.max(...cells.map((cell) => stringWidth(cell)));
  const ids = widest(tasks.map(({ id }) => id));
  const statuses = widest(tasks.map(({ status }) => status));
  const titles = widest(tasks.map(({ title }) => visible(title)));
  return tasks.map((task) => {
    const { sign, tone } = SIGNS[task.status];
    const standing = standingText(standingOf(task, state), texts);
    const title = visible(task.title);
    return {
      lead: `  ${sign} ${padToWidth(task.id, ids)} `,
      text: `${padToWidth(task.status, statuses)}  ${standing === "" ? title : `${padToWidth(title, titles)}  ${standing}`}`,
      tone,
      mayBeCut: true,
    };
  });
}

function standingText(standing: Standing, texts: Texts): string {
  switch (standing.kind) {
    case "asks_you":
      return `${texts.asksYou} [${standing.iteration}]`;
    case "rejected":
      return `${texts.rejected(standing.role)} [${standing.iteration}] (${standing.reasons.join(", ")})`;
    case "dropped":
    case "skipped":
      return texts[standing.kind];
    case "plan":
      return visible(standing.text);
    default:
      return `${texts.found[standing.kind]} [${standing.iteration}]`;
  }
}

export function decisionLines(decisions: readonly BoardDecision[], texts: Texts): Line[] {
  return decisions.map(({ iteration, title, option, comment }) => ({
    lead: `${texts.decided} [${iteration}] `,
    text: visible(
      `${oneLine(title, MAX_EVIDENCE)}: ${option}${comment === null ? "" : ` "${oneLine(comment, MAX_EVIDENCE)}"`}`,
    ),
    mayBeCut: true,
  }));
}
