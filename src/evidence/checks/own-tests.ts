import { testsLost } from "../results/compare-tests.ts";
import { firstNames, NO_NAMES, type Names } from "../../core/evidence/findings.ts";
import { proofOf, type Proof } from "../results/proof.ts";
import type { TestReport } from "../../core/evidence/result.ts";
import { textNow, textOnBase } from "./candidate.ts";
import type { KnownBase, View } from "./rooms.ts";

interface Originals {
  readonly view: View;
  readonly base: KnownBase;
  /** The report of the original tests; null: none, or they never ran. */
  readonly originals: TestReport | null;
  /** Whether that is the base's report, which lacks new tests. */
  readonly isWhole: boolean;
  readonly isAllowed: (path: string) => boolean;
}

/** Original tests that the agent's version no longer runs. */
export function lostTestsIn(
  own: TestReport,
  { view, base, originals, isWhole, isAllowed }: Originals,
): Names {
  const { changes, newTests } = view;
  if (originals) {
    const known = isWhole ? originals : withoutFiles(originals, newTests);
    return testsLost(known, own, isAllowed, {
      original: (suite) => textOnBase(suite, base),
      own: (suite) => textNow(suite, view),
    });
  }
  // Without test names, a test is lost with its file, unless a new file may be the renamed one.
  const deleted = changes.filter(
    ({ path, kind, how }) => kind === "test" && how === "deleted" && !isAllowed(path),
  );
  return firstNames(deleted.slice(newTests.length).map(({ path }) => path));
}

function withoutFiles(report: TestReport, files: readonly string[]): TestReport {
  return { ...report, results: report.results.filter(({ suite }) => !files.includes(suite)) };
}

interface Known {
  readonly before: TestReport | null;
  readonly own: TestReport | null;
  readonly command: string;
  /** The command failed before the work, and passes on the original product now. */
  readonly isBlind: boolean;
  readonly provesTests: boolean;
}

/** Proof from the agent's tests on the original product. */
export function proofIn(
  report: TestReport | null,
  { before, own, command, isBlind, provesTests }: Known,
): Proof {
  const { revived, unproven } = proofOf(before, own, report);
  const blind = isBlind ? { count: 1, some: [command] } : null;
  return {
    revived: revived.count === 0 && blind ? blind : revived,
    unproven: provesTests ? (report === null && blind ? blind : unproven) : NO_NAMES,
  };
}
