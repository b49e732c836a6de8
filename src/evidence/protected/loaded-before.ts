import type { Imports } from "./imports.ts";
import { isTestPath } from "./test-paths.ts";
import { JS_RUNNERS } from "./names.ts";
import { folderOf, matching, resolved } from "../../text/paths.ts";
import { isRecord } from "../../text/json/values.ts";
import { readJson, writtenJson } from "../../text/read-json.ts";
import { withEndings } from "./script-text.ts";

/** Keys under which runners load code before the tests. */
const LOADS =
  "setup\\w*|global-?[sS]etup|globalTeardown|require|import|file|preload|bootstrap|(?:test)?[eE]nvironment|transform|resolver|(?:test)?[rR]unner|reporters?|snapshotSerializers|snapshotResolver|(?:testS|s)equencer|snapshotEnvironment|presets?|plugins|loader|helpers|supportFile|node-option|nodeArguments|runner";
/** Keys that replace modules with files, mostly the product's own. */
const MAPS = "moduleNameMapper|alias";
/** Keys under which runners list patterns of their tests. */
const TESTS = "spec|testMatch|include";
const CODE = /\.(?:[cm]?[jt]sx?|py|rb|php)$/;
/** Files that a configuration may name. */
const NAMED = /\.(?:[cm]?[jt]sx?|json|ya?ml|py|rb|php|sh|opts|ini|toml)$/;
const LONGEST_VALUE = 5000;
const IMPORT = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"'\s]+)["']/g;
const BETWEEN = /["'`\s,;()[\]{}=]+/;

/** The base's files that a configuration names under these keys. */
function namedUnder(keys: string, path: string, text: string, files: ReadonlySet<string>): string[] {
  return wordsUnder(keys, text, BETWEEN).flatMap((word) => {
    const name = word.replace(/^<rootDir>\//, "");
    // A bare name is a package.
    const places = /^[\w.@-]*[./][\w.@/-]*$/.test(name) ? withEndings(folderOf(path), name) : [];
    return places.find((place) => place !== path && CODE.test(place) && files.has(place)) ?? [];
  });
}

/** Works for JavaScript, JSON, YAML and TOML alike. */
function wordsUnder(keys: string, text: string, between: RegExp): string[] {
  const key = new RegExp(`(?<![\\w$.-])["']?(?:${keys})["']?[ \\t]*[:=][ \\t]*`, "g");
  return [...text.matchAll(key)].flatMap((found) =>
    valueAt(text.slice(found.index + found[0].length).slice(0, LONGEST_VALUE)).split(between),
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

/** The base's files that a runner's configuration names. */
export function filesNamedIn(
  path: string,
  text: string,
  files: ReadonlySet<string>,
  isProduct: (path: string) => boolean,
): string[] {
  const folder = folderOf(path);
  const found = new Set<string>();
  for (const word of text.split(BETWEEN)) {
    const name = word.replace(/^<rootDir>\//, "");
    if (!NAMED.test(name)) continue;
    const file = resolved(folder, name);
    if (file === null || file === path || !files.has(file)) continue;
    if (!isProduct(file)) found.add(file);
  }
  return [...found];
}

/** The base's files that match the configuration's patterns of tests. The same keys may list sources, so `isTest` sees each file. */
export function testsByConfig(
  { path, text }: RunnerConfig,
  files: ReadonlySet<string>,
  isTest: (path: string) => boolean,
): string[] {
  const words = wordsUnder(TESTS, text, /["'`\s]+/).filter((word) => word.includes("*"));
  return words.flatMap((word) => {
    const pattern = resolved(folderOf(path), word.replace(/^<rootDir>\//, ""));
    return pattern === null ? [] : matching(files, pattern).filter(isTest);
  });
}

/** Files named in these are inputs. */
const COVERAGE = new Set(["c8", "nyc", "istanbul"]);

/** The runners' keys of package.json, as text. */
export function runnerKeysOf(text: string): string {
  const value = readJson(text);
  if (!isRecord(value)) return "";
  const keys = JS_RUNNERS.filter((key) => !COVERAGE.has(key) && Object.hasOwn(value, key));
  return keys.map((key) => writtenJson(value[key]) ?? "").join("\n");
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

interface Input {
  readonly imports: Imports;
  /** The configurations of runners. */
  readonly configs: ReadonlySet<string>;
  /** Files that they put in place of modules, or import. */
  readonly mapped: Iterable<string>;
  /** Files that they and the test commands load. */
  readonly loaded: Iterable<string>;
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
  const named = new Set([...input.loaded].filter((path) => !isMain(path)));
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
