import { atTerminal, reviewsOf } from "./reviews.ts";
import type { ExcerptLine } from "../../text/excerpt.ts";
import type { Lang } from "../../core/settings.ts";
import type { Attempt, RunState } from "../../core/state.ts";
import { splitLines, visible } from "../../text/text.ts";
import { chatWords } from "./words/chat-words.ts";
import { feedbackTexts } from "../../core/words/feedback.ts";

/** Outcomes of a task of a conversation. Stable codes, the same in every language. */
export const TASK_OUTCOMES = [
  "accepted",
  "limit_reached",
  "waiting_for_user",
  "not_accepted",
  "not_reviewed",
] as const;
export type TaskOutcome = (typeof TASK_OUTCOMES)[number];

/** The number of the attempt's review within its task, also before the review happens. For a script every attempt has one. */
export function reviewNumber(state: RunState, { index, chat, review }: Attempt): number {
  if (!atTerminal(state)) return index;
  const attempts = state.attempts.filter((one) => one.index <= index);
  const turns = state.interruptedTurns.filter(({ attempt }) => attempt <= index);
  const used = reviewsOf({ ...state, attempts, interruptedTurns: turns }, chat?.task);
  const isToCome = review === null && chat?.settled === null && isReviewing(state);
  return isToCome ? used + 1 : used;
}

function isReviewing({ chat, ended, stopped }: RunState): boolean {
  return chat?.reviews === "on" && ended === null && stopped === null;
}

/** Cuts foreign text to this many bytes, with a note about the omitted rest. */
export function cutTo(bytes: number, text: string, lang: Lang): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  // Never cut within a character.
  let end = Math.max(0, bytes);
  while (end > 0 && ((whole[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${whole.subarray(0, end).toString()}\n${chatWords[lang].leftOutBytes(whole.length - end)}`;
}

export function visibleLines(text: string): string[] {
  return splitLines(text).map((line) => visible(line));
}

export function quoted(lines: readonly ExcerptLine[], lang: Lang): string[] {
  return lines.map((line) => `  | ${"text" in line ? line.text : feedbackTexts[lang].leftOut(line.leftOut)}`);
}
