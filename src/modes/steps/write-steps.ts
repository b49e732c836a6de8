import fs from "node:fs";
import { dirname, join } from "node:path";
import type { RunEvent } from "../../core/event.ts";
import { Failure, messageOf } from "../../platform/failure.ts";
import { lastAttempt, type RunState } from "../../core/state.ts";
import { readAnalysis } from "./analysis.ts";
import { requirementsIn } from "./requirements.ts";
import { plannedSteps, stepFiles } from "./analysis-files.ts";
import { makeDirectories, syncDirectory } from "../../platform/files/directories.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { writeFileDurable } from "../../platform/files/write-file.ts";
import type { RunContext } from "../../engine/ports.ts";
import { keptInput } from "../../engine/turn-files.ts";
import { readKept } from "../../platform/files/kept.ts";

interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** Writes all files of an accepted analysis or none: they are written to another directory, which gets its final name last. */
export function writeSteps(state: RunState, context: RunContext): RunEvent {
  const product = lastAttempt(state)?.turn?.product;
  const dir = product?.kind === "analysis" ? product.dir : null;
  const analysis = readAnalysis(acceptedAnswer(state));
  if ("problem" in analysis || dir === null) throw new Error("an unusable analysis was accepted");
  const { settings } = state;
  if (settings.mode !== "analyze") throw new Error(`${settings.mode} writes no steps`);
  const files = stepFiles(analysis);
  const requirements = requirementsIn(keptInput(context, settings.requirements));
  const written: RunEvent = {
    type: "steps_written",
    dir,
    files: files.map(({ name }) => name),
    steps: plannedSteps(analysis, requirements),
    requirements,
  };
  if (settings.dryRun) return written;
  // A crash may have come between the write and its record.
  if (holdsExactly(dir, files)) return { ...written, unchanged: true };
  if (fs.lstatSync(dir, { throwIfNoEntry: false })) return { type: "run_stopped", by: "steps_dir_exists" };
  const aside = `${dir}.${context.journal.state.runId}.tmp`;
  try {
    fs.rmSync(aside, { recursive: true, force: true });
    makeDirectories(aside);
    for (const { name, text } of files) writeFileDurable(join(aside, name), text);
    fs.renameSync(aside, dir);
    syncDirectory(dirname(dir));
  } catch (error) {
    fs.rmSync(aside, { recursive: true, force: true });
    throw new Failure("state_write_failed", { path: dir, why: messageOf(error) }, { cause: error });
  }
  return written;
}

function acceptedAnswer(state: RunState): string {
  const message = lastAttempt(state)?.turn?.agent?.message ?? null;
  const text = message && readKept(message);
  if (text == null) throw new Failure("kept_plan_changed", { path: message?.path ?? "" });
  return text;
}

function holdsExactly(dir: string, files: readonly TextFile[]): boolean {
  if (fs.lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const names = new Set(fs.readdirSync(dir));
  return (
    names.size === files.length &&
    files.every(({ name, text }) => tryReadPlainFile(join(dir, name))?.toString("utf8") === text)
  );
}
