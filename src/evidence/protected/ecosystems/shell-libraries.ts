import { isFixture, isTestPath } from "../test-paths.ts";
import { nameOf, stemOf } from "../../../text/paths.ts";
import { shellCommands, type ShellCommand } from "./shell.ts";
import type { Snapshot } from "../walk.ts";

/*
 * A sourced shell script may be the product or contain the assertions. If callers compare what a function prints, it is the product. If they
 * call it for its effect it may be a check, and then the whole file is protected.
 */

const DEFINED =
  /^[ \t]*(?:function[ \t]+([\w:.-]+)[ \t]*(?:\([ \t]*\))?|([\w:.-]+)[ \t]*\([ \t]*\))\s*[{(]/gm;
const MAX_FUNCTIONS = 1000;
/** Words in names of checks, and whole names of checks. */
const JUDGING = /^(?:assert|expect|should|refute|tests?|fail|verif|check|harness|helper)/;
const WHOLLY_JUDGING =
  /^(?:same|equals?|eq|neq?|is|isnt|ok|nok|not_ok|pass|it|describe|cmp|compare|differs?|match(?:es)?|like|must|want|setup|support)$/;
const COUNTS = /\b(?:fail(?:s|ed|ures?)?|err(?:s|ors?)?|bad|broken|passed)(?:\+?=|\+\+)|\bnot ok\b|\bFAIL/;
const ENDS = /\bexit[ \t]+[^0\s;]|\b(?:diff|cmp)[ \t]/;
const VARIABLE = String.raw`"?\$\{?\w+\}?"?`;
const COMPARES_TWO = new RegExp(`${VARIABLE}[ \\t]+(?:==?|!=|-eq|-ne)[ \\t]+${VARIABLE}`);
const ASKS = /(?:^|[\s;&|(!])(?:\[{1,2}|test|case|e?grep)[ \t]/m;

const MAX_TESTS = 200;

export class Libraries {
  readonly #base: Pick<Snapshot, "files" | "read">;
  #tests: readonly ShellCommand[] | null = null;

  constructor(base: Pick<Snapshot, "files" | "read">) {
    this.#base = base;
  }

  /** Whether the sourced file is the tested product, as opposed to test helpers and settings. */
  isTested(path: string, commands: readonly ShellCommand[]): boolean {
    const functions = functionsIn(this.#base.read(path) ?? "");
    if (functions.size === 0) return false;
    if ([stemOf(nameOf(path)), ...functions.keys()].some(isCalledJudging)) return false;
    const calls = [...commands, ...this.#ofTests()].filter(({ words: [name = ""] }) => functions.has(name));
    const namesOf = (some: readonly ShellCommand[]): Set<string> =>
      new Set(some.map(({ words: [name = ""] }) => name));
    const printed = namesOf(calls.filter(({ outputRead }) => outputRead));
    const called = [...namesOf(calls)].filter((name) => !printed.has(name));
    if (printed.size === 0 || withCalled(functions, called).some(judges)) return false;
    return ![...functions.values()].some((body) => COUNTS.test(body));
  }

  /** A file that one test script sources is available to others. */
  #ofTests(): readonly ShellCommand[] {
    this.#tests ??= [...this.#base.files]
      .filter((path) => isTestPath(path) && /\.(?:ba)?sh$/.test(path) && !isFixture(path))
      .slice(0, MAX_TESTS)
      .flatMap((path) => shellCommands(this.#base.read(path) ?? ""));
    return this.#tests;
  }
}

/** By name, each up to the start of the next. */
function functionsIn(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(DEFINED)].slice(0, MAX_FUNCTIONS);
  return new Map(
    found.map(({ 1: word, 2: name, 0: head, index }, at) => [
      word ?? name ?? "",
      text.slice(index + head.length, found[at + 1]?.index),
    ]),
  );
}

function isCalledJudging(name: string): boolean {
  return (
    WHOLLY_JUDGING.test(name) ||
    name
      .replace(/([a-z\d])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .some((word) => JUDGING.test(word))
  );
}

/** The bodies of functions, and of those they call. */
function withCalled(functions: ReadonlyMap<string, string>, names: readonly string[]): string[] {
  const known = new Set(names);
  for (const name of known)
    for (const word of functions.get(name)?.match(/[\w:.-]+/g) ?? [])
      if (functions.has(word)) known.add(word);
  return [...known].map((name) => functions.get(name) ?? "");
}

function judges(body: string): boolean {
  const isOfTwo = /\$\{?1\b/.test(body) && /\$\{?[2@*]/.test(body);
  return ENDS.test(body) || COMPARES_TWO.test(body) || (isOfTwo && ASKS.test(body));
}
