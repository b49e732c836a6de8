import type { ShellCommand } from "./shell.ts";

const DEFINED = /^[ \t]*(?:function[ \t]+(?=[\w:.-]+\s*[{(])|(?=[\w:.-]+[ \t]*\([ \t]*\)))([\w:.-]+)/m;
const CHECK_NAME =
  /^(?:\w*(?:assert|expect|should|verif|check|fail)\w*|same|eq|equals?|is|ok|pass|it|compare)$/;
/** Counts failures, in the function itself or for its callers. */
const COUNTS = /\b(?:fail\w*|err(?:ors?)?|bad|broken|passed)(?:\+?=|\+\+)|\bnot ok\b|\bFAIL/;
const ENDS = /\bexit[ \t]+[^0\s;]|\b(?:diff|cmp)[ \t]/;
const COMPARES_TWO = /"?\$\{?\w+\}?"?[ \t]+(?:==?|!=|-eq|-ne)[ \t]+"?\$\{?\w/;
const ASKS = /(?:^|[\s;&|(!])(?:\[{1,2}|test|case|e?grep)[ \t]/m;

/**
 * A sourced script is the product if its readers read what its functions print. It is not if a function judges by its name or by counting, or
 * if they call a function for its effect that may compare or end the test.
 */
export function isTestedLibrary(text: string, readers: readonly ShellCommand[]): boolean {
  const [, ...parts] = text.split(DEFINED);
  const bodies = new Map<string, string>();
  for (let at = 0; at < parts.length; at += 2) bodies.set(parts[at] ?? "", parts[at + 1] ?? "");
  if (COUNTS.test(text) || [...bodies.keys()].some((name) => CHECK_NAME.test(name))) return false;
  const namesOf = (calls: readonly ShellCommand[]): string[] =>
    calls.map(({ words: [name = ""] }) => name).filter((name) => bodies.has(name));
  const printed = new Set(namesOf(readers.filter(({ outputRead }) => outputRead)));
  const effective = new Set(namesOf(readers).filter((name) => !printed.has(name)));
  for (const name of effective)
    for (const word of bodies.get(name)?.match(/[\w:.-]+/g) ?? []) if (bodies.has(word)) effective.add(word);
  return printed.size > 0 && ![...effective].some((name) => mayJudge(bodies.get(name) ?? ""));
}

function mayJudge(body: string): boolean {
  const isOfTwo = /\$\{?1\b/.test(body) && /\$\{?[2@*]/.test(body);
  return ENDS.test(body) || COMPARES_TWO.test(body) || (isOfTwo && ASKS.test(body));
}
