import { cutTo } from "../board/lines.ts";
import { isRecord } from "../steps/values.ts";
import type { TestReport } from "./result.ts";

/** What one source told. Who ended the process is known from the probes alone. */
export type Told = Omit<TestReport, "exitedBy">;

/** A test that the runner counted and did not name. */
export const UNNAMED = "(not named)";
/** Stands for all tests of a suite that could not even be begun. */
export const WHOLE = "(as a whole)";

const MAX_NAME = 500;

/** Names are the tests' own: whatever they are made of, they are kept, written and shown. */
export function cutName(name: string): string {
  return cutTo(name, MAX_NAME);
}

/** Null: the line is anything but a JSON object, a torn one for example. */
export function objectIn(line: string): Readonly<Record<string, unknown>> | null {
  if (!line.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
