import type { TestResult } from "./result.ts";
import { cutName, type Told } from "./told.ts";

const TEST = /\d+\/\d+ ([✓✗-]) (.+)$/;
const SKIPPED = / \(skipped(?:: .*)?\)$/;
const END = /^(\d+) tests?, \d+ failures?(?:, \d+ skipped)?(?:, \d+ timed out)?/;
const STATUSES = { "✓": "passed", "✗": "failed", "-": "skipped" } as const;

/** What bats prints for people. Otherwise it prints TAP. */
export function readBats(lines: readonly string[]): Told | null {
  const results: TestResult[] = [];
  let counted = 0;
  for (const line of lines) {
    const [, mark, name] = TEST.exec(line) ?? [];
    const end = END.exec(line)?.[1];
    if (name !== undefined && (mark === "✓" || mark === "✗" || mark === "-"))
      results.push({ suite: "", name: cutName(name.replace(SKIPPED, "")), status: STATUSES[mark] });
    else if (end !== undefined && results.length > 0) counted += Number(end);
  }
  // Others number their steps as well, but do not say at the end how many tests there were.
  return counted === 0 ? null : { runners: ["bats"], results, complete: counted === results.length };
}
