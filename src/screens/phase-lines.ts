import type { RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import type { LivePhase } from "../engine/live-phase.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";
import { viewOf } from "../modes/registry.ts";
import type { Line } from "../ui/page.ts";
import type { LiveEvent } from "../engine/reporter.ts";

/** Lines at the beginning of a phase. Most phases need none, because the previous event says enough. */
export function phaseLines(
  { phase, command }: Extract<LiveEvent, { type: "phase_started" }>,
  texts: TerminalTexts,
): Line[] {
  return phase === "unit" ? [{ text: texts.steps.unitTestStarts(visible(command)) }] : [];
}

/** `2/6 fast tests`; the base is tested before there is an attempt. */
export function phaseText(phase: LivePhase, attempt: number, state: RunState, texts: TerminalTexts): string {
  return phasePlace(phase, attempt, state) + viewOf(state).phase(phase, state, texts);
}

/** The place of a phase, followed by a gap. */
export function phasePlace(phase: LivePhase, attempt: number, state: RunState): string {
  return phase === "base" ? "" : `${viewOf(state).place(state, attempt)} `;
}
