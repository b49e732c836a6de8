import { performance } from "node:perf_hooks";

export interface Clock {
  /** Milliseconds since 1970 that never run backwards while the process lives. */
  readonly now: () => number;
  /** Calls `tick` regularly without keeping the process alive; returns a function that stops it. */
  readonly every: (ms: number, tick: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  every: (ms, tick) => {
    const timer = setInterval(() => {
      try {
        tick();
      } catch {
        // An error thrown in a timer would end the run. A display that fails only goes dark.
        clearInterval(timer);
      }
    }, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
