import type { RunEvent } from "../domain/event.ts";
import type { RunState } from "../domain/state.ts";
import type { LiveEvent, Parting } from "../reporters/reporter.ts";
import type { RunContext } from "./ports.ts";

/** A reporter may fail, for nobody may be looking any more; it never stops a run. */
export function showLive(context: RunContext, live: LiveEvent): void {
  quietly(() => context.reporter.live(live));
}

export function showEvent(context: RunContext, event: RunEvent, state: RunState): void {
  quietly(() => context.reporter.event(event, state));
}

export function showEnd(context: RunContext, state: RunState, parting: Parting): void {
  quietly(() => context.reporter.leave(state, parting));
}

/** Gives the terminal back. */
export function pauseShow(context: RunContext): void {
  quietly(() => context.reporter.pause());
}

function quietly(show: () => void): void {
  try {
    show();
  } catch {
    // Said above.
  }
}
