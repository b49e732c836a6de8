import { isText } from "../../text/json/values.ts";
import type { TestResult, TestStatus } from "../../core/evidence/result.ts";
import { cutName, objectIn, WHOLE, type SourceResult } from "./source-result.ts";

interface Package {
  ended: boolean;
  /** Whether one of its tests failed since it began. */
  failed: boolean;
  /** Tests that began and have not ended, with their number. */
  readonly open: Map<string, number>;
}

const ACTIONS = new Set(["start", "run", "pause", "cont", "pass", "bench", "fail", "output", "skip"]);

/** Reads the events of `go test -json` among other output. */
export function readGo(lines: readonly string[]): SourceResult | null {
  const packages = new Map<string, Package>();
  const results: TestResult[] = [];
  for (const line of lines) {
    const event = line.includes('"Action"') ? objectIn(line) : null;
    if (event === null) continue;
    const { Action: action, Package: suite, Test: test } = event;
    if (!isText(action) || !ACTIONS.has(action) || !isText(suite)) continue;
    const its = packages.get(suite) ?? { ended: false, failed: false, open: new Map<string, number>() };
    packages.set(suite, its);
    if (isText(test)) ofTest(results, its, suite, test, action);
    else ofPackage(results, its, suite, action);
  }
  const complete = [...packages.values()].every(({ ended, open }) => ended && open.size === 0);
  return packages.size === 0 ? null : { runners: ["go"], results, complete };
}

function ofTest(results: TestResult[], its: Package, suite: string, name: string, action: string): void {
  if (action === "run") its.open.set(name, (its.open.get(name) ?? 0) + 1);
  const status = statusOf(action);
  if (status === null) return;
  const left = (its.open.get(name) ?? 0) - 1;
  if (left > 0) its.open.set(name, left);
  else its.open.delete(name);
  if (status === "failed") its.failed = true;
  results.push({ suite: cutName(suite), name: cutName(name), status });
}

function ofPackage(results: TestResult[], its: Package, suite: string, action: string): void {
  const status = statusOf(action);
  if (action === "start") Object.assign(its, { ended: false, failed: false });
  if (status !== null) its.ended = true;
  // A panic and a time limit end running tests without a result. If the package passed they stay open, because their process was ended early.
  if (status !== "failed") return;
  for (const name of its.open.keys()) results.push({ suite: cutName(suite), name: cutName(name), status });
  // The build failed, or code before or after all tests.
  if (!its.failed && its.open.size === 0) results.push({ suite: cutName(suite), name: WHOLE, status });
  its.open.clear();
}

function statusOf(action: string): TestStatus | null {
  switch (action) {
    case "pass":
    case "bench":
      return "passed";
    case "fail":
      return "failed";
    case "skip":
      return "skipped";
    default:
      return null;
  }
}
