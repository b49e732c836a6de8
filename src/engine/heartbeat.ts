import fs from "node:fs";
import type { RunState } from "../core/state.ts";
import type { RunContext } from "./ports.ts";
import { turnDir } from "./turn-files.ts";

const EVERY_MS = 2000;

/** Updates the time of the turn's directory regularly. After a crash this shows how long the turn lasted. */
export async function withHeartbeat<T>(turn: number, context: RunContext, run: () => Promise<T>): Promise<T> {
  const dir = turnDir(context, turn);
  // Without the directory there is nothing to mark.
  const beat = (): void => fs.utimes(dir, context.now(), context.now(), () => undefined);
  const timer = setInterval(beat, EVERY_MS);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}

/** How long the open turn lasted before its foreman ended: up to the last mark, and no longer than until the crash was found. */
export function knownToRun({ openTurn, updatedAt }: RunState, context: RunContext): number {
  if (!openTurn) return 0;
  const marked = fs.statSync(turnDir(context, openTurn.turn), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const until = Math.min(Math.floor(marked), Date.parse(updatedAt));
  return Math.max(0, until - Date.parse(openTurn.startedAt));
}
