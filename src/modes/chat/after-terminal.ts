import type { RunState } from "../../core/state.ts";
import { taskOf } from "../../core/state.ts";
import { quotedText } from "../../ui/history.ts";
import type { Line } from "../../ui/page.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { partingText } from "./chat-parting.ts";
import { waitsForUser } from "./reviews.ts";
import { whyLines } from "./summary-chat.ts";

const MAX_WORDS_LINES = 5;

/** One line, and the reasons of the last rejecting review. */
export function afterTerminal(state: RunState, words: string, texts: TerminalTexts): readonly Line[] {
  return [{ text: partingText(state, texts) }, ...lastReview(state, words, texts)];
}

/** An interrupted review has no words, so those of the previous one are shown. They may not have been sent to the agent. */
function lastReview(state: RunState, words: string, texts: TerminalTexts): readonly Line[] {
  const attempt = state.attempts.findLast((one) => one.judged !== null || waitsForUser(one));
  if (attempt?.judged?.verdict !== "rejected" || attempt.chat?.task !== taskOf(state)) return [];
  return [...whyLines(attempt, texts), ...quotedText(words.trim(), MAX_WORDS_LINES, texts)];
}
