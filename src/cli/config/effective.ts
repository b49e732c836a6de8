import fs from "node:fs";
import { dirname, resolve } from "node:path";
import { ConfigFailure, type ConfigProblem } from "../../platform/config-problem.ts";
import { PROMPT_NAMES, type PromptName } from "../../text/prompt-template.ts";
import { checkProfiles } from "./check-profiles.ts";
import type { Config, ConfigFile, DefinedProfile, RoleName, Sourced } from "./config.ts";
import { DEFAULTS } from "./defaults.ts";
import { parseDuration } from "./duration.ts";
import { findSecrets } from "./find-secrets.ts";
import { parseConfig, type KeyPath, type ParsedConfig } from "./parse.ts";
import type { WrittenConfig } from "./schema.ts";
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
    ...parsed.flatMap((each) => [...each.problems, ...missingPrompts(each)]),
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

function missingPrompts(parsed: ParsedConfig): readonly ConfigProblem[] {
  return PROMPT_NAMES.flatMap((name) => {
    const path = promptPath(parsed, name);
    if (path === undefined || fs.statSync(path, { throwIfNoEntry: false })?.isFile() === true) return [];
    return [parsed.problem(["prompts", name], { code: "prompt_missing", path })];
  });
}

function promptPath({ path, written }: ParsedConfig, name: PromptName): string | undefined {
  const prompt = written.prompts?.[name];
  return prompt === undefined ? undefined : resolve(dirname(path), prompt);
}

function over(lower: Config, file: ConfigFile, parsed: ParsedConfig): Config {
  const {
    agents,
    verifiers,
    roles = {},
    limits = {},
    tests = {},
    chat = {},
    clean_room: room = {},
    lang,
    secrets = [],
    profiles = {},
  } = parsed.written;
  const sourced = <T>(value: T, ...at: KeyPath): Sourced<T> => ({
    value,
    origin: { kind: file.scope, path: file.path, line: parsed.lineOf(at) },
  });
  const or = <T>(below: Sourced<T>, value: T | undefined, ...at: KeyPath): Sourced<T> =>
    value === undefined ? below : sourced(value, ...at);
  const limit = (below: Sourced<number>, key: keyof typeof limits): Sourced<number> =>
    or(below, limits[key] as number | undefined, "limits", key);
  const time = (below: Sourced<number>, key: keyof typeof limits): Sourced<number> =>
    or(below, milliseconds(limits[key]), "limits", key);
  const prompt = (name: PromptName): Sourced<string | null> =>
    or(lower.prompts[name], promptPath(parsed, name), "prompts", name);
  const role = (name: RoleName): Sourced<readonly string[]> =>
    or(lower.roles[name], roles[name], "roles", name);
  return {
    files: [...lower.files, file],
    agents: or(lower.agents, agents, "agents"),
    verifiers: or(lower.verifiers, verifiers, "verifiers"),
    roles: { main: role("main"), test: role("test"), dev: role("dev"), review: role("review") },
    profiles: new Map([
      ...lower.profiles,
      ...Object.entries(profiles).map(
        ([name, profile]) => [name, sourced(defined(name, profile), "profiles", name)] as const,
      ),
    ]),
    limits: {
      maxLoops: limit(lower.limits.maxLoops, "max_loops"),
      maxIterations: limit(lower.limits.maxIterations, "max_iterations"),
      maxCostUsd: limit(lower.limits.maxCostUsd, "max_cost_usd"),
      maxTokens: limit(lower.limits.maxTokens, "max_tokens"),
      maxTimeMs: time(lower.limits.maxTimeMs, "max_time"),
      maxWaitMs: time(lower.limits.maxWaitMs, "max_wait"),
      stallMs: time(lower.limits.stallMs, "stall"),
      agentTimeoutMs: time(lower.limits.agentTimeoutMs, "agent_timeout"),
      testTimeoutMs: time(lower.limits.testTimeoutMs, "test_timeout"),
    },
    tests: {
      fast: or(lower.tests.fast, listed(tests.fast), "tests", "fast"),
      full: or(lower.tests.full, listed(tests.full), "tests", "full"),
      changes: or(lower.tests.changes, tests.changes, "tests", "changes"),
      allowNoChange: or(lower.tests.allowNoChange, tests.allow_no_change, "tests", "allow_no_change"),
      protect: or(lower.tests.protect, tests.protect, "tests", "protect"),
      product: or(lower.tests.product, tests.product, "tests", "product"),
    },
    chat: {
      agent: or(lower.chat.agent, chat.agent, "chat", "agent"),
      reviewer: or(lower.chat.reviewer, chat.reviewer, "chat", "reviewer"),
      marker: or(lower.chat.marker, chat.marker?.trim(), "chat", "marker"),
      waitingMarker: or(lower.chat.waitingMarker, chat.waiting_marker?.trim(), "chat", "waiting_marker"),
      maxReviews: or(lower.chat.maxReviews, chat.max_reviews, "chat", "max_reviews"),
      checks: or(lower.chat.checks, listed(chat.checks), "chat", "checks"),
    },
    prompts: {
      supervise: prompt("supervise"),
      implement: prompt("implement"),
      verify: prompt("verify"),
      analyze: prompt("analyze"),
      main: prompt("main"),
      test: prompt("test"),
      dev: prompt("dev"),
      review: prompt("review"),
    },
    cleanRoom: {
      enabled: or(lower.cleanRoom.enabled, room.enabled, "clean_room", "enabled"),
      setup: or(lower.cleanRoom.setup, room.setup, "clean_room", "setup"),
      allow: or(lower.cleanRoom.allow, room.allow_oracle_change, "clean_room", "allow_oracle_change"),
      proveTests: or(lower.cleanRoom.proveTests, room.prove_tests, "clean_room", "prove_tests"),
      passEnv: or(lower.cleanRoom.passEnv, room.pass_env, "clean_room", "pass_env"),
    },
    sandbox: or(lower.sandbox, parsed.written.sandbox, "sandbox"),
    onStuck: or(lower.onStuck, parsed.written.on_stuck, "on_stuck"),
    lang: or(lower.lang, lang, "lang"),
    secrets: [...lower.secrets, ...secrets.map((name, index) => sourced(name, "secrets", index))],
  };
}

function milliseconds(value: string | number | undefined): number | undefined {
  return value === undefined ? undefined : parseDuration(String(value));
}

function listed(value: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof value === "string" ? [value] : value;
}

function defined(name: string, written: NonNullable<WrittenConfig["profiles"]>[string]): DefinedProfile {
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
