import { text } from "node:stream/consumers";
import { chatAdapterFor } from "../agents/chat-registry.ts";
import { adapterFor } from "../agents/registry.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import type { ChatSettings } from "../core/settings.ts";
import { isMarkerLine, markerProblem, type Markers } from "../modes/chat/completed.ts";
import { Failure } from "../platform/failure.ts";
import { ptyProblem } from "../platform/terminal/pty.ts";
import { modelsFor, refuseNotInstalled, refuseUncounted } from "./agents.ts";
import type { Call } from "./call.ts";
import { usage } from "./usage.ts";
import { chatControl, type ReviewControl } from "./chat-control.ts";
import { chatInit } from "./chat-init.ts";
import { plainChat } from "./chat-plain.ts";
import { resolveAgents } from "./config/profiles.ts";
import { supervisorFile } from "./config/supervisor-file.ts";
import type { Io } from "./io.ts";
import {
  agentCommands,
  commonSettings,
  inProject,
  refuseDanger,
  refuseSecretsIn,
  reportPathFrom,
} from "./run-flags.ts";
import { flagOf, givenFlags } from "./settings/flags.ts";
import type { FlagsOf } from "./settings/table.ts";
import { sourceOf } from "./settings/values.ts";
import { startRun, type Unreported } from "./start-run.ts";
import { refuseMissingPrograms } from "./unstarted-tests.ts";
import { usageTexts } from "./words/usage.ts";

const CHAT = "chat";
const MAX_TITLE = 200;
/** Applies to a pipe; a flag has far less room. */
const MAX_PROMPT_BYTES = 1024 * 1024;
/** No agent can draw its screen in fewer columns. */
const LEAST_COLUMNS = 20;
const LEAST_ROWS = 5;

type ChatCall = Call<"chat">;
export type ChatAction = "init" | ReviewControl;

interface Called {
  readonly action: ChatAction | undefined;
  readonly runId: string | undefined;
  readonly agentArgs: readonly string[];
}

/** `chat`: runs the person's own agent in their terminal. With a supervisor, each stop of the agent is reviewed. */
export async function chat(called: Called, flags: FlagsOf<"chat">, io: Io): Promise<number> {
  const { action, runId, agentArgs } = called;
  refuseStray(called, flags, io);
  if (action === "init") return chatInit(flags, io);
  if (action !== undefined) return chatControl(action, runId, flags, io);
  return inProject(CHAT, flags, io, (call) => start(agentArgs, call));
}

async function start(agentArgs: readonly string[], call: ChatCall): Promise<number> {
  const { flags, cwd, io } = call;
  const headless = flags.print !== undefined;
  refuseIdle(call);
  if (!headless && flags.supervisor !== true) {
    const agent = workerOf(call);
    const withModel = modelsFor(call, [agent])(agent);
    refuseNotInstalled([withModel], cwd, io.env);
    return plainChat(withModel, agentArgs, cwd, io);
  }
  if (headless && agentArgs.length > 0) throw usage(usageTexts[io.lang].conflict("--print", "--"), CHAT);
  const prompt = headless ? await promptOf(flags.print ?? "", io) : null;
  const settings = settingsFrom(call, prompt, agentArgs);
  refuseUncounted(settings.agents, settings.limits);
  for (const agent of settings.agents) refuseNotInstalled([agent], cwd, io.env);
  if (!headless) await refuseNoTerminal(io);
  return startRun(call, { settings });
}

/** The agent the person works with. */
function workerOf(call: ChatCall): AgentProfile {
  return oneAgent("--agent", call.values.agent, call);
}

function oneAgent(flag: string, name: string, { config, io }: ChatCall): AgentProfile {
  if (name.trim() === "") throw usage(usageTexts[io.lang].empty(flag), CHAT);
  const [agent] = resolveAgents([name.trim()], config);
  if (!agent) throw new Error("one name resolves to one agent");
  return agent;
}

/** Turns flags and configuration into settings. Finds every error before anything is started or written. */
function settingsFrom(
  call: ChatCall,
  prompt: string | null,
  agentArgs: readonly string[],
): Unreported<ChatSettings> {
  const { flags, cwd, values, io } = call;
  const works = workerOf(call);
  const { reviewer: named, checks, force, maxReviews } = values;
  const reviews = named === null ? works : oneAgent("--reviewer", named, call);
  const withModel = modelsFor(call, [works, reviews]);
  const [worker, reviewer] = [withModel(works), withModel(reviews)];
  if (prompt === null && !chatAdapterFor(worker.adapter))
    throw new Failure("chat_unsupported", { agent: worker.name });
  const markers = chosenMarkers(call);
  if (checks.some((check) => check.trim() === "")) throw usage(usageTexts[io.lang].empty("--check"), CHAT);
  const agents = worker.name === reviewer.name ? [worker] : [worker, reviewer];
  const commands = checks.map((check) => [sourceOf("checks", flags), check] as const);
  if (!force) refuseDanger([...agentCommands(agents), ...commands]);
  const supervisor = supervisorFile(cwd, io.env);
  const common = commonSettings(call);
  if (common.room === null || prompt === null) refuseMissingPrograms(checks, "check", io);
  const texts = [
    ["--print", prompt ?? ""],
    ["SUPERVISOR.md", supervisor.text],
    ["--", agentArgs.join("\n")],
    ...commands,
  ] as const;
  refuseSecretsIn({ ...common, agents }, texts, io);
  return {
    ...common,
    task: (prompt ?? "").trim().split("\n", 1)[0]?.slice(0, MAX_TITLE) ?? "",
    prompt,
    worker: worker.name,
    reviewer: reviewer.name,
    forks: worker.name === reviewer.name && forks(worker, prompt !== null),
    agentArgs,
    supervisor,
    ...markers,
    agents,
    session: "continue",
    maxLoops: maxReviews,
    reportPath: reportPathFrom(call, supervisor.path === null ? [] : [supervisor.path]),
  };
}

function chosenMarkers({ flags, values, io }: ChatCall): Markers {
  const texts = usageTexts[io.lang];
  const usable = (flag: string, given: string): string => {
    const marker = given.trim();
    const problem = markerProblem(marker);
    if (problem !== null) throw usage(texts.marker[problem](flag, marker), CHAT);
    return marker;
  };
  const marker = usable("--marker", values.marker);
  const waitingMarker = usable("--waiting-marker", values.waitingMarker);
  const names = ["--waiting-marker", "--marker"] as const;
  const [given, other] = flags.waitingMarker === undefined ? names.toReversed() : names;
  if (isMarkerLine(marker, waitingMarker) || isMarkerLine(waitingMarker, marker))
    throw usage(texts.sameMarkers(given, other, marker), CHAT);
  return { marker, waitingMarker };
}

/** Some agents disturb a session in use when they fork it. */
function forks({ adapter }: AgentProfile, headless: boolean): boolean {
  return adapterFor(adapter).can.fork && (headless || chatAdapterFor(adapter)?.fork === true);
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
function refuseIdle({ flags, io }: ChatCall): void {
  const { needs } = usageTexts[io.lang];
  const [view] = givenFlags(flags, ({ inChatNeeds }) => inChatNeeds === "--print");
  if (view !== undefined && flags.print === undefined) throw usage(needs(flagOf(view), "--print"), CHAT);
  const [idle] = givenFlags(flags, ({ inChatNeeds }) => inChatNeeds === "--supervisor");
  const reviewed = flags.supervisor === true || flags.print !== undefined;
  if (idle !== undefined && !reviewed) throw usage(needs(flagOf(idle), "--supervisor"), CHAT);
}
