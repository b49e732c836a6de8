import fs from "node:fs";

/** Whatever stands at a path, if anything does. Some versions of Node's own `rmSync` leave links that lead nowhere. */
export function removeAny(path: string): void {
  const entry = fs.lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory()) fs.rmSync(path, { recursive: true, force: true });
  else if (entry) fs.unlinkSync(path);
}
