import fs from "node:fs";

/** Removes a folder with all its content, whatever permissions a command set. Moves undeletable parts out of the way. */
export function removeTree(path: string): void {
  const aside = `${path}.gone`;
  remove(aside);
  if (remove(path)) return;
  try {
    fs.renameSync(path, aside);
  } catch {
    // It cannot be moved either.
  }
}

function remove(path: string): boolean {
  if (tryRemove(path)) return true;
  unlock(Buffer.from(path));
  return tryRemove(path);
}

function tryRemove(path: string): boolean {
  try {
    fs.rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** Names in it need not be UTF-8. */
function unlock(folder: Buffer): void {
  try {
    if (!fs.lstatSync(folder).isDirectory()) return;
    fs.chmodSync(folder, 0o700);
    for (const name of fs.readdirSync(folder, { encoding: "buffer" }))
      unlock(Buffer.concat([folder, Buffer.from("/"), name]));
  } catch {
    // It belongs to another user, but the rest may still be removable.
  }
}
