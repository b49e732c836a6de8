import { splitLines } from "../text.ts";
import { isRecord, isText } from "../steps/values.ts";
import { NAMES_TOLD } from "./findings.ts";
import { isRunner, isStatus, type Comparison, type Runner, type TestResult } from "./result.ts";
import { cutName, objectIn, type Told } from "./told.ts";

export interface Probed {
  /** Null: no runner was seen, and no test. */
  readonly tests: Told | null;
  readonly exitedBy: readonly string[];
}

/** What the probes wrote, a text a process. Product code runs in these processes too: lines that are not theirs are passed over. */
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
      const told = objectIn(line);
      if (told === null) continue;
      const { begin, end, test, exit, stayed } = told;
      if (isRunner(begin)) {
        runners.add(begin);
        open.set(begin, (open.get(begin) ?? 0) + 1);
      } else if (isRunner(end)) open.set(end, Math.max(0, (open.get(end) ?? 0) - 1));
      else if (isRecord(test)) {
        const result = resultIn(test);
        if (result !== null) results.push(result);
      } else if (isRecord(exit) && isText(exit["file"])) exits.add(cutName(exit["file"]));
      // It was about to end, and did not.
      else if (isRecord(stayed) && isText(stayed["file"])) exits.delete(cutName(stayed["file"]));
    }
    for (const file of exits) if (exitedBy.size < NAMES_TOLD) exitedBy.add(file);
    if ([...open.values()].some((count) => count > 0)) complete = false;
  }
  const told = runners.size > 0 || results.length > 0;
  return {
    tests: told ? { runners: [...runners], results, complete } : null,
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
