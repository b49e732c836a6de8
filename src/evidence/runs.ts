import type { ProcessEnd } from "../platform/process/process-end.ts";
import { runPassed } from "./results/run-passed.ts";
import type { OwnRun, TestRun, TestRunEnded } from "../core/evidence/event.ts";

type Run = TestRunEnded & { readonly passed: boolean };

/** The runs of one check by what they show. Undefined: not made. */
interface Runs {
  readonly first: Run | undefined;
  readonly again: Run | undefined;
  readonly isFlaky: boolean;
  /** The decisive one of these two. */
  readonly original: Run | undefined;
  readonly own: Run | undefined;
  readonly baseProduct: Run | undefined;
  readonly controls: readonly Run[];
  readonly marked: Run | undefined;
  readonly markedControl: Run | undefined;
  /** Only the agent's version of the tests passed: it counts, unless a person refuses it. */
  readonly isByOwn: boolean;
  /** The result of the check. */
  readonly result: (OwnRun & Pick<Run, "problem" | "rewritten">) | undefined;
}

export function readRuns(runs: readonly TestRunEnded[]): Runs {
  const of = (tests: TestRun["tests"], product: TestRun["product"], marked = false): readonly Run[] =>
    runs.filter((run) => sameRun(run, { tests, product, marked })).map(withResult);
  const [first, again] = of("base", "candidate");
  const isFlaky = again?.passed === true;
  const original = isFlaky ? again : first;
  const [own] = of("candidate", "candidate");
  const [markedControl] = of("base", "base", true);
  const isByOwn = original?.passed === false && own?.passed === true && own.rewritten.count === 0;
  const findings = markedControl?.blamed ?? original?.findings ?? null;
  return {
    first,
    again,
    isFlaky,
    original,
    own,
    baseProduct: of("candidate", "base")[0],
    controls: of("base", "base"),
    marked: of("base", "candidate", true)[0],
    markedControl,
    isByOwn,
    result: isByOwn ? own : original && { ...original, findings },
  };
}

function withResult(run: TestRunEnded): Run {
  return { ...run, passed: run.problem === null && runPassed(run.findings, run.process.end) };
}

export function sameRun(a: TestRun, b: TestRun): boolean {
  return a.tests === b.tests && a.product === b.product && a.marked === b.marked;
}

/** Not a run that hung or was killed. */
export function isFailure(end: ProcessEnd): boolean {
  return end.kind === "exited" && end.code !== 0;
}
