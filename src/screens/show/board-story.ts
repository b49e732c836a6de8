import { standing } from "../../modes/orchestrate/call.ts";
import { openIteration } from "../../core/board/iterations.ts";
import type { DevPlan } from "../../core/board/plan.ts";
import { readPlan } from "../../modes/orchestrate/rules/read-plan.ts";
import type { BoardEdited, MainEnded, RunEvent } from "../../core/event.ts";
import type { Attempt, RunState } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import {
  editedStatement,
  mainChanges,
  planStatements,
  toolStatements,
} from "../../modes/orchestrate/statements.ts";
import {
  brokenText,
  callText,
  nextText,
  openCallTexts,
  planText,
} from "../../modes/orchestrate/board-wording.ts";
import { quotedText } from "../../ui/history.ts";
import { quoted } from "../../ui/output-lines.ts";
import { warns, type Description, type Statement } from "../../ui/statement.ts";
import { failedTurn, inputStory, processStory, turnFacts, type StoryContext } from "./attempt-story.ts";

const MAX_REASON_LINES = 3;
const MAX_FAILURE_LINES = 3;

/** The plan before an event and after it. */
export interface Plans {
  readonly before: DevPlan;
  readonly after: DevPlan;
}

/** The plan after an event. */
export function planAfter(event: RunEvent, before: DevPlan): DevPlan {
  const text = writtenBy(event);
  const read = text === null ? null : readPlan(text);
  return read && "plan" in read ? read.plan : before;
}

function writtenBy(event: RunEvent): string | null {
  if (event.type === "board_edited") return event.plan;
  if (event.type !== "main_ended" || standing(event) === "not") return null;
  return event.answer?.devPlanNext ?? null;
}

/** MAIN's decision, or the rules that its answer broke. */
export function mainStory(event: MainEnded, plans: Plans, context: StoryContext): Description {
  const { terms, attempt, state } = context;
  const { agent, answer, broken } = event;
  const valid = standing(event);
  const good = valid === "whole";
  return [
    ...toolStatements(event, state, terms),
    {
      subject: "agent",
      attempt: event.attempt,
      sign: good ? "✓" : "✗",
      text: `MAIN ${visible(agent.name)}  ${turnFacts(event, context).join("  ")}`,
      tone: good ? "good" : "bad",
    },
    ...quotedText(agent.failure?.message ?? "", MAX_FAILURE_LINES, terms),
    ...decided(event, attempt, plans, terms).map(detail),
    ...broken.map((rule) => quoted(`${rule.rule}: ${brokenText(rule, terms)}`)),
    ...openCallTextsAfter(event, state, terms).map(detail),
    ...quotedText(answer?.reason ?? "", MAX_REASON_LINES, terms),
    ...planStatements(event, good ? attempt : undefined, planText(plans.before, plans.after, terms), terms),
    ...(event.changed === null ? [warns("agent", terms.board.notCompared)] : []),
    ...mainChanges(event, state, terms),
    ...inputStory(event, context),
    ...processStory(event, context),
    ...failedTurn(event, context),
  ];
}

function detail(text: string): Statement {
  return { subject: "agent", text, isDetail: true };
}

/** For the last answer, if it was refused: the calls that MAIN can make instead. */
function openCallTextsAfter({ turn }: MainEnded, state: RunState, terms: TerminalTexts): readonly string[] {
  const open = openIteration(state);
  const last = open?.main.at(-1);
  return open?.call !== null || last?.turn !== turn || state.ended ? [] : openCallTexts(state, terms);
}

function decided(
  event: MainEnded,
  attempt: Attempt | undefined,
  plans: Plans,
  terms: TerminalTexts,
): readonly string[] {
  const { board } = terms;
  if (event.answer === null) return [`MAIN ${board.answerRefused}`];
  if (standing(event) === "whole" && attempt?.call) return [callText(attempt.call, plans.after, terms)];
  const taken = standing(event) === "plan" ? terms.partSeparator + board.afterwards.plan_taken : "";
  return [nextText(event.answer, board.refused(board.rules(event.broken.length)) + taken)];
}

export function editedStory(event: BoardEdited, plans: Plans, { terms }: StoryContext): Description {
  const moves = planText(plans.before, plans.after, terms);
  return [editedStatement(event, terms), ...(moves === null ? [] : [detail(moves)])];
}
