/** `${env:NAME}` stands for the value of an environment variable: secrets are never written down. */
export const REFERENCE = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

export interface ResolvedEnv {
  readonly values: Readonly<Record<string, string>>;
  /** Referenced variables that are not set. Empty counts as not set: so CI services hand over a secret they do not have. */
  readonly missing: readonly string[];
}

/** The variables of a profile as its agent gets them. Resolved when a process takes the run up, and never written down. */
export function resolveEnv(env: Readonly<Record<string, string>>, from: NodeJS.ProcessEnv): ResolvedEnv {
  const missing = new Set<string>();
  const values = Object.entries(env).map(([name, text]) => [
    name,
    text.replace(REFERENCE, (_, variable: string) => {
      const value = from[variable] ?? "";
      if (value === "") missing.add(variable);
      return value;
    }),
  ]);
  return { values: Object.fromEntries(values) as Record<string, string>, missing: [...missing] };
}

/** The variables that a value refers to. */
export function references(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].map((match) => match[1] ?? "");
}
