import { taskOf, waitsForUser } from "../domain/chat/reviews.ts";
import type { RunState } from "../domain/state.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { partingText } from "./chat-parting.ts";
import { quotedText } from "./history.ts";
import type { Line, Page } from "./page.ts";
import type { LiveEvent, Reporter } from "./reporter.ts";
import { whyLines } from "./summary-chat.ts";

const MAX_WORDS_LINES = 5;

/** The agent has the terminal: not a word until it is given back, then one line, and why the last review rejected the work. */
export class BesideReporter implements Reporter {
  readonly #page: Page;
  readonly #texts: TerminalTexts;
  /** The last reviewer's. */
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

  /** A review that was broken off has no words, so those of the one before it are shown. They may not have been sent to the agent. */
  #lastReview(state: RunState): Line[] {
    const attempt = state.attempts.findLast((one) => one.judged !== null || waitsForUser(one));
    if (attempt?.judged?.verdict !== "rejected" || attempt.chat?.task !== taskOf(state)) return [];
    return [
      ...whyLines(attempt, this.#texts),
      ...quotedText(this.#words.trim(), MAX_WORDS_LINES, this.#texts),
    ];
  }
}
