import { isAbsolute } from "node:path";
import type { Adapter } from "../agents/adapter.ts";
import { adapterFor } from "../agents/registry.ts";
import { resolveAgents } from "./config/profiles.ts";
import { resolveEnv } from "./config/resolve-env.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import type { Limits } from "../core/settings.ts";
import type { AgentVersions } from "../core/event.ts";
import { Failure } from "../platform/failure.ts";
import type { ReadyAgent } from "../engine/ports.ts";
import { programVersion } from "../platform/files/program-version.ts";
import { findProgram, isRunnable } from "../platform/files/tools.ts";
import { usageTexts } from "./words/usage.ts";
import type { Call } from "./call.ts";
import { usage } from "./usage.ts";
import type { AnyFlags, Verb } from "./settings/table.ts";

/** Default agents, in order of preference. */
const USUAL_AGENTS = ["claude", "codex", "gemini", "opencode"] as const;

export interface FoundAgents {
  /** The installed agents. If none is installed, all of them: `refuseNotInstalled` reports them after all bad input. */
  readonly agents: readonly AgentProfile[];
  /** Agents that `--model` accepts. */
  readonly known: readonly AgentProfile[];
  /** Agents that the user named but that are not installed. */
  readonly missing: readonly string[];
}

export const NO_AGENTS: FoundAgents = { agents: [], known: [], missing: [] };

/** Precedence: flag, configuration, defaults. A default agent that is not installed does not count as missing. */
export function findAgents(
  { verb, cwd, config, io }: Pick<Call, "verb" | "cwd" | "config" | "io">,
  flag: string,
  given: readonly string[] | undefined,
  configured: readonly string[],
): FoundAgents {
  if (given?.length === 0) throw usage(usageTexts[io.lang].empty(flag), verb);
  const names = given ?? configured;
  const isNamed = names.length > 0;
  const wanted = resolveAgents(isNamed ? names : USUAL_AGENTS, config);
  const installed = installedAgents(wanted, cwd, io.env);
  const agents = installed.length > 0 ? installed : wanted;
  if (!isNamed) return { agents, known: agents, missing: [] };
  const missing = wanted.filter((agent) => !agents.includes(agent)).map(({ name }) => name);
  return { agents, known: wanted, missing };
}

function installedAgents(
  agents: readonly AgentProfile[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): readonly AgentProfile[] {
  return agents.filter((profile) => isInstalled(profile, cwd, env));
}

function isInstalled(profile: AgentProfile, cwd: string, env: NodeJS.ProcessEnv): boolean {
  return isRunnable(programOf(profile, adapterFor(profile.adapter)), env, cwd);
}

/** `--model opus` applies to the first agent, `--model codex=gpt-5` to the named one. It overrides the profile. */
export function modelsFor(
  { verb, flags: { model: given }, io }: Pick<Call<Verb, AnyFlags>, "verb" | "flags" | "io">,
  agents: readonly AgentProfile[],
): (agent: AgentProfile) => AgentProfile {
  const texts = usageTexts[io.lang];
  const models = new Map<string, string>();
  for (const word of given ?? []) {
    const at = word.indexOf("=");
    const name = at === -1 ? agents[0]?.name : word.slice(0, at).trim();
    const model = word.slice(at + 1).trim();
    const agent = agents.find((each) => each.name === name);
    if (model === "") throw usage(texts.empty("--model"), verb);
    if (!agent) {
      const names = new Set(agents.map((each) => each.name));
      throw usage(texts.modelOfUnknownAgent(word, [...names].join(", ")), verb);
    }
    if (agent.adapter === "command") throw usage(texts.takesNoModel(agent.name), verb);
    if (models.has(agent.name)) throw usage(texts.modelTwice(agent.name), verb);
    models.set(agent.name, model);
  }
  return (agent) => {
    const model = models.get(agent.name);
    return model === undefined ? agent : { ...agent, model };
  };
}

/** A run can start as long as at least one agent is installed. */
export function refuseNotInstalled(
  agents: readonly AgentProfile[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): void {
  const [first] = agents;
  if (!first || installedAgents(agents, cwd, env).length > 0) return;
  const adapter = adapterFor(first.adapter);
  if (agents.length === 1) {
    const about = { agent: first.name, program: programOf(first, adapter), install: adapter.install };
    throw new Failure("agent_missing", about);
  }
  const width = Math.max(...agents.map(({ name }) => name.length)) + 2;
  const installs = agents.map((agent) => {
    const wanted = adapterFor(agent.adapter);
    return agent.name.padEnd(width) + (wanted.install || programOf(agent, wanted));
  });
  throw new Failure("agents_missing", {
    agents: agents.map(({ name }) => name).join(", "),
    installs: installs.join("\n"),
  });
}

/** Rejects a budget when an agent does not report its cost. */
export function refuseUncounted(
  agents: readonly AgentProfile[],
  { costUsd, tokens }: Limits,
  agentCmd: string | null = null,
): void {
  const counts = agents.map(({ name, adapter, price, endpoint }) => {
    const { can } = adapterFor(adapter);
    // For models that it does not know itself, opencode reports tokens only.
    const reportsCost = can.cost && !(adapter === "opencode" && endpoint !== null);
    return { name, tokens: can.tokens, cost: reportsCost || (can.tokens && price !== null) };
  });
  const all = agentCmd === null ? counts : [{ name: "--agent-cmd", tokens: false, cost: false }];
  const uncounted = (what: "tokens" | "cost"): string | undefined => all.find((one) => !one[what])?.name;
  const withoutCost = costUsd === null ? undefined : uncounted("cost");
  if (withoutCost !== undefined) throw new Failure("cost_not_reported", { agent: withoutCost });
  const withoutTokens = tokens === null ? undefined : uncounted("tokens");
  if (withoutTokens !== undefined) throw new Failure("tokens_not_reported", { agent: withoutTokens });
}

/** Loads everything that the agents need now, because the program may be replaced during the run. */
export async function readyAgents(
  agents: readonly AgentProfile[],
  env: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<string, ReadyAgent>> {
  const ready = new Map<string, ReadyAgent>();
  for (const profile of agents) {
    const adapter = adapterFor(profile.adapter);
    await adapter.prepare?.();
    const { values, missing } = resolveEnv(profile.env, env);
    if (missing.length > 0)
      throw new Failure("env_variable_missing", { profile: profile.name, names: missing.join(", ") });
    ready.set(profile.name, {
      profile,
      adapter,
      options: {
        program: pinned(programOf(profile, adapter), env),
        args: profile.command === null ? profile.args : ["-c", profile.command, ...profile.args],
        env: values,
        model: profile.model,
        endpoint: profile.endpoint,
      },
    });
  }
  return ready;
}

/** Only agents with their own program have a version; shell commands have none. */
export function versionsOf(agents: ReadonlyMap<string, ReadyAgent>): AgentVersions {
  const versions: Record<string, string> = {};
  for (const [name, { profile, options }] of agents) {
    const version = profile.command === null ? programVersion(options.program) : null;
    if (version !== null) versions[name] = version;
  }
  return versions;
}

/** Resolves the program to a file now. Otherwise an agent could put another program before it on the PATH, which would then review its work. */
function pinned(program: string, env: NodeJS.ProcessEnv): string {
  const found = program.includes("/") ? undefined : findProgram(program, env);
  return found !== undefined && isAbsolute(found) ? found : program;
}

/** A command is left to the shell. */
export function programOf(profile: AgentProfile, adapter: Adapter): string {
  return profile.command === null ? (profile.program ?? adapter.program) : "sh";
}
