import type { RunState } from "../domain/state.ts";

/** A word as a POSIX shell reads it back. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Shows what became of the work tree; to be typed in the directory `here`. Undefined without a commit to start from. */
export function diffCommand({ settings, started }: RunState, here: string): string | undefined {
  const base = started.baseCommit?.slice(0, 7);
  if (base === undefined) return undefined;
  return settings.cwd === here ? `git diff ${base}` : `git -C ${shellWord(settings.cwd)} diff ${base}`;
}
