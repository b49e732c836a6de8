import { text } from "node:stream/consumers";
import type { Config } from "./config/config.ts";
import { loadConfig } from "./config/load.ts";
import { Failure } from "../platform/failure.ts";
import { usageTexts } from "./words/usage.ts";
import { ptyProblem } from "../platform/terminal/pty.ts";
import { readyAgents, refuseNotInstalled, refuseUncounted } from "./agents.ts";
import { chatControl, type ReviewControl } from "./chat-control.ts";
import { chatInit } from "./chat-init.ts";
import { plainChat } from "./chat-plain.ts";
import { CHAT, chatSettings, chosenAgent } from "./chat-settings.ts";
import { inLanguage } from "./in-language.ts";
import type { Io } from "./io.ts";
import { runToCompletion } from "./open-run.ts";
import { usage, workDir } from "./run-flags.ts";
import { flagOf, givenFlags } from "./settings/flags.ts";
import type { FlagsOf } from "./settings/table.ts";
import { startRun } from "./start-run.ts";

/** Applies to a pipe; a flag has far less room. */
const MAX_PROMPT_BYTES = 1024 * 1024;
/** No agent can draw its screen in fewer columns. */
const LEAST_COLUMNS = 20;
const LEAST_ROWS = 5;

export type ChatAction = "init" | ReviewControl;

interface Called {
  readonly action: ChatAction | undefined;
  readonly runId: string | undefined;
  readonly agentArgs: readonly string[];
}

/** `chat`: runs the person's own agent in their terminal. With a supervisor, each stop of the agent is reviewed. */
export async function chat(
  { action, runId, agentArgs }: Called,
  flags: FlagsOf<"chat">,
  io: Io,
): Promise<number> {
  refuseStray({ action, runId, agentArgs }, flags, io);
  if (action === "init") return chatInit(flags, io);
  if (action !== undefined) return chatControl(action, runId, flags, io);
  const cwd = workDir(flags, CHAT, io);
  const config = await loadConfig({ cwd, env: io.env });
  return inLanguage(flags, config, io, (inLang) => start(agentArgs, flags, cwd, config, inLang));
}

async function start(
  agentArgs: readonly string[],
  flags: FlagsOf<"chat">,
  cwd: string,
  config: Config,
  io: Io,
): Promise<number> {
  const headless = flags.print !== undefined;
  refuseIdle(flags, io);
  if (!headless && flags.supervisor !== true) {
    const agent = chosenAgent(flags, config, io);
    refuseNotInstalled([agent], cwd, io.env);
    return plainChat(agent, agentArgs, cwd, io);
  }
  if (headless && agentArgs.length > 0) throw usage(usageTexts[io.lang].conflict("--print", "--"), CHAT);
  const prompt = headless ? await promptOf(flags.print ?? "", io) : null;
  const settings = chatSettings(flags, { prompt, agentArgs, cwd, config }, io);
  refuseUncounted(settings.agents, settings.limits, null);
  for (const agent of settings.agents) refuseNotInstalled([agent], cwd, io.env);
  if (!headless) await refuseNoTerminal(io);
  const { context, lock } = await startRun(
    {
      settings,
      agents: await readyAgents(settings.agents, io.env),
      missingAgents: [],
      config,
      kept: null,
    },
    flags,
    io,
  );
  return runToCompletion(context, lock);
}

async function promptOf(given: string, io: Io): Promise<string> {
  const prompt = given === "-" ? await text(io.stdin) : given;
  if (prompt.trim() === "") throw usage(usageTexts[io.lang].empty("--print"), CHAT);
  if (Buffer.byteLength(prompt) > MAX_PROMPT_BYTES)
    throw new Failure("prompt_too_large", { limit: String(MAX_PROMPT_BYTES) });
  return prompt;
}

/** Runs before anything is started: the person has to see the agent and type. */
export async function refuseNoTerminal(io: Io): Promise<void> {
  // Undefined, despite its type, if a stream is no terminal.
  if (![io.stdin, io.stdout].every((stream) => stream.isTTY)) throw new Failure("no_terminal");
  const { columns, rows } = io.stdout;
  // A terminal of unknown size reports 0.
  if ((columns > 0 && columns < LEAST_COLUMNS) || (rows > 0 && rows < LEAST_ROWS))
    throw new Failure("terminal_too_small", {
      size: `${columns}x${rows}`,
      least: `${LEAST_COLUMNS}x${LEAST_ROWS}`,
    });
  const why = await ptyProblem();
  if (why !== null) throw new Failure("no_pty", { why });
}

/** An action like `skip` must not start an agent, and an agent call must not write a file. */
function refuseStray({ action, runId, agentArgs }: Called, flags: FlagsOf<"chat">, io: Io): void {
  const { conflict, needs, unexpected } = usageTexts[io.lang];
  if (action === undefined && flags.global !== undefined) throw usage(needs("--global", "init"), CHAT);
  if (action === undefined) return;
  const own = (["supervisor", "print", "model"] as const).find((name) => flags[name] !== undefined);
  const stray = own ?? givenFlags(flags, ({ inChatNeeds }) => inChatNeeds !== undefined)[0];
  if (stray !== undefined) throw usage(conflict(flagOf(stray), action), CHAT);
  if (agentArgs.length > 0) throw usage(conflict("--", action), CHAT);
  if (action === "init" && runId !== undefined) throw usage(unexpected(runId), CHAT);
}

/** Rejects flags that have no effect without reviews, or while the agent owns the terminal. */
function refuseIdle(flags: FlagsOf<"chat">, io: Io): void {
  const { needs } = usageTexts[io.lang];
  const [view] = givenFlags(flags, ({ inChatNeeds }) => inChatNeeds === "--print");
  if (view !== undefined && flags.print === undefined) throw usage(needs(flagOf(view), "--print"), CHAT);
  const [idle] = givenFlags(flags, ({ inChatNeeds }) => inChatNeeds === "--supervisor");
  const reviewed = flags.supervisor === true || flags.print !== undefined;
  if (idle !== undefined && !reviewed) throw usage(needs(flagOf(idle), "--supervisor"), CHAT);
}
