import fs from "node:fs";
import { dirname } from "node:path";
import { ConfigFailure, type ConfigProblem } from "../../platform/config-problem.ts";
import { CONFIGURED } from "../settings/configured.ts";
import { checkProfiles } from "./check-profiles.ts";
import { DEFAULTS, type Config, type ConfigFile, type DefinedProfile, type Sourced } from "./config.ts";
import { findSecrets } from "./find-secrets.ts";
import { parseConfig, writtenAt, type KeyPath, type ParsedConfig } from "./parse.ts";
import type { WrittenProfile } from "./schema.ts";
import { stars } from "./secrets.ts";

export interface ConfigText extends ConfigFile {
  readonly text: string;
}

/** Merges the files (later ones win), or lists all their problems. */
export function effectiveConfig(texts: readonly ConfigText[], unread: readonly ConfigProblem[]): Config {
  const files = texts.map(({ text, ...file }) => ({ file, parsed: parseConfig(text, file.path) }));
  const config = files.reduce((lower, { file, parsed }) => over(lower, file, parsed), DEFAULTS);
  const parsed = files.map((each) => each.parsed);
  // An unreadable profile would make every reference to it look wrong.
  const complete = unread.length === 0 && parsed.every(({ allProfiles }) => allProfiles);
  const found = parsed.flatMap((each) => findSecrets(each));
  const problems = [
    ...parsed.flatMap((each) => [...each.problems, ...missingFiles(each)]),
    ...found.map(({ problem }) => problem),
    ...(complete ? checkProfiles(parsed, config.profiles) : []),
  ];
  if (unread.length + problems.length === 0) return config;
  const secrets = found.flatMap(({ secret }) => secret?.split("\n") ?? []);
  throw new ConfigFailure([
    ...unread,
    ...problems.toSorted(byPlace).map((problem) => hidden(problem, secrets)),
  ]);
}

/** A problem's source line may contain a secret that another problem is about. */
function hidden(problem: ConfigProblem, secrets: readonly string[]): ConfigProblem {
  if (!problem.at) return problem;
  const hide = (text: string): string =>
    secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, stars(secret))), text);
  const { fault } = problem;
  return {
    ...problem,
    at: { ...problem.at, source: hide(problem.at.source) },
    fault: fault.code === "wrong_value" ? { ...fault, given: hide(fault.given) } : fault,
  };
}

function byPlace(a: ConfigProblem, b: ConfigProblem): number {
  const fileOrder = a.file.localeCompare(b.file);
  return fileOrder || (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0);
}

function missingFiles(parsed: ParsedConfig): readonly ConfigProblem[] {
  return CONFIGURED.flatMap(({ key, type }) => {
    const written = writtenAt(parsed, key);
    if (type.refersTo !== "file" || written === undefined) return [];
    const path = String(type.fromFile?.(written, dirname(parsed.path)));
    if (fs.statSync(path, { throwIfNoEntry: false })?.isFile() === true) return [];
    return [parsed.problem(key.split("."), { code: "prompt_missing", path })];
  });
}

function over(lower: Config, file: ConfigFile, parsed: ParsedConfig): Config {
  const { profiles = {}, secrets = [] } = parsed.written;
  const sourced = <T>(value: T, at: KeyPath): Sourced<T> => ({
    value,
    origin: { kind: file.scope, path: file.path, line: parsed.lineOf(at) },
  });
  const values = CONFIGURED.flatMap(({ name, key, type }) => {
    const written = writtenAt(parsed, key);
    if (written === undefined) return [];
    const value: unknown = type.fromFile ? type.fromFile(written, dirname(file.path)) : written;
    return [[name, sourced(value, key.split("."))] as const];
  });
  return {
    ...lower,
    ...(Object.fromEntries(values) as Partial<Config>),
    files: [...lower.files, file],
    profiles: new Map([
      ...lower.profiles,
      ...Object.entries(profiles).map(
        ([name, profile]) => [name, sourced(defined(name, profile), ["profiles", name])] as const,
      ),
    ]),
    secrets: [...lower.secrets, ...secrets.map((name, index) => sourced(name, ["secrets", index]))],
  };
}

function defined(name: string, written: WrittenProfile): DefinedProfile {
  const { price } = written;
  return {
    extends: written.extends ?? name,
    program: written.program ?? null,
    command: written.command ?? null,
    args: written.args ?? [],
    env: written.env ?? {},
    model: written.model ?? null,
    endpoint: written.endpoint ?? null,
    price: price === undefined ? null : { ...price, cached: price.cached ?? price.input },
  };
}
