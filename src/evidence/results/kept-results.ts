import { isRecord, isText, isTexts } from "../../text/json/values.ts";
import { isRunner, isStatus, type TestReport, type TestResult } from "../../core/evidence/result.ts";
import { objectIn } from "./source-result.ts";

const VERSION = 1;

/** One line about the run, and one per result. */
export function writeResults({ results, ...about }: TestReport): string {
  const header = { version: VERSION, ...about, results: results.length };
  const lines = results.map(({ suite, name, status }) => JSON.stringify({ suite, name, status }));
  return `${[JSON.stringify(header), ...lines].join("\n")}\n`;
}

/** Null: the text is incomplete or modified. */
export function parseResults(text: string): TestReport | null {
  const lines = text.split("\n");
  if (lines.pop() !== "") return null;
  const header = objectIn(lines[0] ?? "");
  if (header === null || header["version"] !== VERSION || header["results"] !== lines.length - 1) return null;
  const { runners, complete, exitedBy } = header;
  if (!Array.isArray(runners) || !runners.every((runner) => isRunner(runner))) return null;
  if (typeof complete !== "boolean" || !isTexts(exitedBy)) return null;
  const results: TestResult[] = [];
  for (const line of lines.slice(1)) {
    const result = objectIn(line);
    if (!isRecord(result)) return null;
    const { suite, name, status } = result;
    if (!isText(suite) || !isText(name) || !isStatus(status)) return null;
    results.push({ suite, name, status });
  }
  return { runners, results, complete, exitedBy };
}
