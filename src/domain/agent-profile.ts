/** The agents there is an adapter for. */
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
export type AdapterName = (typeof ADAPTERS)[number];

/**
 * An agent as a run uses it: an adapter and what a profile says about it, `extends` resolved. It is journalled, so secrets
 * stand in it as references to environment variables only (`${env:NAME}` in the values of `env`).
 */
export interface AgentProfile {
  /** As the person calls it. */
  readonly name: string;
  readonly adapter: AdapterName;
  /** Null: the adapter's own. */
  readonly program: string | null;
  /** The shell command of a `command` agent; null for all others. */
  readonly command: string | null;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly model: string | null;
  readonly endpoint: string | null;
  /** Dollars a million tokens, for agents that tell tokens but no cost. */
  readonly price: Price | null;
}

export interface Price {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}
