import { atTerminal, reviewsOf } from "../domain/chat/reviews.ts";
import type { ExcerptLine } from "../domain/excerpt.ts";
import type { Lang } from "../domain/settings.ts";
import type { Attempt, RunState } from "../domain/state.ts";
import { splitLines, visible } from "../domain/text.ts";
import { chatWords } from "../i18n/chat-words.ts";
import { feedbackTexts } from "../i18n/feedback.ts";

/** Which review of its task that of an attempt is, also if it is still to come. Where a script asks, every attempt has one. */
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

/** Foreign text that fits into so many bytes, with a note if something was left out. */
export function cutTo(bytes: number, text: string, lang: Lang): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  // Not within a character.
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
