import { syncBuiltinESMExports } from "node:module";
import perfHooks from "node:perf_hooks";
import { afterEach, beforeEach, vi } from "vitest";

/** The test's clock. It throws in an endless loop, because the test's own limit cannot interrupt a synchronous one. */
function impatientClock(): { now: () => number } {
  let last = 0;
  let asked = 0;
  const now = (): number => {
    const time = globalThis.performance.now();
    asked = time === last ? asked + 1 : 0;
    last = time;
    if (asked > 1000) throw new Error("asked again and again without a break");
    return time;
  };
  return { now };
}

function withClock(clock: unknown): void {
  Object.assign(perfHooks, { performance: clock });
  syncBuiltinESMExports();
}

/** For every test of the file. `vi.mock` would miss modules that another file of this worker has loaded. */
export function useImpatientClock(): void {
  const own = perfHooks.performance;
  beforeEach(() => {
    withClock(impatientClock());
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    withClock(own);
  });
}
