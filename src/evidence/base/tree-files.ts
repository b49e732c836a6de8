import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../platform/failure.ts";
import type { Settings } from "../../core/settings.ts";
import { contentFiles, digestOfFiles, pathsIn, type TreeSnapshot } from "../../platform/git/tree.ts";
import type { EvidenceContext } from "../checks/evidence-context.ts";

/** The files of the work tree that count as work. */
export interface TreeFiles {
  readonly root: string;
  /** By path: the kind of entry and the digest of its content. */
  readonly files: ReadonlyMap<string, string>;
  readonly sha256: string;
  /** Our own files, which do not count, relative to the root. */
  readonly leftOut: readonly string[];
  /** Whether git decides which files count. */
  readonly isRepository: boolean;
}

/** Cached by snapshot, because in a large tree this takes as long as reading it. */
const known = new WeakMap<TreeSnapshot, TreeFiles>();

export function treeFiles(
  settings: Settings,
  { tree, mode }: Pick<EvidenceContext, "tree" | "mode">,
  snapshot = tree.snapshot(),
): TreeFiles {
  if (!snapshot) throw new Failure("tree_unknown", { path: settings.cwd });
  const { root } = snapshot;
  const { folder, names } = mode.ownFiles?.(settings) ?? { folder: settings.cwd, names: [] };
  const leftOut = [...tree.leftOut, ...pathsIn(root, folder, names)];
  const last = known.get(snapshot);
  if (last && isDeepStrictEqual(last.leftOut, leftOut)) return last;
  const files = contentFiles(snapshot, folder, names);
  const now: TreeFiles = {
    root,
    files,
    sha256: digestOfFiles(files),
    leftOut,
    isRepository: snapshot.files.has(".git/HEAD"),
  };
  known.set(snapshot, now);
  return now;
}
