import fs from "node:fs";
import { basename, dirname, join } from "node:path";

const MAX_ENTRIES = 20_000;

/**
 * Something that differs whenever a file below the directory was made, changed or removed. A change cannot be hidden by setting
 * the file's time back, and whatever is made or removed changes the time of its directory. Of a very large tree only the upper
 * part is looked at, and installed packages last.
 */
export async function treeSignature(root: string, maxEntries = MAX_ENTRIES): Promise<string> {
  const ahead = [root];
  const packages: string[] = [];
  let entries = 0;
  let bytes = 0;
  let newest = 0;
  for (let dir = ahead.shift(); dir !== undefined; dir = ahead.shift() ?? packages.shift()) {
    // One turn of the event loop a directory: nobody waits for a large tree.
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
    return []; // Gone meanwhile, or not ours to read.
  }
}

function statsOf(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Thousands of files that say no more than index, HEAD and refs do. */
function holdsGitObjects(path: string): boolean {
  return basename(path) === "objects" && basename(dirname(path)) === ".git";
}
