import type { AgentProfile } from "../../core/agent-profile.ts";
import { Failure } from "../../platform/failure.ts";
import { closest } from "../../text/closest.ts";
import type { Config } from "./config.ts";
import { knownNames, lacksCommand, lineageOf, profileOf } from "./profiles.ts";

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
