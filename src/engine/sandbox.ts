import { dirname } from "node:path";
import { homedir } from "node:os";
import type { Settings } from "../domain/settings.ts";
import type { RunState } from "../domain/state.ts";
import { gitDirectories } from "../process/sandbox-git.ts";
import { agentHomes } from "../process/sandbox-homes.ts";
import { sandboxed } from "../process/sandbox.ts";
import { rootOf } from "../workspace/tree-repository.ts";
import type { ReadyAgent, RunContext } from "./ports.ts";

/** What a turn needs besides the work tree. */
export interface TurnNeeds {
  /** Null: the person's own command. */
  readonly agent: ReadyAgent | null;
  /** What it is given to read, in the state directory or elsewhere. */
  readonly files: readonly string[];
}

/** What the person gave the run, and agents are told to look at. */
export function inputFiles(settings: Settings): readonly string[] {
  switch (settings.mode) {
    case "supervise":
      return [settings.planFile];
    case "run":
      return [settings.stepsDir];
    case "analyze":
      return [settings.requirements.path];
    case "orchestrate":
      return [settings.boardDir];
    case "chat":
      return [];
  }
}

/** The command of a turn, as it is run: by itself, or where it can write nothing but the work tree. */
export function asItRuns(command: string, needs: TurnNeeds, state: RunState, context: RunContext): string {
  const { settings } = state;
  if (!settings.sandbox) return command;
  const workTree = rootOf(settings.cwd);
  const { agent, files } = needs;
  const home = homedir();
  // What the agent is told it may write in.
  const { GA_RUN_DIR: runDir } = context.files.environment(1);
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
