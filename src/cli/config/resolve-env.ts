/** `${env:NAME}` refers to an environment variable, because secrets are never written to files. */
export const REFERENCE = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

export interface ResolvedEnv {
  readonly values: Readonly<Record<string, string>>;
  /** Referenced variables that are unset or empty. CI services pass missing secrets as empty strings. */
  readonly missing: readonly string[];
}

/** A profile's variables with references resolved. Runs when a process takes over the run; the result is never stored. */
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
