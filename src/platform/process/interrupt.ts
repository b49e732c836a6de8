/** Ends current work early because the person at the terminal moved on. Interrupted work does not count. */
export class Interrupt {
  #abort = new AbortController();

  /** Aborted on a request. */
  get requested(): AbortSignal {
    return this.#abort.signal;
  }

  request(): void {
    this.#abort.abort();
  }

  clear(): void {
    if (this.#abort.signal.aborted) this.#abort = new AbortController();
  }
}
