import type { RunState } from "../domain/state.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import type { Page } from "./page.ts";
import type { Parting, Reporter } from "./reporter.ts";
import { summaryLines } from "./summary.ts";

/** Only how it ended. */
export class QuietReporter implements Reporter {
  readonly #page: Page;
  readonly #texts: TerminalTexts;

  constructor(page: Page, texts: TerminalTexts) {
    this.#page = page;
    this.#texts = texts;
  }

  readonly event = (): void => undefined;
  readonly live = (): void => undefined;
  readonly pause = (): void => undefined;

  readonly leave = (state: RunState, parting: Parting = {}): void => {
    this.#page.print(summaryLines(state, parting, this.#texts));
  };
}
