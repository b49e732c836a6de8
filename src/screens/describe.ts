import type { RunEvent } from "../core/event.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";
import { clockTime, padToWidth } from "../ui/format.ts";
import { stamped, wordsWithQuestion } from "../ui/history.ts";
import type { FailedOutput, Scene } from "../ui/mode-view.ts";
import { viewOf } from "../modes/registry.ts";
import type { Line } from "../ui/page.ts";
import { isStatement, signed, type Statement, type Subject } from "../ui/statement.ts";
import { roundPlace } from "../ui/wording.ts";
import type { LiveEvent } from "../engine/reporter.ts";
import type { LivePhase } from "../engine/live-phase.ts";
import type { RunState } from "../core/state.ts";

/** Describes the events of a run while they happen, with the quotes that come right before them. */
export class History {
  readonly #style: Pick<Scene, "verbose" | "isRedrawn">;
  readonly #texts: TerminalTexts;
  #state: RunState | undefined;
  #failed: FailedOutput | undefined;
  #words: string | undefined;

  constructor(style: Pick<Scene, "verbose" | "isRedrawn">, texts: TerminalTexts) {
    this.#style = style;
    this.#texts = texts;
  }

  get state(): RunState | undefined {
    return this.#state;
  }

  add(event: RunEvent, state: RunState): readonly Line[] {
    const before = this.#state;
    this.#state = state;
    if (event.type === "turn_started") this.#failed = this.#words = undefined;
    const quotes = { failed: this.#failed, words: this.#words };
    return describe(event, { state, before, ...quotes, ...this.#style }, this.#texts);
  }

  quote(event: Extract<LiveEvent, { type: "check_output" | "turn_output" | "review_words" }>): void {
    if (event.type === "review_words") this.#words = wordsWithQuestion(event.words, event.question);
    else this.#failed = event;
  }
}

/** The lines that an event adds to the history. Without redrawn lines below, every line that is not indented begins with the time. */
export function describe(event: RunEvent, scene: Scene, texts: TerminalTexts): readonly Line[] {
  const { state, isRedrawn, kept } = scene;
  const view = viewOf(state);
  const parts = view.describe(event, scene, view.words(texts));
  if (kept) return parts.map((part) => (isIndented(part) ? part : recorded(part, scene, texts)));
  if (view.hasSubjects(isRedrawn))
    return parts.map((part) => (isStatement(part) ? inLog(part, scene, texts) : part));
  const place = (attempt: number): string => view.lineStart(state, attempt);
  const lines = parts.map((part) => (isStatement(part) ? signed(part, place) : part));
  return isRedrawn ? lines : stamped(lines, state.updatedAt);
}

/** `09:16:16 agent   2/6 ended: exit 0` */
function inLog({ subject, attempt, text, tone }: Statement, { state }: Scene, texts: TerminalTexts): Line {
  const about =
    attempt !== undefined ? `${roundPlace(state, attempt)} ` : subject === "run" ? `${state.runId} ` : "";
  return { lead: subjectLead(state.updatedAt, subject, texts), text: about + text, tone };
}

/** The same for a person who looks back. A line that a document fixes to the letter is about the run. */
function recorded(part: Statement | Line, { state }: Scene, texts: TerminalTexts): Line {
  const { subject, attempt, text, ...style } = isStatement(part)
    ? part
    : { ...part, subject: "run" as const, attempt: undefined };
  const place = attempt === undefined ? "" : `${viewOf(state).place(state, attempt)} `;
  return { lead: subjectLead(state.updatedAt, subject, texts), text: place + text, tone: style.tone };
}

function isIndented(part: Statement | Line): boolean {
  return !isStatement(part) && part.text.startsWith("  ");
}

/** `09:16:16 agent   ` */
export function subjectLead(at: string | number, subject: Subject, texts: TerminalTexts): string {
  return `${clockTime(at)} ${padToWidth(texts.subject[subject], 7)} `;
}

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
