import fs from "node:fs";

/**
 * Reads at most `maxBytes` of a plain file. An agent may have replaced it by a pipe or a device, and reading one of those blocks
 * or never ends.
 */
export function readPlainFile(path: string, maxBytes = Number.MAX_SAFE_INTEGER): Buffer {
  const fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new Error("it is not a plain file");
    const buffer = Buffer.alloc(Math.min(stat.size, maxBytes));
    let read = 0;
    while (read < buffer.length) {
      const more = fs.readSync(fd, buffer, read, buffer.length - read, read);
      if (more === 0) break;
      read += more;
    }
    return buffer.subarray(0, read);
  } finally {
    fs.closeSync(fd);
  }
}

/** Undefined: no readable plain file. */
export function tryReadPlainFile(path: string, maxBytes?: number): Buffer | undefined {
  try {
    return readPlainFile(path, maxBytes);
  } catch {
    return undefined;
  }
}
