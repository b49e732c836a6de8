import fs from "node:fs";
import { resolve } from "node:path";
import { findDanger } from "../text/danger/danger.ts";
import type { Config } from "./config/config.ts";
import { candidateFiles } from "./config/read.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import { errorCode, Failure } from "../platform/failure.ts";
import { DEFAULT_ON_STUCK, type Plan, type SuperviseSettings } from "../core/settings.ts";
import { MAX_PLAN_BYTES } from "../platform/files/kept.ts";
import { isDirectory } from "../platform/files/directories.ts";
import type { FlagsOf } from "./settings/table.ts";
import { sourceOf, valuesOf } from "./settings/values.ts";
import { usageTexts } from "./words/usage.ts";
import type { Io } from "./io.ts";
import { redactorFor } from "./redactor.ts";
import {
  commonSettings,
  profileTexts,
  promptFrom,
  refuseSecrets,
  roomTexts,
  reportPathFrom,
  sha256,
  usage,
  type Named,
} from "./run-flags.ts";
import type { Unreported } from "./start-run.ts";
import { refuseMissingPrograms } from "./unstarted-tests.ts";

type SuperviseFlags = FlagsOf<"supervise">;

/** Flags with the required values present. */
type CompleteFlags = SuperviseFlags & { readonly task: string; readonly planFile: string };

const COMMAND = "supervise";

/** One environment variable holds at most 128 KiB on Linux, name included. */
const MAX_TASK_BYTES = 120_000;

interface Found {
  readonly cwd: string;
  readonly agents: readonly AgentProfile[];
  readonly plan: Plan;
  readonly config: Config;
}

/** Lists all missing flags at once. */
export function refuseMissingFlags<F extends SuperviseFlags>(
  flags: F,
  config: Config,
): asserts flags is F & CompleteFlags {
  const { testFast, testFull } = valuesOf(flags, config);
  const given: Readonly<Record<string, boolean>> = {
    "--task": flags.task !== undefined,
    "--plan-file": flags.planFile !== undefined,
    "--test-fast": testFast.length > 0,
    "--test-full": testFull.length > 0,
  };
  const missing = Object.keys(given).filter((flag) => given[flag] === false);
  if (missing.length > 0) throw new Failure("flags_missing", { flags: missing.join(", "), command: COMMAND });
}

/** Turns flags and configuration into settings. Finds every error before anything is started or written. */
export function settingsFrom(
  flags: CompleteFlags,
  { cwd, agents, plan, config }: Found,
  io: Io,
): Unreported<SuperviseSettings> {
  refuseIdleFlags(flags, agents, io);
  const { testFast, testFull, maxLoops, onStuck, force } = valuesOf(flags, config);
  const commands: readonly Named[] = [
    ...(flags.agentCmd === undefined ? [] : [["--agent-cmd", flags.agentCmd] as const]),
    ...agentCommands(agents),
    ...named(sourceOf("testFast", flags), testFast),
    ...named(sourceOf("testFull", flags), testFull),
  ];
  refuseEmpty([...commands, ["--task", flags.task]], io);
  refuseLongTask(flags.task);
  if (!force) refuseDanger(commands);
  const common = commonSettings(flags, cwd, config, "supervise", io);
  if (common.room === null) {
    refuseMissingPrograms(testFast, "fast", io);
    refuseMissingPrograms(testFull, "full", io);
  }
  const prompt = agents.length === 0 ? null : promptFrom("supervise", config, io);
  refuseSecrets(
    [
      ...commands,
      ["--task", flags.task],
      ["prompts.supervise", prompt?.text ?? ""],
      ...profileTexts(agents),
      ...roomTexts(common.room),
    ],
    redactorFor({ secrets: common.secrets, agents }, io.env),
  );
  const planFile = resolve(io.cwd, flags.planFile);
  const taken = [planFile, ...candidateFiles(cwd, io.env)];
  return {
    ...common,
    mode: COMMAND,
    task: flags.task,
    planFile,
    plan,
    agentCmd: flags.agentCmd ?? null,
    agents,
    prompt,
    maxLoops,
    reportPath: reportPathFrom(flags, { mode: COMMAND, taken }, io),
    onStuck: onStuck ?? DEFAULT_ON_STUCK.supervise,
  };
}

/** The plan's digest and text, or the problem with it. A run with an unusable plan still ends with a report. */
export function inspectPlan(planFile: string, io: Io): { readonly plan: Plan; readonly text: Buffer } {
  const path = resolve(io.cwd, planFile);
  const unusable = (problem: "plan_file_missing" | "plan_file_unreadable") => ({
    plan: { problem },
    text: Buffer.alloc(0),
  });
  try {
    const { size, isFile } = statOf(path);
    // Reading a pipe or a terminal would block.
    if (!isFile) return unusable("plan_file_unreadable");
    if (size > MAX_PLAN_BYTES)
      throw new Failure("plan_file_too_large", { path, limit: String(MAX_PLAN_BYTES) });
    const text = fs.readFileSync(path);
    return { plan: { sha256: sha256(text) }, text };
  } catch (error) {
    if (error instanceof Failure) throw error;
    return unusable(errorCode(error) === "ENOENT" ? "plan_file_missing" : "plan_file_unreadable");
  }
}

export function unusablePlan(problem: "plan_file_missing" | "plan_file_unreadable", path: string): Failure {
  return new Failure(problem, { path, ...(isDirectory(path) && { why: "directory" }) });
}

function statOf(path: string): { readonly size: number; readonly isFile: boolean } {
  const stat = fs.statSync(path);
  return { size: stat.size, isFile: stat.isFile() };
}

/** Commands in profiles. */
export function agentCommands(agents: readonly AgentProfile[]): readonly Named[] {
  return agents.flatMap(({ name, command }) =>
    command === null ? [] : [[`profiles.${name}.command`, command] as const],
  );
}

function named(flag: string, commands: readonly string[]): readonly Named[] {
  return commands.map((command) => [flag, command] as const);
}

function refuseEmpty(values: readonly Named[], io: Io): void {
  for (const [flag, value] of values)
    if (value.trim() === "") throw usage(usageTexts[io.lang].empty(flag), COMMAND);
}

function refuseLongTask(task: string): void {
  const bytes = Buffer.byteLength(task);
  if (bytes > MAX_TASK_BYTES)
    throw new Failure("task_too_long", { bytes: String(bytes), limit: String(MAX_TASK_BYTES) });
}

export function refuseDanger(commands: readonly Named[]): void {
  for (const [flag, command] of commands) {
    const danger = findDanger(command);
    if (danger) throw new Failure("dangerous_command", { flag, command: danger.command, rule: danger.rule });
  }
}

/** Rejects flags that belong to the other way of working, even if the configuration names the agents. */
function refuseIdleFlags(flags: SuperviseFlags, agents: readonly AgentProfile[], io: Io): void {
  const { conflict, needs } = usageTexts[io.lang];
  if (agents.length > 0 && flags.nonce === true) throw usage(needs("--nonce", "--agent-cmd"), COMMAND);
  if (agents.length === 0 && flags.model !== undefined)
    throw usage(conflict("--model", "--agent-cmd"), COMMAND);
  if (agents.length === 0 && flags.session !== undefined)
    throw usage(conflict("--session", "--agent-cmd"), COMMAND);
}
