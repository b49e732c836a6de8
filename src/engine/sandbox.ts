import { dirname } from "node:path";
import { homedir } from "node:os";
import type { RunState } from "../core/state.ts";
import { gitDirectories } from "../platform/process/sandbox-git.ts";
import { agentHomes } from "../agents/home-directories.ts";
import { sandboxed } from "../platform/process/sandbox.ts";
import { rootOf } from "../platform/git/tree-repository.ts";
import type { ReadyAgent, RunContext } from "./ports.ts";

/** Needs of a turn besides the work tree. */
export interface TurnNeeds {
  /** Null: the person's own command. */
  readonly agent: ReadyAgent | null;
  /** Its input files, in the state directory or elsewhere. */
  readonly files: readonly string[];
}

/** The command of a turn: plain, or in a sandbox that can write only the work tree. */
export function commandToRun(
  command: string,
  needs: TurnNeeds,
  state: RunState,
  context: RunContext,
): string {
  const { settings } = state;
  if (!settings.sandbox) return command;
  const workTree = rootOf(settings.cwd);
  const { agent, files } = needs;
  const home = homedir();
  const runDir = context.files.environment?.(1)["GA_RUN_DIR"];
  const env = { ...process.env, ...agent?.options.env };
  return sandboxed(command, {
    workTree,
    writable: [
      ...(agent ? agentHomes(agent.profile.adapter, home, env) : []),
      ...gitDirectories(workTree),
      ...(runDir === undefined ? [] : [runDir]),
    ],
    readable: [...files, home, ...(process.env["PATH"] ?? "").split(":").filter((dir) => dir !== "")],
    hidden: [dirname(dirname(context.paths.dir))],
  });
}
