// Loaded before the program. Its long waits end at once and its clock advances accordingly, also for the next process with the same home. Nothing
// else becomes faster.
import fs from "node:fs";
import { join } from "node:path";
import timers from "node:timers/promises";

const { readFileSync, writeFileSync, renameSync, existsSync } = fs;
const kept = join(process.env.HOME, "fake-clock");
let ahead = existsSync(kept) ? Number(readFileSync(kept, "utf8")) : 0;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + ahead);
    else super(...args);
  }
  static now() {
    return RealDate.now() + ahead;
  }
};

timers.setTimeout = async (ms, value, { signal } = {}) => {
  signal?.throwIfAborted();
  ahead += ms;
  // Another process of the same home may be reading it.
  writeFileSync(`${kept}.${process.pid}`, String(ahead));
  renameSync(`${kept}.${process.pid}`, kept);
  await new Promise((resolve) => setImmediate(resolve));
  return value;
};
