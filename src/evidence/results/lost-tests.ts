import type { Runner } from "../../core/evidence/result.ts";
import { steadyName, steadySuite } from "./steady-name.ts";
import { ranBefore, ranNow, sum, type Matched, type Tally } from "./tally.ts";
import { UNNAMED, WHOLE } from "./source-result.ts";

export interface LostAmong {
  readonly matched: readonly Matched[];
  /** The runners that reported the base's tests. */
  readonly runners: readonly Runner[];
  readonly wasAllowed: (suite: string) => boolean;
  readonly isAsOnBase: (suite: string) => boolean;
}

export interface Lost {
  readonly vanished: readonly Tally[];
  readonly skippedNow: readonly Tally[];
}

interface Suite {
  readonly name: string;
  ranBefore: number;
  ranNow: number;
  skips: number;
  /** The increase of tests without a name since the base. */
  unnamed: number;
  readonly skippedNow: Tally[];
  readonly missing: Missing[];
}

interface Missing {
  /** Some of these, or all if there are at most `count`. */
  readonly tests: readonly Tally[];
  readonly count: number;
  /** Whether its name is likely the same in every run. */
  readonly isSteady: boolean;
}

/** Tests of the base that do not run now, in no particular order. */
export function lostTests({ matched, runners, wasAllowed, isAsOnBase }: LostAmong): Lost {
  const suites = suitesOf(matched);
  const isByFile = runners.every((runner) => BY_FILE.has(runner));
  const lost = { vanished: [] as Tally[], skippedNow: [] as Tally[] };
  for (const suite of suites.values()) {
    if (wasAllowed(suite.name)) continue;
    for (const its of suite.skippedNow) lost.skippedNow.push(its);
    const isAsItWas = isByFile && suite.name !== "" && isAsOnBase(suite.name);
    for (const its of vanishedFrom(suite, isAsItWas)) lost.vanished.push(its);
  }
  return lost;
}

function suitesOf(matched: readonly Matched[]): ReadonlyMap<string, Suite> {
  const places = placesOf(matched);
  const suites = new Map<string, Suite>();
  for (const { before, now } of matched) {
    const first = before[0] ?? now[0];
    if (first === undefined) continue;
    const suite = suiteOf(suites, first.suite);
    const tests = before.filter((its) => ranBefore(its) > 0 && !isReplaced(its, places));
    const [ran, runs] = [sum(tests, ranBefore), sum(now, ranNow)];
    const lost = Math.max(0, ran - runs);
    const skipped = Math.min(lost, Math.max(0, sum(now, skips) - sum(before, skips)));
    suite.ranBefore += ran;
    suite.ranNow += runs;
    suite.skips += skipped;
    if (first.name === UNNAMED) suite.unnamed += runs - ran;
    for (const its of tests.slice(0, skipped)) suite.skippedNow.push(its);
    if (lost === skipped) continue;
    suite.missing.push({
      // It is unknown which of several equal tests is gone.
      tests: tests.slice(Math.min(skipped, tests.length - 1)),
      count: lost - skipped,
      isSteady: first.name !== UNNAMED && steadyName(first.name) === first.name,
    });
  }
  return suites;
}

function suiteOf(suites: Map<string, Suite>, name: string): Suite {
  const id = steadySuite(name);
  const suite = suites.get(id) ?? {
    name,
    ranBefore: 0,
    ranNow: 0,
    skips: 0,
    unnamed: 0,
    skippedNow: [],
    missing: [],
  };
  suites.set(id, suite);
  return suite;
}

/** Runners whose suites are files with their own tests. */
const BY_FILE: ReadonlySet<Runner> = new Set(["node:test", "vitest", "jest", "mocha", "pytest", "unittest"]);

/**
 * Names may change from run to run, or come from the product. An unchanged file cannot have replaced its tests, so an equal number is enough
 * there. Elsewhere tests could be swapped one for one, so a number only makes up for names that seem to change by themselves.
 */
function vanishedFrom(suite: Suite, isAsItWas: boolean): Tally[] {
  const steady = suite.missing.filter(({ isSteady }) => isSteady);
  const changing = suite.missing.filter(({ isSteady }) => !isSteady);
  const short = Math.max(0, suite.ranBefore - suite.ranNow - suite.skips);
  const named = isAsItWas ? short : countOf(steady) - Math.max(0, suite.unnamed);
  const fromSteady = Math.min(countOf(steady), Math.max(0, named));
  return [...some(steady, fromSteady), ...some(changing, short - fromSteady)];
}

function countOf(missing: readonly Missing[]): number {
  let total = 0;
  for (const { count } of missing) total += count;
  return total;
}

function some(missing: readonly Missing[], most: number): Tally[] {
  const found: Tally[] = [];
  let left = most;
  for (const { tests, count } of missing) {
    if (left <= 0) break;
    for (const its of tests.slice(0, Math.min(count, left))) found.push(its);
    left -= count;
  }
  return found;
}

function skips({ skipped }: Tally): number {
  return skipped;
}

/** The places of current tests: suites, the modules of their classes, groups. Empty if not needed. */
function placesOf(matched: readonly Matched[]): ReadonlySet<string> {
  const places = new Set<string>();
  if (!matched.some(({ before, now }) => now.length === 0 && before.some(neverPassed))) return places;
  for (const { now } of matched) {
    for (const its of now) {
      if (ranNow(its) === 0 || isOfAll(its)) continue;
      const { suite, name } = its;
      const module = suite.lastIndexOf(".");
      places.add(suite);
      if (module > 0) places.add(suite.slice(0, module));
      for (let at = name.indexOf(" > "); at >= 0; at = name.indexOf(" > ", at + 1)) {
        places.add(inSuite(suite, name.slice(0, at)));
      }
    }
  }
  return places;
}

function inSuite(suite: string, group: string): string {
  return `${suite}\n${group}`;
}

function neverPassed({ passed, failed }: Tally): boolean {
  return passed === 0 && failed > 0;
}

/** The base reported a file or group that could not start, and now its tests run. Many tasks begin this way, with tests for a missing feature. */
function isReplaced(its: Tally, places: ReadonlySet<string>): boolean {
  const { suite, name } = its;
  if (!neverPassed(its)) return false;
  if (places.has(name) || places.has(inSuite(suite, name)) || OF_UNITTEST.test(name)) return true;
  return isOfAll(its) && places.has(suite);
}

/** unittest's name for a file that it cannot import, or for failed setup. It does not include the place. */
const OF_UNITTEST = /(?:^|\.)_FailedTest\b|^(?:setUp|tearDown)(?:Class|Module) \(/;
const FILE = /^\S+\.(?:[cm]?[jt]sx?|py)$/;

/** Runners report an unloadable file as a test, usually under the file's name. pytest's probe uses `collection`. */
function isOfAll({ suite, name }: Tally): boolean {
  if (name === WHOLE || name === "collection" || name === "" || name === suite) return true;
  return FILE.test(name);
}
