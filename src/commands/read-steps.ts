import { relative } from "node:path";
import { findDanger } from "../checks/danger.ts";
import { Failure, ListFailure } from "../domain/failure.ts";
import type { Step } from "../domain/step.ts";
import { looksLikeStep, numberOf } from "../domain/steps/read-step.ts";
import { visible } from "../domain/text.ts";
import { writeFileDurable } from "../files/write-file.ts";
import { failureTexts } from "../i18n/failures.ts";
import { runTexts } from "../i18n/run.ts";
import { stepProblemText, stepWarningText } from "../i18n/step-problems.ts";
import { refusedMarkdown, summaryOf, type ProgressRow } from "../reports/progress.ts";
import { progressPath } from "../reports/step-outcome.ts";
import { readStepsDir, type Steps, type StepsDirRefusal } from "../steps/steps-dir.ts";
import type { Io } from "./io.ts";

interface Problem {
  /** All that are at fault: of two that are the same nobody can say which is wrong. */
  readonly files: readonly string[];
  readonly text: string;
}

/** All steps of a directory, or everything that is wrong with them: nothing is run before all of them can be. */
export function readSteps(
  stepsDir: string,
  flags: { readonly force?: boolean; readonly dryRun?: boolean },
  io: Io,
): readonly Step[] {
  const found = readStepsDir(stepsDir);
  if (found.kind !== "steps") throw refusal(found, stepsDir);
  warn(found, io);
  const problems: readonly Problem[] = [
    ...found.problems.map((problem) => ({
      files: "other" in problem ? [problem.other, problem.file] : [problem.file],
      text: stepProblemText(problem, io.lang),
    })),
    ...(flags.force === true ? [] : dangers(found.steps, io)),
  ];
  if (problems.length === 0) return found.steps;
  if (flags.dryRun !== true) leaveProgress(stepsDir, found, problems, io);
  throw new ListFailure(
    "steps_invalid",
    stepsDir,
    problems.map(({ text }) => text),
  );
}

function refusal(found: StepsDirRefusal, path: string): Failure {
  switch (found.kind) {
    case "missing":
    case "not_a_directory":
    case "no_json":
      return new Failure(`steps_dir_${found.kind}`, { path });
    case "unreadable":
      return new Failure("steps_dir_unreadable", { path, why: found.why });
    case "no_steps":
      return new Failure("steps_dir_no_steps", { path, names: found.names.join(", ") });
    case "too_many":
      return new Failure("steps_dir_too_many", {
        path,
        count: String(found.count),
        limit: String(found.limit),
      });
  }
}

/** Nothing is passed over in silence. */
function warn({ skipped, warnings }: Steps, io: Io): void {
  const texts = runTexts[io.lang];
  const lines = [
    ...(skipped.length > 0 ? [texts.skipped(skipped.join(", "))] : []),
    ...warnings.map((warning) => stepWarningText(warning, io.lang)),
  ];
  for (const line of lines) io.stderr.write(`${texts.warning}${visible(line)}\n`);
}

function dangers(steps: readonly Step[], io: Io): readonly Problem[] {
  return steps.flatMap(({ file, unitTest }) => {
    const danger = unitTest && findDanger(unitTest.command);
    if (!danger) return [];
    const about = { flag: `${file} unit_test.command`, command: danger.command, rule: danger.rule };
    return [{ files: [file], text: failureTexts[io.lang].dangerous_command(about).message }];
  });
}

/** People look there first. Where it cannot be written the error itself says enough. */
function leaveProgress(stepsDir: string, found: Steps, problems: readonly Problem[], io: Io): void {
  const usable = new Map(found.steps.map((step) => [step.file, step]));
  const files = new Set([
    ...usable.keys(),
    ...problems.flatMap((problem) => problem.files).filter(looksLikeStep),
  ]);
  const rows = [...files].toSorted().map((file): ProgressRow => {
    const step = usable.get(file);
    const own = problems.filter((problem) => problem.files.includes(file)).map(({ text }) => text);
    return {
      number: numberOf(file),
      file,
      id: step?.id ?? null,
      before: step?.status ?? null,
      after: step?.status ?? null,
      summary: summaryOf(step?.description ?? ""),
      result: own.length > 0 ? "failed" : "not_run",
      remark: own.join("; "),
    };
  });
  const dir = relative(io.cwd, stepsDir) || ".";
  try {
    const text = refusedMarkdown(rows, { dir, at: new Date().toISOString(), lang: io.lang });
    writeFileDurable(progressPath({ stepsDir }), text);
  } catch {
    // Said above.
  }
}
