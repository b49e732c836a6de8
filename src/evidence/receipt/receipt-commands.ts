import type { CheckEnded } from "../../core/event.ts";
import { exitCodeOf, type Artifact } from "../../platform/process/process-end.ts";
import type { OwnRun } from "../../core/evidence/event.ts";
import type { Attempt } from "../../core/state.ts";
import type { Described } from "../../core/report/described.ts";
import type { receiptSchema } from "./schema-receipt.ts";
import type { TestFindings } from "../../core/evidence/findings.ts";
import type { TestResult, TestStatus } from "../../core/evidence/result.ts";

type CommandReceipts = Described<typeof receiptSchema>["predicate"]["agentForeman"]["commands"];
type RunReceipt = NonNullable<CommandReceipts[number]["frozen"]>;

export function commandsRun({ step, index, candidate, checks }: Attempt): CommandReceipts {
  return checks.map((check) => ({
    step,
    attempt: index,
    phase: check.phase,
    index: check.index,
    command: check.process.command,
    tree: candidate?.taken.tree ?? null,
    ...runOf({ ...check, findings: check.room?.findings ?? null }),
    flaky: check.room?.flaky ?? null,
    frozen: optionalRun(check.room?.baseTests),
    own: optionalRun(check.room?.candidateTests),
    without: optionalRun(check.room?.baseProduct),
    control: optionalRun(check.room?.baseControl),
  }));
}

function optionalRun(run: OwnRun | null | undefined): RunReceipt | null {
  return run ? runOf(run) : null;
}

function runOf({ process, output: { bytes, sha256 }, findings }: OwnRun): RunReceipt {
  return {
    exit_code: exitCodeOf(process.end),
    duration_ms: process.durationMs,
    output: { bytes, sha256 },
    tests: findings && countsOf(findings),
  };
}

function countsOf({
  runners,
  passed,
  failed,
  skipped,
  added,
  kept,
}: TestFindings): NonNullable<RunReceipt["tests"]> {
  return { runners, passed, failed, skipped, added, results_sha256: kept.sha256 };
}

/** More are only counted, because people read receipts too. */
const MOST_NAMED = 200;

interface TestsNamed {
  readonly passedTests?: readonly string[] | undefined;
  readonly warnedTests?: readonly string[] | undefined;
  readonly failedTests?: readonly string[] | undefined;
}

/** By name, as the predicate requires. A test that passed on the second try is listed only as that. */
export function testsNamed(
  attempts: readonly Attempt[],
  resultsIn: (kept: Artifact) => readonly TestResult[],
): TestsNamed {
  const checks = attempts.flatMap((attempt) => attempt.checks);
  const listed = checks.map(findingsToList).filter((findings) => findings !== null);
  if (listed.length === 0 || counted(listed) > MOST_NAMED) return {};
  const results = listed.flatMap(({ kept }) => resultsIn(kept));
  const warned = unique(checks.flatMap(({ room }) => room?.flaky?.some ?? []));
  const named = (status: TestStatus): readonly string[] =>
    unique(results.filter((result) => result.status === status).map(nameOf)).filter(
      (name) => !warned.includes(name),
    );
  return { passedTests: named("passed"), warnedTests: warned, failedTests: named("failed") };
}

/** The findings with the accepted tests, if these were run too. */
function findingsToList({ room }: CheckEnded): TestFindings | null {
  return room?.candidateTests?.findings ?? room?.findings ?? null;
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
