import { cutTo } from "../../text/lines.ts";
import { isRecord } from "../../text/json/values.ts";
import type { TestReport } from "../../core/evidence/result.ts";

/** The report of one source. Only the probes know which code ended the process. */
export type SourceResult = Omit<TestReport, "exitedBy">;

/** A test that the runner counted without a name. */
export const UNNAMED = "(not named)";
/** Represents all tests of a suite that could not start. */
export const WHOLE = "(as a whole)";

const MAX_NAME = 500;

/** Tests choose their own names, so length and content are limited before names are stored or shown. */
export function cutName(name: string): string {
  return cutTo(name, MAX_NAME);
}

/** Null: the line is not a JSON object, for example an incomplete one. */
export function objectIn(line: string): Readonly<Record<string, unknown>> | null {
  if (!line.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
