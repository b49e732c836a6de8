/** Event fields whose keys a person chose: names of agents and of variables. Lists add nothing to a path. */
const NAMED_BY_PERSON: ReadonlySet<string> = new Set([
  "agentVersions",
  "settings.agents.env",
  "settings.env.env",
]);

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** An event, or its part at `path`, with the names that reports use. */
export function snakeCased(value: unknown, path = ""): unknown {
  if (NAMED_BY_PERSON.has(path) || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => snakeCased(item, path));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      snakeCase(name),
      snakeCased(inner, path === "" ? name : `${path}.${name}`),
    ]),
  );
}
