import type { CheckEnded } from "../domain/event.ts";
import { checkPassed, type checkResult } from "../domain/room/verdict.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { ownText, shownText } from "./room-wording.ts";

/** The run that decided: the one with the original tests, where the agent's version of them does not count. */
export function resultText(
  check: CheckEnded,
  result: ReturnType<typeof checkResult>,
  texts: TerminalTexts,
): string {
  const frozen = result === "failed" && checkPassed(check) ? check.room?.frozen : null;
  if (frozen) return texts.room.frozen(ownText(frozen, texts));
  return [shownText(check, texts), ...(check.room?.frozen ? [texts.room.onlyOwn] : [])].join(
    texts.listSeparator,
  );
}
