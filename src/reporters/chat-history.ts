import type { AgentRecord, CheckEnded, ReviewEnded, TurnStarted } from "../domain/event.ts";
import { succeeded } from "../domain/process-end.ts";
import { checkPassed } from "../domain/room/verdict.ts";
import { splitLines, visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { listed } from "../reports/step-error.ts";
import { agentFacts } from "./agent-wording.ts";
import { clockTime } from "./format.ts";
import { outputLines, processLines, quotedText, type History, type Scene } from "./history.ts";
import { usageText } from "./money.ts";
import type { Line, Tone } from "./page.ts";
import {
  passedText,
  plainHistory,
  round,
  subjectLine,
  testLines,
  withTime,
  type Subject,
} from "./plain-history.ts";
import { shownText } from "./room-wording.ts";
import { endText } from "./wording.ts";

const MAX_WORDS_LINES = 10;
const MAX_SAID_LINES = 5;

/** A script's conversation, a line an event, for terminals, pipes and CI alike. */
export const chatHistory: History = (event, scene, texts) => {
  switch (event.type) {
    case "run_started":
      return plainHistory(event, scene, { ...texts, upTo: texts.chat.upTo });
    case "turn_started":
      return [turnLine(event, scene, texts)];
    case "check_ended":
      return checkLines(event, scene, texts);
    case "turn_ended":
      return [...plainHistory(event, scene, texts), ...unreadLines(event.agent, scene, texts)];
    case "review_ended":
      return [...reviewLines(event, scene, texts), ...unreadLines(event.agent, scene, texts)];
    default:
      return plainHistory(event, scene, texts);
  }
};

function turnLine(event: TurnStarted, { state }: Scene, texts: TerminalTexts): Line {
  const subject = event.role === "reviewer" ? "review" : "agent";
  const what = `${visible(event.agent ?? "")} ${texts.started}`;
  return subjectLine(clockTime(state.updatedAt), subject, `${round(event, state)} ${what}`, texts);
}

function checkLines(event: CheckEnded, { state, failed }: Scene, texts: TerminalTexts): Line[] {
  const { process } = event;
  const passed = checkPassed(event);
  const command = visible(process.command);
  const what = passed
    ? passedText(texts.chat.checkPassed(command), event, texts)
    : texts.chat.checkFailed(command, shownText(event, texts));
  const text = `${round(event, state)} ${withTime(what, process, texts)}`;
  const output = passed || !failed || failed.lines.length === 0 ? [] : outputLines(failed, texts);
  return [
    subjectLine(clockTime(state.updatedAt), "check", text, texts, passed ? "good" : "bad"),
    ...testLines(event, texts),
    ...processLines(process.leaked),
    ...output,
  ];
}

function reviewLines(event: ReviewEnded, { state, words }: Scene, texts: TerminalTexts): Line[] {
  const say = (subject: Subject, text: string, tone: Tone): Line =>
    subjectLine(clockTime(state.updatedAt), subject, text, texts, tone);
  const { process, agent, changed, completed } = event;
  const [first = "", ...rest] = splitLines((words ?? "").trim()).filter((line) => line.trim() !== "");
  const cost = usageText(agent.usage, texts);
  const facts = [reviewText(event, visible(first), texts), ...(cost === null ? [] : [cost])];
  const what = withTime(facts.join(texts.listSeparator), process, texts);
  return [
    say("review", `${round(event, state)} ${what}`, toneOf(event)),
    ...quotedText(agent.failure?.message ?? "", MAX_SAID_LINES, texts),
    ...(hasSpoken(event) && completed !== true ? quotedText(rest.join("\n"), MAX_WORDS_LINES, texts) : []),
    ...(changed === null ? [say("review", texts.chat.notCompared, "warn")] : []),
    ...(changed !== null && changed.length > 0
      ? [say("review", texts.chat.meddled(listed(changed)), "warn")]
      : []),
    ...processLines(process.leaked),
  ];
}

/** An agent whose stream changes is worked with all the same; that something of it was not read is said. */
function unreadLines(agent: AgentRecord | null, { state }: Scene, texts: TerminalTexts): Line[] {
  if (!agent || agent.unknownLines === 0) return [];
  return [
    subjectLine(
      clockTime(state.updatedAt),
      "agent",
      texts.chat.unreadLines(agent.unknownLines),
      texts,
      "warn",
    ),
  ];
}

function hasSpoken(event: ReviewEnded): boolean {
  return !hasFailed(event) && event.problem === null;
}

export function hasFailed({ process, agent }: ReviewEnded): boolean {
  return !succeeded(process.end) || agent.failure !== null;
}

export function toneOf(event: ReviewEnded): "good" | "ask" | "bad" {
  if (!hasSpoken(event)) return "bad";
  return event.waiting === true ? "ask" : event.completed === true ? "good" : "bad";
}

/** What a review came to; `words` is the first line of what the reviewer said. */
export function reviewText(event: ReviewEnded, words: string, texts: TerminalTexts): string {
  if (hasFailed(event)) return texts.chat.reviewFailed(whyReviewFailed(event, texts));
  if (event.problem?.kind === "misled") return texts.chat.reviewFailed(texts.chat.misled);
  if (event.problem !== null) return texts.chat.reviewEmpty;
  if (event.waiting === true) return texts.chat.waits(words);
  return event.completed === true ? texts.chat.completed : texts.chat.notCompleted(words);
}

/** How a reviewer's turn went wrong. */
export function whyReviewFailed({ process, agent }: ReviewEnded, texts: TerminalTexts): string {
  const end = succeeded(process.end) ? [] : [endText(process.end, texts)];
  if (agent.failure === null) return end.join("");
  const called = texts.chat.reviewerCalled(visible(agent.name));
  return [...agentFacts(agent, texts, called), ...end].join(texts.listSeparator);
}
