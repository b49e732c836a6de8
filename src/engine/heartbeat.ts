import fs from "node:fs";
import type { RunState } from "../domain/state.ts";
import type { RunContext } from "./ports.ts";
import { turnDir } from "./turn-files.ts";

const EVERY_MS = 2000;

/** Marks the turn's directory again and again, so that after a crash it is known how long the turn went on. */
export async function withHeartbeat<T>(turn: number, context: RunContext, run: () => Promise<T>): Promise<T> {
  const dir = turnDir(context, turn);
  // Whoever took the directory away has taken the time away, too.
  const beat = (): void => fs.utimes(dir, context.now(), context.now(), () => undefined);
  const timer = setInterval(beat, EVERY_MS);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}

/** How long the open turn went on before its foreman was gone: up to the last mark, and never past the moment that it was found. */
export function knownToRun({ openTurn, updatedAt }: RunState, context: RunContext): number {
  if (!openTurn) return 0;
  const marked = fs.statSync(turnDir(context, openTurn.turn), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const until = Math.min(Math.floor(marked), Date.parse(updatedAt));
  return Math.max(0, until - Date.parse(openTurn.startedAt));
}
