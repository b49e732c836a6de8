import { basename } from "node:path";
import { Failure } from "../domain/failure.ts";
import type { Settings } from "../domain/settings.ts";
import { progressPath } from "../reports/step-outcome.ts";
import { contentFiles, digestOfFiles, pathsIn } from "../workspace/tree.ts";
import type { RunContext } from "./ports.ts";

/** The files of the work tree that count as work. */
export interface TreeFiles {
  readonly root: string;
  /** By path: what kind of thing it is, and the digest of its content. */
  readonly files: ReadonlyMap<string, string>;
  readonly sha256: string;
  /** What is ours and does not count, relative to the root. */
  readonly leftOut: readonly string[];
  /** Whether git says what counts. */
  readonly isRepository: boolean;
}

export function treeFiles(
  settings: Settings,
  { tree }: Pick<RunContext, "tree">,
  snapshot = tree.snapshot(),
): TreeFiles {
  if (!snapshot) throw new Failure("tree_unknown", { path: settings.cwd });
  const { root } = snapshot;
  const own = ownFiles(settings);
  const files = contentFiles(snapshot, ...own);
  return {
    root,
    files,
    sha256: digestOfFiles(files),
    leftOut: [...tree.leftOut, ...pathsIn(root, ...own)],
    isRepository: snapshot.files.has(".git/HEAD"),
  };
}

/** What we write into the tree ourselves, besides reports and the like. */
function ownFiles(settings: Settings): [folder: string, names: readonly string[]] {
  if (settings.mode !== "run") return [settings.cwd, []];
  return [settings.stepsDir, [...settings.steps.map(({ file }) => file), basename(progressPath(settings))]];
}
