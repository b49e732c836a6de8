import type { Proof } from "../../core/events/check-ended.ts";
import { firstNames, type Names } from "../../core/evidence/findings.ts";
import type { TestReport } from "../../core/evidence/result.ts";
import { steadyName } from "./steady-name.ts";

export type { Proof };

export function proofOf(base: TestReport | null, own: TestReport | null, without: TestReport | null): Proof {
  const passing = idsOf(without, "passed");
  const failedOnBase = idsOf(base, "failed");
  const known = new Set((base?.results ?? []).map(idOf));
  const added = [...idsOf(own, "passed")].filter(([id]) => !known.has(id));
  const shown = (tests: readonly (readonly [id: string, name: string])[]): Names =>
    firstNames(tests.flatMap(([id, name]) => (passing.has(id) ? [name] : [])));
  return {
    revived: shown([...failedOnBase]),
    unproven: shown(added),
  };
}

type Result = TestReport["results"][number];

function idOf({ suite, name }: Result): string {
  return JSON.stringify([suite, steadyName(name)]);
}

/** Display names by the tests' ids. */
function idsOf(report: TestReport | null, status: Result["status"]): ReadonlyMap<string, string> {
  const results = (report?.results ?? []).filter((result) => result.status === status);
  return new Map(results.map((result) => [idOf(result), `${result.suite}: ${result.name}`]));
}
