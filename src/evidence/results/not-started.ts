import type { NotStarted } from "../../core/events/not-started.ts";
import type { ProcessEnd } from "../../platform/process/process-end.ts";
import type { TestReport } from "../../core/evidence/result.ts";

export type { NotStarted };

/** Messages of npm, pnpm, Node.js, yarn (old and new) and bun for a missing script or command. */
const NO_SCRIPT = [
  /^(?:npm (?:ERR!|error) |\s*ERR_PNPM_NO_SCRIPT\s+)?Missing script: "?(?<name>[^"\s]+)/i,
  /^Unknown command: "(?<name>[^"]+)"/,
  /^error Command "(?<name>[^"]+)" not found/,
  /Couldn't find a script named "(?<name>[^"]+)"/,
  /^error: Script not found "(?<name>[^"]+)"/,
];

const LONGEST_LINE = 300;

interface Shown {
  readonly command: string;
  readonly end: ProcessEnd;
  readonly output: string;
  readonly report: TestReport | null;
  /** Whether the project has a file of this name. */
  readonly isFile: (path: string) => boolean;
}

/**
 * Whether a test command failed because there is nothing to run. A failed test does not count, and neither does a script of the project that
 * misses a file: the task may be to create it.
 */
export function notStarted({ command, end, output, report, isFile }: Shown): NotStarted | null {
  if (end.kind !== "exited" || end.code === 0) return null;
  if (report?.results.some(({ status }) => status === "failed")) return null;
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== "");
  const script = lines.findLast((line) => NO_SCRIPT.some((wording) => names(command, wording.exec(line))));
  if (script !== undefined) return { why: "no_script", said: cut(script) };
  // The shell's own codes. A shell starts its errors with the name of the script that it reads.
  if ((end.code !== 126 && end.code !== 127) || lines.some((line) => isFile(beforeColon(line)))) return null;
  const said = lines.findLast((line) => !line.startsWith("npm ")) ?? "";
  if (end.code === 126) return { why: "not_executable", said: cut(said) };
  return { why: nothingRan(command, { said }) ? "not_found" : "inner_not_found", said: cut(said) };
}

/** Whether the shell did not find the program at the start of the command, so nothing ran. */
export function nothingRan(command: string, { said }: Pick<NotStarted, "said">): boolean {
  // `/bin/sh: 1: vitset: not found`. An error inside a script begins with the script's own name.
  const [, missed] = /^\S*sh: (?:(?:line )?\d+: )?(.+?): /.exec(said) ?? [];
  return missed === (command.trim().split(/\s/, 1)[0] ?? "");
}

/** If only another script names the missing one, the task may be to create it. */
function names(command: string, missing: RegExpExecArray | null): boolean {
  const name = missing?.groups?.["name"];
  return name !== undefined && command.split(/[\s;&|()]+/).includes(name);
}

const MOST_LINES = 5;

/** The test command did not run, because the set-up before it failed. */
export function setupFailed(output: string): NotStarted {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== "");
  return { why: "setup_failed", said: lines.slice(-MOST_LINES).map(cut).join("\n") };
}

function beforeColon(line: string): string {
  return line.slice(0, Math.max(0, line.indexOf(":")));
}

function cut(line: string): string {
  return line.trim().slice(0, LONGEST_LINE);
}
