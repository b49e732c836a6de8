import fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { tryReadPlainFile } from "../files/read-file.ts";
import { isInside } from "./sandbox-mounts.ts";

const MAX_BYTES = 64 * 1024;

/**
 * What git has to write outside of the work tree: the repository of a linked work tree, or of a submodule. The file that names
 * it lies in the work tree, and an agent may have rewritten it. So it is believed only where the place that it names, which
 * agents cannot write unless it is right, names the work tree in turn.
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

/** By what an agent cannot put there. */
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
