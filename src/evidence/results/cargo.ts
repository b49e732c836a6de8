import type { TestResult, TestStatus } from "../../core/evidence/result.ts";
import { cutName, UNNAMED, type SourceResult } from "./source-result.ts";

/** The output of one test program, from `running 3 tests` to `test result: …`. */
interface Section {
  readonly results: TestResult[];
  /** With `--nocapture` a test's output appears between its name and its result. */
  pending: string | null;
  /** The output of failed tests follows all results, and then their names. */
  part: "results" | "outputs" | "failed";
  readonly failed: string[];
  /** The output of failed tests, by name. */
  readonly outputs: Map<string, string[]>;
  output: string[] | null;
}

function newSection(): Section {
  return { results: [], pending: null, part: "results", failed: [], outputs: new Map(), output: null };
}

const OUTPUT = /^---- (.+) stdout ----$/;
const TRACE = /^(?:stack backtrace:|note: )/;
/** More lines do not explain a failure any better. */
const MAX_OUTPUT = 30;
const RUNNING = /^running \d+ tests?$/;
const RESULT = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;/;
const TEST = "test ";
const OF_TEST = " ... ";
const STATUS = /^(ok|FAILED|ignored|bench)\b/;
const LATE_STATUS = /^(ok|FAILED|ignored)$/;
/** Product code may print such lines as well: a number must not create that many results. */
const MAX_UNNAMED = 100_000;

/** Reads `cargo test`: the output of several libtest programs, under cargo's headings. */
export function readCargo(lines: readonly string[]): SourceResult | null {
  const results: TestResult[] = [];
  let suite = "";
  let open: Section | null = null;
  let isSeen = false;
  let complete = true;
  let unnamed = 0;
  for (const line of lines) {
    const heading = headingOf(line);
    if (heading !== null || RUNNING.test(line)) {
      // The last program did not finish.
      if (open !== null) complete = false;
      for (const result of open?.results ?? []) results.push(result);
      open = heading === null ? newSection() : null;
      suite = heading ?? suite;
      isSeen ||= heading === null;
    } else if (open !== null) {
      const counts = RESULT.exec(line);
      if (counts === null) readLine(open, suite, line);
      else {
        const rest = notNamed(open, suite, counts.slice(1).map(Number), MAX_UNNAMED - unnamed);
        unnamed += rest.length;
        for (const result of [...open.results, ...rest]) results.push(explained(result, open));
        open = null;
      }
    }
  }
  if (open !== null) complete = false;
  for (const result of open?.results ?? []) results.push(result);
  return isSeen ? { runners: ["cargo"], results, complete } : null;
}

/**
 * The file in ` Running unittests src/lib.rs (target/…)`, or all of ` Doc-tests name`. It may appear mid-line, after a program that ended
 * without a line end.
 */
function headingOf(line: string): string | null {
  const running = /^Running (?:unittests )?([^()]+) \([^()]*\)$/.exec(from(line, "   Running "));
  if (running?.[1] !== undefined) return cutName(running[1]);
  const documented = /^Doc-tests \S+$/.exec(from(line, "   Doc-tests "));
  return documented === null ? null : cutName(documented[0]);
}

function from(line: string, words: string): string {
  const at = line.lastIndexOf(words);
  return at < 0 ? "" : line.slice(at).trim();
}

function readLine(section: Section, suite: string, line: string): void {
  if (line === "failures:") {
    section.part = section.part === "results" ? "outputs" : "failed";
  } else if (section.part === "outputs") {
    const name = OUTPUT.exec(line)?.[1];
    if (name !== undefined) section.outputs.set(nameOf(name), (section.output = []));
    else if (TRACE.test(line)) section.output = null;
    else if (section.output !== null && section.output.length < MAX_OUTPUT) section.output.push(line);
  } else if (section.part === "failed" && /^ {4}\S/.test(line)) {
    section.failed.push(nameOf(line.trim()));
  } else if (section.part === "results") {
    const at = line.startsWith(TEST) ? line.indexOf(OF_TEST) : -1;
    const name = at < 0 ? section.pending : nameOf(line.slice(TEST.length, at));
    const said = at < 0 ? LATE_STATUS.exec(line) : STATUS.exec(line.slice(at + OF_TEST.length));
    const status = statusOf(said?.[1]);
    if (name !== null && status !== null) section.results.push({ suite, name, status });
    if (at >= 0 || status !== null) section.pending = status === null ? name : null;
  }
}

function explained(result: TestResult, { outputs }: Section): TestResult {
  const message = result.status === "failed" ? outputs.get(result.name)?.join("\n").trim() : undefined;
  return message ? { ...result, message } : result;
}

/** A doctest is named by its line number, which changes with every edit above it. */
function nameOf(name: string): string {
  return cutName(name.replace(/ \(line \d+\)/, ""));
}

function statusOf(word: string | undefined): TestStatus | null {
  if (word === undefined) return null;
  if (word === "FAILED") return "failed";
  return word === "ignored" ? "skipped" : "passed";
}

/** Tests that the program counted without naming them: with `--quiet`, or when test output broke the lines. */
function notNamed(section: Section, suite: string, counted: readonly number[], most: number): TestResult[] {
  const rest: TestResult[] = [];
  const statuses: readonly TestStatus[] = ["passed", "failed", "skipped"];
  const known = new Set(section.results.map(({ name }) => name));
  const failed = section.failed.filter((name) => !known.has(name));
  for (const [index, status] of statuses.entries()) {
    const named = section.results.filter((result) => result.status === status).length;
    const missing = Math.min((counted[index] ?? 0) - named, most - rest.length);
    for (let at = 0; at < missing; at += 1) {
      const name = status === "failed" ? failed[at] : undefined;
      rest.push({ suite, name: name ?? UNNAMED, status });
    }
  }
  return rest;
}
