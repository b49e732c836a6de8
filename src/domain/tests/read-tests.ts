import { splitLines } from "../text.ts";
import { readAva } from "./ava.ts";
import { readBats } from "./bats.ts";
import { readCargo } from "./cargo.ts";
import { readCtest } from "./ctest.ts";
import { readGo } from "./go.ts";
import { readJunit } from "./junit.ts";
import { readProbes } from "./probe.ts";
import type { Runner, TestReport, TestResult } from "./result.ts";
import { readTap } from "./tap.ts";
import type { Told } from "./told.ts";
import { readUvu } from "./uvu.ts";

/** What a test command left: the texts of the probes and of the JUnit files, and what it wrote. */
interface Left {
  readonly probes: readonly string[];
  readonly junit: readonly string[];
  readonly output: string;
}

/**
 * Which tests ran. The best source that has anything to say is believed, and it alone: the others would tell the same tests
 * under other names. Null: nobody told anything.
 */
export function readTests(told: Left): TestReport | null {
  const { tests, exitedBy } = readProbes(told.probes);
  const found = tests ?? readJunit(told.junit) ?? readOutput(told.output);
  if (found !== null) return { ...found, exitedBy };
  return exitedBy.length === 0 ? null : { runners: [], results: [], complete: true, exitedBy };
}

const STYLE = /\u001b\[[0-9;:]*[A-Za-z]/g;

/** A longer line is no line of a runner, and its patterns would take time that grows with the square of it. */
const LONGEST_LINE = 2000;

/** One command may run several tools, and each has an output of its own. */
function readOutput(output: string): Told | null {
  const lines = splitLines(output.replace(STYLE, ""));
  const runners: Runner[] = [];
  const results: TestResult[] = [];
  let complete = true;
  const short = lines.filter(({ length }) => length <= LONGEST_LINE);
  const found = [
    ...[readGo, readCargo, readTap].map((read) => read(lines)),
    ...[readCtest, readAva, readUvu, readBats].map((read) => read(short)),
  ];
  for (const told of found) {
    if (told === null) continue;
    runners.push(...told.runners);
    for (const result of told.results) results.push(result);
    complete &&= told.complete;
  }
  return runners.length === 0 ? null : { runners, results, complete };
}
