import type { ProcessEnd } from "../domain/process-end.ts";

/** How long an agent that has said its last word may take to exit. */
const FINISH_GRACE_MS = 5000;

/** For whoever reads the output: what it says may end the command. */
export interface Control {
  /** The last word is said: standard input ends, and a command that lingers is ended and counts as finished. */
  readonly finish: () => void;
  /** It was not the last word after all. */
  readonly goesOn: () => void;
  readonly overBudget: () => void;
}

type Cause = ProcessEnd | "interrupted";

interface Endable {
  readonly exited: () => boolean;
  readonly terminate: () => void;
  readonly endInput: () => void;
}

/** What ends a command before it ends by itself. The first cause wins. */
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

  /** Whoever has finished is no longer held to a limit of the work: time, money, signs of life. */
  readonly finish = (): void => {
    if (this.#finishing || this.#cause !== undefined) return;
    this.#finishing = true;
    clearTimeout(this.#timer);
    this.#child.endInput();
    this.#timer = this.#later(FINISH_GRACE_MS, { kind: "finished" });
  };

  /** Its limits hold again; of its time nobody knows what was left, so that it begins anew. */
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

  /** A supervisor that was itself paused sees its timer before it sees that the child had long ended: look once more. */
  #later(ms: number, cause: Cause): NodeJS.Timeout {
    return setTimeout(() => void notificationsSettled().then(() => this.stop(cause)), ms);
  }
}

/** Two turns of the event loop: whatever the kernel had to say by now has been heard. */
export async function notificationsSettled(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
