import type { StopSignal } from "../outcome.ts";

const SIGNALS: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * How a person ends a run early. First signal: finish and record the current work, start nothing new. Second: kill running processes
 * and record them as interrupted. Third: leave at once; the journal is whole at any moment.
 */
export class Stop {
  readonly #kill = new AbortController();
  #signal: StopSignal | null = null;
  #count = 0;
  readonly #wake = new Set<() => void>();

  get signal(): StopSignal | null {
    return this.#signal;
  }

  /** Aborted when running processes must be killed. */
  get killed(): AbortSignal {
    return this.#kill.signal;
  }

  kill(): void {
    this.#kill.abort();
  }

  /** Calls back at the first signal. Returns a function that stops listening. */
  onRequest(listener: () => void): () => void {
    this.#wake.add(listener);
    return () => this.#wake.delete(listener);
  }

  /** Handles the process's signals until the returned function is called. */
  listen(hooks: {
    onFirst: (signal: StopSignal) => void;
    onSecond: () => void;
    leave: (signal: StopSignal) => void;
  }): () => void {
    const handle = (signal: StopSignal): void => {
      this.#count += 1;
      this.#signal ??= signal;
      if (this.#count === 1) {
        hooks.onFirst(signal);
        for (const wake of this.#wake) wake();
      } else if (this.#count === 2) {
        hooks.onSecond();
        this.#kill.abort();
      } else hooks.leave(signal);
    };
    for (const signal of SIGNALS) process.on(signal, handle);
    return () => {
      for (const signal of SIGNALS) process.off(signal, handle);
    };
  }
}
