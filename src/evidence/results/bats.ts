import type { TestResult } from "../../core/evidence/result.ts";
import { cutName, type SourceResult } from "./source-result.ts";

const TEST = /\d+\/\d+ ([✓✗-]) (.+)$/;
const SKIPPED = / \(skipped(?:: .*)?\)$/;
const END = /^(\d+) tests?, \d+ failures?(?:, \d+ skipped)?(?:, \d+ timed out)?/;
const STATUSES = { "✓": "passed", "✗": "failed", "-": "skipped" } as const;

/** Reads bats' output for people. Otherwise bats prints TAP. */
export function readBats(lines: readonly string[]): SourceResult | null {
  const results: TestResult[] = [];
  let counted = 0;
  for (const line of lines) {
    const [, mark, name] = TEST.exec(line) ?? [];
    const end = END.exec(line)?.[1];
    if (name !== undefined && (mark === "✓" || mark === "✗" || mark === "-"))
      results.push({ suite: "", name: cutName(name.replace(SKIPPED, "")), status: STATUSES[mark] });
    else if (end !== undefined && results.length > 0) counted += Number(end);
  }
  // Other programs number their steps too, but do not print a total at the end.
  return counted === 0 ? null : { runners: ["bats"], results, complete: counted === results.length };
}
