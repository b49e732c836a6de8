import type { RoomEvent } from "../domain/room/event.ts";
import { baseCommands } from "../domain/room/held.ts";
import { lastAttempt } from "../domain/state.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import type { Scene } from "./history.ts";
import type { Line } from "./page.ts";
import { baseCommandText, baseName, baseText, treeNews, baseWarnings } from "./room-wording.ts";

/**
 * What is told of the base and of what turns leave, without time and subject. `place`: which attempt it is, as the mode says it.
 * A base that moves on with accepted work is nothing to tell.
 */
export function roomLines(
  event: RoomEvent,
  { state, verbose }: Scene,
  texts: TerminalTexts,
  place: (attempt: number) => string,
): Line[] {
  switch (event.type) {
    case "base_taken":
      return isFirst(state) ? baseWarnings(event, texts).map(warned) : [];
    case "base_checked": {
      const isOnly = event.tests !== null && baseCommands(state.settings).length === 1;
      const what = isOnly ? baseText(event, texts) : baseCommandText(event, texts);
      return [{ text: `${baseName(state, texts)}  ${what}` }];
    }
    case "candidate_taken":
      return treeNews(event, lastAttempt(state), state, texts, verbose).map(({ text, isWarning }) => {
        const told = `${place(event.attempt)}  ${text}`;
        return isWarning ? warned(told) : { text: `- ${told}` };
      });
    case "candidate_confirmed":
      return [];
  }
}

/** What is weak at the first base is so at the others, too. */
export function isFirst({ base }: Scene["state"]): boolean {
  return base?.attempts === 0;
}

function warned(text: string): Line {
  return { text: `! ${text}`, tone: "warn" };
}
