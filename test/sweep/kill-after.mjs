// Loaded before the program; kills it by SIGKILL around its n-th journal append. SWEEP_KILL is one of: `after:<n>` (right after the record is
// written), `torn:<n>` (half of the record's bytes are written), `later:<n>:<ms>` (some time after the record, whatever the program does then; n =
// 0: after its start).
import fs from "node:fs";
import { Worker } from "node:worker_threads";

const [how, at, ms] = (process.env.SWEEP_KILL ?? "").split(":");
const { openSync, writeSync } = fs;
const journals = new Set();
let appends = 0;

/** In another thread, because the main thread may be busy or wait for a child. */
function killLater() {
  const script = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${Number(ms)}); process.kill(${process.pid}, "SIGKILL")`;
  new Worker(script, { eval: true, execArgv: [] }).unref();
}
if (how === "later" && at === "0") killLater();

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
  if (how === "later") {
    killLater();
    return writeSync(fd, bytes, offset, length, position);
  }
  writeSync(fd, bytes, offset, how === "torn" ? Math.floor(length / 2) : length, position);
  // A kill does not lose unflushed data; only a power failure does.
  process.kill(process.pid, "SIGKILL");
  for (;;);
};
