import { chatTerms } from "./words/terminal.ts";
import type { AgentRecord, CheckEnded, ReviewEnded, TurnInterrupted } from "../../core/event.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import { checkPassed } from "../../evidence/verdict.ts";
import { listed, splitLines, visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { agentFacts } from "../../ui/agent-wording.ts";
import { failedAgain, atTerminal, reviewsOf } from "./reviews.ts";
import { outputLines, processLines, quotedText } from "../../ui/history.ts";
import type { Describe, Scene, KeptFiles } from "../../ui/mode-view.ts";
import { quoted } from "../../ui/output-lines.ts";
import { usageText } from "../../ui/money.ts";
import { passedText, plainHistory, testLines, withTime } from "../../ui/plain-history.ts";
import { shownText } from "../../ui/room-wording.ts";
import { warns, type Description, type Statement } from "../../ui/statement.ts";
import { endText } from "../../ui/wording.ts";
import type { ChatEvent } from "../../core/chat/event.ts";
import type { RunState } from "../../core/state.ts";
import { leakedStatements } from "../../ui/shared-history.ts";
import { liveHint } from "./live-hint.ts";

const MAX_WORDS_LINES = 10;
const MAX_SAID_LINES = 5;

/** The conversation of a script, one line per event, for terminals, pipes and CI. */
export const chatHistory: Describe = (event, scene, texts) => {
  switch (event.type) {
    case "turn_started":
      return [
        {
          subject: event.role === "reviewer" ? "review" : "agent",
          attempt: event.attempt,
          text: `${visible(event.agent ?? "")} ${texts.started}`,
        },
      ];
    case "check_ended":
      return checkLines(event, scene, texts);
    case "turn_ended":
      return [
        ...plainHistory(event, scene, texts),
        ...unreadStatements(event.agent, texts),
        ...messageLines(event.agent, scene),
      ];
    case "review_ended":
      return [...reviewLines(event, scene, texts), ...unreadStatements(event.agent, texts)];
    case "turn_interrupted":
      return (
        (scene.kept && interruptedReview(event, scene.state, texts)) ?? plainHistory(event, scene, texts)
      );
    case "live_started":
    case "input_given":
    case "input_taken_back":
    case "live_turn_ended":
    case "feedback_sent":
    case "review_dropped":
    case "reviews_set":
    case "live_ended":
      // Nothing is shown while the agent has the terminal.
      return scene.kept ? terminalHistory(event, scene.kept, texts) : [];
    default:
      return plainHistory(event, scene, texts, (attempt, state) => failedAgain(state, attempt));
  }
};

function checkLines(event: CheckEnded, { failed }: Scene, texts: TerminalTexts): Description {
  const { process } = event;
  const passed = checkPassed(event);
  const command = visible(process.command);
  const what = passed
    ? passedText(chatTerms[texts.lang].checkPassed(command), event, texts)
    : chatTerms[texts.lang].checkFailed(command, shownText(event, texts));
  const text = withTime(what, process, texts);
  const output = passed || !failed || failed.lines.length === 0 ? [] : outputLines(failed, texts);
  return [
    { subject: "check", attempt: event.attempt, text, tone: passed ? "good" : "bad" },
    ...testLines(event, texts),
    ...processLines(process.leaked),
    ...output,
  ];
}

/** The first line of what the agent said. */
function messageLines(agent: AgentRecord | null, { kept }: Scene): Description {
  const said = agent?.message ? kept?.firstLineOf(agent.message) : undefined;
  return said === undefined || said === "" ? [] : [quoted(said)];
}

function reviewLines(event: ReviewEnded, { words, kept }: Scene, texts: TerminalTexts): Description {
  const { attempt, process, agent, completed } = event;
  const [first = "", ...rest] = splitLines((words ?? "").trim()).filter((line) => line.trim() !== "");
  const cost = usageText(agent.usage, texts);
  const facts = [
    reviewText(event, visible(first), texts),
    ...(cost === null ? [] : [cost]),
    ...(kept && event.readOnly ? [texts.readOnly] : []),
  ];
  const text = withTime(facts.join(texts.listSeparator), process, texts);
  return [
    { subject: "review", attempt, text, tone: toneOf(event) },
    ...quotedText(agent.failure?.message ?? "", MAX_SAID_LINES, texts),
    ...(hasSpoken(event) && completed !== true ? quotedText(rest.join("\n"), MAX_WORDS_LINES, texts) : []),
    ...reviewerChangeStatements(event, texts),
    ...processLines(process.leaked),
  ];
}

/** A reviewer must not change anything. */
function reviewerChangeStatements({ changed }: ReviewEnded, { lang }: TerminalTexts): readonly Statement[] {
  const chat = chatTerms[lang];
  if (changed === null) return [warns("review", chat.notCompared)];
  return changed.length === 0 ? [] : [warns("review", chat.meddled(listed(changed)))];
}

/** An agent whose stream format changes still works. The unread lines are reported. */
function unreadStatements(agent: AgentRecord | null, { lang }: TerminalTexts): readonly Statement[] {
  const chat = chatTerms[lang];
  return !agent || agent.unknownLines === 0 ? [] : [warns("agent", chat.unreadLines(agent.unknownLines))];
}

function hasSpoken(event: ReviewEnded): boolean {
  return !hasFailed(event) && event.problem === null;
}

function hasFailed({ process, agent }: ReviewEnded): boolean {
  return !succeeded(process.end) || agent.failure !== null;
}

function toneOf(event: ReviewEnded): "good" | "ask" | "bad" {
  if (!hasSpoken(event)) return "bad";
  return event.waiting === true ? "ask" : event.completed === true ? "good" : "bad";
}

/** The result of a review; `words` is the first line of the reviewer's answer. */
function reviewText(event: ReviewEnded, words: string, texts: TerminalTexts): string {
  if (hasFailed(event)) return chatTerms[texts.lang].reviewFailed(whyReviewFailed(event, texts));
  if (event.problem?.kind === "misled")
    return chatTerms[texts.lang].reviewFailed(chatTerms[texts.lang].misled);
  if (event.problem !== null) return chatTerms[texts.lang].reviewEmpty;
  if (event.waiting === true) return chatTerms[texts.lang].waits(words);
  return event.completed === true
    ? chatTerms[texts.lang].completed
    : chatTerms[texts.lang].notCompleted(words);
}

/** Says how a reviewer's turn went wrong. */
export function whyReviewFailed({ process, agent }: ReviewEnded, texts: TerminalTexts): string {
  const end = succeeded(process.end) ? [] : [endText(process.end, texts)];
  if (agent.failure === null) return end.join("");
  const called = texts.reviewerCalled(visible(agent.name));
  return [...agentFacts(agent, texts, called), ...end].join(texts.listSeparator);
}

/** Events in the person's terminal and the foreman's reactions, for a person who looks back. */
function terminalHistory(event: ChatEvent, kept: KeptFiles, texts: TerminalTexts): Description {
  const { story } = chatTerms[texts.lang];
  switch (event.type) {
    case "live_started": {
      const text = event.resumes === null ? story.started : story.resumed(visible(event.resumes));
      return [{ subject: "agent", text }];
    }
    case "input_given": {
      const text = story.input(event.task, kept.firstLineOf(event.text));
      return [
        { subject: "person", text, mayBeCut: true },
        { text: `  ${visible(event.text.path)}`, tone: "faint" },
      ];
    }
    case "input_taken_back":
      return [warns("person", story.takenBack(event.task))];
    case "live_turn_ended": {
      const { attempt, message } = event;
      const text = story.stops(message ? kept.firstLineOf(message) : "");
      return [{ subject: "agent", attempt, text, mayBeCut: true }];
    }
    case "feedback_sent":
      return [{ subject: "review", text: story.feedbackSent }];
    case "review_dropped":
      return [warns("review", `${story.dropped[event.why]} (${event.why})`)];
    case "reviews_set":
      return [{ subject: "person", text: story.reviews[event.to] }];
    case "live_ended":
      return [
        { subject: "agent", text: story.left(endText(event.process.end, texts)) },
        ...leakedStatements(event.process.leaked, texts),
      ];
  }
}

/** In a terminal all turns are reviews; null: another kind of run, in which interrupted turns cost nothing. */
function interruptedReview(
  { attempt, turn }: TurnInterrupted,
  state: RunState,
  { lang }: TerminalTexts,
): Description | null {
  if (!atTerminal(state)) return null;
  const { story } = chatTerms[lang];
  const isLost = state.interruptedTurns.some((one) => one.turn === turn && one.lost);
  const task = state.attempts.find(({ index }) => index === attempt)?.chat?.task;
  const text = isLost
    ? story.reviewLost
    : story.reviewBrokenOff(reviewsOf(state, task, turn), state.maxLoops);
  return [warns("review", text)];
}

/** The current state of the terminal; null: no agent has it. */
export function liveText(state: RunState, texts: TerminalTexts): string | null {
  if (state.chat?.live !== "running") return null;
  return liveHint(state, texts.lang)?.text ?? chatTerms[texts.lang].story.waitsForPerson;
}
