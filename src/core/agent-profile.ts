import { amount, codes, list, nullable, object, ours, record, type TypeOf } from "../text/shape.ts";

/** Agents with an adapter. */
export const ADAPTERS = [
  "claude",
  "codex",
  "gemini",
  "opencode",
  "qwen",
  "pi",
  "copilot",
  "acp",
  "command",
] as const;
export const adapter = codes(ADAPTERS);
export type AdapterName = TypeOf<typeof adapter>;

const price = object({ input: amount, cached: amount, output: amount });
export type Price = TypeOf<typeof price>;

/**
 * An agent as a run uses it: an adapter and its profile, with `extends` resolved. The journal contains it, so secrets are only
 * references to environment variables (`${env:NAME}` in the values of `env`).
 */
const agentProfile = object({
  /** The person's name for it. */
  name: ours(),
  adapter,
  /** Null: the adapter's own. */
  program: nullable(ours()),
  /** The shell command of a `command` agent; null for all others. */
  command: nullable(ours()),
  args: list(ours()),
  env: record(ours()),
  model: nullable(ours()),
  endpoint: nullable(ours()),
  /** Dollars per million tokens, for agents that report tokens but no cost. */
  price: nullable(price),
});
export const agentProfiles = list(agentProfile);
export type AgentProfile = TypeOf<typeof agentProfile>;
