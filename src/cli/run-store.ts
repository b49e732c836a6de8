import { stateDir } from "./config/state-dir.ts";
import { RunStore } from "../core/journal/run-store.ts";
import { begin } from "../modes/registry.ts";

export function runStore(env: NodeJS.ProcessEnv): RunStore {
  return new RunStore(stateDir(env), begin);
}
