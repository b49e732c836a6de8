import fs from "node:fs";
import { join } from "node:path";
import { readTests } from "../../src/evidence/results/read-tests.ts";
import type { TestReport } from "../../src/core/evidence/result.ts";

const GOLDEN = join(import.meta.dirname, "golden");

export const goldens: readonly string[] = fs.readdirSync(GOLDEN).sort();

/** Recorded output of a real tool. */
export function golden(name: string): string {
  return fs.readFileSync(join(GOLDEN, name), "utf8");
}

export function fromOutput(...lines: readonly string[]): TestReport | null {
  return readTests({ probes: [], junit: [], output: lines.join("\n") });
}

export function fromJunit(...junit: readonly string[]): TestReport | null {
  return readTests({ probes: [], junit, output: "" });
}

export function fromProbes(...probes: readonly (readonly unknown[])[]): TestReport | null {
  return readTests({ probes: probes.map((lines) => linesOf(lines)), junit: [], output: "" });
}

export function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${typeof value === "string" ? value : JSON.stringify(value)}\n`).join("");
}

const MARKS = { passed: "+", failed: "-", skipped: "?" } as const;

/** `+suite: name` and the like; `!` first if the runner did not finish. */
export function shown(report: TestReport | null): readonly string[] | null {
  if (report === null) return null;
  const lines = report.results.map(
    ({ suite, name, status }) => `${MARKS[status]}${suite === "" ? "" : `${suite}: `}${name}`,
  );
  return report.complete ? lines : ["!", ...lines];
}
