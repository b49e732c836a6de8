/**
 * What runs can be called away from: the person at the terminal goes on without it, or does not want it. Work that is left so says
 * nothing about anybody.
 */
export class Attention {
  #away = new AbortController();

  /** Aborted when somebody has called. */
  get called(): AbortSignal {
    return this.#away.signal;
  }

  call(): void {
    this.#away.abort();
  }

  /** What was called for has been seen to. */
  clear(): void {
    if (this.#away.signal.aborted) this.#away = new AbortController();
  }
}
