import stringWidth from "fast-string-width";
import { openUserQuestion } from "../domain/board/asked.ts";
import { droppedTasks, isDroppedOrSkipped } from "../domain/board/decided.ts";
import { isLastIteration, iterationOf } from "../domain/board/iterations.ts";
import { tasksOf, type Acceptance, type PlanTask } from "../domain/board/plan.ts";
import { reviewThatVerified } from "../domain/board/verified.ts";
import { impasseOf } from "../domain/end.ts";
import type { EndReason } from "../domain/event.ts";
import type { OrchestrateSettings } from "../domain/settings.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { diffCommand } from "../reports/shell-command.ts";
import { rejectedText } from "./board-verdict.ts";
import {
  brief,
  brokenText,
  iterationPlace,
  iterationsUsed,
  listed,
  openCallTexts,
  optionText,
  standingText,
  verifiedCount,
  workerText,
} from "./board-wording.ts";
import { decideCommand } from "./decide-command.ts";
import { padToWidth } from "./format.ts";
import { quotedText } from "./history.ts";
import { orchestrateCommand } from "./orchestrate-command.ts";
import type { Line } from "./page.ts";
import type { Parting } from "./reporter.ts";
import { heldEnd } from "./summary-room.ts";
import { stoppedBy } from "./summary-impasse.ts";
import { continued, labelled, noteLine, row, type End } from "./summary-parts.ts";

const MAX_NAME = 40;
const MAX_MILESTONES = 12;
const MAX_TASKS = 10;
const MAX_LISTED = 5;
const MAX_RULES = 8;
const MAX_QUESTION_LINES = 5;

/** How `orchestrate` leaves a run. */
export function orchestrateEnd(
  state: RunState,
  settings: OrchestrateSettings,
  parting: Parting,
  texts: TerminalTexts,
): End {
  const end = howItEnded(state, settings, parting, texts);
  return { ...end, facts: [...end.facts, ...planFacts(state, settings, texts)] };
}

function howItEnded(
  state: RunState,
  settings: OrchestrateSettings,
  parting: Parting,
  texts: TerminalTexts,
): End {
  if (state.ended) return endedBy(state.ended.reason, state, settings, texts);
  if (state.question) return askedOf(state, texts);
  const impasse = impasseOf(state.stopped);
  if (impasse !== null) return stoppedBy(impasse, state, parting, texts);
  return {
    head: { text: `! ${texts.board.endInterrupted(state.stopped, iterationAt(state))}`, tone: "warn" },
    facts: [],
    next: `agent-foreman resume ${state.runId}`,
  };
}

function iterationAt(state: RunState): number | null {
  const last = lastAttempt(state);
  return last ? iterationOf(state, last.index) : null;
}

function endedBy(
  reason: EndReason,
  state: RunState,
  settings: OrchestrateSettings,
  texts: TerminalTexts,
): End {
  const { board } = texts;
  const show = `agent-foreman show ${state.runId}`;
  const tasks = tasksIn(state);
  const good = (text: string): End => ({
    head: { text: `✓ ${text}`, tone: "good" },
    facts: noteLine(state, texts),
    next: diffCommand(state) ?? show,
  });
  const bad = (text: string, facts: readonly Line[]): End => ({
    head: { text: `✗ ${text}`, tone: "bad" },
    facts,
    next: show,
  });
  switch (reason) {
    case "accepted":
      return {
        ...good(board.endAccepted(iterationAt(state) ?? 0, verifiedCount(tasks), tasks.length)),
        facts: [],
      };
    case "marked_by_person":
      return state.ended?.status === "manually_passed"
        ? good(texts.endMarkedPassed)
        : bad(texts.endMarkedFailed, noteLine(state, texts));
    case "cancelled":
      return bad(board.endCancelled(iterationAt(state)), []);
    case "limit_reached":
    // The reasons of other modes are never given here.
    case "stuck":
    case "step_file_changed":
    case "step_file_invalid":
    case "step_write_failed":
    case "review_failed":
    case "nothing_asked":
    case "nothing_to_do":
    case "left_unaccepted":
    case "waiting_for_user":
    case "live_agent_failed":
    case "plan_file_missing":
    case "test_cannot_start":
    case "setup_failed":
    case "agent_cannot_start":
    case "plan_file_unreadable": {
      const head = board.endRejected(
        iterationsUsed(state),
        state.maxLoops,
        verifiedCount(tasks),
        tasks.length,
      );
      const facts = [row("why", whyAtTheLimit(state, texts), texts)];
      return { ...bad(head, facts), next: orchestrateCommand(settings, settings.calledFrom) };
    }
  }
}

function askedOf(state: RunState, texts: TerminalTexts): End {
  const { board } = texts;
  const last = lastAttempt(state);
  const place = iterationPlace(state, last?.index ?? 0);
  const waits = (text: string, facts: readonly Line[]): End => ({
    head: { text: `? ${text}`, tone: "ask" },
    facts,
    next: decideCommand(state) ?? `agent-foreman decide ${state.runId} continue 3`,
  });
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
    case "oracle":
      return heldEnd(state, texts);
    case "limit":
    case undefined:
      return waits(board.endWaiting(iterationsUsed(state), state.maxLoops), [
        row("why", whyAtTheLimit(state, texts), texts),
      ]);
  }
}

/** Why so many iterations were not enough: what the last one that was judged was rejected for, or that something is left to do. */
export function whyAtTheLimit(state: RunState, texts: TerminalTexts): string {
  const last = state.attempts.findLast(({ judged }) => judged !== null);
  if (last?.judged?.verdict === "rejected")
    return `${iterationPlace(state, last.index)} ${workerText(last, state)} ${rejectedText(last, texts)}`;
  const left = tasksIn(state)
    .filter(({ status }) => status !== "VERIFIED")
    .map(({ id, status }) => `${id} ${status}`);
  return left.length === 0
    ? texts.board.notFinished
    : texts.board.workLeft(listed(left, MAX_TASKS, texts, texts.listSeparator));
}

/** How the plan stands, and what of it is not this run's to show for. */
export function planFacts(state: RunState, settings: OrchestrateSettings, texts: TerminalTexts): Line[] {
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
    ...(left > 0 ? [continued(texts.board.andMore(left))] : []),
    ...waivers(state, texts),
    ...acceptanceChanges(state, texts),
    ...droppedLines(state, texts),
    ...verifiedElsewhere(state, texts),
    labelled(texts.board.label.board, visible(settings.boardDir)),
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
  return firstFew(texts.board.label.waived, all, texts);
}

/** Tasks that are not judged by what a person wrote. */
function acceptanceChanges(state: RunState, texts: TerminalTexts): Line[] {
  const { acceptanceChanged, label } = texts.board;
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
    ...(left > 0 ? [continued(texts.board.andMore(left))] : []),
  ];
}

/** A person agreed that they are left undone. */
function droppedLines(state: RunState, texts: TerminalTexts): Line[] {
  const dropped = droppedTasks(state);
  const left = tasksIn(state).filter((task) => isDroppedOrSkipped(task, dropped));
  return taskLine(texts.board.label.dropped, texts.board.dropped, left, texts);
}

/** Verified in an earlier run, or by a person's own hand. */
function verifiedElsewhere(state: RunState, texts: TerminalTexts): Line[] {
  const others = tasksIn(state).filter(
    (task) => task.status === "VERIFIED" && reviewThatVerified(state, task) === undefined,
  );
  return taskLine(texts.board.label.before, texts.board.before, others, texts);
}

function taskLine(
  label: string,
  say: (tasks: string) => string,
  tasks: readonly PlanTask[],
  texts: TerminalTexts,
): Line[] {
  if (tasks.length === 0) return [];
  const names = tasks.map(({ id }) => id);
  return [labelled(label, say(listed(names, MAX_TASKS, texts, texts.listSeparator)))];
}
