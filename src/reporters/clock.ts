import { performance } from "node:perf_hooks";

export interface Clock {
  /** Milliseconds since 1970 that never run backwards while the process lives. */
  readonly now: () => number;
  /** Calls `tick` again and again without keeping the process alive; returns how to stop it. */
  readonly every: (ms: number, tick: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  every: (ms, tick) => {
    const timer = setInterval(() => {
      try {
        tick();
      } catch {
        // Thrown in a timer it would end the run; a display that fails only goes dark.
        clearInterval(timer);
      }
    }, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
