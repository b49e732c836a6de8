import fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { tryReadPlainFile } from "../files/read-file.ts";
import { isInside } from "./sandbox-mounts.ts";

const MAX_BYTES = 64 * 1024;

/**
 * Folders outside the work tree that git must write: the repository of a linked work tree or of a submodule. The `.git` file in the
 * work tree names it, and an agent may have rewritten that file. So the folder must name the work tree in turn; agents cannot write
 * that entry unless it is right.
 */
export function gitDirectories(workTree: string): readonly string[] {
  const tree = realPath(workTree);
  const target = tree && /^gitdir: (.+)$/m.exec(read(join(tree, ".git")))?.[1];
  const own = target && realPath(resolve(tree, target));
  if (!tree || !own || isInside(own, tree)) return [];
  const repository = dirname(dirname(own));
  if (basename(dirname(own)) === "worktrees" && isRepository(repository)) {
    const back = read(join(own, "gitdir")).trimEnd();
    return realPath(resolve(own, dirname(back))) === tree ? [repository] : [];
  }
  const back = /^\s*worktree = (.+)$/m.exec(read(join(own, "config")))?.[1];
  return back !== undefined && realPath(resolve(own, back)) === tree ? [own] : [];
}

/** Checks for files that an agent cannot put there. */
function isRepository(path: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => fs.existsSync(join(path, name)));
}

function read(path: string): string {
  return tryReadPlainFile(path, MAX_BYTES)?.toString() ?? "";
}

function realPath(path: string): string | undefined {
  try {
    return fs.realpathSync(path);
  } catch {
    return undefined;
  }
}
