import { join } from "node:path";
import type { Receipt } from "../evidence/receipt/receipt.ts";
import { knowsCommit } from "../platform/git/commit-files.ts";
import { rootOf } from "../platform/git/tree-repository.ts";
import { contentFiles, digestOfFiles, WorkTree } from "../platform/git/tree.ts";
import { saying, short, type Seen } from "./verify-seen.ts";

const said = saying("tree");

/** The work tree, recorded like the one in the receipt. */
export interface TreeNow {
  readonly root: string;
  readonly files: ReadonlyMap<string, string>;
  readonly sha256: string;
  /** Files with names of ours that are left out. An agent can create such files, so they are listed. */
  readonly ours: readonly string[];
}

/** Null if the tree is unreadable. `path`: the receipt's own path, which is left out. */
export function treeNow({ predicate }: Receipt, cwd: string, path: string): TreeNow | null {
  const root = rootOf(cwd);
  const { left_out: leftOut } = predicate.agentForeman.tree;
  const tree = new WorkTree(root, [path, ...leftOut.map((name) => join(root, name))]);
  const snapshot = tree.snapshot();
  const files = snapshot && contentFiles(snapshot, root, []);
  return files && { root, files, sha256: digestOfFiles(files), ours: tree.ours };
}

/** Whether this tree is the accepted one. */
export function lookAtTree(receipt: Receipt, now: TreeNow | null, cwd: string): Seen {
  const accepted = receipt.subject[0]?.digest.sha256 ?? "";
  if (!now) return said("refused", "tree_unreadable", { path: cwd });
  if (now.sha256 === accepted)
    return said("ok", "tree_same", { tree: short(accepted), files: String(now.files.size) });
  const about = { now: short(now.sha256), tree: short(accepted) };
  const { commit, commit_at_start: first } = receipt.predicate.agentForeman.base;
  const known = [commit, first].filter((each) => each !== null);
  if (known.length === 0 || known.some((each) => knowsCommit(now.root, each)))
    return said("refused", "tree_other", about);
  return said("refused", "tree_foreign", { ...about, commit: short(known[0] ?? "") });
}
