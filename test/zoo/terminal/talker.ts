// An agent for the fuzzer: its seed decides its output and how much it reads. It records its input.
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { Chance } from "./chance.ts";

export interface Talk {
  readonly seed: number;
  readonly writes: number;
  readonly reads: number;
  readonly pauses: boolean;
  readonly end: "exit" | "kill";
  readonly code: number;
  readonly record: string;
}

const talk = JSON.parse(process.argv[2] ?? "") as Talk;
const { seed, writes, reads, pauses, end, code, record } = talk;
spawnSync("stty", ["raw", "-echo", "-iexten"], { stdio: ["inherit", "ignore", "ignore"] });

const chance = new Chance(seed);
const output = new Chance(seed).bytes(writes);
const digest = createHash("sha256");
const IN_READS = Buffer.alloc(8192);
let written = 0;
let read = 0;

function writeSome(): void {
  const count = Math.min(writes - written, 1 + chance.below(16_384));
  let chunk = output.subarray(written, written + count);
  while (chunk.length > 0) chunk = chunk.subarray(fs.writeSync(1, chunk));
  written += count;
}

function readSome(): void {
  const count = fs.readSync(0, IN_READS, 0, Math.min(reads - read, 1 + chance.below(IN_READS.length)), null);
  digest.update(IN_READS.subarray(0, count));
  read += count;
}

// The first word means that it is ready to read.
writeSome();
while (written < writes || read < reads) {
  const writing = read >= reads || (written < writes && chance.below(2) === 0);
  if (writing) writeSome();
  else readSome();
  if (pauses && chance.below(4) === 0)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, chance.below(4));
}
fs.writeFileSync(record, JSON.stringify({ read, sha256: digest.digest("hex") }));
if (end === "kill") process.kill(process.pid, "SIGKILL");
process.exit(code);
