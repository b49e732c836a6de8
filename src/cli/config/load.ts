import type { ConfigProblem } from "../../platform/config-problem.ts";
import { CONFIGURED } from "../settings/configured.ts";
import { namesIn } from "../settings/value-types.ts";
import { DEFAULTS, type Config } from "./config.ts";
import type { ConfigText } from "./effective.ts";
import { isThere, projectFile, readConfigFile, userFile } from "./read.ts";

export interface ConfigSource {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Loads the configuration in effect. Throws a ConfigFailure that lists all problems. */
export async function loadConfig(from: ConfigSource): Promise<Config> {
  const texts: ConfigText[] = [];
  const unread: ConfigProblem[] = [];
  for (const { scope, path } of configPaths(from)) {
    const read = readConfigFile(path);
    if ("fault" in read) unread.push({ file: path, at: null, fault: read.fault });
    else texts.push({ scope, path, ...read });
  }
  if (texts.length + unread.length === 0) return withEnvironment(DEFAULTS, from.env);
  // Loads parser and schema only if there is something to parse.
  const { effectiveConfig } = await import("./effective.ts");
  return withEnvironment(effectiveConfig(texts, unread), from.env);
}

/** The existing files, lowest precedence first. */
export function configPaths({ cwd, env }: ConfigSource): readonly Pick<ConfigText, "scope" | "path">[] {
  const user = userFile(env);
  const project = projectFile(cwd);
  return [
    ...(isThere(user) ? [{ scope: "user" as const, path: user }] : []),
    ...(project === undefined ? [] : [{ scope: "project" as const, path: project }]),
  ];
}

function withEnvironment(config: Config, env: NodeJS.ProcessEnv): Config {
  const given = CONFIGURED.flatMap(({ name, variable }) => {
    const value = variable === undefined ? [] : namesIn(env[variable] ?? "");
    return value.length === 0 ? [] : [[name, { value, origin: { kind: "environment", variable } }] as const];
  });
  return { ...config, ...(Object.fromEntries(given) as Partial<Config>) };
}
