import { isRecord } from "../steps/values.ts";
import {
  isAmongThoseForTests,
  isCalledForTests,
  isCalledJudge,
  isScriptFolder,
  testedAmong,
} from "./judging.ts";
import { isTestPath } from "./names.ts";
import { extensionOf, folderOf, foldersAbove, inFolder, nameOf, resolved, stemOf } from "./paths.ts";
import { readJson, textsIn } from "./read-json.ts";

const PRODUCT_FOLDERS = new Set(["src", "lib", "app", "pkg", "cmd", "internal"]);
/** What a program's first file is called where nobody says. */
const FIRST_FILES = new Set(["main", "index", "app", "server", "cli", "__main__"]);
const CODE = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|go|rs|java|kt|swift|c|cc|cpp|R|jl)$/;
const ENTRY_KEYS = ["main", "module", "browser", "types", "typings", "bin", "exports"];

/** Whether a file that test commands load, or run themselves, is what they test: then it may change. */
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
      return !isAmongThoseForTests(path) && !(isRun && isJudgeFolder(folderOf(path)));
    if (folder === undefined && isInPackage(path, files)) return true;
    const manifest = foldersAbove(path)
      .map((above) => inFolder(above, "package.json"))
      .find((candidate) => files.has(candidate));
    return manifest !== undefined && entriesOf(manifest).has(path);
  };
}

function isJudgeFolder(folder: string): boolean {
  return isCalledJudge(folder) || /^(?:qa|acceptance)$/.test(nameOf(folder));
}

/** A module of a package of Python's, unless one of them is called otherwise. */
function isInPackage(path: string, files: ReadonlySet<string>): boolean {
  const isCode = path.endsWith(".py") && files.has(`${folderOf(path)}/__init__.py`);
  return isCode && !isCalledJudge(path) && !isCalledJudge(folderOf(path));
}

function packageEntries(manifest: string, text: string | null): ReadonlySet<string> {
  const value = text === null ? null : readJson(text);
  if (!isRecord(value)) return new Set();
  const found = new Set<string>();
  for (const entry of textsIn(ENTRY_KEYS.map((key) => value[key]))) {
    const path = resolved(folderOf(manifest), entry);
    if (path !== null) for (const ending of ["", ".js", "/index.js"]) found.add(`${path}${ending}`);
  }
  return found;
}

const MAX_READ = 2000;
const SCRIPT = /\.(?:ba)?sh$/;

/** What is called as for tests and no other file of the product names, though it lies among the product. */
export function forTestsAmong(
  files: ReadonlySet<string>,
  read: (path: string) => string | null,
): (path: string) => boolean {
  const isTested = testedAmong(files);
  const known = new Map<string, boolean>();
  const isUnnamed = (path: string): boolean => {
    const code = [...files].filter((other) => !isTestPath(other) && (CODE.test(other) || SCRIPT.test(other)));
    const stem = stemOf(nameOf(path));
    return (
      code.length <= MAX_READ && !code.some((other) => other !== path && (read(other) ?? "").includes(stem))
    );
  };
  return (path) => {
    if (isTestPath(path) || !isCalledForTests(path) || isTested(path)) return false;
    const isFor = known.get(path) ?? isUnnamed(path);
    known.set(path, isFor);
    return isFor;
  };
}
