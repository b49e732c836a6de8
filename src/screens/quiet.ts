import type { RunState } from "../core/state.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";
import { quotedText } from "../ui/history.ts";
import type { Page } from "../ui/page.ts";
import type { LiveEvent, Parting, Reporter } from "../engine/reporter.ts";
import { summaryLines } from "./summary.ts";

const MAX_QUESTION_LINES = 10;

/** Shows only the end, and the question if the agent waits for an answer. */
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
