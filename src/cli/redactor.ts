import { references } from "./config/resolve-env.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import { Redactor } from "../text/redact.ts";
import { MIN_LENGTH, secretsFrom } from "../text/secret.ts";

/** The secrets that a run hides in everything it writes and shows. */
export function redactorFor(
  run: { readonly secrets: readonly string[]; readonly agents: readonly AgentProfile[] },
  env: NodeJS.ProcessEnv,
): Redactor {
  // Variables that profiles pass to agents by reference are secrets whatever their name, unless they are too short.
  const referenced = run.agents
    .flatMap((agent) => Object.values(agent.env).flatMap((value) => references(value)))
    .filter((name) => (env[name] ?? "").length >= MIN_LENGTH);
  return new Redactor(secretsFrom(env, [...run.secrets, ...referenced]));
}
