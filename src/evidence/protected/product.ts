import { isRecord } from "../../text/json/values.ts";
import { looksLikeTestSupport, hasTestName, hasCheckerName, isScriptFolder, testedAmong } from "./judging.ts";
import type { Imports } from "./imports.ts";
import { isTestPath } from "./test-paths.ts";
import { extensionOf, folderOf, foldersAbove, inFolder, nameOf, resolved, stemOf } from "../../text/paths.ts";
import { readJson, textsIn } from "../../text/read-json.ts";

const PRODUCT_FOLDERS = new Set(["src", "lib", "app", "pkg", "cmd", "internal"]);
/** The usual names of a program's first file. */
const FIRST_FILES = new Set(["main", "index", "app", "server", "cli", "__main__"]);
const CODE = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|go|rs|java|kt|swift|c|cc|cpp|R|jl)$/;
const ENTRY_KEYS = ["main", "module", "browser", "types", "typings", "bin"];

/** Whether a file that test commands load or run is the tested product, and so may change. */
export function productOf(
  files: ReadonlySet<string>,
  read: (path: string) => string | null,
): (path: string, isRun?: boolean) => boolean {
  const entries = new Map<string, ReadonlySet<string>>();
  const entriesOf = (manifest: string): ReadonlySet<string> => {
    const known = entries.get(manifest) ?? packageEntries(manifest, read(manifest));
    entries.set(manifest, known);
    return known;
  };
  return (path, isRun = false) => {
    if (isTestPath(path)) return false;
    const folder = folderOf(path)
      .split("/")
      .find((part) => PRODUCT_FOLDERS.has(part) || isScriptFolder(part));
    if (folder !== undefined && PRODUCT_FOLDERS.has(folder)) return true;
    const name = nameOf(path);
    if (name === "setup.py") return true;
    if (folder === undefined && FIRST_FILES.has(stemOf(name)) && CODE.test(extensionOf(name)))
      return !looksLikeTestSupport(path) && !(isRun && hasCheckerName(folderOf(path)));
    if (folder === undefined && isInPackage(path, files)) return true;
    const manifest = foldersAbove(path)
      .map((above) => inFolder(above, "package.json"))
      .find((candidate) => files.has(candidate));
    return manifest !== undefined && entriesOf(manifest).has(path);
  };
}

/** A module of a Python package, unless one of them has a checker name. */
function isInPackage(path: string, files: ReadonlySet<string>): boolean {
  const isCode = path.endsWith(".py") && files.has(`${folderOf(path)}/__init__.py`);
  return isCode && !hasCheckerName(path) && !hasCheckerName(folderOf(path));
}

function packageEntries(manifest: string, text: string | null, onlyMain = false): ReadonlySet<string> {
  const value = text === null ? null : readJson(text);
  if (!isRecord(value)) return new Set();
  const found = new Set<string>();
  const { exports } = value;
  const offered = onlyMain && isRecord(exports) && Object.hasOwn(exports, ".") ? exports["."] : exports;
  for (const entry of textsIn([...ENTRY_KEYS.map((key) => value[key]), offered])) {
    const path = resolved(folderOf(manifest), entry);
    if (path !== null) for (const ending of ["", ".js", "/index.js"]) found.add(`${path}${ending}`);
  }
  return found;
}

const FRAMEWORK =
  /^[ \t]*(?:import|from)[ \t]+(?:pytest|unittest)\b|^[ \t]*def pytest_\w+\(|["'](?:vitest|@jest\/globals|node:test|bun:test|chai|sinon|@testing-library\/[\w-]+)["']|\bexpect\.extend\(/m;

/** Definitions of tests. Code with its own tests is the product. */
export const OWN_TESTS = /^[ \t]*(?:async[ \t]+)?def test\w*\(|^[ \t]*(?:test|it|describe)(?:\.\w+)?\(/m;

function isMadeWithFramework(text: string): boolean {
  return FRAMEWORK.test(text) && !OWN_TESTS.test(text);
}

/** Whether code among the product is made for tests, by its name or its test framework, and the product does not load it. */
export function forTestsAmong(
  files: ReadonlySet<string>,
  read: (path: string) => string | null,
  imports: Imports,
  isMain: (path: string) => boolean,
): (path: string) => boolean {
  const isTested = testedAmong(files);
  const known = new Map<string, boolean>();
  const isForTests = (path: string): boolean => {
    if (isTestPath(path) || !files.has(path) || isTested(path) || isMain(path)) return false;
    const answer = known.get(path);
    if (answer !== undefined) return answer;
    // Test helpers may load each other in circles.
    known.set(path, hasTestName(path) || (CODE.test(path) && isMadeWithFramework(read(path) ?? "")));
    if (known.get(path) === true) known.set(path, !imports.isLoadedByProduct(path, isForTests));
    return known.get(path) === true;
  };
  return isForTests;
}

/** Whether it is a package's main file or the first of its sources, not another export. */
export function mainFiles(
  files: ReadonlySet<string>,
  read: (path: string) => string | null,
): (path: string) => boolean {
  const found = new Set<string>();
  for (const path of files) {
    if (nameOf(path) !== "package.json" || isTestPath(path)) continue;
    for (const entry of packageEntries(path, read(path), true)) found.add(entry);
  }
  return (path) => {
    const folder = nameOf(folderOf(path));
    const isFirst = FIRST_FILES.has(stemOf(nameOf(path))) && (folder === "" || PRODUCT_FOLDERS.has(folder));
    return found.has(path) || isFirst;
  };
}
