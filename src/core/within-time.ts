import { remaining } from "./budget.ts";
import type { RunState } from "./state.ts";
import type { Control } from "../platform/process/ending.ts";

/** Runs a command that is ended when the run's time is used up. */
export async function withinTime<T>(
  state: RunState,
  now: () => Date,
  run: (watch: (control: Control) => void) => Promise<T>,
): Promise<T> {
  const { timeMs } = remaining(state, now().toISOString());
  let timer: NodeJS.Timeout | undefined;
  try {
    return await run((control) => {
      if (timeMs !== null) timer = setTimeout(() => control.overBudget(), timeMs);
    });
  } finally {
    clearTimeout(timer);
  }
}
