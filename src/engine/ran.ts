import type { ProcessEnd } from "../domain/process-end.ts";
import type { BaseChecked, OwnRun } from "../domain/room/event.ts";
import { speaksFor } from "../domain/tests/against.ts";
import type { Names, TestFindings } from "../domain/tests/findings.ts";
import type { TestReport } from "../domain/tests/result.ts";
import type { RunState } from "../domain/state.ts";
import type { RunContext } from "./ports.ts";
import type { View } from "./rooms.ts";
import type { RoomRun } from "./run-in-room.ts";

export const NONE: Names = { count: 0, some: [] };
/** The report of a run in which no test ran. */
export const SILENCE: TestReport = { runners: [], results: [], complete: true, exitedBy: [] };

export interface CheckSpec {
  readonly command: string;
  readonly view: View;
  /** Where output and results are kept, without an ending. */
  readonly name: string;
}

/** As the base has them, or as the candidate has. */
export type WhoseTests = "base" | "own";

/** Runs a check in rooms, one after the other. */
export interface Runs {
  readonly spec: CheckSpec;
  readonly state: RunState;
  readonly context: RunContext;
  /** What the command showed on the base; undefined: it was not run there. */
  readonly onBase: BaseChecked | undefined;
  readonly base: TestReport | null;
  /** Null: it was cut short. */
  readonly run: (
    ending: string,
    whose: WhoseTests,
    laid: View["laid"],
    hidden: readonly string[],
    stallMs?: number,
  ) => Promise<Ran | null>;
}

/** One run of a check, and what its tests showed. */
export interface Ran {
  readonly run: RoomRun;
  readonly findings: TestFindings | null;
}

/** Tests may put their own functions in the place of Node's. Whether the product did is seen with those of the base. */
export function withoutAssertions(report: TestReport): TestReport {
  return { ...report, exitedBy: report.exitedBy.filter((file) => !file.startsWith("node:")) };
}

export function passed({ run: { result, problem }, findings }: Ran): boolean {
  return problem === null && speaksFor(findings, result.process.end);
}

/** Not one that hung, or was killed. */
export function isFailure(end: ProcessEnd): boolean {
  return end.kind === "exited" && end.code !== 0;
}

export function failingIn(findings: TestFindings | null): Names {
  if (!findings) return NONE;
  const { regressed, newFailing, failing } = findings;
  return {
    count: regressed.count + newFailing.count + failing.count,
    some: [...regressed.some, ...newFailing.some, ...failing.some],
  };
}

export function ownRun({ run, findings }: Ran): OwnRun {
  const { process, stdout: output } = run.result;
  return { process, output, findings };
}
