import type { TestResult, TestStatus } from "./result.ts";
import { cutName, type Told } from "./told.ts";

const TEST = /^ {2}([✔✖✘-]) (?:\[(expected fail|fail|skip|todo)\]:? )?(.+?)(?: \(\d+(?:\.\d+)?m?s\))?$/;
const RULE = "  ─";
const END =
  /^ {2}\d+ (?:tests? (?:passed|failed|skipped|todo)|known failures?|unhandled rejections?|uncaught exceptions?)$/;
const OF_FILE = " › ";

/** What ava (3 and later) prints: a line a test, a rule, whatever there is to say about failures, and how many there were of each kind. */
export function readAva(lines: readonly string[]): Told | null {
  const results: TestResult[] = [];
  let run: TestResult[] = [];
  let isThrough = false;
  let told = false;
  for (const line of lines) {
    const result = isThrough ? null : resultIn(line.trimEnd());
    if (result !== null) run.push(result);
    else if (line === RULE) isThrough = true;
    else if (isThrough && END.test(line)) {
      told = true;
      for (const its of withoutFiles(run)) results.push(its);
      run = [];
    } else if (run.length === 0) isThrough = false;
  }
  // Lines like these are written by others as well, but without the rest.
  return told ? { runners: ["ava"], results, complete: true } : null;
}

function resultIn(line: string): TestResult | null {
  const [, mark, word, name] = TEST.exec(line) ?? [];
  if (mark === undefined || name === undefined) return null;
  return { suite: "", name: cutName(name), status: statusOf(mark, word) };
}

/** Files are named only where there are several: with one more, all tests would have other names. */
function withoutFiles(run: readonly TestResult[]): readonly TestResult[] {
  if (!run.every(({ name }) => name.includes(OF_FILE))) return run;
  return run.map((its) => ({ ...its, name: its.name.slice(its.name.indexOf(OF_FILE) + OF_FILE.length) }));
}

function statusOf(mark: string, word: string | undefined): TestStatus {
  if (mark === "-" || word === "expected fail") return "skipped";
  return mark === "✔" ? "passed" : "failed";
}
