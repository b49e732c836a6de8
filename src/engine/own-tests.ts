import { globMatcher } from "../domain/board/globs.ts";
import { succeeded, type ProcessEnd } from "../domain/process-end.ts";
import type { CheckInRoom } from "../domain/room/event.ts";
import { testsLost, type SuiteTexts } from "../domain/tests/compare-tests.ts";
import type { Names } from "../domain/tests/findings.ts";
import { proofOf } from "../domain/tests/proof.ts";
import type { TestReport } from "../domain/tests/result.ts";
import { knownBase } from "./base.ts";
import { namesOf, textNow, textOnBase } from "./candidate.ts";
import { asOnBase, withoutWork } from "./put-back.ts";
import { BASE_STALL_MS } from "./check-base.ts";
import { NONE, ownRun, passed, SILENCE, type Ran, type Runs } from "./ran.ts";

type Without = NonNullable<CheckInRoom["without"]>;

/** What the agent's own version of the tests showed. */
export interface OwnTests {
  readonly own: Ran | null;
  readonly lost: Names;
  readonly without: Without | null;
}
export const NO_OWN_TESTS: OwnTests = { own: null, lost: NONE, without: null };

interface KnownBefore {
  readonly report: TestReport | null;
  /** Whether the command succeeded: some do although tests fail. */
  readonly succeeded: boolean;
  readonly hasFailed: boolean;
}
const KNOWN_GREEN: KnownBefore = { report: null, succeeded: true, hasFailed: false };

/** With the tests as the agent left them, where they differ. */
export async function withOwnTests(
  runs: Runs,
  decisive: Ran,
  { isEdited, hasNewTests }: { readonly isEdited: boolean; readonly hasNewTests: boolean },
): Promise<OwnTests | null> {
  const { view } = runs.spec;
  const isAsked = runs.state.settings.room?.proveTests === true;
  const hasNew = hasNewTests || (isAsked && view.newTests.length > 0);
  if (!isEdited && !hasNew) return NO_OWN_TESTS;
  // Where the original tests fail the agent's are only looked at for the sake of a question: they are not waited for if they hang.
  const stallMs = passed(decisive) ? undefined : BASE_STALL_MS;
  const own = await runs.run(".own", "own", [], view.hidden, stallMs);
  if (!own) return null;
  const lost = isEdited ? lostIn(runs, own, decisive) : NONE;
  if (!passed(own)) return { own, lost, without: null };
  const before = isAsked || isEdited ? await knownBefore(runs) : KNOWN_GREEN;
  if (!before) return null;
  // What failed before can be made to pass by an edit. Where nothing failed, there is nothing to see.
  if (!isAsked && !before.hasFailed) return { own, lost, without: null };
  const without = await onOriginalProduct(runs, own, before, isAsked);
  return without && { own, lost, without };
}

async function onOriginalProduct(
  runs: Runs,
  own: Ran,
  before: KnownBefore,
  isAsked: boolean,
): Promise<Without | null> {
  const { view, command } = runs.spec;
  const { laid, hidden } = withoutWork(view, runs.state, runs.context);
  const ran = await runs.run(".without", "own", laid, [...view.hidden, ...hidden]);
  if (!ran) return null;
  const proof = proofOf(before.report, own.run.report, ran.run.report);
  // By its exit code alone the command would not notice that the work is missing: it reports no tests, or no longer fails by them.
  const isBlind = !before.succeeded && succeeded(ran.run.result.process.end);
  const blind = isBlind ? { count: 1, some: [command] } : null;
  return {
    ...ownRun(ran),
    revived: proof.revived.count === 0 && blind ? blind : proof.revived,
    unproven: isAsked ? (ran.run.report === null && blind ? blind : proof.unproven) : NONE,
  };
}

/** What the command showed before the work. Where it was not run then, it is run now on the original files. */
async function knownBefore(runs: Runs): Promise<KnownBefore | null> {
  if (runs.onBase) return knownFrom(runs.onBase.process.end, runs.base);
  const put = asOnBase(runs.spec.view, runs.state, runs.context);
  if (!put) return KNOWN_GREEN;
  const ran = await runs.run(
    ".control",
    "base",
    put.laid,
    [...runs.spec.view.hidden, ...put.hidden],
    BASE_STALL_MS,
  );
  return ran && knownFrom(ran.run.result.process.end, ran.run.report);
}

function knownFrom(end: ProcessEnd, report: TestReport | null): KnownBefore {
  const isFailing = report?.results.some(({ status }) => status === "failed") === true;
  return { report, succeeded: succeeded(end), hasFailed: !succeeded(end) || isFailing };
}

function withoutFiles(report: TestReport | null, files: readonly string[]): TestReport | null {
  return report && { ...report, results: report.results.filter(({ suite }) => !files.includes(suite)) };
}

function suiteTexts({ spec: { view }, state, context }: Runs): SuiteTexts {
  const base = knownBase(state, context);
  return { original: (suite) => textOnBase(suite, base), own: (suite) => textNow(suite, view) };
}

/** Compared with the tests that ran with the originals in place. The base may have ended before it came to all of them. */
function lostIn(runs: Runs, own: Ran, decisive: Ran): Names {
  const isAllowed = globMatcher(runs.state.settings.room?.allow ?? []);
  const { changes, newTests } = runs.spec.view;
  const original = (passed(decisive) ? withoutFiles(decisive.run.report, newTests) : null) ?? runs.base;
  if (original) return testsLost(original, own.run.report ?? SILENCE, isAllowed, suiteTexts(runs));
  // Without names a test is gone with its file, unless a new file may be the same under another name.
  const deleted = changes.filter(
    ({ path, kind, how }) => kind === "test" && how === "deleted" && !isAllowed(path),
  );
  return namesOf(deleted.slice(newTests.length).map(({ path }) => path));
}
