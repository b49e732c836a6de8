import type { RunState } from "../core/state.ts";
import { viewOf } from "../modes/registry.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";
import type { Page } from "../ui/page.ts";
import type { LiveEvent, Reporter } from "../engine/reporter.ts";

/** Shows nothing while the agent has the terminal. */
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
    this.#page.print(viewOf(state).afterTerminal(state, this.#words, this.#texts));
  };
}
