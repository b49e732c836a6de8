// Loaded before the program: ends it by SIGKILL around its n-th journal append. SWEEP_KILL is `after:<n>` (the record is on
// disk, nothing that follows has happened) or `torn:<n>` (half of the record's bytes are written).
import fs from "node:fs";

const [how, at] = (process.env.SWEEP_KILL ?? "").split(":");
const { openSync, writeSync, fdatasyncSync } = fs;
const journals = new Set();
let appends = 0;

function die() {
  process.kill(process.pid, "SIGKILL");
  for (;;);
}

fs.openSync = (path, flags, ...rest) => {
  const fd = openSync(path, flags, ...rest);
  if (String(path).endsWith("/journal.jsonl") && flags !== "r") journals.add(fd);
  else journals.delete(fd);
  return fd;
};
fs.writeSync = (fd, bytes, offset, length, position) => {
  if (!journals.has(fd)) return writeSync(fd, bytes, offset, length, position);
  appends += 1;
  if (how === "torn" && appends === Number(at)) {
    writeSync(fd, bytes, offset, Math.floor(length / 2), position);
    die();
  }
  return writeSync(fd, bytes, offset, length, position);
};
fs.fdatasyncSync = (fd) => {
  fdatasyncSync(fd);
  if (journals.has(fd) && how === "after" && appends === Number(at)) die();
};
