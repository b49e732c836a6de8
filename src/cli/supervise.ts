import fs from "node:fs";
import { resolve } from "node:path";
import type { AgentProfile } from "../core/agent-profile.ts";
import { DEFAULT_ON_STUCK, type Plan, type SuperviseSettings } from "../core/settings.ts";
import { errorCode, Failure } from "../platform/failure.ts";
import { isDirectory } from "../platform/files/directories.ts";
import { MAX_PLAN_BYTES } from "../platform/files/kept.ts";
import {
  findAgents,
  modelsFor,
  NO_AGENTS,
  refuseNotInstalled,
  refuseUncounted,
  type FoundAgents,
} from "./agents.ts";
import type { Call } from "./call.ts";
import { usage } from "./usage.ts";
import type { Io } from "./io.ts";
import {
  agentCommands,
  commonSettings,
  inProject,
  promptsFrom,
  refuseDanger,
  refuseSecretsIn,
  reportPathFrom,
  sha256,
  type Named,
} from "./run-flags.ts";
import type { FlagsOf } from "./settings/table.ts";
import { sourceOf } from "./settings/values.ts";
import { startRun, type Unreported } from "./start-run.ts";
import { refuseMissingPrograms } from "./unstarted-tests.ts";
import { usageTexts } from "./words/usage.ts";

type SuperviseFlags = FlagsOf<"supervise">;
type SuperviseCall = Call<"supervise">;

/** Flags with the required values present. */
type Required = SuperviseFlags & { readonly task: string; readonly planFile: string };

const SUPERVISE = "supervise";

/** One environment variable holds at most 128 KiB on Linux, name included. */
const MAX_TASK_BYTES = 120_000;

/** `supervise`: starts a run and drives it. */
export function supervise(flags: SuperviseFlags, io: Io): Promise<number> {
  return inProject(SUPERVISE, flags, io, start);
}

async function start(call: SuperviseCall): Promise<number> {
  const { cwd, io } = call;
  const flags = requiredFlags(call);
  const { agents, missing } = agentsFor(call);
  const { plan, text } = inspectPlan(flags.planFile, io);
  const settings = settingsFrom(call, flags, agents, plan);
  refuseUncounted(agents, settings.limits, settings.agentCmd);
  // Without a usable plan no agent starts, and the run ends with a report of the problem.
  if (!("problem" in plan)) refuseNotInstalled(agents, cwd, io.env);
  const exitCode = await startRun(call, { settings, missing, kept: agents.length > 0 ? text : null });
  // The run has its report; the terminal shows the usual message for bad input.
  if ("problem" in plan) {
    const path = settings.planFile;
    throw new Failure(plan.problem, { path, ...(isDirectory(path) && { why: "directory" }) });
  }
  return exitCode;
}

/** None if a shell command is used instead. */
function agentsFor(call: SuperviseCall): Pick<FoundAgents, "agents" | "missing"> {
  const { flags, config } = call;
  if (flags.agentCmd !== undefined) return NO_AGENTS;
  const { agents, known, missing } = findAgents(call, "--agent", flags.agents, config.agents.value);
  return { agents: agents.map(modelsFor(call, known)), missing };
}

/** Lists all missing flags at once. */
function requiredFlags({ flags, values }: SuperviseCall): Required {
  const { task, planFile } = flags;
  const given: Readonly<Record<string, boolean>> = {
    "--task": task !== undefined,
    "--plan-file": planFile !== undefined,
    "--test-fast": values.testFast.length > 0,
    "--test-full": values.testFull.length > 0,
  };
  const missing = Object.keys(given).filter((flag) => given[flag] === false);
  if (task === undefined || planFile === undefined || missing.length > 0)
    throw new Failure("flags_missing", { flags: missing.join(", "), command: SUPERVISE });
  return { ...flags, task, planFile };
}

/** Turns flags and configuration into settings. Finds every error before anything is started or written. */
function settingsFrom(
  call: SuperviseCall,
  flags: Required,
  agents: readonly AgentProfile[],
  plan: Plan,
): Unreported<SuperviseSettings> {
  const { values, io } = call;
  refuseIdleFlags(call, agents);
  const { testFast, testFull, maxLoops, onStuck, force } = values;
  const commands: readonly Named[] = [
    ...(flags.agentCmd === undefined ? [] : [["--agent-cmd", flags.agentCmd] as const]),
    ...agentCommands(agents),
    ...named(sourceOf("testFast", flags), testFast),
    ...named(sourceOf("testFull", flags), testFull),
  ];
  const texts: readonly Named[] = [...commands, ["--task", flags.task]];
  refuseEmpty(texts, io);
  refuseLongTask(flags.task);
  if (!force) refuseDanger(commands);
  const common = commonSettings(call);
  if (common.room === null) {
    refuseMissingPrograms(testFast, "fast", io);
    refuseMissingPrograms(testFull, "full", io);
  }
  const prompts = agents.length === 0 ? null : promptsFrom(call, SUPERVISE);
  refuseSecretsIn({ ...common, agents, prompts: prompts ?? {} }, texts, io);
  const planFile = resolve(io.cwd, flags.planFile);
  return {
    ...common,
    task: flags.task,
    planFile,
    plan,
    agentCmd: flags.agentCmd ?? null,
    agents,
    prompt: prompts?.supervise ?? null,
    maxLoops,
    reportPath: reportPathFrom(call, [planFile]),
    onStuck: onStuck ?? DEFAULT_ON_STUCK.supervise,
  };
}

/** The plan's digest and text, or the problem with it. A run with an unusable plan still ends with a report. */
function inspectPlan(planFile: string, io: Io): { readonly plan: Plan; readonly text: Buffer } {
  const path = resolve(io.cwd, planFile);
  const unusable = (problem: "plan_file_missing" | "plan_file_unreadable") => ({
    plan: { problem },
    text: Buffer.alloc(0),
  });
  try {
    const stat = fs.statSync(path);
    // Reading a pipe or a terminal would block.
    if (!stat.isFile()) return unusable("plan_file_unreadable");
    if (stat.size > MAX_PLAN_BYTES)
      throw new Failure("plan_file_too_large", { path, limit: String(MAX_PLAN_BYTES) });
    const text = fs.readFileSync(path);
    return { plan: { sha256: sha256(text) }, text };
  } catch (error) {
    if (error instanceof Failure) throw error;
    return unusable(errorCode(error) === "ENOENT" ? "plan_file_missing" : "plan_file_unreadable");
  }
}

function named(flag: string, commands: readonly string[]): readonly Named[] {
  return commands.map((command) => [flag, command] as const);
}

function refuseEmpty(values: readonly Named[], io: Io): void {
  for (const [flag, value] of values)
    if (value.trim() === "") throw usage(usageTexts[io.lang].empty(flag), SUPERVISE);
}

function refuseLongTask(task: string): void {
  const bytes = Buffer.byteLength(task);
  if (bytes > MAX_TASK_BYTES)
    throw new Failure("task_too_long", { bytes: String(bytes), limit: String(MAX_TASK_BYTES) });
}

/** Rejects flags that belong to the other way of working, even if the configuration names the agents. */
function refuseIdleFlags({ flags, io }: SuperviseCall, agents: readonly AgentProfile[]): void {
  const { conflict, needs } = usageTexts[io.lang];
  if (agents.length > 0 && flags.nonce === true) throw usage(needs("--nonce", "--agent-cmd"), SUPERVISE);
  if (agents.length === 0 && flags.model !== undefined)
    throw usage(conflict("--model", "--agent-cmd"), SUPERVISE);
  if (agents.length === 0 && flags.session !== undefined)
    throw usage(conflict("--session", "--agent-cmd"), SUPERVISE);
}
