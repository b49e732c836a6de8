import { isTurn } from "../engine/live-phase.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";
import { roughly } from "../ui/format.ts";
import type { LiveEvent } from "../engine/reporter.ts";

const QUIET_AFTER_MS = 60_000;

/** The current phase and its last sign of life. */
export class Activity {
  readonly started: Extract<LiveEvent, { type: "phase_started" }>;
  readonly #startedAt: number;
  #lastOutputAt: number | undefined;
  #lastSign: { readonly sign: "output" | "cpu" | "tree"; readonly at: number } | undefined;

  constructor(started: Extract<LiveEvent, { type: "phase_started" }>, now: number) {
    this.started = started;
    this.#startedAt = now;
  }

  /** Whether people can read its output while it arrives. */
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

  /** A quiet agent is not stuck, so show how long it has been quiet. Null if the output is not followed, as with checks. */
  signOfLife(now: number, texts: TerminalTexts): string | null {
    if (this.#lastOutputAt === undefined && !isTurn(this.started.phase)) return null;
    const silentMs = now - (this.#lastOutputAt ?? this.#startedAt);
    if (silentMs >= QUIET_AFTER_MS)
      return [texts.quiet(roughly(silentMs)), ...this.#moving(now, texts)].join(texts.listSeparator);
    return this.#lastOutputAt === undefined ? texts.noOutputYet : texts.outputAgo(roughly(silentMs));
  }

  /** Quiet, but alive: the last sign, if it is recent. */
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
