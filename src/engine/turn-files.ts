import { join } from "node:path";
import { Failure } from "../platform/failure.ts";
import type { RunState } from "../core/state.ts";
import { isAsItWas } from "../platform/files/kept.ts";
import { tryReadPlainFile } from "../platform/files/read-file.ts";
import type { RunContext } from "./ports.ts";
import { sha256Of } from "../platform/files/sha256.ts";

/** The history of a board can be the largest input. */
const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/** The directory for a turn's transcripts and feedback, out of the agent's reach. */
export function turnDir(context: RunContext, turn: number): string {
  return join(context.paths.turns, String(turn));
}

/** The run's input as it was at the start. Later changes by an agent do not count. */
export function keptInput(
  { paths }: Pick<RunContext, "paths">,
  { sha256 }: { readonly sha256: string },
): string {
  const bytes = tryReadPlainFile(paths.plan, MAX_INPUT_BYTES);
  if (!bytes || sha256Of(bytes) !== sha256) throw new Failure("kept_plan_changed", { path: paths.plan });
  return bytes.toString("utf8");
}

/** Input files of the run that have changed. */
export function changedInputs(state: RunState, context: RunContext): readonly string[] {
  const { started, settings } = state;
  const prompts = state.mode
    .prompts(settings)
    .flatMap(({ path, sha256 }) => (path === null ? [] : [{ path, sha256 }]));
  const files = [...(state.mode.inputs?.(settings) ?? []), ...started.config, ...prompts];
  return [
    ...files.filter((file) => !isAsItWas(file)).map(({ path }) => path),
    ...(context.mode.changedInputs?.(state, settings, context) ?? []),
    ...(context.files.changed?.(context.digests) ?? []),
  ];
}
