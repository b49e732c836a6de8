import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { adapterFor } from "../agents/registry.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import { Failure } from "../platform/failure.ts";
import type { ReadyAgent } from "../engine/ports.ts";
import { readyAgents } from "./agents.ts";
import type { Io } from "./io.ts";

/** The terminal sends these signals to the agent as well, and they are meant for the agent. */
const OF_THE_TERMINAL = ["SIGINT", "SIGQUIT"] as const;
const PASSED_ON = ["SIGTERM", "SIGHUP"] as const;

/** `chat` without a supervisor: starts the agent directly on the terminal, as the person would. */
export async function plainChat(
  profile: AgentProfile,
  args: readonly string[],
  cwd: string,
  io: Io,
): Promise<number> {
  if (profile.endpoint !== null) throw new Failure("chat_endpoint", { agent: profile.name });
  const agent = (await readyAgents([profile], io.env)).get(profile.name);
  if (!agent) throw new Error("an agent was lost");
  const { program, env } = agent.options;
  // In our process group, so that Ctrl-Z and fg stop and continue both.
  const child = spawn(program, [...wordsOf(agent), ...args], {
    cwd,
    env: { ...io.env, ...env },
    stdio: "inherit",
  });
  const forget = mindSignals(child);
  try {
    return await exitCodeOf(child, agent);
  } finally {
    forget();
  }
}

/** A shell command takes no model. */
function wordsOf({ profile, options }: ReadyAgent): readonly string[] {
  const isOwnProgram = profile.adapter !== "command" && profile.adapter !== "acp";
  return [...(isOwnProgram && options.model !== null ? ["--model", options.model] : []), ...options.args];
}

function mindSignals(child: ChildProcess): () => void {
  const ignore = (): void => undefined;
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of OF_THE_TERMINAL) process.on(signal, ignore);
  for (const signal of PASSED_ON) process.on(signal, passOn);
  return () => {
    for (const signal of OF_THE_TERMINAL) process.off(signal, ignore);
    for (const signal of PASSED_ON) process.off(signal, passOn);
  };
}

/** Like a shell: 128 plus the signal that ended the child. */
function exitCodeOf(child: ChildProcess, { profile, options }: ReadyAgent): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", (cause) => {
      const { install } = adapterFor(profile.adapter);
      const about = { agent: profile.name, program: options.program, install };
      reject(new Failure("agent_missing", about, { cause }));
    });
    child.on("exit", (code, signal) =>
      resolve(signal === null ? (code ?? 0) : 128 + constants.signals[signal]),
    );
  });
}
