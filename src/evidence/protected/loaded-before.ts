import type { Imports } from "./imports.ts";
import { isTestPath } from "./test-paths.ts";
import { isRecord } from "../../text/json/values.ts";
import { entryAt } from "./json-entries.ts";
import { folderOf, resolved } from "../../text/paths.ts";
import { readJson, textsIn } from "../../text/read-json.ts";
import { unusual, withEndings } from "./script-text.ts";

/** Keys under which runners load code before the tests. */
const LOADS =
  "setup\\w*|global-?[sS]etup|globalTeardown|require|import|file|preload|bootstrap|(?:test)?[eE]nvironment|transform|resolver|(?:test)?[rR]unner|reporters?|snapshotSerializers|snapshotResolver|(?:testS|s)equencer|snapshotEnvironment|presets?|plugins|loader|helpers|supportFile|node-option|nodeArguments|runner";
/** Keys that replace modules with files, mostly the product's own. */
const MAPS = "moduleNameMapper|alias";
const CONDITIONS = "conditions|customExportConditions";
const CODE = /\.(?:[cm]?[jt]sx?|py|rb|php)$/;
const LONGEST_VALUE = 5000;
const MOST_NESTED = 10;
const IMPORT = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"'\s]+)["']/g;
const BETWEEN = /["'`\s,;()[\]{}=]+/;

/** The base's files that a configuration names under these keys. */
function namedUnder(keys: string, path: string, text: string, files: ReadonlySet<string>): string[] {
  return wordsUnder(keys, text).flatMap((word) => {
    const name = word.replace(/^<rootDir>\//, "");
    // A bare name is a package.
    const places = /^[\w.@-]*[./][\w.@/-]*$/.test(name) ? withEndings(folderOf(path), name) : [];
    return places.find((place) => place !== path && CODE.test(place) && files.has(place)) ?? [];
  });
}

/** Works for JavaScript, JSON, YAML and TOML alike. */
function wordsUnder(keys: string, text: string): string[] {
  const key = new RegExp(`(?<![\\w$.-])["']?(?:${keys})["']?[ \\t]*[:=][ \\t]*`, "g");
  return [...text.matchAll(key)].flatMap((found) =>
    valueAt(text.slice(found.index + found[0].length).slice(0, LONGEST_VALUE)).split(BETWEEN),
  );
}

function valueAt(text: string): string {
  const list = /^\r?\n((?:[ \t]*-.*(?:\n|$))+)/.exec(text)?.[1];
  if (list !== undefined) return list;
  if (!/^[[{]/.test(text)) return text.split("\n", 1)[0] ?? "";
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[[\]{}]/g)) {
    depth += /[[{]/.test(bracket) ? 1 : -1;
    if (depth === 0) return text.slice(0, index);
  }
  return text;
}

export interface RunnerConfig {
  readonly path: string;
  readonly text: string;
}

export function loadedByConfig({ path, text }: RunnerConfig, files: ReadonlySet<string>): string[] {
  return namedUnder(LOADS, path, text, files);
}

/** Files that it puts in place of modules, and files it imports itself. */
export function mappedByConfig({ path, text }: RunnerConfig, files: ReadonlySet<string>): string[] {
  const own = [...text.matchAll(IMPORT)].flatMap(
    ([, word = ""]) => withEndings(folderOf(path), word).find((place) => files.has(place)) ?? [],
  );
  return [...namedUnder(MAPS, path, text, files), ...own];
}

export function conditionsInConfig({ text }: RunnerConfig): string[] {
  return unusual(wordsUnder(CONDITIONS, text));
}

/** Conditions in `exports` and `imports`, with their paths in package.json. */
export function conditionsAt(manifest: unknown, conditions: ReadonlySet<string>): string[][] {
  if (!isRecord(manifest)) return [];
  const placesIn = (at: readonly string[], value: unknown): string[][] => {
    const below = isRecord(value) && at.length < MOST_NESTED ? Object.entries(value) : [];
    return [
      ...[...conditions].map((name) => [...at, name]),
      ...below.flatMap(([key, inner]) => (conditions.has(key) ? [] : placesIn([...at, key], inner))),
    ];
  };
  return ["exports", "imports"].flatMap((key) => placesIn([key], manifest[key]));
}

/** In the same part of the tree, because build outputs are elsewhere. */
function isBeside(one: string, other: string): boolean {
  return one.split("/", 1)[0] === other.split("/", 1)[0];
}

/** Files that these conditions put in place of others. Other targets are sources of the product. */
export function filesUnder(
  conditions: ReadonlySet<string>,
  { path, text }: RunnerConfig,
  files: ReadonlySet<string>,
): string[] {
  const manifest = conditions.size === 0 ? null : readJson(text);
  const placesIn = (value: unknown): string[] =>
    textsIn(value).flatMap((target) => resolved(folderOf(path), target) ?? []);
  return conditionsAt(manifest, conditions).flatMap((place) => {
    const beside = entryAt(manifest, place.slice(0, -1));
    if (!isRecord(beside)) return [];
    const name = place.at(-1) ?? "";
    const others = Object.entries(beside).filter(([key]) => key !== name);
    const replaced = others.flatMap(([, value]) => placesIn(value)).filter((file) => files.has(file));
    return placesIn(beside[name]).filter(
      (file) => files.has(file) && replaced.some((other) => other !== file && isBeside(other, file)),
    );
  });
}

interface Input {
  readonly imports: Imports;
  /** The configurations of runners. */
  readonly configs: ReadonlySet<string>;
  /** Files that they put in place of modules, or import. */
  readonly mapped: Iterable<string>;
  /** Files that they and the test commands load. */
  readonly loaded: Iterable<string>;
  /** Targets of the conditions that they set. */
  readonly conditional: Iterable<string>;
  /** Whether it is the package's main file. */
  readonly isMain: (path: string) => boolean;
  readonly isTested: (path: string) => boolean;
  readonly isForTests: (path: string) => boolean;
}

/**
 * Code that runs before the tests, wherever it is, with everything only it loads. Excludes code that the product loads too. If not named as
 * set-up code, also excludes code that tests load or are named after, because they test it.
 */
export function loadedBefore(input: Input): ReadonlySet<string> {
  const { imports, configs, isMain, isTested, isForTests } = input;
  const mayBe = (path: string): boolean => !isTestPath(path) && !isMain(path) && !isTested(path);
  const named = new Set([...[...input.loaded].filter((path) => !isMain(path)), ...input.conditional]);
  const found = new Set([...named, ...[...input.mapped].filter(mayBe)]);
  for (const path of found) for (const part of imports.loadedBy(path)) if (mayBe(part)) found.add(part);
  const isKnown = (path: string): boolean => found.has(path) || configs.has(path);
  const isProduct = (path: string): boolean =>
    named.has(path) || isForTests(path)
      ? imports.isLoadedByProduct(path, isKnown)
      : imports.loaders(path).some((loader) => !isKnown(loader));
  // A removed file may have been the only reason to keep others.
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const path of found) if (!isTestPath(path) && isProduct(path)) found.delete(path);
  }
  return found;
}
