import fs from "node:fs";
import { join, relative } from "node:path";
import { findDanger } from "../text/danger/danger.ts";
import { Failure, ListFailure, messageOf } from "../platform/failure.ts";
import type { Step } from "../core/step.ts";
import { shellWord } from "../text/shell-quote.ts";
import { looksLikeStep, numberOf } from "../modes/steps/read-step.ts";
import { visible } from "../text/text.ts";
import { writeFileDurable } from "../platform/files/write-file.ts";
import { failureText } from "./words/failures.ts";
import { runTexts } from "./words/run.ts";
import { terminalTexts } from "../ui/words/terminal.ts";
import { stepProblemText, stepWarningText } from "../modes/steps/words/step-problems.ts";
import { refusedMarkdown, summaryOf, type ProgressRow } from "../modes/steps/progress.ts";
import { progressPath } from "../modes/steps/step-outcome.ts";
import { readStepsDir, type Steps, type StepsDirRefusal } from "../modes/steps/disk/steps-dir.ts";
import { refuseReadOnly } from "../modes/steps/disk/write-step.ts";
import type { Io } from "./io.ts";
import { missingProgramText } from "./unstarted-tests.ts";

interface Problem {
  /** Both files of a duplicate, because either may be the wrong one. */
  readonly files: readonly string[];
  readonly text: string;
}

/** Reads all steps of a directory, or throws one failure with every problem. */
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
  if (problems.length > 0) throw refusedSteps(problems, { stepsDir, steps: found.steps, ...flags }, io);
  return found.steps;
}

const OWNER_MAY_WRITE = 0o200;

/** Rejects read-only steps and a first unit test that cannot start, before any agent costs money. */
export function refuseUnusableSteps(
  taken: readonly Step[],
  about: { readonly stepsDir: string; readonly steps: readonly Step[]; readonly dryRun?: boolean },
  io: Io,
): void {
  const readOnly = taken.flatMap((step) => readOnlyProblem(step, about.stepsDir, io));
  // Earlier steps may install the programs of later unit tests, so only the first is checked.
  const missing = taken.slice(0, 1).flatMap((step) => missingTest(step, io));
  if (readOnly.length > 0)
    throw refusedSteps([...readOnly, ...missing], about, io, chmodFor(readOnly, about.stepsDir, io));
  // The step files are fine, so run-progress.md of the last run stays.
  if (missing.length > 0) throw invalidSteps(missing, about.stepsDir, { missing: "yes" });
}

/** Files that `chmod` can make writable; none if one file has another cause. */
function chmodFor(problems: readonly Problem[], stepsDir: string, io: Io): Readonly<Record<string, string>> {
  const paths = problems.flatMap(({ files }) => files.map((file) => join(stepsDir, file)));
  if (!paths.every(isOwnReadOnly)) return {};
  return { readOnly: paths.map((path) => shellWord(relative(io.cwd, path))).join(" ") };
}

function isOwnReadOnly(path: string): boolean {
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  const user = process.getuid?.();
  return stat !== undefined && (stat.mode & OWNER_MAY_WRITE) === 0 && (user === 0 || user === stat.uid);
}

function readOnlyProblem({ file }: Step, stepsDir: string, io: Io): readonly Problem[] {
  const path = join(stepsDir, file);
  try {
    refuseReadOnly(path, fs.statSync(path).mode);
    return [];
  } catch (error) {
    const text = stepProblemText({ kind: "read_only", file, why: messageOf(error) }, io.lang);
    return [{ files: [file], text }];
  }
}

function missingTest({ file, unitTest }: Step, io: Io): readonly Problem[] {
  const text = unitTest && missingProgramText(unitTest.command, io);
  return text === null ? [] : [{ files: [file], text: `${file}${terminalTexts[io.lang].colon}${text}` }];
}

function refusedSteps(
  problems: readonly Problem[],
  about: { readonly stepsDir: string; readonly steps: readonly Step[]; readonly dryRun?: boolean },
  io: Io,
  more: Readonly<Record<string, string>> = {},
): Failure {
  if (about.dryRun !== true) leaveProgress(about.stepsDir, about.steps, problems, io);
  return invalidSteps(problems, about.stepsDir, more);
}

function invalidSteps(
  problems: readonly Problem[],
  stepsDir: string,
  more: Readonly<Record<string, string>> = {},
): Failure {
  return new ListFailure(
    "steps_invalid",
    stepsDir,
    problems.map(({ text }) => text),
    more,
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

/** Reports everything that was skipped. */
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
    return [{ files: [file], text: failureText({ code: "dangerous_command", about }, io.lang).message }];
  });
}

/** People look in this file first. If it cannot be written, the error itself is enough. */
function leaveProgress(stepsDir: string, steps: readonly Step[], problems: readonly Problem[], io: Io): void {
  const usable = new Map(steps.map((step) => [step.file, step]));
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
      attempts: null,
      timeMs: null,
      result: own.length > 0 ? "failed" : "not_run",
      remark: own.join("; "),
    };
  });
  const dir = relative(io.cwd, stepsDir) || ".";
  try {
    const text = refusedMarkdown(rows, { dir, at: new Date().toISOString(), lang: io.lang });
    writeFileDurable(progressPath({ stepsDir }), text);
  } catch {
    // Already reported above.
  }
}
