import type { RunState } from "../core/state.ts";
import type { LiveEvent, Parting, Reporter } from "../engine/reporter.ts";
import { viewOf } from "../modes/registry.ts";
import { quotedText } from "../ui/history.ts";
import type { Line, Page } from "../ui/page.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";
import { summaryLines } from "./summary.ts";

const MAX_QUESTION_LINES = 10;

type ReviewWords = Extract<LiveEvent, { type: "review_words" }>;
/** `last`: the last reviewer's words. */
type LastLines = (
  state: RunState,
  parting: Parting,
  last: ReviewWords | undefined,
) => readonly (Line | undefined)[];

function atTheEnd(page: Page, linesOf: LastLines): Reporter {
  let last: ReviewWords | undefined;
  return {
    event: () => undefined,
    pause: () => undefined,
    live: (event) => {
      if (event.type === "review_words") last = event;
    },
    leave: (state, parting = {}) => {
      page.print(linesOf(state, parting, last).filter((line) => line !== undefined));
    },
  };
}

/** Shows only the end, and the question if the agent waits for an answer. */
export function quietReporter(page: Page, texts: TerminalTexts): Reporter {
  return atTheEnd(page, (state, parting, last) => {
    const [head, ...rest] = summaryLines(state, parting, texts);
    return [head, ...quotedText(last?.question ?? "", MAX_QUESTION_LINES, texts), ...rest];
  });
}

/** Shows nothing while the agent has the terminal. */
export function besideReporter(page: Page, texts: TerminalTexts): Reporter {
  return atTheEnd(page, (state, _, last) => viewOf(state).afterTerminal(state, last?.words ?? "", texts));
}
