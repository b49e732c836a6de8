import { chatTerms } from "./words/terminal.ts";
import type { ChatEvent } from "../../core/chat/event.ts";
import type { TurnInterrupted } from "../../core/event.ts";
import type { RunState } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import type { KeptFiles } from "../../ui/mode-view.ts";
import { leakedStatements } from "../../ui/shared-history.ts";
import { warns, type Description } from "../../ui/statement.ts";
import { endText } from "../../ui/wording.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { liveHint } from "./live-hint.ts";
import { atTerminal, reviewsOf } from "./reviews.ts";

/** Events in the person's terminal and the foreman's reactions, for a person who looks back. */
export function terminalHistory(event: ChatEvent, kept: KeptFiles, texts: TerminalTexts): Description {
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
export function interruptedReview(
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
