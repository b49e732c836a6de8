import type { TestResult } from "../../core/evidence/result.ts";
import { steadyName, steadySuite } from "./steady-name.ts";

/** All results under one name. */
export interface Tally {
  readonly suite: string;
  readonly name: string;
  /** Its first position in the report. */
  readonly order: number;
  passed: number;
  failed: number;
  skipped: number;
  /** Its first failure message. */
  message: string | undefined;
}

/** A pair for comparison: a test with itself, or tests whose names differ only in changing parts. */
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

/** Pairs up all tests. Exact names come first; the rest is matched by the steady parts. */
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

/** Unambiguous, whatever the two strings contain. */
function idOf(suite: string, name: string): string {
  return `${suite.length} ${suite}${name}`;
}

/**
 * The minimum number of its runs. On the base a failure may have been retried: the runner then reports the test twice, but only once if it
 * passes immediately.
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
