import type { ChatEvent } from "../../core/chat/event.ts";
import { atTerminal, reviewsOf } from "../../modes/chat/reviews.ts";
import type { ReviewEnded, TurnInterrupted } from "../../core/event.ts";
import type { RunState } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import { hasFailed, reviewerChangeStatements, reviewText, toneOf } from "../../modes/chat/chat-history.ts";
import { quotedText } from "../../ui/history.ts";
import { liveHint } from "../../modes/chat/live-hint.ts";
import { quoted } from "../../ui/output-lines.ts";
import type { Line } from "../../ui/page.ts";
import { leakedStatements } from "../../ui/shared-history.ts";
import { warns, type Description } from "../../ui/statement.ts";
import { endText } from "../../ui/wording.ts";
import {
  conditions,
  INDENT,
  inputStory,
  MAX_PROCESSES,
  processStory,
  stepLead,
  timeAndCost,
  type StoryView,
  type StoryContext,
} from "./attempt-story.ts";

const MAX_FAILURE_LINES = 3;
const SIGNS = { good: "✓", ask: "?", bad: "✗" } as const;

/** Events in the terminal and the foreman's reactions. */
export function chatStory(event: ChatEvent, context: StoryContext): Description {
  const { terms, evidence } = context;
  const { story } = terms.chat;
  switch (event.type) {
    case "live_started":
      return [
        {
          subject: "agent",
          text: event.resumes === null ? story.started : story.resumed(visible(event.resumes)),
        },
      ];
    case "input_given":
      return [
        {
          subject: "person",
          text: story.input(event.task, evidence.firstLineOf(event.text)),
          mayBeCut: true,
        },
        { text: `  ${visible(event.text.path)}`, tone: "faint" },
        ...conditions([event.text], context),
      ];
    case "input_taken_back":
      return [warns("person", story.takenBack(event.task))];
    case "live_turn_ended": {
      const { attempt, message } = event;
      const text = story.stops(message ? evidence.firstLineOf(message) : "");
      return [
        { subject: "agent", attempt, sign: "-", text, mayBeCut: true },
        ...conditions(message ? [message] : [], context),
      ];
    }
    case "feedback_sent":
      return [{ subject: "review", text: story.feedbackSent, isDetail: true }];
    case "review_dropped":
      return [warns("review", `${story.dropped[event.why]} (${event.why})`)];
    case "reviews_set":
      return [{ subject: "person", text: story.reviews[event.to] }];
    case "live_ended":
      return [
        { subject: "agent", text: story.left(endText(event.process.end, terms)) },
        ...leakedStatements(event.process.leaked, terms, MAX_PROCESSES),
      ];
  }
}

/** The review of the work, and the first line of the reviewer's words. */
export function chatReviewStory(event: ReviewEnded, context: StoryContext): Description {
  const { terms, texts, evidence } = context;
  const { agent, process, readOnly } = event;
  const tone = toneOf(event);
  const words = tone !== "bad" || !agent.message ? "" : evidence.firstLineOf(agent.message);
  const facts = [
    ...timeAndCost(event, terms),
    ...(hasFailed(event) ? [] : [endText(process.end, terms)]),
    reviewText(event, "", terms),
    ...(readOnly ? [texts.readOnly] : []),
  ];
  return [
    {
      lead: stepLead(terms.chat.review, texts),
      text: `${SIGNS[tone]} ${visible(agent.name)}  ${facts.join("  ")}`,
      tone,
    },
    ...(words === "" ? [] : [quoted(words)]),
    ...quotedText(agent.failure?.message ?? "", MAX_FAILURE_LINES, terms),
    ...reviewerChangeStatements(event, terms),
    ...inputStory(event, context),
    ...processStory(event, context),
  ];
}

/** In a terminal all turns are reviews; null: another kind of run, in which interrupted turns cost nothing. */
export function interruptedReview(
  { attempt, turn }: TurnInterrupted,
  { state, terms }: StoryContext,
): string | null {
  if (!atTerminal(state)) return null;
  const { story } = terms.chat;
  const isLost = state.interruptedTurns.some((one) => one.turn === turn && one.lost);
  if (isLost) return story.reviewLost;
  const task = state.attempts.find(({ index }) => index === attempt)?.chat?.task;
  return story.reviewBrokenOff(reviewsOf(state, task, turn), state.maxLoops);
}

/** The current state of the terminal. */
export function liveLine(state: RunState, { terms }: StoryView): Line {
  const text = liveHint(state, terms.lang)?.text ?? terms.chat.story.waitsForPerson;
  return { lead: INDENT, text: `~ ${text}`, tone: "busy" };
}
