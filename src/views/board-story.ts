import { BOARD } from "../board/names.ts";
import { standing } from "../domain/board/call.ts";
import type { DevPlan } from "../domain/board/plan.ts";
import { openIteration } from "../domain/board/iterations.ts";
import { readPlan } from "../domain/board/read-plan.ts";
import type { BoardEdited, MainEnded, RunEvent } from "../domain/event.ts";
import { succeeded } from "../domain/process-end.ts";
import { tellingOutput, type Attempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import { agentFacts } from "../reporters/agent-wording.ts";
import { changedText } from "../reporters/board-inputs.ts";
import {
  brief,
  brokenText,
  callText,
  isFirstWithTools,
  nextText,
  openCallTexts,
  planText,
} from "../reporters/board-wording.ts";
import { duration } from "../domain/time-text.ts";
import { quotedText } from "../reporters/history.ts";
import { usageText } from "../reporters/money.ts";
import { quoted } from "../reporters/output-lines.ts";
import type { Line } from "../reporters/page.ts";
import { endText } from "../reporters/wording.ts";
import {
  conditionLines,
  excerptLines,
  indented,
  inputLines,
  processLines,
  warning,
  type Evidence,
  type StoryView,
} from "./attempt-story.ts";

const MAX_REASON_LINES = 3;
const MAX_FAILURE_LINES = 3;

/** The plan before an event and after it. */
export interface Plans {
  readonly before: DevPlan;
  readonly after: DevPlan;
}

/** What an event makes of the plan. */
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

/** What MAIN decided, or which rules its answer broke. */
export function mainLines(
  event: MainEnded,
  lead: string,
  attempt: Attempt | undefined,
  plans: Plans,
  state: RunState,
  evidence: Evidence,
  view: StoryView,
): Line[] {
  const { terms } = view;
  const { process, agent, answer, broken, tools } = event;
  const stands = standing(event);
  const facts = [
    duration(process.durationMs),
    usageText(agent.usage, terms),
    endText(process.end, terms),
    ...agentFacts(agent, terms),
  ].filter((fact) => fact !== null);
  const good = stands === "whole";
  const plan = planText(plans.before, plans.after, terms);
  const waiver = good ? (attempt?.call?.order?.redWaiver ?? null) : null;
  return [
    ...(tools !== "none" && isFirstWithTools(event, state)
      ? [warning(terms.board.mainTools(visible(agent.name), tools))]
      : []),
    {
      lead,
      text: `${good ? "✓" : "✗"} MAIN ${visible(agent.name)}  ${facts.join("  ")}`,
      tone: good ? "good" : "bad",
    },
    ...quotedText(agent.failure?.message ?? "", MAX_FAILURE_LINES, terms).map(indented),
    ...decided(event, attempt, plans, view).map((text) => indented({ text })),
    ...broken.map((rule) => indented(quoted(`${rule.rule}: ${brokenText(rule, terms)}`))),
    ...openCallLines(event, state, view),
    ...quotedText(answer?.reason ?? "", MAX_REASON_LINES, terms).map(indented),
    ...(plan === null ? [] : [indented({ text: plan })]),
    ...(waiver === null ? [] : [warning(terms.board.waived(brief(waiver)))]),
    ...(event.changed === null ? [warning(terms.board.notCompared)] : []),
    ...((event.changed ?? []).length > 0 && broken.length === 0
      ? [warning(changedText("MAIN", event.changed ?? [], event, state, terms))]
      : []),
    ...inputLines(event, state, view),
    ...processLines(process.leaked, terms.leakedEnded, view),
    ...conditionLines([event.stdout, event.stderr], evidence, view),
    ...(succeeded(process.end) ? [] : excerptLines(tellingOutput(event), evidence, view)),
  ];
}

/** After the last answer, if it was refused: the calls that MAIN can make instead. */
function openCallLines({ turn }: MainEnded, state: RunState, { terms }: StoryView): Line[] {
  const open = openIteration(state);
  const last = open?.main.at(-1);
  if (open?.call !== null || last?.turn !== turn || state.ended) return [];
  return openCallTexts(state, terms).map((text) => indented({ text }));
}

function decided(
  event: MainEnded,
  attempt: Attempt | undefined,
  plans: Plans,
  { terms }: StoryView,
): readonly string[] {
  const { board } = terms;
  if (event.answer === null) return [`MAIN ${board.answerRefused}`];
  if (standing(event) === "whole" && attempt?.call) return [callText(attempt.call, plans.after, terms)];
  const taken = standing(event) === "plan" ? terms.partSeparator + board.afterwards.plan_taken : "";
  return [nextText(event.answer, board.refused(board.rules(event.broken.length)) + taken)];
}

export function editedLines(
  { plan, context, projectEnv }: BoardEdited,
  say: (text: string) => Line,
  plans: Plans,
  { terms }: StoryView,
): Line[] {
  const names = [
    ...(plan === null ? [] : [BOARD.plan]),
    ...(context === null ? [] : [BOARD.context]),
    ...(projectEnv === null ? [] : [BOARD.env]),
  ];
  const moves = planText(plans.before, plans.after, terms);
  return [
    { ...say(`! ${terms.board.edited(names.join(", "))}`), tone: "warn" },
    ...(moves === null ? [] : [indented({ text: moves })]),
  ];
}
