import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { adapterFor } from "../agents/registry.ts";
import type { AgentProfile } from "../domain/agent-profile.ts";
import { Failure } from "../domain/failure.ts";
import type { ReadyAgent } from "../engine/ports.ts";
import { readyAgents } from "./agents.ts";
import type { Io } from "./io.ts";

/** A terminal sends these to the agent as well, which is whom they are meant for. */
const OF_THE_TERMINAL = ["SIGINT", "SIGQUIT"] as const;
const PASSED_ON = ["SIGTERM", "SIGHUP"] as const;

/** `chat` without a supervisor: the agent as the person would start it themselves. Nobody is between it and the terminal. */
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
  // Of one process group with us, so that it is stopped and continued with us (Ctrl-Z, fg).
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

/** A shell command knows no model. */
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

/** As a shell tells it: 128 and the number of the signal that ended it. */
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
