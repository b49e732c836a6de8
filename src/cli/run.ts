import fs from "node:fs";
import { basename, join, resolve } from "node:path";
import type { AgentProfile } from "../core/agent-profile.ts";
import { DEFAULT_ON_STUCK, type StepsSettings } from "../core/settings.ts";
import type { Step } from "../core/step.ts";
import { progressPath } from "../modes/steps/step-outcome.ts";
import { isTaken } from "../modes/steps/steps-left.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import { isDirectory } from "../platform/files/directories.ts";
import { findAgents, modelsFor, NO_AGENTS, refuseNotInstalled, refuseUncounted } from "./agents.ts";
import type { Call } from "./call.ts";
import { usage } from "./usage.ts";
import { showPlan } from "./dry-run.ts";
import { markedIn, settleEarlier, unjudgedIn } from "./earlier-run.ts";
import type { Io } from "./io.ts";
import { readSteps, refuseUnusableSteps } from "./read-steps.ts";
import {
  agentCommands,
  commonSettings,
  inProject,
  probe,
  promptsFrom,
  refuseDanger,
  refuseSecretsIn,
  reportPathFrom,
} from "./run-flags.ts";
import { runStore } from "./run-store.ts";
import type { FlagsOf } from "./settings/table.ts";
import { startRun, type Unreported } from "./start-run.ts";
import { usageTexts } from "./words/usage.ts";

const RUN = "run";

/** Attempts per step. */
const MAX_ATTEMPTS = 5;

/** `run`: implements, tests and verifies the steps of a directory, one after the other. */
export function run(dir: string, flags: FlagsOf<"run">, io: Io): Promise<number> {
  return inProject(RUN, flags, io, (call) => start(dir, call));
}

async function start(dir: string, call: Call<"run">): Promise<number> {
  const { flags, cwd, values, io } = call;
  const { dryRun, fullVerify } = values;
  refuseIdleFlags(call);
  const stepsDir = stepsDirFrom(dir, io);
  const earlier = dryRun ? null : await settleEarlier(runStore(io.env), stepsDir, io);
  const steps = readSteps(stepsDir, flags, io);
  const chosen = chosenSteps(call, steps);
  const taken = steps.filter((step, index) => isTaken(step, index + 1, { chosen, fullVerify }));
  refuseUnusableSteps(taken, { stepsDir, steps, dryRun }, io);
  const isWork = taken.length > 0;
  const found = workersAndVerifiers(call);
  const left = { markedBefore: markedIn(earlier, steps), unjudgedBefore: unjudgedIn(earlier, steps) };
  const settings = settingsFrom(call, { stepsDir, steps, chosen, ...left }, found);
  refuseUncounted(settings.agents, settings.limits);
  // If all steps are done, no agent has to be installed.
  for (const agents of isWork ? [found.workers, found.verifiers] : [])
    refuseNotInstalled(agents, cwd, io.env);
  if (dryRun) return showPlan(settings, flags, io);
  refuseReadOnlyDir(stepsDir, io);
  return startRun(call, { settings, missing: isWork ? found.missing : [] });
}

interface FoundAgents {
  readonly workers: readonly AgentProfile[];
  readonly verifiers: readonly AgentProfile[];
  readonly missing: readonly string[];
}

function workersAndVerifiers(call: Call<"run">): FoundAgents {
  const { flags, config } = call;
  const working = findAgents(call, "--agents", flags.agents, config.agents.value);
  const checking =
    flags.verifiers === undefined && config.verifiers.value.length === 0
      ? NO_AGENTS
      : findAgents(call, "--verifier", flags.verifiers, config.verifiers.value);
  const withModel = modelsFor(call, [...working.known, ...checking.known]);
  return {
    workers: working.agents.map(withModel),
    verifiers: checking.agents.map(withModel),
    missing: [...new Set([...working.missing, ...checking.missing])],
  };
}

type ChosenSteps = Pick<StepsSettings, "stepsDir" | "steps" | "chosen" | "markedBefore"> & {
  readonly unjudgedBefore: readonly number[];
};

function settingsFrom(
  call: Call<"run">,
  { unjudgedBefore, ...chosen }: ChosenSteps,
  { workers, verifiers }: FoundAgents,
): Unreported<StepsSettings> {
  const { values, io } = call;
  const { stepsDir, steps } = chosen;
  const namesOf = (profiles: readonly AgentProfile[]): readonly string[] => profiles.map(({ name }) => name);
  const agents = [...workers, ...verifiers.filter(({ name }) => !namesOf(workers).includes(name))];
  if (!values.force) refuseDanger(agentCommands(agents));
  const common = commonSettings(call);
  const prompts = promptsFrom(call, "implement", "verify");
  const stepTexts = steps.map((step) => [step.file, JSON.stringify(step)] as const);
  refuseSecretsIn({ ...common, agents, prompts }, stepTexts, io);
  const names = [...steps.map(({ file }) => file), basename(progressPath({ stepsDir }))];
  return {
    ...common,
    task: basename(stepsDir),
    ...chosen,
    ...(unjudgedBefore.length > 0 && { unjudgedBefore }),
    workers: namesOf(workers),
    verifiers: namesOf(verifiers),
    agents,
    session: "fresh",
    prompts,
    onStuck: values.onStuck ?? DEFAULT_ON_STUCK.run,
    maxLoops: MAX_ATTEMPTS,
    reportPath: reportPathFrom(
      call,
      names.map((name) => join(stepsDir, name)),
    ),
  };
}

/** The selected steps, from 1 in order; null: all. */
function chosenSteps(
  { flags: { only, from }, io }: Call<"run">,
  steps: readonly Step[],
): readonly number[] | null {
  const { noSuchStep, conflict } = usageTexts[io.lang];
  if (only && from !== undefined) throw usage(conflict("--only", "--from"), RUN);
  const find = (flag: string, number: string): number => {
    const index = steps.findIndex((step) => /^\d+$/.test(number) && Number(step.number) === Number(number));
    if (index >= 0) return index + 1;
    const known = steps.length > 10 ? [steps[0], "...", steps.at(-1)] : steps;
    const text = known.map((step) => (typeof step === "object" ? step.number : step)).join(", ");
    throw usage(noSuchStep(flag, number, text), RUN);
  };
  if (from !== undefined) {
    const first = find("--from", from);
    return steps.map((_, index) => index + 1).filter((step) => step >= first);
  }
  if (!only) return null;
  const numbers = only.flatMap((text) => text.split(",")).filter((text) => text !== "");
  if (numbers.length === 0) throw usage(usageTexts[io.lang].empty("--only"), RUN);
  return [...new Set(numbers.map((number) => find("--only", number)))].toSorted((a, b) => a - b);
}

function refuseIdleFlags({ flags, io }: Call<"run">): void {
  if (flags.reverify === false && flags.fullVerify !== true)
    throw usage(usageTexts[io.lang].needs("--no-reverify", "--full-verify"), RUN);
}

/** Uses the real path, so that a replaced link is noticed. */
function stepsDirFrom(dir: string, io: Io): string {
  if (dir === "") throw usage(usageTexts[io.lang].empty("<steps-dir>"), RUN);
  const path = resolve(io.cwd, dir);
  return isDirectory(path) ? fs.realpathSync(path) : path;
}

/** Tries to write before anything is started. */
function refuseReadOnlyDir(stepsDir: string, io: Io): void {
  const progress = progressPath({ stepsDir });
  const there = fs.lstatSync(progress, { throwIfNoEntry: false });
  if (there && !there.isFile() && !there.isSymbolicLink())
    throw new Failure("steps_dir_not_writable", { path: progress, why: usageTexts[io.lang].isNoFile });
  try {
    probe(stepsDir);
  } catch (error) {
    throw new Failure("steps_dir_not_writable", { path: stepsDir, why: messageOf(error) }, { cause: error });
  }
}
