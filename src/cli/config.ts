import { resolve } from "node:path";
import stringWidth from "fast-string-width";
import type { Config, DefinedProfile, Origin, Sourced } from "./config/config.ts";
import { configPaths, loadConfig } from "./config/load.ts";
import { userFile } from "./config/read.ts";
import { resolveAgents } from "./config/profiles.ts";
import { ConfigFailure, PROJECT_FILE } from "../platform/config-problem.ts";
import { Failure } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import { PROMPT_NAMES, type PromptName } from "../text/prompt-template.ts";
import { AFTER_PROFILES, BEFORE_PROFILES, type CONFIGURED } from "./settings/configured.ts";
import type { ConfiguredSetting } from "./settings/setting.ts";
import { configTexts, faultText, type ConfigTexts } from "./words/config.ts";
import { usageTexts } from "./words/usage.ts";
import { padToWidth } from "../ui/format.ts";
import type { Line } from "../ui/page.ts";
import { BUILT_IN_PROMPTS } from "../modes/prompts/built-in.ts";
import { shortPath } from "./config-problems.ts";
import type { Io } from "./io.ts";
import { openPaper, printJson } from "./print.ts";
import { readPrompt } from "./read-prompt.ts";
import { usage } from "./usage.ts";

export type ConfigAction = "show" | "check" | "path" | "prompt";

export interface ConfigFlags {
  readonly json?: boolean;
  readonly cwd?: string;
  readonly lang?: string;
  /** Set for `config prompt`. */
  readonly name?: PromptName;
}

/**
 * `config show|check|path|prompt`: prints the configuration in effect with its sources; checks it; lists the paths that are
 * searched; prints a built-in prompt.
 */
export async function config(action: ConfigAction, flags: ConfigFlags, io: Io): Promise<number> {
  if (io.cwd === "") throw new Failure("here_is_gone");
  if (flags.name !== undefined && action !== "prompt")
    throw usage(usageTexts[io.lang].unexpected(flags.name), "config");
  const cwd = resolve(io.cwd, flags.cwd ?? ".");
  switch (action) {
    case "show":
      return show(cwd, flags, io);
    case "check":
      return check(cwd, flags, io);
    case "path":
      return paths(cwd, flags, io);
    case "prompt":
      return prompt(flags.name ?? "supervise", io);
  }
}

/** Prints a built-in prompt, to be saved to a file and changed. */
function prompt(name: PromptName, io: Io): number {
  io.stdout.write(BUILT_IN_PROMPTS[name][io.lang]);
  return ExitCode.accepted;
}

async function show(cwd: string, flags: ConfigFlags, io: Io): Promise<number> {
  const loaded = await loadConfig({ cwd, env: io.env });
  refuseUnknown(loaded);
  if (flags.json === true) printJson(io, asJson(loaded));
  else {
    const lang = flags.lang === undefined ? (loaded.lang.value ?? io.lang) : io.lang;
    openPaper(io).print(table(rowsOf(loaded, configTexts[lang]), io.cwd, configTexts[lang]));
  }
  return ExitCode.accepted;
}

async function check(cwd: string, flags: ConfigFlags, io: Io): Promise<number> {
  try {
    const loaded = await loadConfig({ cwd, env: io.env });
    refuseUnknown(loaded);
    for (const name of PROMPT_NAMES) {
      const path = loaded[`prompts.${name}`].value;
      if (path !== null) readPrompt(path, io.lang, name);
    }
    const files = loaded.files.map(({ path }) => path);
    const texts = configTexts[io.lang];
    if (flags.json === true) printJson(io, { ok: true, files, problems: [] });
    else if (files.length === 0) printNoFiles(cwd, io);
    else
      openPaper(io).print(
        files.map((path) => ({ text: texts.valid(shortPath(path, io.cwd)), tone: "good" })),
      );
    return ExitCode.accepted;
  } catch (error) {
    if (flags.json !== true || !(error instanceof ConfigFailure)) throw error;
    const problems = error.problems.map((problem) => ({
      file: problem.file,
      line: problem.at?.line ?? null,
      column: problem.at?.column ?? null,
      code: problem.fault.code,
      message: faultText(problem.fault, io.lang),
    }));
    printJson(io, { ok: false, files: configPaths({ cwd, env: io.env }).map(({ path }) => path), problems });
    return error.exitCode;
  }
}

/** Names in files are checked when the files are read. This checks names in environment variables. */
function refuseUnknown(loaded: Config): void {
  resolveAgents([...loaded.agents.value, ...loaded.verifiers.value], loaded);
}

function paths(cwd: string, flags: ConfigFlags, io: Io): number {
  const found = configPaths({ cwd, env: io.env });
  if (flags.json === true) printJson(io, found);
  else if (found.length === 0) printNoFiles(cwd, io);
  else openPaper(io).print(found.map(({ path }) => ({ text: path })));
  return ExitCode.accepted;
}

function printNoFiles(cwd: string, io: Io): void {
  const texts = configTexts[io.lang];
  const text = texts.noFiles(shortPath(resolve(cwd, PROJECT_FILE), io.cwd), userFile(io.env));
  openPaper(io).print([{ text }, { text: texts.next("agent-foreman init") }]);
}

type Row = readonly [key: string, value: string, origin: Origin];

/** Keys and values in the notation of the file. */
function rowsOf(loaded: Config, { special }: ConfigTexts): readonly Row[] {
  const rows = (settings: typeof CONFIGURED): readonly Row[] =>
    settings.flatMap((setting) => settingRows(setting, loaded[setting.name], special));
  return [
    ...rows(BEFORE_PROFILES),
    ...[...loaded.profiles].flatMap(([name, profile]) => profileRows(name, profile)),
    ...rows(AFTER_PROFILES),
    ...loaded.secrets.map(({ value, origin }): Row => ["secrets", value, origin]),
  ];
}

/** A list of commands or patterns has one row for each. */
function settingRows(
  { key, type, empty = "none" }: ConfiguredSetting,
  { value, origin }: Sourced<unknown>,
  special: ConfigTexts["special"],
): readonly Row[] {
  const isEmpty = value === null || value === 0 || (Array.isArray(value) && value.length === 0);
  const shown = isEmpty ? special[empty] : type.show(value);
  return [shown].flat().map((text) => [key, text, origin] as const);
}

function profileRows(name: string, { value: profile, origin }: Sourced<DefinedProfile>): readonly Row[] {
  const { extends: from, args, env, price, ...texts } = profile;
  const written: readonly (readonly [string, string | null])[] = [
    ["extends", from],
    ...Object.entries(texts),
    ["args", args.length === 0 ? null : args.join(" ")],
    ...Object.entries(env).map(([variable, value]) => [`env.${variable}`, value] as const),
    ...Object.entries(price ?? {}).map(([kind, dollars]) => [`price.${kind}`, String(dollars)] as const),
  ];
  return written.flatMap(([key, value]) =>
    value === null ? [] : [[`profiles.${name}.${key}`, value, origin] as const],
  );
}

function table(rows: readonly Row[], cwd: string, { header, byDefault }: ConfigTexts): Line[] {
  const cells = rows.map(([key, value, origin]) => [key, value, originText(origin, cwd, byDefault)] as const);
  const head = [header.key, header.value, header.origin] as const;
  const width = (column: 0 | 1): number =>
    Math.max(...[head, ...cells].map((row) => stringWidth(row[column])).filter((cell) => cell <= 50));
  const text = ([key, value, origin]: readonly [string, string, string]): string =>
    `${padToWidth(key, width(0))}  ${padToWidth(value, width(1))}  ${origin}`;
  return [{ text: text(head), tone: "faint" }, ...cells.map((row) => ({ text: text(row) }))];
}

function originText(origin: Origin, cwd: string, byDefault: string): string {
  switch (origin.kind) {
    case "default":
      return byDefault;
    case "environment":
      return origin.variable;
    case "user":
    case "project":
      return `${shortPath(origin.path, cwd)}:${origin.line}`;
  }
}

/** Uses the keys of the file; durations are in seconds. */
function asJson(loaded: Config): unknown {
  const { files, profiles, secrets } = loaded;
  return {
    files,
    ...sections(BEFORE_PROFILES, loaded),
    profiles: Object.fromEntries(profiles),
    ...sections(AFTER_PROFILES, loaded),
    secrets,
  };
}

function sections(settings: typeof CONFIGURED, loaded: Config): object {
  const json: Record<string, object> = {};
  for (const { name, key, type } of settings) {
    const { value, origin }: Sourced<unknown> = loaded[name];
    const shown = { value: type.toJson ? type.toJson(value) : value, origin };
    const [first = "", inSection] = key.split(".");
    json[first] = inSection === undefined ? shown : { ...json[first], [inSection]: shown };
  }
  return json;
}
