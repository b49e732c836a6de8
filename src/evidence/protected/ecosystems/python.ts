import { isFixture, isTestPath } from "../test-paths.ts";
import { folderOf, inFolder, nameOf } from "../../../text/paths.ts";
import { operandAt, type Program } from "../programs.ts";
import type { Walk, ExecContext } from "../walk.ts";

const PYTEST_SETTINGS = ["pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];
const PLUGINS = /^pytest_plugins\b[^=\n]*=\s*(\[[^\]]*\]|\([^)]*\)|"[^"\n]*"|'[^'\n]*')/m;
const PLUGIN_OPTION = /(?:^|[\s"'=])-p["',\s=]*([A-Za-z_][\w.]*)/g;
/** Python modules that run another module or program. */
const RUNS_OTHERS = new Set(["runpy", "trace", "cProfile", "profile", "pdb"]);

/** Traces Python's test runners through their arguments and settings. */
export function tracePython(walk: Walk, { name, words }: Program, where: ExecContext): void {
  const args = words.slice(1);
  if (name === "pytest" || name === "py.test") pytest(walk, args, where);
}

/** The words after `python -m`. */
export function traceModule(walk: Walk, words: readonly string[], where: ExecContext): void {
  if (!where.byTest) namedTests(walk, words, where);
  const other = RUNS_OTHERS.has(words[0] ?? "") ? operandAt(words, 1, ["-o", "-s"]) : 0;
  const path = (words[other] ?? "").replace(/\.py$/, "").replaceAll(".", "/");
  for (const file of [`${path}.py`, `${path}/__main__.py`]) walk.run(file, where);
  walk.command(words, where);
}

function namedTests(walk: Walk, [name = "", ...args]: readonly string[], where: ExecContext): void {
  if (name === "doctest") {
    // Doctests in a module are part of the product.
    for (const word of args) if (!word.startsWith("-") && !word.endsWith(".py")) walk.test(word, where);
  } else if (name === "unittest" && args[0] === "discover") discovered(walk, args.slice(1), where);
  else if (name === "unittest")
    for (const word of args)
      if (/^[\w./]+$/.test(word)) for (const file of modulesOf(word)) walk.test(file, where);
}

/** The possible modules in a name such as `checks.add.AddTest`. */
function modulesOf(word: string): string[] {
  if (word.endsWith(".py")) return [word];
  const parts = word.split(/[./]/);
  return parts.flatMap((_, at) => {
    const path = parts.slice(0, at + 1).join("/");
    return at === 0 && parts.length > 1 ? [`${path}.py`] : [`${path}.py`, `${path}/__init__.py`];
  });
}

function discovered(walk: Walk, args: readonly string[], where: ExecContext): void {
  const valueOf = (short: string, long: string): string | undefined => {
    const at = args.findIndex((word) => word === short || word === long);
    return at < 0 ? args.find((word) => word.startsWith(`${long}=`))?.slice(long.length + 1) : args[at + 1];
  };
  const plain = args.slice(operandAt(args, 0, ["-s", "-p", "-t", "-k"]));
  const pattern = valueOf("-p", "--pattern") ?? plain[1];
  const start = valueOf("-s", "--start-directory") ?? plain[0] ?? ".";
  if (pattern !== undefined && /\w/.test(pattern.replace(/\.py$/, "")))
    walk.test(`${start}/**/${pattern}`, where);
}

function pytest(walk: Walk, args: readonly string[], where: ExecContext): void {
  if (!args.includes("--doctest-modules"))
    for (const word of args) {
      const file = word.replace(/::.*$/, "");
      if (file.endsWith(".py") && !file.startsWith("-")) walk.test(file, where);
    }
  const folders = new Set([...where.folders, walk.root, ""]);
  for (const folder of folders) plugins(walk, args.join(" "), folder);
  for (const folder of folders)
    for (const settings of PYTEST_SETTINGS) {
      const text = walk.base.read(inFolder(folder, settings));
      if (text !== null && /pytest/.test(text)) configured(walk, text, folder);
    }
  for (const path of walk.base.files) {
    if (nameOf(path) !== "conftest.py" || isFixture(path)) continue;
    const named = PLUGINS.exec(walk.base.read(path) ?? "")?.[1] ?? "";
    for (const [, name = ""] of named.matchAll(/["']([\w.]+)["']/g)) plugin(walk, name, folderOf(path));
  }
}

function configured(walk: Walk, text: string, folder: string): void {
  const roots = listed(text, "testpaths").filter((root) => !/^[./]*$/.test(root));
  for (const pattern of listed(text, "python_files")) {
    if (!pattern.endsWith(".py") || (pattern === "*.py" && roots.length === 0)) continue;
    for (const root of roots.length === 0 ? ["."] : roots)
      walk.test(`${root}/**/${pattern}`, {
        folders: [folder],
        home: folder,
        outputRead: false,
        byTest: false,
      });
  }
  if (/--cov\b/.test(text)) walk.useTool("coverage");
  plugins(walk, /^[ \t]*addopts\s*=((?:.*)(?:\n[ \t]+.*|\n\].*)*)/m.exec(text)?.[1] ?? "", folder);
}

/** The values of a setting, in an INI file or a TOML list. */
function listed(text: string, key: string): string[] {
  const value = new RegExp(`^[ \\t]*${key}\\s*=((?:.*)(?:\\n[ \\t]+[^=\\n]*$)*)`, "m").exec(text)?.[1] ?? "";
  return value.split(/[\s,"'[\]]+/).filter((word) => /\w/.test(word));
}

function plugins(walk: Walk, text: string, folder: string): void {
  for (const [, name = ""] of text.matchAll(PLUGIN_OPTION)) plugin(walk, name, folder);
}

/** A plugin with its own tests is the product. */
function plugin(walk: Walk, name: string, folder: string): void {
  const path = name.replaceAll(".", "/");
  for (const start of new Set([folder, walk.root, "", inFolder(walk.root, "src"), "src"]))
    for (const file of [`${path}.py`, `${path}/__init__.py`].map((one) => inFolder(start, one)))
      if (walk.base.files.has(file) && !isTestPath(file) && !walk.base.isTested(file)) walk.before.add(file);
}
