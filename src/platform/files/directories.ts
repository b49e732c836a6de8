import fs from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../failure.ts";

/**
 * Makes a directory and its parents and returns the topmost new one. Node's own `recursive` never returns where a parent
 * takes no children, as in /proc.
 */
export function makeDirectories(path: string, mode = 0o777): string | undefined {
  const there = fs.existsSync(path);
  if (tryMake(path, mode)) return there ? undefined : path;
  const topmost = makeDirectories(dirname(path), mode);
  if (!tryMake(path, mode)) throw new Error(`no directory can be made in ${dirname(path)}`);
  return topmost ?? path;
}

/** False when a parent is missing. */
function tryMake(path: string, mode: number): boolean {
  try {
    fs.mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT" && dirname(path) !== path) return false;
    if (errorCode(error) === "EEXIST" && fs.statSync(path).isDirectory()) return true;
    throw error;
  }
}

export function syncDirectory(path: string): void {
  // Windows cannot open directories; its file systems order renames by themselves.
  if (process.platform === "win32") return;
  const fd = fs.openSync(path, "r");
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

export function isDirectory(path: string): boolean {
  try {
    return fs.statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Whether a directory given by its real path is still there. A link in its place, or on the way to it, leads elsewhere. */
export function isItself(path: string): boolean {
  try {
    return fs.realpathSync(path) === path && fs.lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Removes empty directories that were created in vain, from `dir` up to `outermost`. Stops at one that is in use. */
export function removeEmpty(dir: string, outermost: string): void {
  try {
    fs.rmdirSync(dir);
    if (dir !== outermost) removeEmpty(dirname(dir), outermost);
  } catch {
    // In use.
  }
}
