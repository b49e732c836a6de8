import type { Failure } from "../../platform/failure.ts";

export interface ProblemReport {
  readonly code: string;
  readonly line: number | null;
  readonly why: string | null;
}

export function problemReport(problem: Failure): ProblemReport {
  const { line, why } = problem.about;
  return { code: problem.code, line: line === undefined ? null : Number(line), why: why ?? null };
}
