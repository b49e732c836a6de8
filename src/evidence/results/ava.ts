import type { TestResult, TestStatus } from "../../core/evidence/result.ts";
import { cutName, type SourceResult } from "./source-result.ts";

const TEST = /^ {2}([✔✖✘-]) (?:\[(expected fail|fail|skip|todo)\]:? )?(.+?)(?: \(\d+(?:\.\d+)?m?s\))?$/;
const RULE = "  ─";
const END =
  /^ {2}\d+ (?:tests? (?:passed|failed|skipped|todo)|known failures?|unhandled rejections?|uncaught exceptions?)$/;
const OF_FILE = " › ";

/** Reads ava's output (version 3 and later): a line per test, a rule, details of failures, and the number of tests of each kind. */
export function readAva(lines: readonly string[]): SourceResult | null {
  const results: TestResult[] = [];
  let run: TestResult[] = [];
  let isThrough = false;
  let isSeen = false;
  for (const line of lines) {
    const result = isThrough ? null : resultIn(line.trimEnd());
    if (result !== null) run.push(result);
    else if (line === RULE) isThrough = true;
    else if (isThrough && END.test(line)) {
      isSeen = true;
      for (const its of withoutFiles(run)) results.push(its);
      run = [];
    } else if (run.length === 0) isThrough = false;
  }
  // Other programs print similar lines, but without the rest.
  return isSeen ? { runners: ["ava"], results, complete: true } : null;
}

function resultIn(line: string): TestResult | null {
  const [, mark, word, name] = TEST.exec(line) ?? [];
  if (mark === undefined || name === undefined) return null;
  return { suite: "", name: cutName(name), status: statusOf(mark, word) };
}

/** ava names files only if there are several. One more file would rename all tests. */
function withoutFiles(run: readonly TestResult[]): readonly TestResult[] {
  if (!run.every(({ name }) => name.includes(OF_FILE))) return run;
  return run.map((its) => ({ ...its, name: its.name.slice(its.name.indexOf(OF_FILE) + OF_FILE.length) }));
}

function statusOf(mark: string, word: string | undefined): TestStatus {
  if (mark === "-" || word === "expected fail") return "skipped";
  return mark === "✔" ? "passed" : "failed";
}
