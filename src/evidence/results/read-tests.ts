import { splitLines } from "../../text/text.ts";
import { readAva } from "./ava.ts";
import { readBats } from "./bats.ts";
import { readCargo } from "./cargo.ts";
import { readCtest } from "./ctest.ts";
import { readGo } from "./go.ts";
import { readJunit } from "./junit.ts";
import { readProbes } from "./probe.ts";
import type { Runner, TestReport, TestResult } from "../../core/evidence/result.ts";
import { readTap } from "./tap.ts";
import type { SourceResult } from "./source-result.ts";
import { readUvu } from "./uvu.ts";

/** Results of a test command: the texts of probes and JUnit files, and its output. */
interface Left {
  readonly probes: readonly string[];
  readonly junit: readonly string[];
  readonly output: string;
}

/**
 * Reads which tests ran. Only the best source with any result counts, because others report the same tests under other names. Null: no source
 * reported a test.
 */
export function readTests(left: Left): TestReport | null {
  const { tests, exitedBy } = readProbes(left.probes);
  const found = tests ?? readJunit(left.junit) ?? readOutput(left.output);
  if (found !== null) return { ...found, exitedBy };
  return exitedBy.length === 0 ? null : { runners: [], results: [], complete: true, exitedBy };
}

const STYLE = /\u001b\[[0-9;:]*[A-Za-z]/g;

/** Runners print no longer lines, and the patterns' time grows with the square of the length. */
const LONGEST_LINE = 2000;

/** One command may run several tools, and each has its own output. */
function readOutput(output: string): SourceResult | null {
  const lines = splitLines(output.replace(STYLE, ""));
  const runners: Runner[] = [];
  const results: TestResult[] = [];
  let complete = true;
  const short = lines.filter(({ length }) => length <= LONGEST_LINE);
  const found = [
    ...[readGo, readCargo, readTap].map((read) => read(lines)),
    ...[readCtest, readAva, readUvu, readBats].map((read) => read(short)),
  ];
  for (const source of found) {
    if (source === null) continue;
    runners.push(...source.runners);
    for (const result of source.results) results.push(result);
    complete &&= source.complete;
  }
  return runners.length === 0 ? null : { runners, results, complete };
}
