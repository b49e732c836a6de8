import { isAbsolute, join, resolve } from "node:path";
import { askHolder } from "../core/journal/lock.ts";
import { RunStore } from "../core/journal/run-store.ts";
import type { RunState } from "../core/state.ts";
import { begin } from "../modes/registry.ts";
import { Failure } from "../platform/failure.ts";
import { homeDirectory } from "../platform/files/home.ts";

export function runStore(env: NodeJS.ProcessEnv): RunStore {
  return new RunStore(stateDir(env), begin);
}

/** The directory of journals: AGENT_FOREMAN_HOME, otherwise by the XDG rules. It is outside every work tree. */
export function stateDir(env: NodeJS.ProcessEnv): string {
  const own = env["AGENT_FOREMAN_HOME"];
  if (own) return resolve(own);
  const xdg = env["XDG_STATE_HOME"];
  // The XDG specification says that relative paths are ignored.
  if (xdg && isAbsolute(xdg)) return join(xdg, "agent-foreman");
  if (process.platform === "win32" && env["LOCALAPPDATA"]) return join(env["LOCALAPPDATA"], "agent-foreman");
  return join(homeDirectory(env), ".local", "state", "agent-foreman");
}

export function runLockName(store: RunStore, runId: string): string {
  return `run ${store.root} ${runId}`;
}

export function treeLockName(tree: string): string {
  return `tree ${tree}`;
}

/** Whether a process supervises this run now. */
export async function isLive(store: RunStore, runId: string): Promise<boolean> {
  return (await askHolder(runLockName(store, runId))) !== undefined;
}

export function refuseEnded(runId: string, ended: RunState["ended"]): void {
  if (ended) throw new Failure("run_has_ended", { runId, status: ended.status, reason: ended.reason });
}

/** Polls until the condition is true or the time is up; returns the last result. */
export async function waitUntil(isSo: () => boolean, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > until) return false;
    await new Promise((done) => setTimeout(done, 50));
  }
  return true;
}
