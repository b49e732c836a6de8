import type { TreeChange } from "../core/event.ts";
import { changedPaths, digestWithout, type TreeSnapshot } from "../platform/git/tree.ts";
import { keptTree } from "../evidence/base/kept-tree.ts";
import type { RunContext } from "./ports.ts";

export const MAX_PATHS = 50;

/** The recorded tree before the turn. */
interface Earlier {
  readonly wasReadable: boolean;
  /** The tree given to the first turn of this kind. That turn may have ended early: its foreman was killed, or its agent broke off. */
  readonly given: string | null;
  readonly digestOf: (snapshot: TreeSnapshot | null) => string | null;
  /** Files that a resumed run writes again. */
  readonly own?: readonly string[];
}

/**
 * Files that changed since the first read-only turn. Null: nothing to compare with. If the tree is unreadable now, all of it counts as changed
 * and its folder is named.
 */
export function changeSince(before: TreeSnapshot | null, earlier: Earlier, context: RunContext): TreeChange {
  const { tree } = context;
  const { wasReadable, given, digestOf, own = [] } = earlier;
  if (!before) return wasReadable ? [tree.root] : null;
  const after = tree.snapshot();
  if (!after) return [tree.root];
  const first = given === null ? before : firstTree(before, given, digestOf, context);
  const ours = new Set(first === before ? [] : own);
  const paths = changedPaths(first ?? before, after).filter((path) => !ours.has(path));
  return namedChanges(paths, before, first, context);
}

/** For turns that must leave the whole tree unchanged. */
export function changeInWholeTree(
  before: TreeSnapshot | null,
  given: string | null,
  context: RunContext,
): TreeChange {
  return changeSince(before, { wasReadable: given !== null, given, digestOf: wholeTree }, context);
}

export function wholeTree(snapshot: TreeSnapshot | null): string | null {
  return snapshot && digestWithout(snapshot, "", []);
}

/** The tree with the digest `given`: the one before this turn, or the one kept before an earlier turn of the same work. */
export function firstTree(
  before: TreeSnapshot,
  given: string,
  digestOf: (snapshot: TreeSnapshot) => string | null,
  context: RunContext,
): TreeSnapshot | null {
  return given === digestOf(before) ? before : keptTree(before.root, given, digestOf, context);
}

/** The changed files without the foreman's own output. If no file is known, names the work tree. */
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

/** Thousands of new files must not fill journal, screen and prompts. */
export function atMost(count: number, paths: readonly string[]): readonly string[] {
  const left = paths.length - count;
  return left > 0 ? [...paths.slice(0, count), `(+${left})`] : paths;
}
