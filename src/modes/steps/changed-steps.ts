import { join } from "node:path";
import type { StepsSettings } from "../../core/settings.ts";
import type { RunState } from "../../core/state.ts";
import { looksLikeStep } from "./read-step.ts";
import type { RunContext } from "../../engine/ports.ts";
import { atMost } from "../../engine/tree-change.ts";
import { namesIn } from "../../platform/files/names-in.ts";

const MAX_REPORTED = 50;

/** Step files that others changed or added. They are reported at once, and checked again when their turn comes. */
export function changedSteps(
  { steps }: RunState,
  { stepsDir }: StepsSettings,
  { digests }: RunContext,
): readonly string[] {
  const known = new Set(steps.map(({ step }) => step.file));
  const changed = steps.filter(({ step, sha256 }) => digests.of(join(stepsDir, step.file)) !== sha256);
  const added = namesIn(stepsDir).filter((name) => looksLikeStep(name) && !known.has(name));
  const names = [...changed.map(({ step }) => step.file), ...added];
  return atMost(
    MAX_REPORTED,
    names.map((name) => join(stepsDir, name)),
  );
}
