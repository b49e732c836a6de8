import fs from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Config } from "./config/config.ts";
import { candidateFiles } from "./config/read.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import { DEFAULT_ON_STUCK, type StepsSettings } from "../core/settings.ts";
import type { Step } from "../core/step.ts";
import { isDirectory } from "../platform/files/directories.ts";
import type { FlagsOf } from "./settings/table.ts";
import { valuesOf } from "./settings/values.ts";
import { usageTexts } from "./words/usage.ts";
import { progressPath } from "../modes/steps/step-outcome.ts";
import type { Io } from "./io.ts";
import { redactorFor } from "./redactor.ts";
import {
  commonSettings,
  probe,
  profileTexts,
  promptFrom,
  refuseSecrets,
  roomTexts,
  reportPathFrom,
  usage,
} from "./run-flags.ts";
import { agentCommands, refuseDanger } from "./supervise-settings.ts";
import type { Unreported } from "./start-run.ts";

type StepsFlags = FlagsOf<"run">;

export const RUN = "run";

/** Attempts per step. */
const MAX_ATTEMPTS = 5;

interface Found {
  readonly cwd: string;
  readonly stepsDir: string;
  readonly steps: readonly Step[];
  readonly chosen: readonly number[] | null;
  readonly markedBefore: readonly number[];
  readonly unjudgedBefore: readonly number[];
  readonly workers: readonly AgentProfile[];
  readonly verifiers: readonly AgentProfile[];
  readonly config: Config;
}

export function stepsSettings(flags: StepsFlags, found: Found, io: Io): Unreported<StepsSettings> {
  const { cwd, stepsDir, steps, chosen, markedBefore, unjudgedBefore, workers, verifiers, config } = found;
  const namesOf = (profiles: readonly AgentProfile[]): readonly string[] => profiles.map(({ name }) => name);
  const agents = [...workers, ...verifiers.filter(({ name }) => !namesOf(workers).includes(name))];
  const { force, onStuck } = valuesOf(flags, config);
  if (!force) refuseDanger(agentCommands(agents));
  const common = commonSettings(flags, cwd, config, RUN, io);
  const prompts = {
    implement: promptFrom("implement", config, io),
    verify: promptFrom("verify", config, io),
  };
  refuseSecrets(
    [
      ["prompts.implement", prompts.implement.text],
      ["prompts.verify", prompts.verify.text],
      ...profileTexts(agents),
      ...steps.map((step) => [step.file, JSON.stringify(step)] as const),
      ...roomTexts(common.room),
    ],
    redactorFor({ secrets: common.secrets, agents }, io.env),
  );
  const names = [...steps.map(({ file }) => file), basename(progressPath({ stepsDir }))];
  const taken = [...names.map((name) => join(stepsDir, name)), ...candidateFiles(cwd, io.env)];
  return {
    ...common,
    mode: RUN,
    task: basename(stepsDir),
    stepsDir,
    steps,
    chosen,
    markedBefore,
    ...(unjudgedBefore.length > 0 && { unjudgedBefore }),
    workers: namesOf(workers),
    verifiers: namesOf(verifiers),
    agents,
    session: "fresh",
    prompts,
    onStuck: onStuck ?? DEFAULT_ON_STUCK.run,
    maxLoops: MAX_ATTEMPTS,
    reportPath: reportPathFrom(flags, { mode: RUN, taken }, io),
  };
}

/** The selected steps, from 1 in order; null: all. */
export function chosenSteps(
  { only, from }: Pick<StepsFlags, "only" | "from">,
  steps: readonly Step[],
  io: Io,
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

export function refuseIdleFlags(flags: StepsFlags, io: Io): void {
  if (flags.reverify === false && flags.fullVerify !== true)
    throw usage(usageTexts[io.lang].needs("--no-reverify", "--full-verify"), RUN);
}

/** Uses the real path, so that a replaced link is noticed. */
export function stepsDirFrom(dir: string, io: Io): string {
  if (dir === "") throw usage(usageTexts[io.lang].empty("<steps-dir>"), RUN);
  const path = resolve(io.cwd, dir);
  return isDirectory(path) ? fs.realpathSync(path) : path;
}

/** Tries to write before anything is started. */
export function refuseReadOnlyDir(stepsDir: string, io: Io): void {
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
