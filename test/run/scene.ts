import { expect, onTestFinished } from "vitest";
import { StepsRig, untimed } from "../rig/steps.ts";

const PATIENCE = 250;

/** A rig that must have no live processes after the test. */
export function stepsRig(agents?: readonly string[], more?: string): StepsRig {
  const rig = new StepsRig();
  if (agents) rig.profiles(agents, more);
  onTestFinished(async () => {
    // Killed processes need a moment to disappear.
    for (let look = 0; look < PATIENCE && rig.survivors().length > 0; look++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rig.survivors()).toEqual([]);
  });
  return rig;
}

/** A row of run-progress.md. */
export interface Row {
  readonly before: string;
  readonly after: string;
  readonly result: string;
  readonly remark: string;
}

export function rowOf(progress: string, number: string): Row {
  const line = progress.split("\n").find((text) => text.startsWith(`| ${number} |`));
  const [before = "", after = "", , , , result = "", remark = ""] = (line ?? "")
    .split(/(?<!\\)\|/)
    .slice(4, -1)
    .map((cell) => cell.trim());
  return { before, after, result, remark };
}

export function linesOf({ stdout }: { readonly stdout: string }): string[] {
  return untimed(stdout).split("\n");
}

/** The lines from one that contains `from` up to the next that contains `to`. */
export function between(lines: readonly string[], from: string, to: string): string[] {
  const start = lines.findIndex((line) => line.includes(from));
  const end = lines.findIndex((line, index) => index > start && line.includes(to));
  return lines.slice(start, end < 0 ? undefined : end);
}

export function verdict(...results: readonly ("pass" | "fail")[]): string {
  const verification = results.map((result, index) => ({ item: index + 1, result, evidence: "seen" }));
  return JSON.stringify({ verification });
}
