import { showDifferences } from "./difference.ts";
import { splitLines, visible } from "./text.ts";

/** A line of output, or the number of lines left out here (null: unknown). */
export type ExcerptLine = { readonly text: string } | { readonly leftOut: number | null };

export interface ExcerptLimits {
  readonly tailLines: number;
  readonly errorLines: number;
  readonly bytes: number;
}

const MAX_LINE = 300;
/** Longer similar values would fill a terminal's rows before they differ. */
const MAX_COMPARED = 160;
const CONTEXT_AFTER = 4;
/** Leaves room for the next failure. */
const LINES_PER_FAILURE = 10;
const ERROR_WORDS =
  /\b(?:errors?|fail(?:ed|ures?|ing|s)?|fatal|panic(?:ked)?|exception|traceback|assert\w*|expected|received|cannot|undefined|unexpected|not ok|not found|denied|refused|timed? ?out|segmentation)\b|[✗✕✖×❌]|错误|失败|^E\s{2,}/i;
/** `error: 'test failed'` is Node's, for a file that threw while loading: below its name it prints nothing else. */
const HARMLESS =
  /^\s*error: 'test failed'$|\b(?:0|no) (?:errors?|failures?|failed|failing|warnings?)\b|\bfail(?:ed|ures?)?:? 0\b/i;
/** The line where a runner begins to explain a failed test: TAP, Go, unittest, vitest, jest, mocha, pytest, libtest. */
const FAILED_TEST =
  /^\s*(?:not ok \d+|--- FAIL: |(?:FAIL|ERROR): \S+ \(|FAIL {2}|● |\d+\) \S|_{3,} .+ _{3,}$|-{4} .+ stdout -{4}$)/;
/** Mocha's form of a failed test, and also of any numbered list. */
const NUMBERED = /^\s*\d+\) /;
const PASSED_TEST =
  /^\s*(?:ok \d+\b|# Subtest: |[✓✔√] |--- PASS: |PASS .*\.\w+(?: \([\d.]+ m?s\))?$|.+ \.\.\. ok$|\S+::.+ PASSED(?:\s+\[ *\d+%\])?$)/;
const COUNT =
  "\\d+ (?:passed|passing|failed|failing|skipped|pending|todo|total|ignored|measured|filtered out|xfailed|xpassed|deselected|warnings?|errors?)";
/** A runner's final counts and times. Each form is a whole line, because assertions mention counts and times too. */
const FOOTER = new RegExp(
  [
    "[#ℹ] \\w+ [\\d.]+",
    `[=\\s]*(?:(?:Tests?|Test Files|Test Suites|Snapshots)(?::|  )\\s*|test result: \\w+\\. )?${COUNT}(?:\\s*[,;|]\\s*${COUNT})*` +
      "(?:\\s+\\([\\d.]+ ?\\w*\\))?(?:;? (?:finished )?in [\\d.]+ ?m?s(?: \\([\\d:]+\\))?)?[=\\s]*",
    "\\s*Start at +[\\d:]+",
    "\\s*(?:Duration|Time:) +[\\d.]+ ?m?s(?: \\(.*\\)|, estimated .*)?",
    "Ran \\d+ tests? (?:in|across) .*[\\d.]+ ?m?s\\]?",
    "Ran all test suites.*",
    "\\d+\\.\\.\\d+",
    "FAILED \\([\\w =,]+\\)",
  ]
    .map((form) => `^${form}$`)
    .join("|"),
);

/**
 * The part of a command's output that explains a failure: each failed test with its assertion, and the end. Without assertions, also
 * the first lines that look like errors, with the lines below them. If anything failed, passing tests and the runner's counts are left
 * out. Without a `tail` the head is the whole output; with one, the middle was not read.
 */
export function excerpt(
  parts: { readonly head: string; readonly tail: string | null },
  limits: ExcerptLimits,
): ExcerptLine[] {
  const head = linesOf(parts.head);
  const tail = parts.tail === null ? [] : linesOf(parts.tail);
  const lines = [...head, ...tail];
  const gapAt = parts.tail === null ? -1 : head.length;
  const chosen = choose(lines, limits);
  return assemble(lines, chosen, gapAt);
}

function choose(lines: readonly string[], limits: ExcerptLimits): ReadonlySet<number> {
  const chosen = new Set<number>();
  let bytes = 0;
  const take = (index: number): boolean => {
    const line = lines[index];
    if (line === undefined || chosen.has(index)) return true;
    const size = Buffer.byteLength(line) + 1;
    if (bytes + size > limits.bytes) return false;
    chosen.add(index);
    bytes += size;
    return true;
  };
  const isNoise = (line: string): boolean => PASSED_TEST.test(line) || FOOTER.test(line);
  const failures = lines
    .flatMap((line, at) => (FAILED_TEST.test(line) ? [failureAt(at, lines, isNoise)] : []))
    .filter(({ start, hasError }) => hasError || !NUMBERED.test(lines[start] ?? ""));
  for (const { start, near } of failures.slice(0, limits.errorLines)) {
    if (bytes > limits.bytes / 2) break;
    for (const index of [start, ...near]) take(index);
  }
  const isExplained = failures.some(({ hasError }) => hasError);
  let errors = 0;
  for (const [index, line] of lines.entries()) {
    if (isExplained || errors >= limits.errorLines || bytes > limits.bytes / 2) break;
    if (!isError(line) || isNoise(line)) continue;
    for (let near = Math.max(0, index - 1); near <= index + CONTEXT_AFTER; near++)
      if (!isNoise(lines[near] ?? "")) take(near);
    errors += 1;
  }
  const hasFailed = chosen.size > 0;
  let left = limits.tailLines;
  for (let index = lines.length - 1; index >= 0 && left > 0; index--) {
    if (hasFailed && isNoise(lines[index] ?? "")) continue;
    if (!take(index)) break;
    left -= 1;
  }
  return chosen;
}

function isError(line: string): boolean {
  return ERROR_WORDS.test(line) && !HARMLESS.test(line);
}

interface Failure {
  /** The line that names the failed test. */
  readonly start: number;
  /** The first lines below it, and lines that look like its error. */
  readonly near: readonly number[];
  readonly hasError: boolean;
}

function failureAt(start: number, lines: readonly string[], isNoise: (line: string) => boolean): Failure {
  const block: { line: string; index: number }[] = [];
  for (let index = start + 1; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (FAILED_TEST.test(line) || isNoise(line)) break;
    if (line.trim() !== "") block.push({ line, index });
  }
  const near = block.filter(
    (_, at) => at < 2 || block.slice(at - 2, at + 1).some(({ line }) => ERROR_WORDS.test(line)),
  );
  return {
    start,
    near: near.slice(0, LINES_PER_FAILURE).map(({ index }) => index),
    hasError: block.some(({ line }) => isError(line)),
  };
}

function assemble(lines: readonly string[], chosen: ReadonlySet<number>, gapAt: number): ExcerptLine[] {
  const result: ExcerptLine[] = [];
  let skipped = 0;
  let isBlank = true;
  let overGap = false;
  const closeGap = (): void => {
    if (!isBlank || overGap) result.push({ leftOut: overGap ? null : skipped });
    skipped = 0;
    isBlank = true;
    overGap = false;
  };
  for (const [index, text] of lines.entries()) {
    if (index === gapAt) overGap = true;
    if (chosen.has(index)) {
      closeGap();
      result.push({ text });
    } else {
      skipped += 1;
      isBlank &&= text.trim() === "";
    }
  }
  closeGap();
  return result;
}

function linesOf(text: string): readonly string[] {
  return showDifferences(splitLines(text).map(visible), MAX_COMPARED).map(shorten);
}

function shorten(line: string): string {
  if (line.length <= MAX_LINE) return line;
  // Not between the halves of a character.
  const end = /[\ud800-\udbff]/.test(line.charAt(MAX_LINE - 1)) ? MAX_LINE - 1 : MAX_LINE;
  return `${line.slice(0, end)} ...`;
}
