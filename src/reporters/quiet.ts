import type { RunState } from "../domain/state.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { quotedText } from "./history.ts";
import type { Page } from "./page.ts";
import type { LiveEvent, Parting, Reporter } from "./reporter.ts";
import { summaryLines } from "./summary.ts";

const MAX_QUESTION_LINES = 10;

/** Only how it ended, and the question if the agent waits for an answer. */
export class QuietReporter implements Reporter {
  readonly #page: Page;
  readonly #texts: TerminalTexts;
  #question = "";

  constructor(page: Page, texts: TerminalTexts) {
    this.#page = page;
    this.#texts = texts;
  }

  readonly event = (): void => undefined;
  readonly live = (event: LiveEvent): void => {
    if (event.type === "review_words") this.#question = event.question ?? "";
  };
  readonly pause = (): void => undefined;

  readonly leave = (state: RunState, parting: Parting = {}): void => {
    const [head, ...rest] = summaryLines(state, parting, this.#texts);
    const question = quotedText(this.#question, MAX_QUESTION_LINES, this.#texts);
    this.#page.print([...(head ? [head] : []), ...question, ...rest]);
  };
}
