import { isFixture, isTestPath } from "./names.ts";
import { folderOf, inFolder, nameOf, resolved } from "./paths.ts";
import { operandAt, type Program } from "./programs.ts";
import type { Walk, Where } from "./walk.ts";

const PYTEST_SETTINGS = ["pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"];
const PLUGINS = /^pytest_plugins\b[^=\n]*=\s*(\[[^\]]*\]|\([^)]*\)|"[^"\n]*"|'[^'\n]*')/m;
const PLUGIN_OPTION = /(?:^|[\s"'=])-p["',\s=]*([A-Za-z_][\w.]*)/g;
const SETUP_TEST = /^(?:test|pytest|nosetests|ptr)$/;

/** What Python's runners of tests are told by their words and their settings. */
export function followTests(walk: Walk, { name, words }: Program, where: Where): void {
  const args = words.slice(1);
  if (name === "pytest" || name === "py.test") pytest(walk, args, where);
  else if (/^pip[\d.]*$/.test(name)) installed(walk, args, where);
  else if (name === "uv" && args[0] === "pip") installed(walk, args.slice(1), where);
}

/** The words behind `python -m`. */
export function followModule(walk: Walk, [name = "", ...args]: readonly string[], where: Where): void {
  if (name === "doctest") {
    // Examples in a module are part of the product.
    for (const word of args) if (!word.startsWith("-") && !word.endsWith(".py")) walk.test(word, where);
  } else if (name === "unittest" && args[0] === "discover") discovered(walk, args.slice(1), where);
  else if (name === "unittest")
    for (const word of args)
      if (/^[\w./]+$/.test(word)) for (const file of modulesOf(word)) walk.test(file, where);
}

/** `python setup.py test`: then it decides about tests, whatever else it does. */
export function followSetup(walk: Walk, args: readonly string[], where: Where): void {
  if (!args.some((word) => SETUP_TEST.test(word))) return;
  const path = resolved(where.folder ?? walk.root, args[0] ?? "");
  if (path !== null && nameOf(path) === "setup.py") walk.useProgram(path);
}

/** Of `checks.add.AddTest`: what may be the module in it. */
function modulesOf(word: string): string[] {
  if (word.endsWith(".py")) return [word];
  const parts = word.split(/[./]/);
  return parts.flatMap((_, at) => {
    const path = parts.slice(0, at + 1).join("/");
    return at === 0 && parts.length > 1 ? [`${path}.py`] : [`${path}.py`, `${path}/__init__.py`];
  });
}

function discovered(walk: Walk, args: readonly string[], where: Where): void {
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

function pytest(walk: Walk, args: readonly string[], where: Where): void {
  if (!args.includes("--doctest-modules"))
    for (const word of args) {
      const file = word.replace(/::.*$/, "");
      if (file.endsWith(".py") && !file.startsWith("-")) walk.test(file, where);
    }
  plugins(walk, args.join(" "), where.folder ?? walk.root);
  const folders = new Set([where.folder ?? walk.root, walk.root, ""]);
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
      walk.test(`${root}/**/${pattern}`, { folder, home: folder, outputRead: false, byTest: false });
  }
  if (/--cov\b/.test(text)) walk.useTool("coverage");
  plugins(walk, /^[ \t]*addopts\s*=((?:.*)(?:\n[ \t]+.*|\n\].*)*)/m.exec(text)?.[1] ?? "", folder);
}

/** What a setting lists, be it in a file of sections or a list of TOML. */
function listed(text: string, key: string): string[] {
  const value = new RegExp(`^[ \\t]*${key}\\s*=((?:.*)(?:\\n[ \\t]+[^=\\n]*$)*)`, "m").exec(text)?.[1] ?? "";
  return value.split(/[\s,"'[\]]+/).filter((word) => /\w/.test(word));
}

function plugins(walk: Walk, text: string, folder: string): void {
  for (const [, name = ""] of text.matchAll(PLUGIN_OPTION)) plugin(walk, name, folder);
}

/** What has tests of its own is what is tested. */
function plugin(walk: Walk, name: string, folder: string): void {
  const path = name.replaceAll(".", "/");
  for (const start of new Set([folder, walk.root, "", inFolder(walk.root, "src"), "src"]))
    for (const file of [`${path}.py`, `${path}/__init__.py`].map((one) => inFolder(start, one)))
      if (walk.base.files.has(file) && !isTestPath(file) && !walk.base.isTested(file)) walk.before.add(file);
}

/** To install a project from where it lies is to run what builds it. */
function installed(walk: Walk, args: readonly string[], where: Where): void {
  if (args[0] !== "install") return;
  for (const word of args.slice(1)) {
    const place = /^\.{1,2}(?:\/|\[|$)/.test(word)
      ? resolved(where.folder ?? walk.root, word.replace(/\[.*$/, ""))
      : null;
    if (place === null) continue;
    walk.useTool("pip install");
    walk.useProgram(inFolder(place, "setup.py"));
  }
}
