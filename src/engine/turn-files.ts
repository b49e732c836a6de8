import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { MAX_HISTORY_BYTES } from "../board/read-board.ts";
import { promptsOf, type KeptFile, type Settings } from "../domain/settings.ts";
import { Failure } from "../domain/failure.ts";
import type { Captured } from "../domain/process-end.ts";
import type { RunState } from "../domain/state.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { changedSteps } from "./changed-steps.ts";
import type { RunContext } from "./ports.ts";

/** A plan is text that somebody wrote; a larger one is refused when a run starts. */
export const MAX_PLAN_BYTES = 16 * 1024 * 1024;

/** Where the transcripts and the feedback of a turn are kept, out of the agent's way. */
export function turnDir(context: RunContext, turn: number): string {
  return join(context.paths.turns, String(turn));
}

/** What the run was given to read, as it was when it began: what an agent has made of the file since does not count. */
export function keptInput(
  { paths }: Pick<RunContext, "paths">,
  { sha256 }: { readonly sha256: string },
): string {
  // A history may be the longest of all.
  const bytes = tryReadPlainFile(paths.plan, MAX_HISTORY_BYTES);
  if (!bytes || sha256Of(bytes) !== sha256) throw new Failure("kept_plan_changed", { path: paths.plan });
  return bytes.toString("utf8");
}

/** Which files that the run was started with are not as they were. */
export function changedInputs(state: RunState, context: RunContext): readonly string[] {
  const { started, settings } = state;
  const prompts = promptsOf(settings).flatMap(({ path, sha256 }) =>
    path === null ? [] : [{ path, sha256 }],
  );
  const files = [...inputsOf(settings), ...started.config, ...prompts];
  return [
    ...files.filter((file) => !isAsItWas(file)).map(({ path }) => path),
    ...(settings.mode === "run" ? changedSteps(state, settings, context) : []),
    ...context.files.changed(context.digests),
  ];
}

function inputsOf(settings: Settings): readonly KeptFile[] {
  switch (settings.mode) {
    case "supervise": {
      // A command reads the plan by itself, as it is.
      const isKept = settings.agentCmd === null && "sha256" in settings.plan;
      return isKept ? [{ path: settings.planFile, sha256: settings.plan.sha256 }] : [];
    }
    case "analyze":
      return [settings.requirements];
    // Their files are looked at for themselves.
    case "run":
    case "orchestrate":
    case "chat":
      return [];
  }
}

export function isAsItWas({ path, sha256 }: KeptFile): boolean {
  if (sha256 === null) return fs.lstatSync(path, { throwIfNoEntry: false }) === undefined;
  const bytes = tryReadPlainFile(path, MAX_PLAN_BYTES);
  return bytes !== undefined && sha256Of(bytes) === sha256;
}

export function sha256Of(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A text of ours, if it is as we wrote it. */
export function readKept(file: Captured): string | undefined {
  const bytes = tryReadPlainFile(file.path, file.bytes);
  if (!bytes || sha256Of(bytes) !== file.sha256) return undefined;
  return bytes.toString("utf8");
}
