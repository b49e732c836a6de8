import { expect } from "vitest";
import type { StartOptions } from "../rig/rig.ts";
import type { StepsRig } from "../rig/steps.ts";

interface Refused {
  readonly code: number | null;
  readonly warnings: string[];
  readonly errors: string[];
}

/** Refuses a command line: no run, no agent call, and no file except the progress file. */
export async function refused(
  rig: StepsRig,
  args: readonly string[],
  start: StartOptions = {},
): Promise<Refused> {
  const all = (): string[] => rig.everything().filter((path) => !path.endsWith("run-progress.md"));
  const before = all();
  const { code, stdout, stderr } = await rig.run(["run", ...args], start);
  expect(stdout).toBe("");
  expect({ calls: rig.calls(), left: all(), survivors: rig.survivors() }).toEqual({
    calls: [],
    left: before,
    survivors: [],
  });
  const linesWith = (word: RegExp): string[] =>
    stderr.split("\n").flatMap((line) => (word.test(line) ? [line.replace(word, "")] : []));
  return { code, warnings: linesWith(/^(?:warning: |警告：)/), errors: linesWith(/^(?:error: |错误：)/) };
}
