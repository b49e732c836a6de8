import type { ChatEvent } from "../domain/chat/event.ts";
import { atTerminal, reviewsOf } from "../domain/chat/reviews.ts";
import type { ReviewEnded, TurnEnded, TurnInterrupted } from "../domain/event.ts";
import type { ChatSettings } from "../domain/settings.ts";
import type { RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import { hasFailed, reviewText, toneOf } from "../reporters/chat-history.ts";
import { tasksText } from "../reporters/chat-parting.ts";
import { duration } from "../domain/time-text.ts";
import { quotedText } from "../reporters/history.ts";
import { liveHint } from "../reporters/live-hint.ts";
import { usageText } from "../reporters/money.ts";
import { quoted } from "../reporters/output-lines.ts";
import type { Line } from "../reporters/page.ts";
import { labelled as row } from "../reporters/summary-parts.ts";
import { endText } from "../reporters/wording.ts";
import { listed } from "../reports/step-error.ts";
import { sessionOf } from "../reports/session-command.ts";
import {
  conditionLines,
  indented,
  inputLines,
  processLines,
  stepLead,
  warning,
  type Evidence,
  type StoryView,
} from "./attempt-story.ts";

const MAX_FAILURE_LINES = 3;
const SIGNS = { good: "✓", ask: "?", bad: "✗" } as const;

/** Who works, who reviews, by what, and how it stands. */
export function chatAbout(state: RunState, settings: ChatSettings, { texts, terms }: StoryView): Line[] {
  const { story } = terms.chat;
  const session = sessionOf(state, settings);
  return [
    row(texts.label.agent, visible(settings.worker)),
    row(story.reviewer, visible(settings.reviewer)),
    ...settings.checks.map((check, index) => row(index === 0 ? story.checks : "", visible(check))),
    ...(session === null ? [] : [row(story.session, visible(session))]),
  ];
}

/** What a person asked in the terminal is many things: how they came out. */
export function chatTask(state: RunState, settings: ChatSettings, { terms }: StoryView): string {
  return settings.prompt === null ? tasksText(state, terms) : settings.task;
}

/** What happened in the terminal, and what the foreman did about it. `numbered`: what the line of an attempt begins with. */
export function chatLines(
  event: ChatEvent,
  say: (text: string) => Line,
  numbered: (attempt: number) => string,
  evidence: Evidence,
  view: StoryView,
): Line[] {
  const { terms } = view;
  const { story } = terms.chat;
  switch (event.type) {
    case "live_started":
      return [say(event.resumes === null ? story.started : story.resumed(visible(event.resumes)))];
    case "input_given":
      return [
        { ...say(story.input(event.task, evidence.firstLineOf(event.text))), mayBeCut: true },
        indented({ text: `  ${visible(event.text.path)}`, tone: "faint" }),
        ...conditionLines([event.text], evidence, view),
      ];
    case "input_taken_back":
      return [warning(story.takenBack(event.task))];
    case "live_turn_ended": {
      const said = event.message ? evidence.firstLineOf(event.message) : "";
      return [
        { lead: numbered(event.attempt), text: `- ${story.stops(said)}`, mayBeCut: true },
        ...conditionLines(event.message ? [event.message] : [], evidence, view),
      ];
    }
    case "feedback_sent":
      return [indented({ text: story.feedbackSent })];
    case "review_dropped":
      return [warning(`${story.dropped[event.why]} (${event.why})`)];
    case "reviews_set":
      return [say(story.reviews[event.to])];
    case "live_ended":
      return [
        say(story.left(endText(event.process.end, terms))),
        ...processLines(event.process.leaked, terms.leakedEnded, view),
      ];
  }
}

/** What the agent said at the end of a script's turn. */
export function saidLines({ agent }: TurnEnded, evidence: Evidence): Line[] {
  const said = agent?.message ? evidence.firstLineOf(agent.message) : "";
  return said === "" ? [] : [indented({ ...quoted(said), mayBeCut: true })];
}

/** The reviewer's look at the work, and the first line of what it said. */
export function chatReviewLines(
  event: ReviewEnded,
  state: RunState,
  evidence: Evidence,
  view: StoryView,
): Line[] {
  const { terms, texts } = view;
  const { agent, process, readOnly, changed } = event;
  const tone = toneOf(event);
  const words = tone !== "bad" || !agent.message ? "" : evidence.firstLineOf(agent.message);
  const facts = [
    duration(process.durationMs),
    usageText(agent.usage, terms),
    hasFailed(event) ? null : endText(process.end, terms),
    reviewText(event, "", terms),
    readOnly ? texts.readOnly : null,
  ].filter((fact) => fact !== null);
  return [
    {
      lead: stepLead(terms.chat.review, texts),
      text: `${SIGNS[tone]} ${visible(agent.name)}  ${facts.join("  ")}`,
      tone,
    },
    ...(words === "" ? [] : [indented({ ...quoted(words), mayBeCut: true })]),
    ...quotedText(agent.failure?.message ?? "", MAX_FAILURE_LINES, terms).map(indented),
    ...(changed === null ? [warning(terms.chat.notCompared)] : []),
    ...(changed !== null && changed.length > 0 ? [warning(terms.chat.meddled(listed(changed)))] : []),
    ...inputLines(event, state, view),
    ...processLines(process.leaked, terms.leakedEnded, view),
    ...conditionLines([event.stdout, event.stderr], evidence, view),
  ];
}

/** In a terminal all turns are reviews; null: it is another run, where interrupted turns cost nothing. */
export function interruptedReview(
  { attempt, turn }: TurnInterrupted,
  state: RunState,
  { terms }: StoryView,
): string | null {
  if (!atTerminal(state)) return null;
  const { story } = terms.chat;
  const isLost = state.interruptedTurns.some((one) => one.turn === turn && one.lost);
  if (isLost) return story.reviewLost;
  const task = state.attempts.find(({ index }) => index === attempt)?.chat?.task;
  return story.reviewBrokenOff(reviewsOf(state, task, turn), state.maxLoops);
}

/** What goes on in the terminal now. */
export function liveLine(state: RunState, { terms }: StoryView): Line {
  const text = liveHint(state, terms.lang)?.text ?? terms.chat.story.waitsForPerson;
  return { lead: " ".repeat(9), text: `~ ${text}`, tone: "busy" };
}
