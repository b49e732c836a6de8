// Loaded before the program: ends it by SIGKILL around its n-th journal append. SWEEP_KILL is `after:<n>` (the record is
// written, nothing that follows has happened) or `torn:<n>` (half of the record's bytes are written).
import fs from "node:fs";

const [how, at] = (process.env.SWEEP_KILL ?? "").split(":");
const { openSync, writeSync } = fs;
const journals = new Set();
let appends = 0;

fs.openSync = (path, flags, ...rest) => {
  const fd = openSync(path, flags, ...rest);
  if (String(path).endsWith("/journal.jsonl") && flags !== "r") journals.add(fd);
  else journals.delete(fd);
  return fd;
};
fs.writeSync = (fd, bytes, offset, length, position) => {
  if (!journals.has(fd)) return writeSync(fd, bytes, offset, length, position);
  appends += 1;
  if (appends !== Number(at)) return writeSync(fd, bytes, offset, length, position);
  writeSync(fd, bytes, offset, how === "torn" ? Math.floor(length / 2) : length, position);
  // Whether the record was flushed makes no difference to a kill, only to a power cut.
  process.kill(process.pid, "SIGKILL");
  for (;;);
};
