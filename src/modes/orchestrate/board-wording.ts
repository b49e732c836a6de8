import { boardTerms } from "./words/terminal.ts";
import {
  isBoardRole,
  ROLE_KEYS,
  type MainAnswer,
  type UserOption,
  type UserQuestion,
} from "../../core/board/answer.ts";
import { isOver, iterationOf, reportIn, roleOf } from "../../core/board/iterations.ts";
import { openCalls } from "./open-calls.ts";
import { TASK_STATUSES, taskIn, tasksOf, type DevPlan, type Milestone } from "../../core/board/plan.ts";
import type { RoleSaid } from "../../core/board/role-said.ts";
import type { Broken } from "../../core/board/rule.ts";
import type { Attempt, Call, RunState } from "../../core/state.ts";
import { oneLine } from "../../text/json/values.ts";
import { visible } from "../../text/text.ts";
import { boardPromptWords } from "./words/board-prompts.ts";
import { ruleText } from "./words/board-rules.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";

const MAX_TITLE = 80;
const MAX_NAME = 40;
const MAX_MOVES = 6;
const MAX_RULE = 400;

/** Foreign text within a line of the foreman's. */
export function brief(text: string, max = MAX_TITLE): string {
  return visible(oneLine(text, max));
}

/** `[12]`: the number on the board. */
export function iterationPlace(state: RunState, attempt: number): string {
  return `[${iterationOf(state, attempt)}]`;
}

/** `M1 upload API 2/4 VERIFIED` */
export function milestoneText({ id, title, tasks }: Milestone): string {
  return `${id} ${brief(title, MAX_NAME)} ${verifiedText(tasks)}`;
}

/** `2/4 VERIFIED` */
function verifiedText(tasks: Milestone["tasks"]): string {
  return `${verifiedCount(tasks)}/${tasks.length} VERIFIED`;
}

export function verifiedCount(tasks: Milestone["tasks"]): number {
  return tasks.filter(({ status }) => status === "VERIFIED").length;
}

/** `2/4 VERIFIED, 1 DONE, 1 BLOCKED` */
export function standingText({ tasks }: Milestone, texts: TerminalTexts): string {
  const others = TASK_STATUSES.filter((status) => status !== "VERIFIED").flatMap((status) => {
    const count = tasks.filter((task) => task.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return [verifiedText(tasks), ...others].join(texts.listSeparator);
}

/** `plan M1-T1 TODO -> DOING, M1-T3 new`; null: the plan is the same. */
export function planText(before: DevPlan, after: DevPlan, texts: TerminalTexts): string | null {
  const board = boardTerms[texts.lang];
  const { listSeparator } = texts;
  const moves = tasksOf(after).flatMap(({ id, status }) => {
    const was = taskIn(before, id)?.status;
    if (was === undefined) return [board.newTask(id)];
    return was === status ? [] : [`${id} ${was} -> ${status}`];
  });
  if (moves.length === 0) return isSame(before, after) ? null : board.plan(board.reworded);
  return board.plan(firstOf(moves, MAX_MOVES, texts, listSeparator));
}

function isSame(before: DevPlan, after: DevPlan): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

/** The first few items, and the number of the others. */
export function firstOf(
  items: readonly string[],
  most: number,
  { lang }: TerminalTexts,
  separator: string,
): string {
  const board = boardTerms[lang];
  const left = items.length - most;
  const shown = items.slice(0, most).join(separator);
  return left > 0 ? `${shown} ${board.andMore(left)}` : shown;
}

/** `DEV     M2-T2 retry failed uploads`: the role that MAIN calls, and why. */
export function callText(call: Call, plan: DevPlan, texts: TerminalTexts): string {
  return nextText(call.answer, aboutText(call, plan, texts));
}

/** Wide enough for every role. */
export function nextText({ nextAgent }: MainAnswer, about: string): string {
  return `MAIN -> ${nextAgent.padEnd("FINISH".length)}  ${about}`.trimEnd();
}

function aboutText({ answer, tasks, order }: Call, plan: DevPlan, texts: TerminalTexts): string {
  if (answer.question) return questionText(answer.question, texts);
  if (!isBoardRole(answer.nextAgent)) return "";
  const [only] = tasks;
  const what =
    tasks.length === 1 && only !== undefined
      ? `${only} ${brief(taskIn(plan, only)?.title ?? "")}`
      : firstOf(tasks, MAX_MOVES, texts, texts.listSeparator);
  const partial = order?.partial == null ? "" : `partial ${order.partial} `;
  const mode = order?.reviewMode == null ? "" : ` (${partial}${order.reviewMode})`;
  return `${what}${mode}`;
}

/** `S3 credentials? a: use MinIO (recommended) b: wait` */
function questionText({ title, options, recommended }: UserQuestion, texts: TerminalTexts): string {
  const shown = options.map((option) => optionText(option, option.id === recommended, texts, MAX_TITLE));
  return [brief(title), ...shown].join(" ");
}

/** In full unless the line has to be short, because a person chooses by the description. */
export function optionText(
  { id, description }: UserOption,
  recommended: boolean,
  { lang }: TerminalTexts,
  most = Number.POSITIVE_INFINITY,
): string {
  const board = boardTerms[lang];
  return `${visible(id)}: ${brief(description, most)}${recommended ? board.recommended : ""}`;
}

export function brokenText(broken: Broken, { lang }: TerminalTexts): string {
  return brief(ruleText(broken, lang), MAX_RULE);
}

/** `open now: TEST on M1-T1`: the calls that MAIN can make instead, one per line. */
export function openCallTexts(state: RunState, { lang }: TerminalTexts): readonly string[] {
  const board = boardTerms[lang];
  const { openCall } = boardPromptWords[lang];
  return openCalls(state).map((call, index) => `${index === 0 ? board.openNow : "  "}${openCall(call)}`);
}

/** The role's unchecked claim. */
export function roleSaidText(said: RoleSaid, texts: TerminalTexts): string {
  const board = boardTerms[texts.lang];
  const { claim, blockType, failureType, fault } = said;
  const kind = claim === "BLOCKED" ? blockType : (fault ?? (claim === "FAIL" ? failureType : null));
  const detail = kind === null ? "" : ` (${kind})`;
  const parts = [
    `${claim === null ? board.saidNothing : texts.said(claim)}${detail}`,
    ...(said.testFeedback === null ? [] : [board.questionsTests]),
    ...(said.clarification === null ? [] : [board.asksClarification]),
  ];
  return parts.join(texts.listSeparator);
}

/** `DEV`, with the agent's name if the role has several agents: `DEV (codex)`. */
export function workerText(attempt: Attempt, { settings }: RunState): string {
  const role = roleOf(attempt);
  const name = attempt.turn?.agent?.name;
  if (role === null) return attempt.call?.answer.nextAgent ?? "";
  if (!("roles" in settings) || name === undefined) return role;
  return settings.roles[ROLE_KEYS[role]].length > 1 ? `${role} (${visible(name)})` : role;
}

export function iterationsUsed(state: RunState): number {
  return state.attempts.filter((attempt) => isOver(attempt, state)).length;
}

/** The number of turns in which forbidden changes could not be ruled out. */
export function uncompared({ attempts }: RunState): number {
  return attempts.reduce((sum, attempt) => {
    const mains = attempt.main.filter(({ changed }) => changed === null).length;
    return sum + mains + (reportIn(attempt)?.changed === null ? 1 : 0);
  }, 0);
}
