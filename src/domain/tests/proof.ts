import { NAMES_TOLD, type Names } from "./findings.ts";
import type { TestReport } from "./result.ts";
import { steadyName } from "./steady-name.ts";

/** What the candidate's tests show about the base's product: whether they notice that the work is missing. */
export interface Proof {
  /** Failed on the base, and pass with the same product: somebody has made them pass. */
  readonly revived: Names;
  /** The base does not have them, and they pass without the work. */
  readonly unproven: Names;
}

export function proofOf(base: TestReport | null, own: TestReport | null, without: TestReport | null): Proof {
  const passing = idsOf(without, "passed");
  const failedOnBase = idsOf(base, "failed");
  const known = new Set((base?.results ?? []).map(idOf));
  const added = [...idsOf(own, "passed")].filter(([id]) => !known.has(id));
  return {
    revived: named([...failedOnBase].filter(([id]) => passing.has(id))),
    unproven: named(added.filter(([id]) => passing.has(id))),
  };
}

type Result = TestReport["results"][number];

function idOf({ suite, name }: Result): string {
  return JSON.stringify([suite, steadyName(name)]);
}

/** Names to be shown, by what the tests are known by. */
function idsOf(report: TestReport | null, status: Result["status"]): ReadonlyMap<string, string> {
  const results = (report?.results ?? []).filter((result) => result.status === status);
  return new Map(results.map((result) => [idOf(result), `${result.suite}: ${result.name}`]));
}

function named(tests: readonly (readonly [string, string])[]): Names {
  return { count: tests.length, some: tests.slice(0, NAMES_TOLD).map(([, name]) => name) };
}
