import type { RunState } from "../domain/state.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { partingText } from "./chat-parting.ts";
import type { Page } from "./page.ts";
import type { Reporter } from "./reporter.ts";

/** The agent has the terminal: not a word until it is given back, then one line. */
export class BesideReporter implements Reporter {
  readonly #page: Page;
  readonly #texts: TerminalTexts;

  constructor(page: Page, texts: TerminalTexts) {
    this.#page = page;
    this.#texts = texts;
  }

  readonly event = (): void => undefined;
  readonly live = (): void => undefined;
  readonly pause = (): void => undefined;

  readonly leave = (state: RunState): void => {
    this.#page.print([{ text: partingText(state, this.#texts) }]);
  };
}
