import type { TestResult, TestStatus } from "./result.ts";
import { cutName, UNNAMED, type Told } from "./told.ts";

const FILE = /^\S+\.[cm]?[jt]sx?$/;
const SUITE = /^(?: (\S.*?) {2})?(?:[•✘] )* {2}\((\d{1,6}) \/ (\d{1,6})\)$/;
const FAILED = /^ {3}FAIL {2}(?:.+ {2})?"(.+)"$/;
const TOTAL = /^ {2}Total: +(\d{1,6})$/;
const SKIPPED = /^ {2}Skipped: +(\d{1,6})$/;

/** What uvu prints: a point a test, a line a suite, names of those that failed, and how many there were. */
export function readUvu(lines: readonly string[]): Told | null {
  const results: TestResult[] = [];
  let run: TestResult[] = [];
  let file = "";
  let suite = "";
  let told = false;
  for (const line of lines) {
    const [, label, passed, all] = SUITE.exec(line) ?? [];
    const failed = FAILED.exec(line)?.[1];
    const total = TOTAL.exec(line)?.[1];
    const skipped = told ? SKIPPED.exec(line)?.[1] : undefined;
    if (FILE.test(line)) file = line;
    else if (all !== undefined) {
      suite = cutName([file, label ?? ""].filter((part) => part !== "").join(" "));
      run.push(...unnamed(suite, "passed", Number(passed)));
      run.push(...unnamed(suite, "failed", Number(all) - Number(passed)));
    } else if (failed !== undefined) nameOne(run, suite, cutName(failed));
    else if (total !== undefined && Number(total) === run.length) {
      told = true;
      for (const result of run) results.push(result);
      run = [];
    } else if (skipped !== undefined) results.push(...unnamed("", "skipped", Number(skipped)));
  }
  return told ? { runners: ["uvu"], results, complete: true } : null;
}

function unnamed(suite: string, status: TestStatus, count: number): TestResult[] {
  return Array.from({ length: Math.max(0, count) }, () => ({ suite, name: UNNAMED, status }));
}

function nameOne(run: TestResult[], suite: string, name: string): void {
  const at = run.findIndex((its) => its.suite === suite && its.status === "failed" && its.name === UNNAMED);
  if (at >= 0) run[at] = { suite, name, status: "failed" };
}
