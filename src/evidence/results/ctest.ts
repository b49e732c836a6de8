import type { TestResult, TestStatus } from "../../core/evidence/result.ts";
import { cutName, type SourceResult } from "./source-result.ts";

const BEGIN = /^Test project /;
const END = /^\d+% tests passed, \d+ tests? failed out of \d+|^No tests were found!!!/;
const TEST = /^ *\d+\/\d+ Test +#\d+: (.+?) \.* *(Passed|\*\*\*\D+).*\d+\.\d+ sec$/;

/** Reads ctest's own lines, one per test. */
export function readCtest(lines: readonly string[]): SourceResult | null {
  const results: TestResult[] = [];
  let begun = 0;
  let ended = 0;
  for (const line of lines) {
    if (BEGIN.test(line)) begun += 1;
    else if (begun > ended && END.test(line)) ended += 1;
    else if (begun > ended) {
      const [, name, said] = TEST.exec(line) ?? [];
      if (name !== undefined && said !== undefined)
        results.push({ suite: "", name: cutName(name), status: statusOf(said) });
    }
  }
  return begun === 0 ? null : { runners: ["ctest"], results, complete: begun === ended };
}

function statusOf(said: string): TestStatus {
  if (said === "Passed") return "passed";
  return /^\*\*\*(?:Skipped|Not Run \(Disabled\))/.test(said) ? "skipped" : "failed";
}
