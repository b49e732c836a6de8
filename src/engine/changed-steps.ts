import fs from "node:fs";
import { join } from "node:path";
import type { StepsSettings } from "../domain/settings.ts";
import type { RunState } from "../domain/state.ts";
import { looksLikeStep } from "../domain/steps/read-step.ts";
import type { RunContext } from "./ports.ts";
import { atMost } from "./tree-change.ts";

const MAX_TOLD = 50;

/** Step files that are not as we left them, and new ones: told at once, and looked at again when their turn comes. */
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
    MAX_TOLD,
    names.map((name) => join(stepsDir, name)),
  );
}

function namesIn(dir: string): readonly string[] {
  try {
    return fs.readdirSync(dir);
  } catch {
    return [];
  }
}
