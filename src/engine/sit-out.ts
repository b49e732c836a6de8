import timers from "node:timers/promises";
import { activeMsAt } from "../core/budget.ts";
import type { RunEvent } from "../core/event.ts";
import type { RunState } from "../core/state.ts";
import type { RunContext } from "./ports.ts";
import { showLive } from "./show.ts";

/** Timers pause while a machine sleeps, so this checks the clock often instead of trusting one timer. */
const LONGEST_NAP = 5000;

/** Waits until the given time. Null: a signal, a message or the end of the run's time came first. */
export async function sitOut(until: string, state: RunState, context: RunContext): Promise<RunEvent | null> {
  const { stop, inbox, now } = context;
  const wake = new AbortController();
  const forget = stop.onRequest(() => wake.abort());
  const signal = AbortSignal.any([wake.signal, stop.killed, context.interrupt.requested]);
  showLive(context, { type: "waiting" });
  try {
    for (;;) {
      const left = Date.parse(until) - now().getTime();
      if (left <= 0) return { type: "wait_ended" };
      if (stop.signal || signal.aborted || inbox.peek() || timeIsUp(state, now())) return null;
      await nap(Math.min(left, LONGEST_NAP), signal);
    }
  } finally {
    forget();
  }
}

function timeIsUp(state: RunState, now: Date): boolean {
  const { timeMs } = state.limits;
  return timeMs !== null && activeMsAt(state, now.toISOString()) >= timeMs;
}

/** Uses the module's own object, so that a test can replace the clock. */
async function nap(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await timers.setTimeout(ms, undefined, { signal });
  } catch {
    // Woken early.
  }
}
