import { waitsForUser } from "../modes/chat/reviews.ts";
import { type RunState, taskOf } from "../core/state.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";
import { partingText } from "../modes/chat/chat-parting.ts";
import { quotedText } from "../ui/history.ts";
import type { Line, Page } from "../ui/page.ts";
import type { LiveEvent, Reporter } from "../engine/reporter.ts";
import { whyLines } from "../modes/chat/summary-chat.ts";

const MAX_WORDS_LINES = 5;

/** Shows nothing while the agent has the terminal. After that, one line and the reasons of the last rejecting review. */
export class BesideReporter implements Reporter {
  readonly #page: Page;
  readonly #texts: TerminalTexts;
  /** The last reviewer's words. */
  #words = "";

  constructor(page: Page, texts: TerminalTexts) {
    this.#page = page;
    this.#texts = texts;
  }

  readonly event = (): void => undefined;
  readonly live = (event: LiveEvent): void => {
    if (event.type === "review_words") this.#words = event.words;
  };
  readonly pause = (): void => undefined;

  readonly leave = (state: RunState): void => {
    this.#page.print([{ text: partingText(state, this.#texts) }, ...this.#lastReview(state)]);
  };

  /** An interrupted review has no words, so those of the previous one are shown. They may not have been sent to the agent. */
  #lastReview(state: RunState): Line[] {
    const attempt = state.attempts.findLast((one) => one.judged !== null || waitsForUser(one));
    if (attempt?.judged?.verdict !== "rejected" || attempt.chat?.task !== taskOf(state)) return [];
    return [
      ...whyLines(attempt, this.#texts),
      ...quotedText(this.#words.trim(), MAX_WORDS_LINES, this.#texts),
    ];
  }
}
