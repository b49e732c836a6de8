import { references } from "../config/resolve-env.ts";
import type { AgentProfile } from "../domain/agent-profile.ts";
import { Redactor } from "../domain/redact.ts";
import { MIN_LENGTH, secretsFrom } from "../domain/secret.ts";

/** What a run keeps out of everything it writes and shows. */
export function redactorFor(
  run: { readonly secrets: readonly string[]; readonly agents: readonly AgentProfile[] },
  env: NodeJS.ProcessEnv,
): Redactor {
  // Variables that profiles hand to their agents by reference are secrets, whatever they are called, unless they are too short.
  const referenced = run.agents
    .flatMap((agent) => Object.values(agent.env).flatMap((value) => references(value)))
    .filter((name) => (env[name] ?? "").length >= MIN_LENGTH);
  return new Redactor(secretsFrom(env, [...run.secrets, ...referenced]));
}
