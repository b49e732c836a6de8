import type { TestResult, TestStatus } from "../../core/evidence/result.ts";
import { cutName, UNNAMED, type SourceResult } from "./source-result.ts";

const FILE = /^\S+\.[cm]?[jt]sx?$/;
const SUITE = /^(?: (\S.*?) {2})?(?:[•✘] )* {2}\((\d{1,6}) \/ (\d{1,6})\)$/;
const FAILED = /^ {3}FAIL {2}(?:.+ {2})?"(.+)"$/;
const TOTAL = /^ {2}Total: +(\d{1,6})$/;
const SKIPPED = /^ {2}Skipped: +(\d{1,6})$/;
/** Product code may print such lines as well: a number must not create that many results. */
const MOST = 100_000;

/** Reads uvu's output: a point per test, a line per suite, names of failed tests, and totals. */
export function readUvu(lines: readonly string[]): SourceResult | null {
  const results: TestResult[] = [];
  let run: TestResult[] = [];
  let file = "";
  let suite = "";
  let isSeen = false;
  for (const line of lines) {
    const [, label, passed, all] = SUITE.exec(line) ?? [];
    const failed = FAILED.exec(line)?.[1];
    const total = TOTAL.exec(line)?.[1];
    const skipped = isSeen ? SKIPPED.exec(line)?.[1] : undefined;
    if (FILE.test(line)) file = line;
    else if (all !== undefined) {
      suite = cutName([file, label ?? ""].filter((part) => part !== "").join(" "));
      count(run, suite, "passed", Number(passed));
      count(run, suite, "failed", Number(all) - Number(passed));
    } else if (failed !== undefined) nameOne(run, suite, cutName(failed));
    else if (total !== undefined && Number(total) === run.length) {
      isSeen = true;
      for (const result of run) results.push(result);
      run = [];
    } else if (skipped !== undefined) count(results, "", "skipped", Number(skipped));
  }
  return isSeen ? { runners: ["uvu"], results, complete: true } : null;
}

function count(results: TestResult[], suite: string, status: TestStatus, tests: number): void {
  for (let at = 0; at < tests && results.length < MOST; at += 1)
    results.push({ suite, name: UNNAMED, status });
}

function nameOne(run: TestResult[], suite: string, name: string): void {
  const at = run.findIndex((its) => its.suite === suite && its.status === "failed" && its.name === UNNAMED);
  if (at >= 0) run[at] = { suite, name, status: "failed" };
}
