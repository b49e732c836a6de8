import { spawnSync } from "node:child_process";

/** The work tree may be the agent's doing: nothing it can configure may run code while we look. */
const SAFE = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.untrackedCache=false",
];
const ENV = { GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };

export interface Change {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
  readonly untracked: number;
}

function git(cwd: string, args: readonly string[]): string | undefined {
  const result = spawnSync("git", [...SAFE, ...args], {
    cwd,
    encoding: "utf8",
    timeout: 30_000,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, ...ENV },
  });
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

/** How much the tree differs from a commit; for people to read, not evidence. */
export function changeSince(cwd: string, commit: string): Change | undefined {
  const stat = git(cwd, ["diff", "--shortstat", "--no-ext-diff", "--no-textconv", commit]);
  if (stat === undefined) return undefined;
  const untracked = git(cwd, ["ls-files", "--others", "--exclude-standard"]) ?? "";
  const count = (pattern: RegExp): number => Number(pattern.exec(stat)?.[1] ?? 0);
  return {
    files: count(/(\d+) files? changed/),
    insertions: count(/(\d+) insertion/),
    deletions: count(/(\d+) deletion/),
    untracked: untracked.split("\n").filter((line) => line !== "" && !isOurs(line)).length,
  };
}

function isOurs(path: string): boolean {
  return path.includes("goldagent-supervise-report-") || path.startsWith(".goldagent-supervise/");
}
