import type { RunEvent } from "../core/event.ts";
import type { RunState } from "../core/state.ts";
import type { LiveEvent, Parting } from "./reporter.ts";
import type { RunContext } from "./ports.ts";

/** A reporter may fail, for example without a terminal. It never stops a run. */
export function showLive(context: RunContext, live: LiveEvent): void {
  quietly(() => context.reporter.live(live));
}

export function showEvent(context: RunContext, event: RunEvent, state: RunState): void {
  if (!isPartOfCheck(event)) quietly(() => context.reporter.event(event, state));
}

/** A check is shown as a whole, when it ends. */
export function isPartOfCheck({ type }: RunEvent): boolean {
  return type === "test_run_ended" || type === "base_run_ended";
}

export function showEnd(context: RunContext, state: RunState, parting: Parting): void {
  quietly(() => context.reporter.leave(state, parting));
}

export function pauseShow(context: RunContext): void {
  quietly(() => context.reporter.pause());
}

function quietly(show: () => void): void {
  try {
    show();
  } catch {
    // Reported above.
  }
}
