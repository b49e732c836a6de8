import { basename, dirname } from "node:path";
import type { ChatEvent } from "../domain/chat/event.ts";
import type {
  AnswerRefused,
  QuestionAnswered,
  QuestionAsked,
  RunEnded,
  RunResumed,
  RunStarted,
  RunStopped,
  TurnFailed,
  TurnInterrupted,
  WaitEnded,
  WaitStarted,
} from "../domain/event.ts";
import type { RoomEvent } from "../domain/room/event.ts";
import type { ProcessRecord } from "../domain/process-end.ts";
import type { RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { failureText, waitText } from "./agent-wording.ts";
import { processLines, quotedText, type Scene } from "./history.ts";
import type { Line } from "./page.ts";
import { roomLines } from "./room-history.ts";
import { agentDetails, answerText, attemptPlace, lastDecidedAbout } from "./wording.ts";

/** What `run`, `analyze` and `orchestrate` tell in the same way. */
type SharedEvent =
  | RunStopped
  | RunEnded
  | TurnFailed
  | TurnInterrupted
  | WaitStarted
  | WaitEnded
  | QuestionAsked
  | QuestionAnswered
  | AnswerRefused
  | ChatEvent
  | RoomEvent;

const MAX_NOTE_LINES = 5;

export function sharedLines(event: SharedEvent, scene: Scene, texts: TerminalTexts): Line[] {
  const { state } = scene;
  const now = Date.parse(state.updatedAt);
  switch (event.type) {
    case "turn_failed": {
      const what = texts.turnFailed(failureText(event, now, state, texts));
      return [
        { text: `~ ${attemptPlace(state, event.attempt)} ${what}`, tone: "warn" },
        ...quotedText(event.agent.failure.message, MAX_NOTE_LINES, texts),
        ...leakedLines(event.process, texts),
      ];
    }
    case "turn_interrupted":
      return [warning(`${attemptPlace(state, event.attempt)} ${texts.turnInterrupted}`)];
    case "wait_started":
      return [{ text: `~ ${waitText(event, now, state, texts)}`, tone: "warn" }];
    case "wait_ended":
      return [{ text: `~ ${texts.waitOver}` }];
    case "question_answered":
      return [
        { text: `? ${answerText(event.answer, texts, lastDecidedAbout(state))}`, tone: "ask" },
        ...quotedText(event.note ?? "", MAX_NOTE_LINES, texts),
      ];
    case "answer_refused":
      return [warning(`${texts.answerRefused}${texts.colon}${texts.refusal[event.why]} (${event.why})`)];
    case "base_taken":
    case "base_checked":
    case "candidate_taken":
    case "candidate_confirmed":
      return roomLines(event, scene, texts, (attempt) => attemptPlace(state, attempt));
    // Whoever asks the person shows the question, too.
    case "question_asked":
    // The summary that follows says it.
    case "run_stopped":
    case "run_ended":
    // Of a conversation in a terminal, where nothing is shown.
    case "live_started":
    case "input_given":
    case "input_taken_back":
    case "live_turn_ended":
    case "feedback_sent":
    case "review_dropped":
    case "reviews_set":
    case "live_ended":
      return [];
  }
}

/** Agents that are not what their name says, and those that are not there. */
export function agentLines(event: RunStarted, state: RunState, texts: TerminalTexts): Line[] {
  return [
    ...agentDetails(state).map((text): Line => ({ text: `  ${text}`, mayBeCut: true })),
    ...event.missingAgents.map((name) => warning(texts.passedOver(visible(name)))),
  ];
}

export function leftoverLines({ ended }: RunResumed, texts: TerminalTexts): Line[] {
  return ended.length === 0 ? [] : [warning(texts.endedLeftovers(ended.length)), ...processLines(ended)];
}

export function leakedLines({ leaked }: ProcessRecord, texts: TerminalTexts): Line[] {
  return leaked.length === 0 ? [] : [warning(texts.leakedEnded(leaked.length)), ...processLines(leaked)];
}

/** Whatever a run was started with counts as it was then; of step files it is seen when their turn comes. */
export function inputLines(changed: readonly string[], { settings }: RunState, texts: TerminalTexts): Line[] {
  const isStep = (path: string): boolean => settings.mode === "run" && dirname(path) === settings.stepsDir;
  const steps = changed.filter(isStep).map((path) => visible(basename(path)));
  const others = changed.filter((path) => !isStep(path)).map((path) => visible(path));
  return [
    ...(steps.length === 0 ? [] : [warning(texts.steps.filesChanged(steps))]),
    ...(others.length === 0 ? [] : [warning(texts.inputsChanged(others))]),
  ];
}

export function warning(text: string): Line {
  return { text: `! ${text}`, tone: "warn" };
}
