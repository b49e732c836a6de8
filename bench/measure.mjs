// Benchmark helpers that run a program and measure its time and peak memory.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

export const ms = (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const x = (value) => `${value.toFixed(2)} x`;

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export function time(file, args, options = {}) {
  const start = performance.now();
  const { status, stderr, error } = spawnSync(file, args, {
    stdio: ["ignore", "ignore", "pipe"],
    ...options,
  });
  const took = performance.now() - start;
  if (error || (options.expect ?? 0) !== status)
    throw new Error(`${file} ${args.join(" ")}: ${String(error ?? status)} ${String(stderr)}`);
  return took;
}

/** Alternates between the candidates, so that other load affects all of them. Returns medians by name. */
export function timeInTurns(rounds, candidates) {
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(candidates)) times[name].push(run());
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

/** Time and peak resident memory (Linux only, otherwise null) of one process without its children. */
export function timeAndPeak(file, args, { expect = 0, ...options }) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(file, args, { stdio: "ignore", ...options });
    let peakKb = null;
    const look = setInterval(() => {
      try {
        peakKb = Number(
          /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? peakKb,
        );
      } catch {
        // The process has ended, so the previous reading counts.
      }
    }, 20);
    child.once("error", reject);
    child.once("exit", (code) => {
      clearInterval(look);
      if (code !== expect) return reject(new Error(`${file} ${args.join(" ")}: exit ${code}`));
      return resolve({ ms: performance.now() - start, peakMb: peakKb === null ? null : peakKb / 1024 });
    });
  });
}
