import { cutTo } from "../../text/lines.ts";
import { showDifference, showDifferences } from "../../text/difference.ts";
import type { Redactor } from "../../text/redact.ts";
import type { TestResult } from "../../core/evidence/result.ts";

const MAX_LINES = 12;
const MAX_LENGTH = 800;
const MAX_VALUE = 200;
const STYLE = /\u001b\[[0-9;:]*[A-Za-z]/g;

/**
 * The message of a failed test: without secrets, then shortened. Half a secret would not be recognized, nor would one with color codes in it.
 * Adds the compared values if the message lacks them.
 */
export function failureMessage({ message = "", compared }: TestResult, redactor: Redactor): string {
  const clean = (text: string): string => redactor.text(text.replace(STYLE, ""));
  const lines = linesOf(clean(message));
  if (compared === undefined) return shortened(lines);
  const expected = oneLine(clean(compared.expected));
  const actual = oneLine(clean(compared.actual));
  const values = showDifference(expected, actual, MAX_VALUE).map((value) => cutTo(value, MAX_VALUE));
  const whole = lines.join("\n");
  if (values.every((value) => whole.includes(value))) return shortened(lines);
  // The runner's comparison splits values into lines, where the redactor may miss parts of a secret.
  const hasSecret = redactor.holds(compared.expected) || redactor.holds(compared.actual);
  const isEnough = compared.generated && (hasSecret || !(isCut(expected) || isCut(actual)));
  return shortened([
    ...lines.slice(0, 1),
    ...["expected", "actual"].map((name, at) => `${name}: ${values[at]}`),
    ...(isEnough ? [] : lines.slice(1)),
  ]);
}

/** Joins `Expected values to be strictly equal:` and the comparison below it into one line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const [first = "", second = ""] = lines;
  return lines.length === 2 && first.endsWith(":") ? [`${first} ${second.trim()}`] : lines;
}

function oneLine(value: string): string {
  return value.replaceAll(/\s+/g, " ").trim();
}

/** Node shortens lists and nested objects itself. */
function isCut(value: string): boolean {
  return value.length > MAX_VALUE || /\.\.\. \d+ more|\[(?:Object|Array)\]/.test(value);
}

function shortened(lines: readonly string[]): string {
  return cutTo(showDifferences(lines, MAX_VALUE).slice(0, MAX_LINES).join("\n"), MAX_LENGTH);
}
