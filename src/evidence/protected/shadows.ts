import type { ProtectedKind } from "../../core/evidence/change.ts";
import type { TraceResult } from "./trace-result.ts";
import { isBuildConfig } from "./names.ts";
import { isTestPath } from "./test-paths.ts";
import { extensionOf, folderOf, inFolder, nameOf, stemOf } from "../../text/paths.ts";
import { isKnownProgram } from "./programs.ts";
import { loadedFromElsewhere } from "./python-imports.ts";
import { isLibraryModule, isRunnerModule } from "./python-names.ts";

interface Input {
  readonly files: ReadonlySet<string>;
  readonly cwd: string;
  readonly kindOf: (path: string) => ProtectedKind | null;
  /** Called only during construction. */
  readonly read: (path: string) => string | null;
  readonly followed: Pick<
    TraceResult,
    "executed" | "helpers" | "importFolders" | "programFolders" | "called" | "headerFolders" | "sourceFolders"
  >;
}

const PACKAGE = /^(.*\/)?(\w+)\/__init__\.(?:py|pyc|so|pyd)$/;
/** `re.py`, `re.abi3.so`. */
const MODULE = /^(.*\/)?(\w+)(?:\.[\w-]+)?\.(?:py|pyc|so|pyd)$/;

/** A module's folder and name, from its file. */
function moduleOf(path: string): readonly [string, string] | null {
  const [, at = "", name] = PACKAGE.exec(path) ?? MODULE.exec(path) ?? [];
  return name === undefined ? null : [at.replace(/\/$/, ""), name];
}

const RUNNER_PACKAGE = /^(.*?\/)?(_?pytest|pluggy|coverage|unittest)\/.*\.(?:py|pyc|so|pyd)$/;

/**
 * New modules that shadow Python's library or the test runner. Only where imports begin: deep in a package a module can have any name. A
 * folder without a first file does not shadow a library module.
 */
export function shadowsPython({ files, read, cwd, kindOf, followed }: Input): (path: string) => boolean {
  const python = [...files].filter((path) => path.endsWith(".py"));
  if (python.length === 0) return () => false;
  const starts = new Set(["", "src", cwd, inFolder(cwd, "src"), ...followed.importFolders]);
  for (const path of python) {
    if (kindOf(path) !== "test" && kindOf(path) !== "script") continue;
    let folder = folderOf(path);
    // Imports of a package's tests begin above the package; they may also begin in a test folder.
    if (isTestPath(`${folder}/x`)) starts.add(folder);
    while (folder !== "" && files.has(`${folder}/__init__.py`)) folder = folderOf(folder);
    starts.add(folder);
  }
  const names = new Set(python.map((path) => stemOf(nameOf(path))));
  const isTested = (name: string): boolean =>
    !names.has(name) && (names.has(`test_${name}`) || names.has(`${name}_test`) || names.has(`test${name}`));
  const loaded = loadedFromElsewhere({ files, read, isTested, importFolders: followed.importFolders });
  // In the repository of a runner, and where a package moves to another folder, these are the product's own.
  const own = new Set(
    python.flatMap((path) => {
      const module = kindOf(path) === null ? moduleOf(path) : null;
      return module !== null && starts.has(module[0]) ? [module[1]] : [];
    }),
  );
  return (path) => {
    const [at = null, name = ""] = moduleOf(path) ?? [];
    if (at !== null && starts.has(at) && !own.has(name))
      if (loaded.has(name) || isRunnerModule(name) || (isLibraryModule(name) && !isTested(name))) return true;
    // Metadata of a package on the path may make the runner load code; the runner ignores case.
    if (/\.(?:egg|dist)-info\/entry_points\.txt$/i.test(path)) return starts.has(folderOf(folderOf(path)));
    const runner = RUNNER_PACKAGE.exec(path);
    return runner !== null && !own.has(runner[2] ?? "") && starts.has((runner[1] ?? "").replace(/\/$/, ""));
  };
}

/** In the order that runners and Node use; the exact name comes first. */
const TRIED = ["", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json", ".node"];

/** New files that shadow a test helper which is imported without its ending. */
export function shadowsTestHelper({ files, kindOf, followed }: Input): (path: string) => boolean {
  const helpers = new Map<string, number>();
  const modules = new Set<string>();
  for (const path of files) {
    const name = nameOf(path);
    const kind = kindOf(path);
    if (kind === null || kind === "shadow") continue;
    const stem = inFolder(folderOf(path), stemOf(name));
    // A runner finds tests by their full names, so a test that no command names may become a package.
    if (name.endsWith(".py") && (!isTestPath(name) || followed.helpers.has(path))) modules.add(stem);
    const tried = TRIED.indexOf(extensionOf(name));
    if (tried <= 0 || isTestPath(name) || name.startsWith(".")) continue;
    helpers.set(stem, Math.min(tried, helpers.get(stem) ?? tried));
    // An import of a folder tries all files of that name first.
    const folder = stemOf(name) === "index" ? folderOf(path) : "";
    if (folder !== "" && !helpers.has(folder)) helpers.set(folder, TRIED.length);
  }
  return (path) => {
    const module = moduleOf(path);
    if (module !== null && modules.has(inFolder(...module)) && !path.endsWith(`${module[1]}.py`)) return true;
    const extension = extensionOf(nameOf(path));
    const tried = TRIED.indexOf(extension);
    const before = helpers.get(inFolder(folderOf(path), stemOf(nameOf(path))));
    return tried >= 0 && before !== undefined && tried < before;
  };
}

/** New modules that shadow a folder of modules without a first file, or that make it a package. */
export function shadowsFolder({ files, kindOf, followed }: Input): (path: string) => boolean {
  const folders = new Set<string>();
  for (const path of followed.executed)
    if (path.endsWith(".py") && kindOf(path) !== null) folders.add(folderOf(path));
  for (const folder of folders)
    if (folder === "" || files.has(`${folder}/__init__.py`)) folders.delete(folder);
  return (path) => {
    const module = folders.size === 0 ? null : moduleOf(path);
    return module !== null && folders.has(inFolder(...module));
  };
}

/** Endings of files from which make's built-in rules build others. */
const MADE_OF = /\.(?:sh|c|cc|cpp|C|p|f|F|r|m|mod|s|S|o|y|l|w|web|cweb|tex|texi|texinfo|txinfo)$/;

/** New files from which make would build one of the base's makefiles. */
export function rebuildsMakefile({ files, kindOf }: Input): (path: string) => boolean {
  return (path) => {
    const made = path.replace(MADE_OF, "");
    return made !== path && isBuildConfig(made) && files.has(made) && kindOf(made) !== null;
  };
}

/** New programs that the shell would find before well-known programs or checkers. */
export function shadowsProgram({ followed }: Input): (path: string) => boolean {
  return (path) => {
    const name = nameOf(path);
    return followed.programFolders.has(folderOf(path)) && (isKnownProgram(name) || followed.called.has(name));
  };
}

const SOURCE = /\.(?:c|cc|cpp|cxx|C|h|hh|hpp|hxx|s|S|f|y|l)$/;

/** In angle brackets: a third-party header, unless the tree has it. */
const INCLUDED = /^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>/gm;
/** Headers that these include themselves. */
const CORE_HEADERS =
  "features.h stdc-predef.h stddef.h stdarg.h stdint.h stdio.h stdlib.h string.h assert.h sys/cdefs.h sys/types.h".split(
    " ",
  );

/** New headers that compilers find before system or test headers, and new sources that make finds before existing ones. */
export function shadowsSource({ files, read, kindOf, followed }: Input): (path: string) => boolean {
  const { headerFolders, sourceFolders } = followed;
  const nameIn = (folder: string, path: string): string | null =>
    folder === "" ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
  const headers = new Set<string | null>(headerFolders.size > 0 ? CORE_HEADERS : []);
  const sources = new Set<string>();
  for (const path of files) {
    if (!SOURCE.test(path)) continue;
    if (sourceFolders.has(folderOf(path))) sources.add(nameOf(path));
    if (headerFolders.size === 0 || kindOf(path) === null) continue;
    for (const folder of headerFolders) headers.add(nameIn(folder, path));
    for (const [, name = ""] of (read(path) ?? "").matchAll(INCLUDED))
      if (![...files].some((other) => other.endsWith(`/${name}`))) headers.add(name);
  }
  headers.delete(null);
  return (path) => {
    if (sourceFolders.has(folderOf(path)) && sources.has(nameOf(path))) return true;
    return [...headerFolders].some((folder) => {
      const name = nameIn(folder, path);
      return name !== null && headers.has(name);
    });
  };
}
