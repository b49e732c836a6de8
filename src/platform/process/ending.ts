import type { ProcessEnd } from "./process-end.ts";

/** How long an agent may take to exit after its final message. */
const FINISH_GRACE_MS = 5000;

/** Lets a reader of the output end the command. */
export interface Control {
  /** The final message has arrived: standard input closes, and a command that lingers is ended and counts as finished. */
  readonly finish: () => void;
  /** That message was not the final one. */
  readonly goesOn: () => void;
  readonly overBudget: () => void;
}

type Cause = ProcessEnd | "interrupted";

interface Endable {
  readonly exited: () => boolean;
  readonly terminate: () => void;
  readonly endInput: () => void;
}

/** The causes that end a command early. The first cause wins. */
export class Ending implements Control {
  readonly #child: Endable;
  readonly #timeoutMs: number;
  #cause: Cause | undefined;
  #finishing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(child: Endable, timeoutMs: number) {
    this.#child = child;
    this.#timeoutMs = timeoutMs;
    this.#begin();
  }

  get cause(): Cause | undefined {
    return this.#cause;
  }

  stop(cause: Cause): void {
    if (this.#cause !== undefined || this.#child.exited()) return;
    this.#cause = cause;
    this.#child.terminate();
  }

  /** A finished command is no longer subject to limits of time, money or activity. */
  readonly finish = (): void => {
    if (this.#finishing || this.#cause !== undefined) return;
    this.#finishing = true;
    clearTimeout(this.#timer);
    this.#child.endInput();
    this.#timer = this.#later(FINISH_GRACE_MS, { kind: "finished" });
  };

  /** Restores the limits. The remaining time is unknown, so it restarts. */
  readonly goesOn = (): void => {
    if (!this.#finishing || this.#cause !== undefined) return;
    this.#finishing = false;
    clearTimeout(this.#timer);
    this.#begin();
  };

  readonly overBudget = (): void => {
    if (!this.#finishing) this.stop({ kind: "over_budget" });
  };

  stalled(afterMs: number): void {
    if (!this.#finishing) this.stop({ kind: "stalled", afterMs });
  }

  /** The command is over. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #begin(): void {
    const afterMs = this.#timeoutMs;
    if (afterMs > 0) this.#timer = this.#later(afterMs, { kind: "timeout", afterMs });
  }

  /** A supervisor that was paused itself sees its timer before it sees that the child had long ended. So it looks once more. */
  #later(ms: number, cause: Cause): NodeJS.Timeout {
    return setTimeout(() => void notificationsSettled().then(() => this.stop(cause)), ms);
  }
}

/** After two turns of the event loop, all pending kernel notifications have been delivered. */
export async function notificationsSettled(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
