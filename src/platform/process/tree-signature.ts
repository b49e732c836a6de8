import fs from "node:fs";
import { basename, dirname, join } from "node:path";

const MAX_ENTRIES = 20_000;

/**
 * Changes whenever a file below the directory is made, changed or removed. Setting a file's time back hides nothing, and adding or
 * removing one changes the time of its directory. In a very large tree only the upper part counts, with installed packages last.
 */
export async function treeSignature(root: string, maxEntries = MAX_ENTRIES): Promise<string> {
  const ahead = [root];
  const packages: string[] = [];
  let entries = 0;
  let bytes = 0;
  let newest = 0;
  for (let dir = ahead.shift(); dir !== undefined; dir = ahead.shift() ?? packages.shift()) {
    // One turn of the event loop per directory, so that a large tree blocks nothing.
    for (const name of await namesIn(dir)) {
      if (entries >= maxEntries) return `${entries} ${bytes} ${newest}`;
      const path = join(dir, name);
      const stats = statsOf(path);
      if (!stats) continue;
      entries += 1;
      bytes += stats.size;
      newest = Math.max(newest, stats.ctimeMs);
      if (stats.isDirectory() && !holdsGitObjects(path))
        (name === "node_modules" ? packages : ahead).push(path);
    }
  }
  return `${entries} ${bytes} ${newest}`;
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await fs.promises.readdir(dir);
  } catch {
    return []; // Gone meanwhile, or unreadable.
  }
}

function statsOf(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Thousands of files that add nothing to index, HEAD and refs. */
function holdsGitObjects(path: string): boolean {
  return basename(path) === "objects" && basename(dirname(path)) === ".git";
}
