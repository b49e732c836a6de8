import type { AgentProfile } from "../domain/agent-profile.ts";
import { Failure } from "../domain/failure.ts";
import { closest } from "../domain/closest.ts";
import type { Config } from "./config.ts";
import { knownNames, lacksCommand, lineageOf, profileOf } from "./profiles.ts";

/** The agents a run uses, by the names of profiles or adapters. */
export function resolveAgents(
  names: readonly string[],
  config: Pick<Config, "profiles">,
): readonly AgentProfile[] {
  return [...new Set(names)].map((name) => {
    const lineage = lineageOf(name, config.profiles);
    // Profiles that lead nowhere are refused when they are read; what is left is a name nobody knows.
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
