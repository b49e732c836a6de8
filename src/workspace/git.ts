import { spawnSync } from "node:child_process";
import { findTool } from "../files/tools.ts";

/** The work tree may be the agent's doing; these are the programs it could have git run on a plain look. */
const SAFE = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.untrackedCache=false",
];
/** A tree can also claim that objects are to be had from a remote, and name a program for it. */
const ENV = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  LC_ALL: "C",
};

export interface Change {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
  readonly untracked: number;
}

type Contain = (command: string) => { readonly file: string; readonly args: readonly string[] };

const options = (cwd: string) =>
  ({
    cwd,
    encoding: "utf8",
    timeout: 30_000,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...withoutGitVariables(), ...ENV },
  }) as const;

/** Git sets them for its hooks; they would send us to another tree than the one the commands run in. */
function withoutGitVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
}

function git(cwd: string, args: readonly string[]): string | undefined {
  const result = spawnSync(findTool("git"), [...SAFE, ...args], options(cwd));
  return result.status === 0 ? result.stdout : undefined;
}

export function gitVersion(): string | undefined {
  return git(process.cwd(), ["--version"])?.trim().replace("git version ", "");
}

/** The root of the git work tree that holds `cwd`, if any. */
export function topLevel(cwd: string): string | undefined {
  return git(cwd, ["rev-parse", "--show-toplevel"])?.trim() || undefined;
}

export function headCommit(cwd: string): string | null {
  return git(cwd, ["rev-parse", "--verify", "--quiet", "HEAD"])?.trim() ?? null;
}

/**
 * How much the tree differs from a commit; for people to read, not evidence. A comparison runs the filters that the tree
 * configures, so it is made inside a container.
 */
export function changeSince(cwd: string, commit: string, contain: Contain): Change | undefined {
  const look = `${findTool("git")} ${SAFE.join(" ")} diff --shortstat --no-ext-diff --no-textconv ${commit}`;
  const list = `${findTool("git")} ${SAFE.join(" ")} ls-files --others --exclude-standard`;
  const { file, args } = contain(`${look} && echo && ${list}`);
  const result = spawnSync(file, args, options(cwd));
  if (result.status !== 0) return undefined;
  const [stat = "", ...untracked] = result.stdout.split("\n");
  const count = (pattern: RegExp): number => Number(pattern.exec(stat)?.[1] ?? 0);
  return {
    files: count(/(\d+) files? changed/),
    insertions: count(/(\d+) insertion/),
    deletions: count(/(\d+) deletion/),
    untracked: untracked.filter((line) => line !== "" && !isOurs(line)).length,
  };
}

function isOurs(path: string): boolean {
  return path.includes("goldagent-supervise-report-") || path.startsWith(".goldagent-supervise/");
}
