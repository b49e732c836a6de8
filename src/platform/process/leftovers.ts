import fs from "node:fs";
import type { Leaked } from "./process-end.ts";

/** In the environment of every process of a run, so that an escaped one can be recognized. */
export const RUN_TAG = "AGENT_FOREMAN_RUN";
/** Replaces it for the processes of an agent in a person's terminal, which outlive the commands of the run. */
export const LIVE_TAG = "AGENT_FOREMAN_CHAT";
type Tag = typeof RUN_TAG | typeof LIVE_TAG;

/** Processes with the tag of this run in their environment. Linux only; elsewhere it cannot be read. */
function findTagged(runId: string, tag: Tag): Leaked[] {
  if (process.platform !== "linux") return [];
  const needle = Buffer.from(`${tag}=${runId}\0`);
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => readQuietly(`/proc/${pid}/environ`)?.includes(needle) === true && !isZombie(pid))
    .map((pid) => ({ pid: Number(pid), command: commandLine(pid) }));
}

/** Ends every process with the run's tag, including children born meanwhile, and returns them. */
export function endTagged(runId: string, tag: Tag = RUN_TAG): readonly Leaked[] {
  const ended = new Map<number, Leaked>();
  for (let round = 0; round < 20; round++) {
    const found = findTagged(runId, tag);
    if (found.every((leaked) => ended.has(leaked.pid)) && round > 0) break;
    for (const leaked of found) {
      ended.set(leaked.pid, leaked);
      killQuietly(leaked.pid, "SIGKILL");
    }
    if (found.length === 0) break;
  }
  return [...ended.values()];
}

export function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone.
  }
}

function isZombie(pid: string): boolean {
  const stat = readQuietly(`/proc/${pid}/stat`)?.toString("latin1") ?? "";
  return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) === "Z";
}

function commandLine(pid: string): string {
  return (readQuietly(`/proc/${pid}/cmdline`)?.toString("utf8") ?? "")
    .replaceAll("\0", " ")
    .trim()
    .slice(0, 200);
}

function readQuietly(path: string): Buffer | undefined {
  try {
    return fs.readFileSync(path);
  } catch {
    return undefined;
  }
}
