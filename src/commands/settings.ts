import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findDanger } from "../checks/danger.ts";
import type { RunStarted, Settings } from "../domain/event.ts";
import { errorCode, Failure, messageOf } from "../domain/failure.ts";
import { isDirectory } from "../files/directories.ts";
import { usageTexts } from "../i18n/usage.ts";
import type { Io } from "./io.ts";

/** The flags of `supervise` as commander hands them over. */
export interface SuperviseFlags {
  readonly task: string;
  readonly planFile: string;
  readonly agentCmd: string;
  readonly testFast: readonly string[];
  readonly testFull: readonly string[];
  readonly maxLoops: number;
  readonly cwd?: string;
  readonly report?: string;
  readonly force?: boolean;
  readonly agentTimeoutSec: number;
  readonly testTimeoutSec: number;
  readonly maxOutputMb: number;
  readonly nonce?: boolean;
}

/** One environment variable holds at most 128 KiB on Linux, name included. */
const MAX_TASK_BYTES = 120_000;

/** Flags → settings. Everything that can be wrong is found here, before anything is started or written. */
export function settingsFrom(
  flags: SuperviseFlags,
  io: Io,
): Omit<Settings, "reportPath"> & { reportPath: string | null } {
  if (io.cwd === "") throw new Failure("here_is_gone");
  if (flags.cwd === "")
    throw new Failure("usage", { problem: usageTexts[io.lang].empty("--cwd"), command: "supervise" });
  const cwd = resolve(io.cwd, flags.cwd ?? ".");
  refuseEmptyCommands(flags, io);
  refuseLongTask(flags.task);
  if (!isDirectory(cwd)) throw new Failure("cwd_not_a_directory", { path: cwd });
  if (flags.force !== true) refuseDanger(flags);
  const reportPath = flags.report === undefined ? null : resolve(io.cwd, flags.report);
  if (reportPath !== null && reportPath === resolve(io.cwd, flags.planFile))
    throw new Failure("report_not_writable", { path: reportPath, why: "it is the plan file" });
  refuseUnwritable(reportPath ?? join(io.cwd, "goldagent-supervise-report.json"));
  return {
    mode: "supervise",
    task: flags.task,
    planFile: resolve(io.cwd, flags.planFile),
    agentCmd: flags.agentCmd,
    testFast: flags.testFast,
    testFull: flags.testFull,
    maxLoops: flags.maxLoops,
    cwd: fs.realpathSync(cwd),
    calledFrom: io.cwd,
    reportPath,
    force: flags.force === true,
    agentTimeoutMs: flags.agentTimeoutSec * 1000,
    testTimeoutMs: flags.testTimeoutSec * 1000,
    maxOutputBytes: flags.maxOutputMb * 1024 * 1024,
    nonce: flags.nonce === true,
    lang: io.lang,
  };
}

/** The plan's digest, or why it cannot be used; a run with an unusable plan still ends with a report. */
export function inspectPlan(path: string): RunStarted["plan"] {
  try {
    // Reading a pipe or a terminal would wait for somebody to write.
    if (!fs.statSync(path).isFile()) return { problem: "plan_file_unreadable" };
    return { sha256: createHash("sha256").update(fs.readFileSync(path)).digest("hex") };
  } catch (error) {
    return { problem: errorCode(error) === "ENOENT" ? "plan_file_missing" : "plan_file_unreadable" };
  }
}

function commandsOf(flags: SuperviseFlags): readonly (readonly [flag: string, command: string])[] {
  return [
    ["--agent-cmd", flags.agentCmd],
    ...flags.testFast.map((command) => ["--test-fast", command] as const),
    ...flags.testFull.map((command) => ["--test-full", command] as const),
  ];
}

function refuseEmptyCommands(flags: SuperviseFlags, io: Io): void {
  for (const [flag, value] of [...commandsOf(flags), ["--task", flags.task] as const])
    if (value.trim() === "")
      throw new Failure("usage", { problem: usageTexts[io.lang].empty(flag), command: "supervise" });
}

function refuseLongTask(task: string): void {
  const bytes = Buffer.byteLength(task);
  if (bytes > MAX_TASK_BYTES)
    throw new Failure("task_too_long", { bytes: String(bytes), limit: String(MAX_TASK_BYTES) });
}

function refuseDanger(flags: SuperviseFlags): void {
  for (const [flag, command] of commandsOf(flags)) {
    const danger = findDanger(command);
    if (danger) throw new Failure("dangerous_command", { flag, command: danger.command, rule: danger.rule });
  }
}

/** Tried for real: permission bits do not tell of read-only mounts, nor of root. */
function refuseUnwritable(path: string): void {
  const probe = join(dirname(path), `.agent-foreman-${randomUUID()}.tmp`);
  try {
    const there = fs.statSync(path, { throwIfNoEntry: false });
    if (there && !there.isFile()) throw new Error("it is not a file");
    fs.writeFileSync(probe, "", { flag: "wx" });
    fs.rmSync(probe);
  } catch (error) {
    throw new Failure("report_not_writable", { path, why: messageOf(error) }, { cause: error });
  }
}
