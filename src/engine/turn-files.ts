import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import type { KeptFile } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";
import type { Captured } from "../domain/process-end.ts";
import type { RunState } from "../domain/state.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { feedbackMarkdown } from "../reports/feedback.ts";
import type { RunContext } from "./ports.ts";

/** A plan is text that somebody wrote; a larger one is refused when a run starts. */
export const MAX_PLAN_BYTES = 16 * 1024 * 1024;

/** Where the transcripts and the feedback of a turn are kept, out of the agent's way. */
export function turnDir(context: RunContext, turn: number): string {
  return join(context.paths.turns, String(turn));
}

/**
 * The feedback on the last judged attempt; before the first there is none. If its file is gone or was changed it is written
 * anew, without the quotes from output that only the file held.
 */
export function previousFeedback(state: RunState): string {
  const attempt = state.attempts.findLast((candidate) => candidate.judged !== null);
  if (!attempt?.judged) return "";
  const kept = readKept(attempt.judged.feedback);
  return (
    kept ?? feedbackMarkdown({ state, attempt, verdict: attempt.judged, checkExcerpt: [], agentExcerpt: [] })
  );
}

/** The plan as it was when the run began: what the agent has made of the file since does not count. */
export function keptPlan({ paths, journal }: RunContext): string {
  const { plan } = journal.state.started;
  const bytes = tryReadPlainFile(paths.plan, MAX_PLAN_BYTES);
  if ("problem" in plan || !bytes || digest(bytes) !== plan.sha256)
    throw new Failure("kept_plan_changed", { path: paths.plan });
  return bytes.toString("utf8");
}

/** Which files that the run was started with are not as they were. A command reads the plan by itself, as it is. */
export function changedInputs({ started, settings }: RunState): readonly string[] {
  const { plan, config } = started;
  const { prompt } = settings;
  const own = prompt === null || prompt.path === null ? [] : [{ path: prompt.path, sha256: prompt.sha256 }];
  const isKept = settings.agentCmd === null && !("problem" in plan);
  const planFile = isKept ? [{ path: settings.planFile, sha256: plan.sha256 }] : [];
  return [...planFile, ...config, ...own].filter((file) => !isAsItWas(file)).map(({ path }) => path);
}

function isAsItWas({ path, sha256 }: KeptFile): boolean {
  if (sha256 === null) return fs.lstatSync(path, { throwIfNoEntry: false }) === undefined;
  const bytes = tryReadPlainFile(path, MAX_PLAN_BYTES);
  return bytes !== undefined && digest(bytes) === sha256;
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function readKept(file: Captured): string | undefined {
  const bytes = tryReadPlainFile(file.path, file.bytes);
  if (!bytes || digest(bytes) !== file.sha256) return undefined;
  return bytes.toString("utf8");
}
