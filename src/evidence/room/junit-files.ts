import fs from "node:fs";
import { join } from "node:path";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import type { Room } from "./room.ts";

/** Reports are small and few. */
const MOST_ENTRIES = 20_000;
const MOST_FILES = 500;
const LARGEST = 32 * 1024 * 1024;
/** May contain other projects' reports, but not this project's. */
const SKIPPED = new Set([".git", "node_modules"]);

/** The JUnit reports that the command wrote into the tree. */
export function junitFiles({ written }: Pick<Room, "written">): readonly string[] {
  const found: string[] = [];
  const folders = [...written.folders];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of entriesIn(folder)) {
      if (seen++ >= MOST_ENTRIES || found.length >= MOST_FILES) return found;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
      if (entry.isFile() && entry.name.endsWith(".xml")) found.push(...reportAt(path, written.sinceMs));
    }
  return found;
}

/** An older file belongs to another run. */
function reportAt(path: string, sinceMs: number): string[] {
  // A name that is not UTF-8 cannot be found again, or another process is still writing the file.
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (!stat || stat.ctimeMs < sinceMs || stat.size > LARGEST) return [];
  const text = tryReadPlainFile(path, LARGEST)?.toString() ?? "";
  return text.includes("<testsuite") ? [text] : [];
}

function entriesIn(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
