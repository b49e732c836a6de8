import type { CheckEnded, CheckPhase } from "../domain/event.ts";
import { exitCodeOf, type Captured } from "../domain/process-end.ts";
import type { OwnRun } from "../domain/room/event.ts";
import type { Attempt } from "../domain/state.ts";
import type { Names, TestFindings } from "../domain/tests/findings.ts";
import type { Runner, TestResult, TestStatus } from "../domain/tests/result.ts";

/** A test command that spoke for the work. */
export interface CommandReceipt extends RunReceipt {
  readonly step: number | null;
  readonly attempt: number;
  readonly phase: CheckPhase;
  readonly index: number;
  readonly command: string;
  /** What it was run on; of all but the last step there is more work since. */
  readonly tree: string | null;
  /** It failed, and passed on the same tree; null: it was not run twice. */
  readonly flaky: Names | null;
  /** With the base's tests, where it failed by them and went by those that were accepted. */
  readonly frozen: RunReceipt | null;
  /** The same with all tests as they were accepted; null: they are as on the base, or it was not asked. */
  readonly own: RunReceipt | null;
  /** These again, with the product as it was on the base. */
  readonly without: RunReceipt | null;
  /** The tree as it was on the base, at the same time, where the command failed there. */
  readonly control: RunReceipt | null;
}

interface RunReceipt {
  readonly exit_code: number | null;
  readonly duration_ms: number;
  readonly output: { readonly bytes: number; readonly sha256: string };
  /** Null: by its exit code alone. */
  readonly tests: TestCounts | null;
}

interface TestCounts {
  readonly runners: readonly Runner[];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Tests that the base does not have. */
  readonly added: number;
  /** Of the list of all results. */
  readonly results_sha256: string;
}

export function commandsRun({ step, index, candidate, checks }: Attempt): readonly CommandReceipt[] {
  return checks.map((check) => ({
    step,
    attempt: index,
    phase: check.phase,
    index: check.index,
    command: check.process.command,
    tree: candidate?.taken.tree ?? null,
    ...runOf({ ...check, findings: check.room?.findings ?? null }),
    flaky: check.room?.flaky ?? null,
    frozen: check.room?.frozen ? runOf(check.room.frozen) : null,
    own: check.room?.own ? runOf(check.room.own) : null,
    without: check.room?.without ? runOf(check.room.without) : null,
    control: check.room?.control ? runOf(check.room.control) : null,
  }));
}

function runOf({ process, output: { bytes, sha256 }, findings }: OwnRun): RunReceipt {
  return {
    exit_code: exitCodeOf(process.end),
    duration_ms: process.durationMs,
    output: { bytes, sha256 },
    tests: findings && countsOf(findings),
  };
}

function countsOf({ runners, passed, failed, skipped, added, kept }: TestFindings): TestCounts {
  return { runners, passed, failed, skipped, added, results_sha256: kept.sha256 };
}

/** More are counted and not named: a receipt is read by people too. */
const MOST_NAMED = 200;

interface TestsNamed {
  readonly passedTests?: readonly string[] | undefined;
  readonly warnedTests?: readonly string[] | undefined;
  readonly failedTests?: readonly string[] | undefined;
}

/** By name, as the predicate has it. What passed at the second look is told as that alone. */
export function testsNamed(
  attempts: readonly Attempt[],
  resultsIn: (kept: Captured) => readonly TestResult[],
): TestsNamed {
  const checks = attempts.flatMap((attempt) => attempt.checks);
  const told = checks.map(tellingFindings).filter((findings) => findings !== null);
  if (told.length === 0 || counted(told) > MOST_NAMED) return {};
  const results = told.flatMap(({ kept }) => resultsIn(kept));
  const warned = unique(checks.flatMap(({ room }) => room?.flaky?.some ?? []));
  const named = (status: TestStatus): readonly string[] =>
    unique(results.filter((result) => result.status === status).map(nameOf)).filter(
      (name) => !warned.includes(name),
    );
  return { passedTests: named("passed"), warnedTests: warned, failedTests: named("failed") };
}

/** Of all tests as they were accepted, where these were run too. */
function tellingFindings({ room }: CheckEnded): TestFindings | null {
  return room?.own?.findings ?? room?.findings ?? null;
}

function counted(all: readonly TestFindings[]): number {
  return all.reduce((sum, { passed, failed }) => sum + passed + failed, 0);
}

function nameOf({ suite, name }: TestResult): string {
  return suite === "" || suite === name ? name : `${suite}: ${name}`;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
