import type { TreeChange } from "../domain/event.ts";
import { changedPaths, type TreeSnapshot } from "../workspace/tree.ts";
import { keptTree } from "./kept-tree.ts";
import type { RunContext } from "./ports.ts";

export const MAX_PATHS = 50;

/** What is recorded of the tree before the turn. */
interface Earlier {
  /** It could be told what the tree is. */
  readonly told: boolean;
  /** The tree that the first turn of this kind was given: its foreman may have been killed, or its agent broke off. */
  readonly given: string | null;
  readonly digestOf: (snapshot: TreeSnapshot | null) => string | null;
  /** Files that are written again when a run is resumed. */
  readonly own?: readonly string[];
}

/**
 * The files of the work tree that have changed since the first turn that was to change nothing. Null: there never was anything to
 * compare with. A tree that cannot be read any more has changed as a whole; its folder is named.
 */
export function changeSince(before: TreeSnapshot | null, earlier: Earlier, context: RunContext): TreeChange {
  const { tree } = context;
  const { told, given, digestOf, own = [] } = earlier;
  if (!before) return told ? [tree.root] : null;
  const after = tree.snapshot();
  if (!after) return [tree.root];
  const first = given === null ? before : firstTree(before, given, digestOf, context);
  const ours = new Set(first === before ? [] : own);
  const paths = changedPaths(first ?? before, after).filter((path) => !ours.has(path));
  return namedChanges(paths, before, first, context);
}

/** The tree with the digest `given`: the one before this turn, or the one that was kept before an earlier turn of the same work. */
export function firstTree(
  before: TreeSnapshot,
  given: string,
  digestOf: (snapshot: TreeSnapshot) => string | null,
  context: RunContext,
): TreeSnapshot | null {
  return given === digestOf(before) ? before : keptTree(before.root, given, digestOf, context);
}

/** The changed files without the foreman's own output. If no file is known, the work tree is named. */
export function namedChanges(
  paths: readonly string[],
  before: TreeSnapshot,
  first: TreeSnapshot | null,
  { tree }: RunContext,
): readonly string[] {
  // An earlier foreman saw the tree without these files, or this one has written them since.
  const output = new Set(first === before ? [] : tree.output.map(({ path }) => path));
  const named = paths.filter((path) => !output.has(path));
  return first === null && named.length === 0 ? [tree.root] : atMost(MAX_PATHS, named);
}

/** Whoever makes thousands of files must not fill journal, screen and prompts with their names. */
export function atMost(count: number, paths: readonly string[]): readonly string[] {
  const left = paths.length - count;
  return left > 0 ? [...paths.slice(0, count), `(+${left})`] : paths;
}
