import type { TestResult, TestStatus } from "./result.ts";
import { cutName, UNNAMED, type Told } from "./told.ts";

/** What one test program says, from `running 3 tests` to `test result: …`. */
interface Section {
  readonly results: TestResult[];
  /** With `--nocapture` what a test writes stands between its name and its result. */
  pending: string | null;
  /** What failed tests wrote comes after all results, and then their names. */
  part: "results" | "outputs" | "failed";
  readonly failed: string[];
  /** The output of failed tests, by their names. */
  readonly outputs: Map<string, string[]>;
  output: string[] | null;
}

function newSection(): Section {
  return { results: [], pending: null, part: "results", failed: [], outputs: new Map(), output: null };
}

const OUTPUT = /^---- (.+) stdout ----$/;
const TRACE = /^(?:stack backtrace:|note: )/;
/** More lines say no more about why a test failed. */
const MAX_OUTPUT = 30;
const RUNNING = /^running \d+ tests?$/;
const RESULT = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;/;
const TEST = "test ";
const OF_TEST = " ... ";
const STATUS = /^(ok|FAILED|ignored|bench)\b/;
const LATE_STATUS = /^(ok|FAILED|ignored)$/;
/** Product code may write such lines as well: a number must not become that many results. */
const MAX_UNNAMED = 100_000;

/** The text of `cargo test`: libtest's programs one after the other, under cargo's headings. */
export function readCargo(lines: readonly string[]): Told | null {
  const results: TestResult[] = [];
  let suite = "";
  let open: Section | null = null;
  let told = false;
  let complete = true;
  let unnamed = 0;
  for (const line of lines) {
    const heading = headingOf(line);
    if (heading !== null || RUNNING.test(line)) {
      // The last program did not come to its end.
      if (open !== null) complete = false;
      for (const result of open?.results ?? []) results.push(result);
      open = heading === null ? newSection() : null;
      suite = heading ?? suite;
      told ||= heading === null;
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
  return told ? { runners: ["cargo"], results, complete } : null;
}

/**
 * Of `   Running unittests src/lib.rs (target/…)` the file, of `   Doc-tests name` the whole. After a program that ended in the
 * middle of a line it does not begin one.
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

/** Examples in comments are known by their line, which moves with every change above them. */
function nameOf(name: string): string {
  return cutName(name.replace(/ \(line \d+\)/, ""));
}

function statusOf(word: string | undefined): TestStatus | null {
  if (word === undefined) return null;
  if (word === "FAILED") return "failed";
  return word === "ignored" ? "skipped" : "passed";
}

/** What the program counted and did not name: with `--quiet`, or because tests wrote into the lines. */
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
