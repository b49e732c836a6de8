import type { LiveEvent } from "../engine/reporter.ts";
import type { LivePhase } from "../engine/live-phase.ts";
import type { RunState } from "../core/state.ts";
import { viewOf } from "../modes/registry.ts";
import type { Line } from "../ui/page.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";

/** Lines at the beginning of a phase. */
export function phaseLines(
  { phase, command }: Extract<LiveEvent, { type: "phase_started" }>,
  state: RunState | undefined,
  texts: TerminalTexts,
): Line[] {
  const text = state ? viewOf(state).phaseStarts(phase, command, texts) : null;
  return text === null ? [] : [{ text }];
}

/** `2/6 fast tests`; the base is tested before there is an attempt. */
export function phaseText(phase: LivePhase, attempt: number, state: RunState, texts: TerminalTexts): string {
  return phasePlace(phase, attempt, state) + viewOf(state).phase(phase, state, texts);
}

/** The place of a phase, followed by a gap. */
export function phasePlace(phase: LivePhase, attempt: number, state: RunState): string {
  return phase === "base" ? "" : `${viewOf(state).place(state, attempt)} `;
}
