import { isAbsolute } from "node:path";
import type { Adapter } from "../agents/adapter.ts";
import { adapterFor } from "../agents/registry.ts";
import type { Config } from "../config/config.ts";
import { namesIn } from "../config/load.ts";
import { resolveAgents } from "../config/resolve-agents.ts";
import { resolveEnv } from "../config/resolve-env.ts";
import type { AgentProfile } from "../domain/agent-profile.ts";
import type { Limits } from "../domain/settings.ts";
import type { AgentVersions } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";
import type { ReadyAgent } from "../engine/ports.ts";
import { programVersion } from "../files/program-version.ts";
import { findProgram, isRunnable } from "../files/tools.ts";
import { usageTexts } from "../i18n/usage.ts";
import type { Io } from "./io.ts";

/** Tried in this order where nobody names any. */
const USUAL_AGENTS = ["claude", "codex", "gemini", "opencode"] as const;

/** The agents a person names for `supervise`, by flag or else by configuration. */
export function namedAgents(flag: string | undefined, config: Config, io: Io): readonly AgentProfile[] {
  const { empty, missingFlag } = usageTexts[io.lang];
  const names = flag === undefined ? config.agents.value : namesIn(flag);
  if (names.length > 0) return resolveAgents(names, config);
  const problem = flag === undefined ? missingFlag("--agent-cmd / --agent") : empty("--agent");
  throw new Failure("usage", { problem, command: "supervise" });
}

/** By flag, else by configuration, else the usual ones: of those nobody misses the ones that are not there. */
export function wantedAgents(
  { flag, given }: { readonly flag: string; readonly given: string | undefined },
  configured: readonly string[],
  config: Config,
  command: string,
  io: Io,
): { readonly agents: readonly AgentProfile[]; readonly named: boolean } {
  if (given !== undefined && namesIn(given).length === 0)
    throw new Failure("usage", { problem: usageTexts[io.lang].empty(flag), command });
  const names = given === undefined ? configured : namesIn(given);
  const named = names.length > 0;
  return { agents: resolveAgents(named ? names : USUAL_AGENTS, config), named };
}

/** Named, but not installed. */
export function missingOf(
  named: readonly AgentProfile[],
  installed: readonly AgentProfile[],
): readonly string[] {
  return named.filter((agent) => !installed.includes(agent)).map(({ name }) => name);
}

/** Whose program is there. Without the others a run can begin; without any it cannot. */
export function installedAgents(
  agents: readonly AgentProfile[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): readonly AgentProfile[] {
  const found = agents.filter((profile) =>
    isRunnable(programOf(profile, adapterFor(profile.adapter)), env, cwd),
  );
  const [first] = agents;
  if (found.length > 0 || !first) return found;
  const adapter = adapterFor(first.adapter);
  const names = agents.map(({ name }) => name).join(", ");
  const program = agents.length === 1 ? programOf(first, adapter) : names;
  const about = { agent: names, program, install: adapter.install };
  throw new Failure("agent_missing", about);
}

/** A budget that nobody can count is no budget. */
export function refuseUncounted(
  agents: readonly AgentProfile[],
  { costUsd, tokens }: Limits,
  agentCmd: string | null,
): void {
  const counts = agents.map(({ name, adapter, price, endpoint }) => {
    const { can } = adapterFor(adapter);
    // Of models that it does not know by itself, opencode tells tokens only.
    const tellsCost = can.cost && !(adapter === "opencode" && endpoint !== null);
    return { name, tokens: can.tokens, cost: tellsCost || (can.tokens && price !== null) };
  });
  const all = agentCmd === null ? counts : [{ name: "--agent-cmd", tokens: false, cost: false }];
  const uncounted = (what: "tokens" | "cost"): string | undefined => all.find((one) => !one[what])?.name;
  const withoutCost = costUsd === null ? undefined : uncounted("cost");
  if (withoutCost !== undefined) throw new Failure("cost_not_told", { agent: withoutCost });
  const withoutTokens = tokens === null ? undefined : uncounted("tokens");
  if (withoutTokens !== undefined) throw new Failure("tokens_not_told", { agent: withoutTokens });
}

/** The agents as this process can start them. All they need is loaded: the program may be replaced while the run goes on. */
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

/** Of those that are programs of their own; a shell command's words have no version. */
export function versionsOf(agents: ReadonlyMap<string, ReadyAgent>): AgentVersions {
  const versions: Record<string, string> = {};
  for (const [name, { profile, options }] of agents) {
    const version = profile.command === null ? programVersion(options.program) : null;
    if (version !== null) versions[name] = version;
  }
  return versions;
}

/** The file that the name stands for now: an agent may put another before it on the PATH, which would then review its work. */
function pinned(program: string, env: NodeJS.ProcessEnv): string {
  const found = program.includes("/") ? undefined : findProgram(program, env);
  return found !== undefined && isAbsolute(found) ? found : program;
}

/** A command is the shell's to read. */
export function programOf(profile: AgentProfile, adapter: Adapter): string {
  return profile.command === null ? (profile.program ?? adapter.program) : "sh";
}
