import type { OracleKind } from "./change.ts";
import { isBuildConfig, isTestPath } from "./names.ts";
import { extensionOf, folderOf, inFolder, nameOf, stemOf } from "./paths.ts";
import { isKnownProgram } from "./programs.ts";
import { isLibraryModule, isRunnerModule } from "./python-names.ts";

interface Input {
  readonly files: ReadonlySet<string>;
  readonly cwd: string;
  readonly kindOf: (path: string) => OracleKind | null;
  readonly followed: {
    readonly importFolders: ReadonlySet<string>;
    readonly programFolders: ReadonlySet<string>;
  };
}

const PACKAGE = /^(.*\/)?(\w+)\/__init__\.(?:py|pyc|so|pyd)$/;
/** `re.py`, `re.abi3.so`. */
const MODULE = /^(.*\/)?(\w+)(?:\.[\w-]+)?\.(?:py|pyc|so|pyd)$/;

/** A module by the file it is in: its folder and its name. */
function moduleOf(path: string): readonly [string, string] | null {
  const [, at = "", name] = PACKAGE.exec(path) ?? MODULE.exec(path) ?? [];
  return name === undefined ? null : [at.replace(/\/$/, ""), name];
}

const RUNNER_PACKAGE = /^(.*?\/)?(?:_?pytest|pluggy|coverage|unittest)\/.*\.(?:py|pyc|so|pyd)$/;

/**
 * New modules that are found before those of Python's library and of the test runner. Only where imports begin: deep in a package
 * a module may have any name. A folder without a first file gives way to a library's module.
 */
export function shadowsPython({ files, cwd, kindOf, followed }: Input): (path: string) => boolean {
  const python = [...files].filter((path) => path.endsWith(".py"));
  if (python.length === 0) return () => false;
  const starts = new Set(["", "src", cwd, inFolder(cwd, "src"), ...followed.importFolders]);
  for (const path of python) {
    if (kindOf(path) !== "test" && kindOf(path) !== "script") continue;
    let folder = folderOf(path);
    // Of a package's tests, imports begin above the package; in a folder of tests one may also begin.
    if (isTestPath(`${folder}/x`)) starts.add(folder);
    while (folder !== "" && files.has(`${folder}/__init__.py`)) folder = folderOf(folder);
    starts.add(folder);
  }
  const names = new Set(python.map((path) => stemOf(nameOf(path))));
  const isTested = (name: string): boolean =>
    !names.has(name) && (names.has(`test_${name}`) || names.has(`${name}_test`) || names.has(`test${name}`));
  return (path) => {
    const [at = null, name = ""] = moduleOf(path) ?? [];
    if (at !== null && starts.has(at))
      if (isRunnerModule(name) || (isLibraryModule(name) && !isTested(name))) return true;
    // What belongs to a package that is found on the way may have itself loaded by the runner.
    if (/\.(?:egg|dist)-info\/entry_points\.txt$/.test(path)) return starts.has(folderOf(folderOf(path)));
    const runner = RUNNER_PACKAGE.exec(path);
    return runner !== null && starts.has((runner[1] ?? "").replace(/\/$/, ""));
  };
}

/** In the order in which runners and Node try them; the name as it is comes first. */
const TRIED = ["", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json", ".node"];

/** New files that are found before a helper of the tests, which is asked for without its ending. */
export function standsBefore({ files, kindOf }: Input): (path: string) => boolean {
  const helpers = new Map<string, number>();
  const modules = new Set<string>();
  for (const path of files) {
    const name = nameOf(path);
    const kind = kindOf(path);
    if (kind === null || kind === "ci" || kind === "shadow") continue;
    const stem = inFolder(folderOf(path), stemOf(name));
    if (name.endsWith(".py")) modules.add(stem);
    const tried = TRIED.indexOf(extensionOf(name));
    // A runner finds its tests by their whole names.
    if (tried > 0 && !isTestPath(name) && !name.startsWith("."))
      helpers.set(stem, Math.min(tried, helpers.get(stem) ?? tried));
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

/** What make by itself makes files of, by their endings. */
const MADE_OF = /\.(?:sh|c|cc|cpp|C|p|f|F|r|m|mod|s|S|o|y|l|w|web|cweb|tex|texi|texinfo|txinfo)$/;

/** New files of which make would make a makefile that the base has. */
export function remakes({ files, kindOf }: Input): (path: string) => boolean {
  return (path) => {
    const made = path.replace(MADE_OF, "");
    return made !== path && isBuildConfig(made) && files.has(made) && kindOf(made) !== null;
  };
}

/** New programs where the shell looks before it finds those that everybody knows. */
export function standsForProgram({ followed }: Input): (path: string) => boolean {
  return (path) => followed.programFolders.has(folderOf(path)) && isKnownProgram(nameOf(path));
}
