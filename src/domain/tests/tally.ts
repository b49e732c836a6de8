import type { TestResult } from "./result.ts";
import { steadyName, steadySuite } from "./steady-name.ts";

/** All results under one name. */
export interface Tally {
  readonly suite: string;
  readonly name: string;
  /** Where it first stands in its report. */
  readonly order: number;
  passed: number;
  failed: number;
  skipped: number;
  /** Why it failed first. */
  message: string | undefined;
}

/** What is compared: a test with itself, or tests that only differ in what changes from run to run. */
export interface Matched {
  readonly before: readonly Tally[];
  readonly now: readonly Tally[];
}

export function tally(results: readonly TestResult[]): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const [order, { suite, name, status, message }] of results.entries()) {
    const id = idOf(suite, name);
    const its = tallies.get(id) ?? { suite, name, order, passed: 0, failed: 0, skipped: 0, message };
    its[status] += 1;
    its.message ??= message;
    tallies.set(id, its);
  }
  return tallies;
}

/** Every test is in one of them. Those with the very same name go first: what is left over is matched by what it has steady. */
export function match(before: ReadonlyMap<string, Tally>, now: ReadonlyMap<string, Tally>): Matched[] {
  const same: Matched[] = [];
  const alike = new Map<string, { before: Tally[]; now: Tally[] }>();
  const others = (its: Tally): { before: Tally[]; now: Tally[] } => {
    const id = idOf(steadySuite(its.suite), steadyName(its.name));
    const group = alike.get(id) ?? { before: [], now: [] };
    alike.set(id, group);
    return group;
  };
  for (const [id, its] of before) {
    const itself = now.get(id);
    if (itself === undefined) others(its).before.push(its);
    else same.push({ before: [its], now: [itself] });
  }
  for (const [id, its] of now) if (!before.has(id)) others(its).now.push(its);
  return [...same, ...alike.values()];
}

/** Whatever the two hold, they are told apart. */
function idOf(suite: string, name: string): string {
  return `${suite.length} ${suite}${name}`;
}

/**
 * How often it ran, at least. On the base a failure may have been followed by another try: the runner then tells it twice, and
 * once where it passes at the first.
 */
export function ranBefore({ passed, failed }: Tally): number {
  return passed > 0 ? passed : Math.min(failed, 1);
}

export function ranNow({ passed, failed }: Tally): number {
  return passed + failed;
}

export function sum(tallies: Iterable<Tally>, of: (its: Tally) => number): number {
  let total = 0;
  for (const its of tallies) total += of(its);
  return total;
}
