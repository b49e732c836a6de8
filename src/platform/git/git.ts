import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { RUN_ID } from "../../text/run-id.ts";
import { findTool } from "../files/tools.ts";
import { pathOf } from "./tree-path.ts";

/** An agent may have written the repository's configuration. These are the programs that it could make git run on a mere look. */
const SAFE = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.untrackedCache=false",
];
/** Otherwise a submodule's own configuration decides how git checks whether it is dirty. */
const DIFF = [
  "--raw",
  "-z",
  "--no-abbrev",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--ignore-submodules=dirty",
];
/** A repository can also claim that a remote has its objects, and name a program to fetch them. */
const ENV = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  LC_ALL: "C",
};

type Contain = (command: string) => { readonly file: string; readonly args: readonly string[] };

const TIMEOUT_MS = 10_000;
/**
 * A pipe in place of a tracked file makes git wait for ever, in each of about a dozen calls. So after one call took too long, later
 * calls get a short timeout for a while. They still run, because the tree may have been repaired in between.
 */
const TIMEOUT_AFTER_ONE_MS = 500;
const WHILE_MS = 60_000;
const waitedFor = new Map<string, number>();

const options = (cwd: string) =>
  ({
    cwd,
    timeout: timeoutIn(cwd),
    // Inside a container, a git that waits on a pipe in the tree gets no other signal.
    killSignal: "SIGKILL",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...withoutGitVariables(), ...ENV },
  }) as const;

function timeoutIn(cwd: string): number {
  const sinceMs = performance.now() - (waitedFor.get(cwd) ?? -Infinity);
  return sinceMs < WHILE_MS ? TIMEOUT_AFTER_ONE_MS : TIMEOUT_MS;
}

/** Records whether the call took too long, and returns its result. */
function noted<T extends SpawnSyncReturns<string | Buffer>>(cwd: string, result: T): T {
  const isTimeout = result.error !== undefined && "code" in result.error && result.error.code === "ETIMEDOUT";
  if (isTimeout && timeoutIn(cwd) === TIMEOUT_MS) waitedFor.set(cwd, performance.now());
  return result;
}

/** Git sets these for its hooks; they would point us at another tree than the one the commands run in. */
function withoutGitVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
}

/** Git's raw output: file names need not be UTF-8. Undefined: git failed. */
export function gitBytes(cwd: string, args: readonly string[], input = ""): Buffer | undefined {
  const result = noted(cwd, spawnSync(findTool("git"), [...SAFE, ...args], { ...options(cwd), input }));
  return result.status === 0 ? result.stdout : undefined;
}

function git(cwd: string, args: readonly string[]): string | undefined {
  return gitBytes(cwd, args)?.toString();
}

export function gitVersion(): string | undefined {
  return git(process.cwd(), ["--version"])?.trim().replace("git version ", "");
}

/** The root of the git work tree that contains `cwd`, if any. */
export function topLevel(cwd: string): string | undefined {
  return git(cwd, ["rev-parse", "--show-toplevel"])?.trim() || undefined;
}

export function headCommit(cwd: string): string | null {
  return git(cwd, ["rev-parse", "--verify", "--quiet", "HEAD"])?.trim() ?? null;
}

/** The id of a file that was added after the commit. */
const NEVER_COMMITTED = /^0+$/;

/**
 * Tracked files that differ from a commit, with the id that they have in it; null: not in the commit. Deleted files are left out.
 * This is our only call of git that reads files the way the tree configures. So programs that the tree names for it are disabled; should
 * one be missed, it still runs only inside a container. Undefined: git failed.
 */
export function changedSinceCommit(
  root: string,
  commit: string,
  contain: Contain,
): ReadonlyMap<string, string | null> | undefined {
  const filters = filterNames(root);
  if (!filters) return undefined;
  const { file, args } = contain(
    `${findTool("git")} ${SAFE.join(" ")} diff ${DIFF.join(" ")} --no-relative ${commit}`,
  );
  const { env, ...limits } = options(root);
  const set = { ...env, ...configuration(filters.flatMap(switchedOff)) };
  const result = noted(root, spawnSync(file, args, { ...limits, env: set, encoding: "latin1" }));
  if (result.status !== 0) return undefined;
  const changed = new Map<string, string | null>();
  // `:<mode> <mode> <id> <id> <status>\0<path>\0`
  const parts = result.stdout.split("\0");
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, , id = "", , status] = (parts[at] ?? "").split(" ");
    const path = pathOf(Buffer.from(parts[at + 1] ?? "", "latin1"));
    if (status !== "D") changed.set(path, NEVER_COMMITTED.test(id) ? null : id);
  }
  return changed;
}

/** Undefined: some filter cannot be named. */
function filterNames(cwd: string): string[] | undefined {
  // Git fails when it finds no match, so this adds one. It also fails when it is too old (2.30) for the variables below.
  const one = "--config-env=filter.none.required=LC_ALL";
  const listed = gitBytes(cwd, [one, "config", "--null", "--name-only", "--get-regexp", "^filter\\."]);
  const keys = listed?.toString();
  // No variable can hold a name that is not UTF-8.
  if (keys === undefined || keys.includes("\uFFFD")) return undefined;
  const names = keys.split("\0").flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []);
  return [...new Set(names)];
}

type Setting = readonly [key: string, value: string];

function switchedOff(filter: string): readonly Setting[] {
  return [
    ...["clean", "smudge", "process"].map((kind) => [`filter.${filter}.${kind}`, ""] as const),
    [`filter.${filter}.required`, "false"],
  ];
}

/** Uses variables: `-c` ends a name at the first `=`, and a name may contain one. */
function configuration(settings: readonly Setting[]): NodeJS.ProcessEnv {
  const numbered = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(numbered) };
}

/** The foreman's own files are in the folder where it was started, which may be any folder of the tree. */
const OURS = new RegExp(
  String.raw`(?:^|/)(?:\.goldagent-supervise(?:/|$)|goldagent-[a-z]+-report-${RUN_ID}(?:\.receipt)?\.json(?:$|/))`,
);

/** Whether the foreman itself writes this file. */
export function isOurs(path: string): boolean {
  return OURS.test(path);
}
