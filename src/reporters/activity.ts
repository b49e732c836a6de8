import { isTurn } from "../i18n/live-phase.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { roughly } from "./format.ts";
import type { LiveEvent } from "./reporter.ts";

const QUIET_AFTER_MS = 60_000;

/** The phase under way, and its last sign of life. */
export class Activity {
  readonly started: Extract<LiveEvent, { type: "phase_started" }>;
  readonly #startedAt: number;
  #lastOutputAt: number | undefined;
  #lastSign: { readonly sign: "output" | "cpu" | "tree"; readonly at: number } | undefined;

  constructor(started: Extract<LiveEvent, { type: "phase_started" }>, now: number) {
    this.started = started;
    this.#startedAt = now;
  }

  /** Whether its output is for a person to read while it comes. */
  get isReadable(): boolean {
    return isTurn(this.started.phase) && !this.started.encoded;
  }

  sawOutput(now: number): void {
    this.#lastOutputAt = now;
  }

  sawLife(sign: "output" | "cpu" | "tree", now: number): void {
    this.#lastSign = { sign, at: now };
  }

  elapsedMs(now: number): number {
    return now - this.#startedAt;
  }

  /** Quiet is not stuck: say how long. Null where nobody listens to the output, as with checks. */
  signOfLife(now: number, texts: TerminalTexts): string | null {
    if (this.#lastOutputAt === undefined && !isTurn(this.started.phase)) return null;
    const silentMs = now - (this.#lastOutputAt ?? this.#startedAt);
    if (silentMs >= QUIET_AFTER_MS)
      return [texts.quiet(roughly(silentMs)), ...this.#moving(now, texts)].join(texts.listSeparator);
    return this.#lastOutputAt === undefined ? texts.noOutputYet : texts.outputAgo(roughly(silentMs));
  }

  /** Quiet, but alive: what moved last, if it was not long ago. */
  #moving(now: number, texts: TerminalTexts): string[] {
    if (!this.#lastSign || now - this.#lastSign.at >= QUIET_AFTER_MS) return [];
    switch (this.#lastSign.sign) {
      case "cpu":
        return [texts.cpuBusy];
      case "tree":
        return [texts.filesChange];
      case "output":
        return [];
    }
  }
}
