import type { StepsSettings } from "../core/settings.ts";
import { isTaken } from "../modes/steps/steps-left.ts";
import { DONE, type Step } from "../core/step.ts";
import { safeJson, visible } from "../text/text.ts";
import { ExitCode } from "../platform/outcome.ts";
import { runTexts } from "./words/run.ts";
import { summaryOf } from "../modes/steps/progress.ts";
import type { Io } from "./io.ts";
import type { Unreported } from "./start-run.ts";

type Plan = "implement" | "check" | "skip_done" | "not_chosen";

/** `run --dry-run`: prints the plan: which steps, in which order, by which agents. */
export function showPlan(
  settings: Unreported<StepsSettings>,
  { json }: { readonly json?: boolean },
  io: Io,
): number {
  const plans = settings.steps.map((step, index) => ({ step, plan: planFor(step, index + 1, settings) }));
  io.stdout.write(json === true ? jsonText(plans, settings) : pageText(plans, settings, io));
  return ExitCode.accepted;
}

interface Planned {
  readonly step: Step;
  readonly plan: Plan;
}

function planFor(step: Step, number: number, settings: Unreported<StepsSettings>): Plan {
  const isDone = step.status === DONE;
  if (isTaken(step, number, settings)) return isDone ? "check" : "implement";
  return isDone ? "skip_done" : "not_chosen";
}

function jsonText(plans: readonly Planned[], settings: Unreported<StepsSettings>): string {
  const steps = plans.map(({ step, plan }) => ({
    number: step.number,
    file: step.file,
    id: step.id,
    status: step.status,
    plan,
    unit_test: step.unitTest,
    verification: step.verification,
  }));
  const { stepsDir, workers, verifiers } = settings;
  const value = { type: "plan", steps_dir: stepsDir, workers, verifiers, steps };
  return `${safeJson(JSON.stringify(value, null, 2))}\n`;
}

function pageText(plans: readonly Planned[], settings: Unreported<StepsSettings>, io: Io): string {
  const texts = runTexts[io.lang];
  const { workers, verifiers } = settings;
  const work = plans.filter(({ plan }) => plan === "implement" || plan === "check").length;
  const done = plans.filter(({ step }) => step.status === DONE).length;
  const lines = [
    texts.planned(plans.length, work, done),
    `  ${texts.workers(workers.join(", "))}`,
    `  ${texts.verifiers(verifiers.length > 0 ? verifiers.join(", ") : texts.otherThanWorker)}`,
    ...plans.flatMap(({ step, plan }, index) => [
      `[${index + 1}/${plans.length}] ${step.file} ${step.id}  ${step.status}  ${texts.would[plan]}`,
      `  ${summaryOf(step.description)}`,
      `  ${[...(step.unitTest ? [texts.unitTest(step.unitTest.command)] : []), texts.items(step.verification.length)].join("; ")}`,
    ]),
    texts.nothingDone,
  ];
  return lines.map((line) => `${visible(line)}\n`).join("");
}
