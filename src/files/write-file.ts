import fs from "node:fs";
import { dirname } from "node:path";
import { syncDirectory } from "./directories.ts";
import { removeAny } from "./remove.ts";

/** Readers see the old file or the new one, never a part; a link planted at the path is replaced, not followed. */
export function writeFileAtomic(path: string, text: string): void {
  replaceFile(path, text, false);
}

/** The same, and on disk when it returns. `mode`: the permissions to give it, whatever the umask says. */
export function writeFileDurable(path: string, text: string | Buffer, mode?: number): void {
  replaceFile(path, text, true, mode);
  syncDirectory(dirname(path));
}

function replaceFile(path: string, text: string | Buffer, sync: boolean, mode?: number): void {
  // One name, so that what a killed process left is cleared by the next; there is one writer to every path. It is nobody else's.
  const temporary = `${path}.agent-foreman.tmp`;
  try {
    removeAny(temporary);
    const fd = fs.openSync(temporary, "wx");
    try {
      fs.writeFileSync(fd, text);
      if (mode !== undefined) fs.fchmodSync(fd, mode);
      if (sync) fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(temporary, path);
  } catch (error) {
    removeAny(temporary);
    throw error;
  }
}
