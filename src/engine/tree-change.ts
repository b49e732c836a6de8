import type { TreeChange } from "../domain/event.ts";
import { changedPaths, type TreeSnapshot } from "../workspace/tree.ts";
import type { RunContext } from "./ports.ts";

/** Stands for a change whose files cannot be named. */
export const SOMETHING = ".";
export const MAX_PATHS = 50;

/** What is recorded of the tree before the turn. */
interface Earlier {
  /** It could be told what the tree is. */
  readonly told: boolean;
  /** An earlier turn of the same kind has changed it: its foreman may have been killed, or its agent broke off. */
  readonly changed: boolean;
}

/**
 * What has changed in the work tree since `before`, by a turn that was to change nothing. Null: there never was anything to
 * compare with. A tree that can be read no longer has changed.
 */
export function changeSince(before: TreeSnapshot | null, earlier: Earlier, { tree }: RunContext): TreeChange {
  if (!before) return earlier.told ? [SOMETHING] : null;
  const after = tree.snapshot();
  if (!after) return [SOMETHING];
  const paths = changedPaths(before, after);
  return paths.length === 0 && earlier.changed ? [SOMETHING] : atMost(MAX_PATHS, paths);
}

/** Whoever makes thousands of files must not fill journal, screen and prompts with their names. */
export function atMost(count: number, paths: readonly string[]): readonly string[] {
  const left = paths.length - count;
  return left > 0 ? [...paths.slice(0, count), `(+${left})`] : paths;
}
