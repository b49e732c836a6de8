import { MAX_NAMES, type Names, type TestFailure, type TestFindings } from "../../core/evidence/findings.ts";
import { lostTests } from "./lost-tests.ts";
import type { TestReport, TestStatus } from "../../core/evidence/result.ts";
import { match, ranNow, sum, tally, type Tally } from "./tally.ts";

/**
 * Compares a run of a test command with its run on the base; null: the base result is unknown. `wasAllowed`: a person approved changes of the
 * suite. `isAsOnBase`: the suite is a file of the base and ran unchanged; false checks every name, which the candidate's own tests require.
 * `mayBeNew`: the suite may have tests that are new since the base. Other unreported tests are not new, because an import error may have
 * stopped them there.
 */
export function compareTests(
  base: TestReport | null,
  now: TestReport,
  wasAllowed: (suite: string) => boolean,
  isAsOnBase: (suite: string) => boolean = () => true,
  mayBeNew: (suite: string) => boolean = () => true,
): Omit<TestFindings, "kept"> {
  const matched = match(tally(base?.results ?? []), tally(now.results));
  const [regressed, alreadyFailing, newFailing, failing]: [Tally[], Tally[], Tally[], Tally[]] = [
    [],
    [],
    [],
    [],
  ];
  const isNew = ([first]: readonly Tally[]): boolean =>
    base !== null && first !== undefined && mayBeNew(first.suite);
  let added = 0;
  for (const { before, now: after } of matched) {
    const kind = before.some(({ failed }) => failed > 0)
      ? alreadyFailing
      : before.some(({ passed }) => passed > 0)
        ? regressed
        : isNew(after)
          ? newFailing
          : failing;
    for (const its of after) if (its.failed > 0) kind.push(its);
    if (isNew(after)) added += Math.max(0, sum(after, all) - sum(before, all));
  }
  const lost = lostTests({ matched, runners: base?.runners ?? [], wasAllowed, isAsOnBase });
  return {
    runners: now.runners,
    passed: count(now, "passed"),
    failed: count(now, "failed"),
    skipped: count(now, "skipped"),
    added,
    regressed: namesOf(regressed),
    alreadyFailing: namesOf(alreadyFailing),
    newFailing: namesOf(newFailing),
    failing: namesOf(failing),
    vanished: namesOf(lost.vanished),
    skippedNow: namesOf(lost.skippedNow),
    failures: [regressed, newFailing, failing, alreadyFailing].flatMap(failuresIn),
    // A gap that the base has too is not caused by the work.
    complete: now.complete || base?.complete === false,
    exitedBy: now.exitedBy.filter((file) => base?.exitedBy.includes(file) !== true),
  };
}

/** The text of a test file before and after the work; null: unknown. */
export interface SuiteTexts {
  readonly original: (suite: string) => string | null;
  readonly own: (suite: string) => string | null;
}

/** Original tests that the agent's version does not run, or skips. Moved and renamed tests are not lost. */
export function testsLost(
  original: TestReport,
  own: TestReport,
  wasAllowed: (suite: string) => boolean,
  texts: SuiteTexts,
): Names {
  const matched = match(tally(original.results), tally(own.results));
  const lost = lostTests({ matched, runners: original.runners, wasAllowed, isAsOnBase: () => false });
  const added = matched.flatMap(({ before, now }) => (before.length === 0 ? now : []));
  return namesOf([...notRenamed(lost.vanished, added, texts), ...lost.skippedNow]);
}

/** Each added test replaces one missing test: of the same name first, then of the same title, then with a new title. */
function notRenamed(
  vanished: readonly Tally[],
  added: readonly Tally[],
  texts: SuiteTexts,
): readonly Tally[] {
  const spare = added.filter((its) => ranNow(its) > 0);
  const fits: readonly ((gone: Tally, its: Tally) => boolean)[] = [
    (gone, its) => its.name === gone.name,
    (gone, its) => titleOf(its) === titleOf(gone),
    (gone, its) => isRenamed(gone, its, texts),
  ];
  return fits.reduce<readonly Tally[]>(
    (left, fit) =>
      left.filter((gone) => {
        const at = spare.findIndex((its) => fit(gone, its));
        if (at >= 0) spare.splice(at, 1);
        return at < 0;
      }),
    vanished,
  );
}

/** Without its groups and parameters. */
function titleOf({ name }: Tally): string {
  return (name.split(" > ").at(-1) ?? name).replace(/\[.*\]$/, "");
}

/** A renamed test keeps its line, with another title. If the line cannot be found, as for generated titles, the file decides. */
function isRenamed(gone: Tally, its: Tally, texts: SuiteTexts): boolean {
  const title = titleOf(gone);
  const lines = linesOf(texts.original(gone.suite)).filter((line) => line.includes(title));
  if (lines.length === 0) return its.suite === gone.suite;
  const now = new Set(linesOf(texts.own(its.suite)).map(plain));
  return lines.every((line) => now.has(plain(line.replaceAll(title, titleOf(its)))));
}

function linesOf(text: string | null): readonly string[] {
  return text?.split("\n") ?? [];
}

/** Formatters change blanks and quotes. */
function plain(line: string): string {
  return line.replaceAll(/["'`\s]/g, "");
}

function all({ passed, failed, skipped }: Tally): number {
  return passed + failed + skipped;
}

function count({ results }: TestReport, wanted: TestStatus): number {
  return results.filter(({ status }) => status === wanted).length;
}

function namesOf(tests: readonly Tally[]): Names {
  return { count: tests.length, some: firstOf(tests).map((its) => shown(its)) };
}

function firstOf(tests: readonly Tally[]): readonly Tally[] {
  return tests.toSorted((a, b) => a.order - b.order).slice(0, MAX_NAMES);
}

function failuresIn(tests: readonly Tally[]): readonly TestFailure[] {
  return firstOf(tests).flatMap((its) =>
    its.message === undefined ? [] : [{ test: shown(its), message: its.message }],
  );
}

function shown({ suite, name }: Tally): string {
  return suite === "" || suite === name ? name : `${suite}: ${name}`;
}
