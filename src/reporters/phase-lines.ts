import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import type { Line } from "./page.ts";
import type { LiveEvent } from "./reporter.ts";

/** What is told when a phase begins: of most, the event before it says enough. */
export function phaseLines(
  { phase, command }: Extract<LiveEvent, { type: "phase_started" }>,
  texts: TerminalTexts,
): Line[] {
  return phase === "unit" ? [{ text: texts.steps.unitTestStarts(visible(command)) }] : [];
}
