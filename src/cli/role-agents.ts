import { ROLE_NAMES, type RoleName } from "./config/config.ts";
import { namesIn } from "./settings/value-types.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import type { RoleAgents } from "../core/settings.ts";
import { usageTexts } from "./words/usage.ts";
import { findAgents, type FoundAgents } from "./agents.ts";
import type { Call } from "./call.ts";
import { usage } from "./usage.ts";

export interface FoundRoles {
  readonly roles: RoleAgents;
  /** All agents, each once. */
  readonly agents: readonly AgentProfile[];
  /** Agents that `--model` accepts. */
  readonly known: readonly AgentProfile[];
  readonly missing: readonly string[];
}

/** Agents of each role. Precedence: `--roles`, `roles` of the configuration, the usual agents. */
export function roleAgents(call: Call<"orchestrate">): FoundRoles {
  const named = givenRoles(call);
  const found = new Map(ROLE_NAMES.map((role) => [role, agentsOf(role, named.get(role), call)] as const));
  const namesOf = (role: RoleName): readonly string[] =>
    found.get(role)?.agents.map(({ name }) => name) ?? [];
  const all = [...found.values()].flatMap(({ agents }) => agents);
  return {
    roles: { main: namesOf("main"), test: namesOf("test"), dev: namesOf("dev"), review: namesOf("review") },
    agents: all.filter(({ name }, index) => all.findIndex((agent) => agent.name === name) === index),
    known: [...found.values()].flatMap(({ known }) => known),
    missing: [...new Set([...found.values()].flatMap(({ missing }) => missing))],
  };
}

function agentsOf(
  role: RoleName,
  given: readonly string[] | undefined,
  call: Call<"orchestrate">,
): FoundAgents {
  const { values } = call;
  const configured = values[`roles.${role}`];
  const flag = `--roles ${role.toUpperCase()}=`;
  return findAgents(call, flag, given, configured.length > 0 ? configured : call.config.agents.value);
}

/** `MAIN=claude DEV=codex,claude` */
function givenRoles({ verb, flags, io }: Call<"orchestrate">): ReadonlyMap<RoleName, readonly string[]> {
  const texts = usageTexts[io.lang];
  const roles = new Map<RoleName, readonly string[]>();
  for (const word of flags.roles ?? []) {
    const at = word.indexOf("=");
    const role = ROLE_NAMES.find((name) => name === word.slice(0, Math.max(0, at)).toLowerCase());
    if (role === undefined) throw usage(texts.notARole(word), verb);
    if (roles.has(role)) throw usage(texts.roleTwice(role.toUpperCase()), verb);
    const names = namesIn(word.slice(at + 1));
    if (names.length === 0) throw usage(texts.notARole(word), verb);
    roles.set(role, names);
  }
  return roles;
}
