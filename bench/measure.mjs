// Helpers of the benchmark: run a program, take its time and the most memory it used.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

export const ms = (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const x = (value) => `${value.toFixed(2)} x`;

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Wall time in milliseconds. */
export function time(file, args, options = {}) {
  const start = performance.now();
  const { status, stderr, error } = spawnSync(file, args, {
    stdio: ["ignore", "ignore", "pipe"],
    ...options,
  });
  const took = performance.now() - start;
  if (error || (options.expect ?? 0) !== status)
    throw new Error(`${file} ${args.join(" ")}: ${error ?? status} ${stderr}`);
  return took;
}

/** The same, alternating between the candidates so that both see the same weather. Medians by name. */
export function timeInTurns(rounds, candidates) {
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(candidates)) times[name].push(run());
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

/** Wall time and peak resident memory (Linux; elsewhere null) of one process, without its children. */
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
        // Ended meanwhile; the last look stands.
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
