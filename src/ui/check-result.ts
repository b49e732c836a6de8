import type { CheckEnded } from "../core/event.ts";
import { checkPassed, type checkResult } from "../evidence/verdict.ts";
import type { TerminalTexts } from "./words/terminal.ts";
import { ownText, shownText } from "./room-wording.ts";

/** Shows the decisive run: the one with the original tests, if the agent's version of them does not count. */
export function resultText(
  check: CheckEnded,
  result: ReturnType<typeof checkResult>,
  texts: TerminalTexts,
): string {
  const frozen = result === "failed" && checkPassed(check) ? check.room?.baseTests : null;
  if (frozen) return texts.room.frozen(ownText(frozen, texts));
  return [shownText(check, texts), ...(check.room?.baseTests ? [texts.room.onlyOwn] : [])].join(
    texts.listSeparator,
  );
}
