import { lastAttempt, type RunState } from "../core/state.ts";
import type { TerminalTexts } from "./words/terminal.ts";
import { interruptedEnd, type End } from "./summary-parts.ts";
import type { ModeView } from "./mode-view.ts";
import { currentAttempt, roundPlace } from "./wording.ts";

/** `running, at [2/3] 1/5`, with the mode's own place. */
export function runningAt(place: ModeView["place"]): ModeView["running"] {
  return (state, labels) => labels.runningStep(place(state, currentAttempt(state)));
}

function interrupted(state: RunState, texts: TerminalTexts): End {
  return interruptedEnd(texts.endInterrupted(state.stopped, lastAttempt(state)?.index ?? null), state);
}

/** Rendering that most modes share. */
export const COMMON = {
  hasSubjects: () => false,
  lineStart: roundPlace,
  words: (texts) => texts,
  place: roundPlace,
  title: roundPlace,
  phase: (phase, _state, texts) => texts.phase[phase],
  phaseStarts: () => null,
  afterTerminal: () => [],
  impasse: () => null,
  isOver: ({ judged }) => judged !== null,
  stuck: () => null,
  task: ({ settings }) => settings.task,
  facts: () => [],
  interrupted,
  // Some modes never ask.
  asked: (state, _parting, texts) => interrupted(state, texts),
  running: (state, labels) => labels.runningAt(lastAttempt(state)?.index ?? 0, state.maxLoops),
  doing: () => null,
  startAgain: () => null,
  next: () => null,
  listed: () => ({}),
} as const satisfies Partial<ModeView>;
