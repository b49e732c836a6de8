import fs from "node:fs";

/** Removes whatever is at a path, if anything. Some versions of Node's `rmSync` leave dangling links. */
export function removeAny(path: string): void {
  const entry = fs.lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory()) fs.rmSync(path, { recursive: true, force: true });
  else if (entry) fs.unlinkSync(path);
}
