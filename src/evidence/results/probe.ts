import { splitLines } from "../../text/text.ts";
import { isRecord, isText } from "../../text/json/values.ts";
import { MAX_NAMES } from "../../core/evidence/findings.ts";
import {
  isRunner,
  isStatus,
  type Comparison,
  type Runner,
  type TestResult,
} from "../../core/evidence/result.ts";
import { cutName, objectIn, type SourceResult } from "./source-result.ts";

export interface Probed {
  /** Null: no runner and no test was reported. */
  readonly tests: SourceResult | null;
  readonly exitedBy: readonly string[];
}

/** Reads what the probes wrote, one text per process. Product code runs in these processes too, so lines in another format are skipped. */
export function readProbes(texts: readonly string[]): Probed {
  const runners = new Set<Runner>();
  const results: TestResult[] = [];
  const exitedBy = new Set<string>();
  let complete = true;
  for (const text of texts) {
    /** One process may run the same runner several times. */
    const open = new Map<Runner, number>();
    const exits = new Set<string>();
    for (const line of splitLines(text)) {
      const entry = objectIn(line);
      if (entry === null) continue;
      const { begin, end, test, exit, stayed } = entry;
      if (isRunner(begin)) {
        runners.add(begin);
        open.set(begin, (open.get(begin) ?? 0) + 1);
      } else if (isRunner(end)) open.set(end, Math.max(0, (open.get(end) ?? 0) - 1));
      else if (isRecord(test)) {
        const result = resultIn(test);
        if (result !== null) results.push(result);
      } else if (isRecord(exit) && isText(exit["file"])) exits.add(cutName(exit["file"]));
      // It was about to end, but continued.
      else if (isRecord(stayed) && isText(stayed["file"])) exits.delete(cutName(stayed["file"]));
    }
    for (const file of exits) if (exitedBy.size < MAX_NAMES) exitedBy.add(file);
    if ([...open.values()].some((count) => count > 0)) complete = false;
  }
  const isSeen = runners.size > 0 || results.length > 0;
  return {
    tests: isSeen ? { runners: [...runners], results, complete } : null,
    exitedBy: [...exitedBy],
  };
}

function resultIn(test: Readonly<Record<string, unknown>>): TestResult | null {
  const { suite, name, status, message, compared } = test;
  if (!isText(name) || !isStatus(status)) return null;
  return {
    suite: isText(suite) ? cutName(suite) : "",
    name: cutName(name),
    status,
    ...(status === "failed" && isText(message) && { message }),
    ...(status === "failed" && isComparison(compared) && { compared }),
  };
}

function isComparison(value: unknown): value is Comparison {
  return (
    isRecord(value) &&
    isText(value["expected"]) &&
    isText(value["actual"]) &&
    typeof value["generated"] === "boolean"
  );
}
