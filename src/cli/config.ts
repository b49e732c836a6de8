import { resolve } from "node:path";
import stringWidth from "fast-string-width";
import { ROLE_NAMES, type Config, type DefinedProfile, type Origin, type Sourced } from "./config/config.ts";
import { formatDuration } from "./config/duration.ts";
import { configPaths, loadConfig } from "./config/load.ts";
import { userFile } from "./config/read.ts";
import { resolveAgents } from "./config/resolve-agents.ts";
import { ConfigFailure, PROJECT_FILE } from "../platform/config-problem.ts";
import { Failure } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import { PROMPT_NAMES, type PromptName } from "../text/prompt-template.ts";
import { configTexts, type ConfigTexts } from "./words/config.ts";
import { usageTexts } from "./words/usage.ts";
import { padToWidth } from "../ui/format.ts";
import type { Line } from "../ui/page.ts";
import { BUILT_IN_PROMPTS } from "../modes/prompts/built-in.ts";
import { faultText, shortPath } from "./config-problems.ts";
import type { Io } from "./io.ts";
import { openPaper, printJson } from "./print.ts";
import { readPrompt } from "./read-prompt.ts";

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
    throw new Failure("usage", { problem: usageTexts[io.lang].unexpected(flags.name), command: "config" });
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
      const path = loaded.prompts[name].value;
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
      message: faultText(problem, io.lang),
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
  const { limits, tests, chat, cleanRoom, prompts } = loaded;
  const row = <T>(key: string, { value, origin }: Sourced<T>, text: (value: T) => string): Row => [
    key,
    text(value),
    origin,
  ];
  const named = (key: string, sourced: Sourced<readonly string[]>, nobody: string): Row =>
    row(key, sourced, (names) => (names.length === 0 ? nobody : names.join(", ")));
  const rows = (key: string, { value, origin }: Sourced<readonly string[]>): readonly Row[] =>
    value.length === 0 ? [[key, special.none, origin]] : value.map((item) => [key, item, origin] as const);
  const zeroAs = (zero: string, text: (value: number) => string) => (value: number) =>
    value === 0 ? zero : text(value);
  return [
    named("agents", loaded.agents, special.none),
    named("verifiers", loaded.verifiers, special.anyAgent),
    ...ROLE_NAMES.map((role) => named(`roles.${role}`, loaded.roles[role], special.anyAgent)),
    ...[...loaded.profiles].flatMap(([name, profile]) => profileRows(name, profile)),
    row("limits.max_loops", limits.maxLoops, String),
    row("limits.max_iterations", limits.maxIterations, String),
    row("limits.max_cost_usd", limits.maxCostUsd, zeroAs(special.noLimit, String)),
    row("limits.max_tokens", limits.maxTokens, zeroAs(special.noLimit, String)),
    row("limits.max_time", limits.maxTimeMs, zeroAs(special.noLimit, formatDuration)),
    row("limits.max_wait", limits.maxWaitMs, zeroAs(special.noWait, formatDuration)),
    row("limits.stall", limits.stallMs, zeroAs(special.never, formatDuration)),
    row("limits.agent_timeout", limits.agentTimeoutMs, zeroAs(special.noLimit, formatDuration)),
    row("limits.test_timeout", limits.testTimeoutMs, zeroAs(special.noLimit, formatDuration)),
    ...rows("tests.fast", tests.fast),
    ...rows("tests.full", tests.full),
    row("tests.changes", tests.changes, String),
    row("tests.allow_no_change", tests.allowNoChange, String),
    ...rows("tests.protect", tests.protect),
    ...rows("tests.product", tests.product),
    row("chat.agent", chat.agent, String),
    row("chat.reviewer", chat.reviewer, (name) => name ?? special.sameAgent),
    row("chat.marker", chat.marker, String),
    row("chat.waiting_marker", chat.waitingMarker, String),
    row("chat.max_reviews", chat.maxReviews, String),
    ...rows("chat.checks", chat.checks),
    ...PROMPT_NAMES.map((name) => row(`prompts.${name}`, prompts[name], (path) => path ?? special.builtIn)),
    row("clean_room.enabled", cleanRoom.enabled, String),
    row("clean_room.setup", cleanRoom.setup, (setup) => setup ?? special.none),
    ...rows("clean_room.allow_oracle_change", cleanRoom.allow),
    row("clean_room.prove_tests", cleanRoom.proveTests, String),
    ...rows("clean_room.pass_env", cleanRoom.passEnv),
    row("sandbox", loaded.sandbox, String),
    row("on_stuck", loaded.onStuck, (what) => what ?? special.byCommand),
    row("lang", loaded.lang, (lang) => lang ?? special.byLocale),
    ...loaded.secrets.map((secret) => row("secrets", secret, String)),
  ];
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
  const { files, agents, verifiers, roles, profiles, limits, tests, chat, prompts, onStuck, lang, secrets } =
    loaded;
  const { maxReviews, ...named } = chat;
  const { enabled, setup, allow, proveTests, passEnv } = loaded.cleanRoom;
  const seconds = ({ value, origin }: Sourced<number>): Sourced<number> => ({ value: value / 1000, origin });
  return {
    files,
    agents,
    verifiers,
    roles,
    profiles: Object.fromEntries(profiles),
    limits: {
      max_loops: limits.maxLoops,
      max_iterations: limits.maxIterations,
      max_cost_usd: limits.maxCostUsd,
      max_tokens: limits.maxTokens,
      max_time: seconds(limits.maxTimeMs),
      max_wait: seconds(limits.maxWaitMs),
      stall: seconds(limits.stallMs),
      agent_timeout: seconds(limits.agentTimeoutMs),
      test_timeout: seconds(limits.testTimeoutMs),
    },
    tests: {
      fast: tests.fast,
      full: tests.full,
      changes: tests.changes,
      allow_no_change: tests.allowNoChange,
      protect: tests.protect,
      product: tests.product,
    },
    chat: { ...named, max_reviews: maxReviews },
    prompts,
    clean_room: {
      enabled,
      setup,
      allow_oracle_change: allow,
      prove_tests: proveTests,
      pass_env: passEnv,
    },
    sandbox: loaded.sandbox,
    on_stuck: onStuck,
    lang,
    secrets,
  };
}
