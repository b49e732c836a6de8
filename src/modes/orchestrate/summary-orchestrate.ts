import { boardTerms } from "./words/terminal.ts";
import stringWidth from "fast-string-width";
import { openUserQuestion } from "../../core/question-options.ts";
import { droppedTasks, isDroppedOrSkipped } from "./user-decisions.ts";
import { isLastIteration, iterationOf } from "../../core/board/iterations.ts";
import { tasksOf, type Acceptance, type PlanTask } from "../../core/board/plan.ts";
import { reviewThatVerified } from "./task-evidence.ts";
import type { EndReason } from "../../core/event.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { lastAttempt, type RunState } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { diffCommand, decideCommand } from "../../ui/shell-command.ts";
import { rejectedText } from "./board-verdict.ts";
import {
  brief,
  brokenText,
  iterationPlace,
  iterationsUsed,
  firstOf,
  openCallTexts,
  optionText,
  standingText,
  verifiedCount,
  workerText,
} from "./board-wording.ts";
import { padToWidth } from "../../ui/format.ts";
import { quotedText } from "../../ui/history.ts";
import { orchestrateCommand } from "./orchestrate-command.ts";
import type { RunOf } from "../../ui/mode-view.ts";
import type { Line } from "../../ui/page.ts";
import type { Parting } from "../../engine/reporter.ts";
import {
  continued,
  endWith,
  interruptedEnd,
  labelled,
  noteLine,
  row,
  type End,
} from "../../ui/summary-parts.ts";

const MAX_NAME = 40;
const MAX_MILESTONES = 12;
const MAX_TASKS = 10;
const MAX_LISTED = 5;
const MAX_RULES = 8;
const MAX_QUESTION_LINES = 5;

export function orchestrateInterrupted(state: RunState, texts: TerminalTexts): End {
  return interruptedEnd(boardTerms[texts.lang].endInterrupted(state.stopped, iterationAt(state)), state);
}

function iterationAt(state: RunState): number | null {
  const last = lastAttempt(state);
  return last ? iterationOf(state, last.index) : null;
}

/** How a run on a board ended. */
export function orchestrateEnd(
  reason: EndReason,
  state: RunOf<OrchestrateSettings>,
  _parting: Parting,
  texts: TerminalTexts,
): End {
  const board = boardTerms[texts.lang];
  const show = `agent-foreman show ${state.runId}`;
  const tasks = tasksIn(state);
  const verified = verifiedCount(tasks);
  const passed = (text: string): End => endWith("✓", text, diffCommand(state) ?? show);
  switch (reason) {
    case "accepted":
      return passed(board.endAccepted(iterationAt(state) ?? 0, verified, tasks.length));
    case "marked_by_person": {
      const end =
        state.ended?.status === "manually_passed"
          ? passed(texts.endMarkedPassed)
          : endWith("✗", texts.endMarkedFailed, show);
      return { ...end, facts: noteLine(state, texts) };
    }
    case "cancelled":
      return endWith("✗", board.endCancelled(iterationAt(state)), show);
    // The limit. Reasons of other modes never occur here.
    default: {
      const text = board.endRejected(iterationsUsed(state), state.maxLoops, verified, tasks.length);
      const next = orchestrateCommand(state.settings, state.settings.calledFrom);
      return endWith("✗", text, next, [row("why", whyAtTheLimit(state, texts), texts)]);
    }
  }
}

export function orchestrateAsked(state: RunState, _parting: Parting, texts: TerminalTexts): End {
  const board = boardTerms[texts.lang];
  const last = lastAttempt(state);
  const place = iterationPlace(state, last?.index ?? 0);
  const next = decideCommand(state) ?? `agent-foreman decide ${state.runId} continue 3`;
  const waits = (text: string, facts: readonly Line[]): End => endWith("?", text, next, facts);
  switch (state.question?.about) {
    case "user": {
      const asked = openUserQuestion(state);
      const options = asked?.options.map((option) =>
        continued(optionText(option, option.id === asked.recommended, texts)),
      );
      return waits(board.endAsks(place, brief(asked?.title ?? "")), [
        ...quotedText(asked?.question ?? "", MAX_QUESTION_LINES, texts),
        ...(options ?? []),
        ...(isLastIteration(state) ? [labelled(board.label.limit, board.lastIteration(state.maxLoops))] : []),
      ]);
    }
    case "main": {
      const broken = last?.main.at(-1)?.broken ?? [];
      const [first = "", ...rest] = broken.slice(0, MAX_RULES).map((rule) => brokenText(rule, texts));
      const options = Object.entries(board.mainOption).map(([id, means]) => continued(`${id}: ${means}`));
      const text = board.endMainBreaksRules(place, last?.main.length ?? 0);
      const open = openCallTexts(state, texts).map(continued);
      return waits(text, [labelled(board.label.rules, first), ...rest.map(continued), ...open, ...options]);
    }
    // Held work is asked about in the same way in every mode.
    case "protected":
    case "limit":
    case undefined:
      return waits(board.endWaiting(iterationsUsed(state), state.maxLoops), [
        row("why", whyAtTheLimit(state, texts), texts),
      ]);
  }
}

/** Why the iterations were not enough: the reasons of the last rejection, or that work is left. */
export function whyAtTheLimit(state: RunState, texts: TerminalTexts): string {
  const last = state.attempts.findLast(({ judged }) => judged !== null);
  if (last?.judged?.verdict === "rejected")
    return `${iterationPlace(state, last.index)} ${workerText(last, state)} ${rejectedText(last, texts)}`;
  const left = tasksIn(state)
    .filter(({ status }) => status !== "VERIFIED")
    .map(({ id, status }) => `${id} ${status}`);
  return left.length === 0
    ? boardTerms[texts.lang].notFinished
    : boardTerms[texts.lang].workLeft(firstOf(left, MAX_TASKS, texts, texts.listSeparator));
}

/** The progress of the plan, and the parts of it that are not this run's work. */
export function planFacts(state: RunOf<OrchestrateSettings>, texts: TerminalTexts): Line[] {
  const milestones = state.board?.plan.milestones ?? [];
  const left = milestones.length - MAX_MILESTONES;
  const titles = milestones.slice(0, MAX_MILESTONES).map(({ title }) => brief(title, MAX_NAME));
  const width = Math.max(0, ...titles.map((title) => stringWidth(title)));
  return [
    ...milestones
      .slice(0, MAX_MILESTONES)
      .map((milestone, index) =>
        labelled(
          milestone.id,
          `${padToWidth(titles[index] ?? "", width)}  ${standingText(milestone, texts)}`,
        ),
      ),
    ...(left > 0 ? [continued(boardTerms[texts.lang].andMore(left))] : []),
    ...waivers(state, texts),
    ...acceptanceChanges(state, texts),
    ...droppedLines(state, texts),
    ...verifiedElsewhere(state, texts),
    labelled(boardTerms[texts.lang].label.board, visible(state.settings.boardDir)),
  ];
}

function tasksIn({ board }: RunState): readonly PlanTask[] {
  return board ? tasksOf(board.plan) : [];
}

/** Work that did not have to begin with a failing test. */
function waivers(state: RunState, texts: TerminalTexts): Line[] {
  const all = state.attempts.flatMap(({ index, call }) => {
    const why = call?.order?.redWaiver ?? null;
    if (why === null) return [];
    return [`${iterationPlace(state, index)} ${call?.tasks.join(", ") ?? ""}${texts.colon}${brief(why)}`];
  });
  return firstFew(boardTerms[texts.lang].label.waived, all, texts);
}

/** Tasks whose acceptance is no longer what a person wrote. */
function acceptanceChanges(state: RunState, texts: TerminalTexts): Line[] {
  const { acceptanceChanged, label } = boardTerms[texts.lang];
  const shown = (items: readonly Acceptance[]): string =>
    brief(items.map(({ command, threshold }) => `\`${command}\` → ${threshold}`).join(texts.listSeparator));
  const all = (state.board?.acceptanceChanges ?? []).map(
    ({ attempt, task, from, to }) =>
      `${iterationPlace(state, attempt)} ${acceptanceChanged(task, shown(from), shown(to))}`,
  );
  return firstFew(label.accept, all, texts);
}

function firstFew(label: string, all: readonly string[], texts: TerminalTexts): Line[] {
  const [first, ...rest] = all.slice(0, MAX_LISTED);
  if (first === undefined) return [];
  const left = all.length - MAX_LISTED;
  return [
    labelled(label, first),
    ...rest.map(continued),
    ...(left > 0 ? [continued(boardTerms[texts.lang].andMore(left))] : []),
  ];
}

/** Tasks that a person agreed to leave undone. */
function droppedLines(state: RunState, texts: TerminalTexts): Line[] {
  const dropped = droppedTasks(state);
  const left = tasksIn(state).filter((task) => isDroppedOrSkipped(task, dropped));
  return taskLine(boardTerms[texts.lang].label.dropped, boardTerms[texts.lang].dropped, left, texts);
}

/** Tasks verified in an earlier run, or by a person's own edit. */
function verifiedElsewhere(state: RunState, texts: TerminalTexts): Line[] {
  const others = tasksIn(state).filter(
    (task) => task.status === "VERIFIED" && reviewThatVerified(state, task) === undefined,
  );
  return taskLine(boardTerms[texts.lang].label.before, boardTerms[texts.lang].before, others, texts);
}

function taskLine(
  label: string,
  say: (tasks: string) => string,
  tasks: readonly PlanTask[],
  texts: TerminalTexts,
): Line[] {
  if (tasks.length === 0) return [];
  const names = tasks.map(({ id }) => id);
  return [labelled(label, say(firstOf(names, MAX_TASKS, texts, texts.listSeparator)))];
}
