import fs from "node:fs";
import { dirname } from "node:path";
import { syncDirectory } from "./directories.ts";
import { removeAny } from "./remove.ts";

/** Readers see the old or the new file, never a part of it. A link planted at the path is replaced, not followed. */
export function writeFileAtomic(path: string, text: string): void {
  replaceFile(path, text, false);
}

/** Also on disk when it returns. `mode`: the permissions, regardless of the umask. */
export function writeFileDurable(path: string, text: string | Buffer, mode?: number): void {
  replaceFile(path, text, true, mode);
  syncDirectory(dirname(path));
}

function replaceFile(path: string, text: string | Buffer, sync: boolean, mode?: number): void {
  // A fixed name, so that the next write clears what a killed process left. Each path has one writer.
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
