import { ADAPTERS, type AdapterName, type AgentProfile } from "../../core/agent-profile.ts";
import { Failure } from "../../platform/failure.ts";
import { closest } from "../../text/closest.ts";
import type { Config, DefinedProfile, Sourced } from "./config.ts";

export type Profiles = Config["profiles"];

/** All valid agent names, the user's own first. */
export function knownNames(profiles: Profiles): readonly string[] {
  return [...new Set([...profiles.keys(), ...ADAPTERS])];
}

export function isAdapter(name: string): name is AdapterName {
  return (ADAPTERS as readonly string[]).includes(name);
}

/** The way from a profile to its adapter, or the point where it breaks off. */
export type Lineage =
  | { readonly profiles: readonly Sourced<DefinedProfile>[]; readonly adapter: AdapterName }
  | { readonly unknown: string; readonly by: string | null }
  | { readonly cycle: readonly string[] };

/** Follows `extends`. A profile that has the name of an adapter and extends it refers to the adapter. */
export function lineageOf(name: string, profiles: Profiles): Lineage {
  const chain: Sourced<DefinedProfile>[] = [];
  const names: string[] = [];
  let wanted = name;
  for (;;) {
    const profile = names.at(-1) === wanted ? undefined : profiles.get(wanted);
    if (!profile) {
      if (isAdapter(wanted)) return { profiles: chain, adapter: wanted };
      if (names.at(-1) === wanted) return { cycle: [wanted, wanted] };
      return { unknown: wanted, by: names.at(-1) ?? null };
    }
    if (names.includes(wanted)) return { cycle: [...names.slice(names.indexOf(wanted)), wanted] };
    names.push(wanted);
    chain.push(profile);
    wanted = profile.value.extends;
  }
}

/** The nearest value wins. Arguments and variables accumulate, the most distant profile first. */
export function profileOf(
  name: string,
  adapter: AdapterName,
  chain: readonly Sourced<DefinedProfile>[],
): AgentProfile {
  const nearest = chain.map(({ value }) => value);
  const farthest = nearest.toReversed();
  const first = <K extends keyof DefinedProfile>(key: K): DefinedProfile[K] | null =>
    nearest.find((profile) => profile[key] !== null)?.[key] ?? null;
  return {
    name,
    adapter,
    program: first("program"),
    command: first("command"),
    args: farthest.flatMap((profile) => profile.args),
    env: Object.assign({}, ...farthest.map((profile) => profile.env)) as Record<string, string>,
    model: first("model"),
    endpoint: first("endpoint"),
    price: first("price"),
  };
}

/** True if the adapter needs a program and the profile names none. */
export function lacksCommand({ adapter, command, program }: AgentProfile): boolean {
  return (adapter === "command" && command === null) || (adapter === "acp" && (command ?? program) === null);
}

/** Resolves names of profiles or adapters. */
export function resolveAgents(
  names: readonly string[],
  config: Pick<Config, "profiles">,
): readonly AgentProfile[] {
  return [...new Set(names)].map((name) => {
    const lineage = lineageOf(name, config.profiles);
    // Broken profiles are rejected on reading, so only an unknown name is left.
    if (!("adapter" in lineage)) throw unknownAgent(name, config);
    const profile = profileOf(name, lineage.adapter, lineage.profiles);
    if (lacksCommand(profile)) throw new Failure("agent_needs_command", { name, adapter: profile.adapter });
    return profile;
  });
}

function unknownAgent(name: string, { profiles }: Pick<Config, "profiles">): Failure {
  const known = knownNames(profiles);
  const meant = closest(name, known);
  return new Failure("agent_unknown", {
    name,
    known: known.join(", "),
    ...(meant !== null && { meant }),
  });
}
