import { chatAdapterFor } from "../agents/chat-registry.ts";
import { adapterFor } from "../agents/registry.ts";
import type { Config } from "./config/config.ts";
import { candidateFiles } from "./config/read.ts";
import { resolveAgents } from "./config/resolve-agents.ts";
import { supervisorFile } from "./config/supervisor-file.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import { isMarkerLine, markerProblem, type Markers } from "../modes/chat/completed.ts";
import { Failure } from "../platform/failure.ts";
import type { ChatSettings } from "../core/settings.ts";
import { usageTexts } from "./words/usage.ts";
import type { Io } from "./io.ts";
import { modelsFor } from "./models.ts";
import { redactorFor } from "./redactor.ts";
import {
  commonSettings,
  profileTexts,
  refuseSecrets,
  roomTexts,
  reportPathFrom,
  usage,
} from "./run-flags.ts";
import { agentCommands, refuseDanger } from "./supervise-settings.ts";
import type { FlagsOf } from "./settings/table.ts";
import { sourceOf, valuesOf } from "./settings/values.ts";
import type { Unreported } from "./start-run.ts";
import { refuseMissingPrograms } from "./unstarted-tests.ts";

type ChatFlags = FlagsOf<"chat">;

export const CHAT = "chat";
const MAX_TITLE = 200;

/** The agent the person works with. The flag has precedence over the configuration. */
export function chosenAgent(flags: ChatFlags, config: Config, io: Io): AgentProfile {
  const worker = workerOf(flags, config, io);
  return modelsFor([worker], flags.model, CHAT, io)(worker);
}

function workerOf(flags: ChatFlags, config: Config, io: Io): AgentProfile {
  return oneAgent("--agent", valuesOf(flags, config).agent, config, io);
}

function oneAgent(flag: string, name: string, config: Config, io: Io): AgentProfile {
  if (name.trim() === "") throw usage(usageTexts[io.lang].empty(flag), CHAT);
  const [agent] = resolveAgents([name.trim()], config);
  if (!agent) throw new Error("a name stands for one agent");
  return agent;
}

/** Turns flags and configuration into settings. Finds every error before anything is started or written. */
export function chatSettings(
  flags: ChatFlags,
  { prompt, agentArgs, cwd, config }: Asked,
  io: Io,
): Unreported<ChatSettings> {
  const works = workerOf(flags, config, io);
  const { reviewer: named, checks, force, maxReviews } = valuesOf(flags, config);
  const reviews = named === null ? works : oneAgent("--reviewer", named, config, io);
  const withModel = modelsFor([works, reviews], flags.model, CHAT, io);
  const [worker, reviewer] = [withModel(works), withModel(reviews)];
  const chat = chatAdapterFor(worker.adapter);
  if (prompt === null && !chat) throw new Failure("chat_unsupported", { agent: worker.name });
  const markers = chosenMarkers(flags, config, io);
  if (checks.some((check) => check.trim() === "")) throw usage(usageTexts[io.lang].empty("--check"), CHAT);
  const agents = worker.name === reviewer.name ? [worker] : [worker, reviewer];
  const commands = checks.map((check) => [sourceOf("checks", flags), check] as const);
  if (!force) refuseDanger([...agentCommands(agents), ...commands]);
  const supervisor = supervisorFile(cwd, io.env);
  const common = commonSettings(flags, cwd, config, CHAT, io);
  if (common.room === null || prompt === null) refuseMissingPrograms(checks, "check", io);
  refuseSecrets(
    [
      ["--print", prompt ?? ""],
      ["SUPERVISOR.md", supervisor.text],
      ["--", agentArgs.join("\n")],
      ...commands,
      ...profileTexts(agents),
      ...roomTexts(common.room),
    ],
    redactorFor({ secrets: common.secrets, agents }, io.env),
  );
  return {
    ...common,
    mode: CHAT,
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
    reportPath: reportPathFrom(
      flags,
      {
        mode: CHAT,
        taken: [...(supervisor.path === null ? [] : [supervisor.path]), ...candidateFiles(cwd, io.env)],
      },
      io,
    ),
  };
}

function chosenMarkers(flags: ChatFlags, config: Config, { lang }: Io): Markers {
  const texts = usageTexts[lang];
  const usable = (flag: string, given: string): string => {
    const marker = given.trim();
    const problem = markerProblem(marker);
    if (problem !== null) throw usage(texts.marker[problem](flag, marker), CHAT);
    return marker;
  };
  const values = valuesOf(flags, config);
  const marker = usable("--marker", values.marker);
  const waitingMarker = usable("--waiting-marker", values.waitingMarker);
  const names = ["--waiting-marker", "--marker"] as const;
  const [given, other] = flags.waitingMarker === undefined ? names.toReversed() : names;
  if (isMarkerLine(marker, waitingMarker) || isMarkerLine(waitingMarker, marker))
    throw usage(texts.sameMarkers(given, other, marker), CHAT);
  return { marker, waitingMarker };
}

interface Asked {
  /** Null: a person works at the terminal. */
  readonly prompt: string | null;
  readonly agentArgs: readonly string[];
  readonly cwd: string;
  readonly config: Config;
}

/** Some agents disturb a session in use when they fork it. */
function forks({ adapter }: AgentProfile, headless: boolean): boolean {
  return adapterFor(adapter).can.fork && (headless || chatAdapterFor(adapter)?.fork === true);
}
