import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findDanger } from "../checks/danger.ts";
import type { Config } from "../config/config.ts";
import type { AgentProfile } from "../domain/agent-profile.ts";
import type { Lang, PromptTemplate, RunStarted, SessionUse, Settings } from "../domain/event.ts";
import { errorCode, Failure, messageOf } from "../domain/failure.ts";
import type { Redactor } from "../domain/redact.ts";
import { MAX_PLAN_BYTES } from "../engine/turn-files.ts";
import { isDirectory } from "../files/directories.ts";
import { usageTexts } from "../i18n/usage.ts";
import { SUPERVISE_PROMPT } from "../prompts/built-in.ts";
import type { Io } from "./io.ts";
import { limitsFrom, type LimitFlags } from "./limits.ts";
import { readPrompt } from "./read-prompt.ts";
import { redactorFor } from "./redactor.ts";

/** The flags of `supervise` as commander hands them over. What is absent may stand in the configuration. */
export interface SuperviseFlags extends LimitFlags {
  readonly task: string;
  readonly planFile: string;
  readonly agentCmd?: string;
  readonly agent?: string;
  readonly session?: SessionUse;
  readonly testFast?: readonly string[];
  readonly testFull?: readonly string[];
  readonly maxLoops?: number;
  readonly cwd?: string;
  readonly report?: string;
  readonly force?: boolean;
  readonly agentTimeoutSec?: number;
  readonly testTimeoutSec?: number;
  readonly stallSec?: number;
  readonly maxOutputMb: number;
  readonly nonce?: boolean;
  readonly lang?: Lang;
}

/** One environment variable holds at most 128 KiB on Linux, name included. */
const MAX_TASK_BYTES = 120_000;

/** Where the work is: the configuration is looked for from there. */
export function workDir(flags: Pick<SuperviseFlags, "cwd">, io: Io): string {
  if (io.cwd === "") throw new Failure("here_is_gone");
  if (flags.cwd === "") throw usage(usageTexts[io.lang].empty("--cwd"));
  const cwd = resolve(io.cwd, flags.cwd ?? ".");
  if (!isDirectory(cwd)) throw new Failure("cwd_not_a_directory", { path: cwd });
  return fs.realpathSync(cwd);
}

/** Flags and configuration → settings. Everything that can be wrong is found here, before anything is started or written. */
export function settingsFrom(
  flags: SuperviseFlags,
  cwd: string,
  agents: readonly AgentProfile[],
  config: Config,
  io: Io,
): Omit<Settings, "reportPath"> & { reportPath: string | null } {
  refuseIdleFlags(flags, agents, io);
  const testFast = given("--test-fast", flags.testFast ?? config.tests.fast.value, io);
  const testFull = given("--test-full", flags.testFull ?? config.tests.full.value, io);
  const commands: readonly Named[] = [
    ...(flags.agentCmd === undefined ? [] : [["--agent-cmd", flags.agentCmd] as const]),
    ...agents.flatMap(({ name, command }) =>
      command === null ? [] : [[`profiles.${name}.command`, command] as const],
    ),
    ...named(flags.testFast ? "--test-fast" : "tests.fast", testFast),
    ...named(flags.testFull ? "--test-full" : "tests.full", testFull),
  ];
  refuseEmpty([...commands, ["--task", flags.task]], io);
  refuseLongTask(flags.task);
  if (flags.force !== true) refuseDanger(commands);
  const secrets = config.secrets.map(({ value }) => value);
  const prompt = agents.length === 0 ? null : promptFrom(config, io);
  refuseSecrets(
    [
      ...commands,
      ["--task", flags.task],
      ["prompts.supervise", prompt?.text ?? ""],
      ...agents.map((agent) => [`profiles.${agent.name}`, profileText(agent)] as const),
    ],
    redactorFor({ secrets, agents }, io.env),
  );
  const reportPath = flags.report === undefined ? null : resolve(io.cwd, flags.report);
  if (reportPath !== null && reportPath === resolve(io.cwd, flags.planFile))
    throw new Failure("report_not_writable", { path: reportPath, why: usageTexts[io.lang].isThePlan });
  refuseUnwritable(reportPath ?? join(io.cwd, "goldagent-supervise-report.json"), io);
  const { limits } = config;
  return {
    mode: "supervise",
    task: flags.task,
    planFile: resolve(io.cwd, flags.planFile),
    agentCmd: flags.agentCmd ?? null,
    agents,
    session: flags.session ?? "fresh",
    prompt,
    secrets,
    testFast,
    testFull,
    maxLoops: flags.maxLoops ?? limits.maxLoops.value,
    cwd,
    calledFrom: io.cwd,
    reportPath,
    force: flags.force === true,
    agentTimeoutMs: inMs(flags.agentTimeoutSec) ?? limits.agentTimeoutMs.value,
    stallMs: inMs(flags.stallSec) ?? limits.stallMs.value,
    limits: limitsFrom(flags, config),
    testTimeoutMs: inMs(flags.testTimeoutSec) ?? limits.testTimeoutMs.value,
    maxOutputBytes: flags.maxOutputMb * 1024 * 1024,
    nonce: flags.nonce === true,
    lang: io.lang,
  };
}

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

/** The plan's digest and text, or why it cannot be used; a run with an unusable plan still ends with a report. */
export function inspectPlan(path: string): { readonly plan: RunStarted["plan"]; readonly text: Buffer } {
  const unusable = (problem: "plan_file_missing" | "plan_file_unreadable") => ({
    plan: { problem },
    text: Buffer.alloc(0),
  });
  try {
    const { size, isFile } = statOf(path);
    // Reading a pipe or a terminal would wait for somebody to write.
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

function statOf(path: string): { readonly size: number; readonly isFile: boolean } {
  const stat = fs.statSync(path);
  return { size: stat.size, isFile: stat.isFile() };
}

function promptFrom(config: Config, io: Io): PromptTemplate {
  const path = config.prompts.supervise.value;
  const text = path === null ? SUPERVISE_PROMPT[io.lang] : readPrompt(path, io.lang);
  return { text, sha256: sha256(text), path };
}

function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

function usage(problem: string): Failure {
  return new Failure("usage", { problem, command: "supervise" });
}

function given(flag: string, commands: readonly string[], io: Io): readonly string[] {
  if (commands.length === 0) throw usage(usageTexts[io.lang].missingFlag(flag));
  return commands;
}

type Named = readonly [flag: string, command: string];

function named(flag: string, commands: readonly string[]): readonly Named[] {
  return commands.map((command) => [flag, command] as const);
}

function refuseEmpty(values: readonly Named[], io: Io): void {
  for (const [flag, value] of values) if (value.trim() === "") throw usage(usageTexts[io.lang].empty(flag));
}

function refuseLongTask(task: string): void {
  const bytes = Buffer.byteLength(task);
  if (bytes > MAX_TASK_BYTES)
    throw new Failure("task_too_long", { bytes: String(bytes), limit: String(MAX_TASK_BYTES) });
}

function refuseDanger(commands: readonly Named[]): void {
  for (const [flag, command] of commands) {
    const danger = findDanger(command);
    if (danger) throw new Failure("dangerous_command", { flag, command: danger.command, rule: danger.rule });
  }
}

/** Flags that say something about the other way to work, also where agents are named by the configuration. */
function refuseIdleFlags(flags: SuperviseFlags, agents: readonly AgentProfile[], io: Io): void {
  const { conflict } = usageTexts[io.lang];
  if (agents.length > 0 && flags.nonce === true) throw usage(conflict("--nonce", "--agent"));
  if (agents.length === 0 && flags.session !== undefined) throw usage(conflict("--session", "--agent-cmd"));
}

/** Redacted they would not be the same any more, and a run keeps them for ever. */
function refuseSecrets(texts: readonly Named[], redactor: Redactor): void {
  for (const [flag, text] of texts)
    if (redactor.holds(text)) throw new Failure("secret_in_command", { flag });
}

/** All that a profile says itself; variables it refers to are not in it. */
function profileText({ program, args, model, endpoint, env }: AgentProfile): string {
  return [program, ...args, model, endpoint, ...Object.values(env)]
    .filter((text) => text !== null)
    .join("\n");
}

/** Tried for real: permission bits do not tell of read-only mounts, nor of root. */
function refuseUnwritable(path: string, io: Io): void {
  const probe = join(dirname(path), `.agent-foreman-${randomUUID()}.tmp`);
  try {
    const there = fs.statSync(path, { throwIfNoEntry: false });
    if (there && !there.isFile()) throw new Error(usageTexts[io.lang].isNoFile);
    fs.writeFileSync(probe, "", { flag: "wx" });
    fs.rmSync(probe);
  } catch (error) {
    throw new Failure("report_not_writable", { path, why: messageOf(error) }, { cause: error });
  }
}
