import { nearest } from "./follow-packages.ts";
import { readMakefile, recipesFor, targetsOf, type Makefile } from "./makefile.ts";
import { JUSTFILES, MAKEFILES, TASKFILES } from "./names.ts";
import { folderOf, foldersAbove, inFolder, matching, nameOf, resolved } from "./paths.ts";
import { operandAt } from "./programs.ts";
import { sessionLines, shellLines } from "./script-text.ts";
import { NOWHERE, type Walk, type Where } from "./walk.ts";

const MAX_FOLDERS = 100;
const WITH_VALUE = ["-C", "-f", "-I", "-o", "-d", "--directory", "--file", "--makefile", "--justfile"];
const FOLDER = /^(?:-C|--directory(?:=.*)?|-d|--working-directory(?:=.*)?)$/;
const INCLUDED_FROM = /^(?:-I|--include-dir(?:=.*)?)$/;
const FILE = /^(?:-f|--(?:make|just)?file(?:=.*)?)$/;

/** Whether it was a program that builds. */
export function followBuild(walk: Walk, name: string, args: readonly string[], where: Where): boolean {
  switch (name) {
    case "make":
    case "gmake":
      make(walk, args, where, MAKEFILES);
      return true;
    case "just":
      make(walk, args, where, JUSTFILES);
      return true;
    case "task":
    case "go-task":
      linesOf(walk, TASKFILES, where, shellLines);
      return true;
    case "tox":
      linesOf(walk, ["tox.ini", "setup.cfg"], where, shellLines);
      return true;
    case "nox":
      linesOf(walk, ["noxfile.py"], where, sessionLines);
      return true;
    case "go":
      if (args[0] === "run") goRun(walk, args, where);
      return true;
    case "cargo":
      cargo(walk, args);
      return true;
    default:
      return false;
  }
}

function linesOf(
  walk: Walk,
  names: readonly string[],
  where: Where,
  read: (text: string) => readonly string[],
): void {
  for (const path of names.flatMap((name) => nearest(walk, name, where)))
    for (const line of read(walk.base.read(path) ?? ""))
      walk.text(line, { ...where, folder: folderOf(path), home: folderOf(path) });
}

function make(walk: Walk, args: readonly string[], where: Where, names: readonly string[]): void {
  const goals: string[] = [];
  for (let at = operandAt(args, 0, WITH_VALUE); at < args.length; at = operandAt(args, at + 1, WITH_VALUE))
    if (!/=|^\d+$/.test(args[at] ?? "")) goals.push(args[at] ?? "");
  for (const goal of goals) walk.useTool(`make ${goal}`);
  const to = valueOf(args, FOLDER);
  const start = where.folder ?? walk.root;
  const folder = to === null ? where.folder : resolved(start, to);
  const file = valueOf(args, FILE);
  const among = file === null ? names : [file];
  // Where a loop goes through folders, it may be each of them.
  const folders = folder === null ? foldersWith(walk.base.files, names, start) : [folder];
  for (const place of folders) {
    const path = among
      .map((name) => resolved(place, name))
      .find((one) => one !== null && walk.base.files.has(one));
    if (path !== null && path !== undefined)
      makeIn(
        walk,
        { path, goals, from: valueOf(args, INCLUDED_FROM) },
        { ...where, folder: place, home: place },
      );
  }
}

function foldersWith(files: ReadonlySet<string>, names: readonly string[], below: string): readonly string[] {
  const found = [...files].filter(
    (path) => names.includes(nameOf(path)) && foldersAbove(path).includes(below),
  );
  return [...new Set(found.map(folderOf))].slice(0, MAX_FOLDERS);
}

/** By which a recipe runs what it does not build. */
const RUNS = /(?:^|[\s;&|({])(?:(?:\S*\/)?(?:(?:ba|da)?sh|node|python[\d.]*|perl|ruby)\s|\.\/)/;

interface Making {
  readonly path: string;
  readonly goals: readonly string[];
  /** Where else it is to look for what is included. */
  readonly from: string | null;
}

function makeIn(walk: Walk, { path, goals, from }: Making, where: Where & { folder: string }): void {
  walk.useFile(path);
  const places = [where.folder, ...(from === null ? [] : [resolved(where.folder, from) ?? where.folder])];
  const makefile = withIncluded(walk, path, places);
  for (const { text, reads } of recipesFor(makefile, goals)) {
    walk.text(text, where);
    // Whatever stands in such a file is part of the command.
    for (const read of RUNS.test(text) ? reads : []) {
      const file = resolved(where.folder, read);
      if (file !== null && walk.base.files.has(file) && !walk.base.isProduct(file)) walk.useFile(file);
    }
  }
  for (const call of makefile.calls) if (!OF_PRODUCT.test(call)) walk.text(call, where);
  if (JUSTFILES.includes(nameOf(path))) return;
  const { made, done } = targetsOf(makefile);
  for (const pattern of made) walk.made.add(inFolder(where.folder, pattern));
  for (const target of done) walk.awaited.add(inFolder(where.folder, target));
  for (const { needs } of makefile.rules)
    for (const need of needs)
      if (isMadeByItself(walk, makefile, need, where)) walk.made.add(inFolder(where.folder, need));
  if ([...walk.base.files].some((file) => COMPILED.test(file))) walk.made.add("**/*.o");
  for (const [words, folders] of [
    [makefile.headerFolders, walk.headerFolders],
    [makefile.sourceFolders, walk.sourceFolders],
  ] as const)
    for (const word of words) {
      const place = resolved(where.folder, word.replace(/^\$\{_\}\//, ""));
      if (place !== null) folders.add(place);
    }
  if (makefile.sourceFolders.length > 0) walk.sourceFolders.add(where.folder);
  const programs = makefile.variables.get("PATH");
  if (programs !== undefined) walk.text(`PATH=${programs}`, where);
}

/** A program of the product's that is asked what it is. */
const OF_PRODUCT = /(?:^|[\s/])bin\/|\s(?:--version|-V)\b/;
const COMPILED = /\.(?:c|cc|cpp|cxx|C|s|S|f)$/;

/** Whether make knows without a rule how to make it of a file that is there. */
function isMadeByItself(walk: Walk, { rules }: Makefile, need: string, { folder }: Where): boolean {
  if (walk.base.files.has(inFolder(folder ?? "", need))) return false;
  const source = [".c", ".cc", ".cpp", ".C", ".s", ".S", ".f", ".sh"].find((ending) =>
    walk.base.files.has(inFolder(folder ?? "", need + ending)),
  );
  return source !== undefined && !rules.some(({ targets }) => targets.includes(need));
}

function valueOf(args: readonly string[], option: RegExp): string | null {
  const at = args.findIndex((word) => option.test(word));
  return at < 0 ? null : (/=(.*)/.exec(args[at] ?? "")?.[1] ?? args[at + 1] ?? null);
}

/** With what it includes, which is found from where make runs; the first value of a variable is good enough. */
function withIncluded(walk: Walk, path: string, folders: readonly string[]): Makefile {
  const read: Makefile[] = [];
  const left = new Set([path]);
  for (const part of left) {
    const makefile = readMakefile(walk.base.read(part) ?? "");
    read.push(makefile);
    const names = makefile.includes.flatMap((include) =>
      folders.flatMap((folder) => resolved(folder, include) ?? []),
    );
    for (const name of names) {
      walk.useFile(name);
      for (const found of matching(walk.base.files, name)) {
        walk.useFile(found);
        left.add(found);
      }
    }
  }
  return {
    rules: read.flatMap(({ rules }) => rules),
    includes: [],
    calls: read.flatMap(({ calls }) => calls),
    headerFolders: read.flatMap(({ headerFolders }) => headerFolders),
    sourceFolders: read.flatMap(({ sourceFolders }) => sourceFolders),
    variables: new Map(read.flatMap(({ variables }) => [...variables]).toReversed()),
  };
}

/** A program of Go's is the folder it lies in. */
function goRun(walk: Walk, args: readonly string[], { folder }: Where): void {
  const word = args[operandAt(args, 1, ["-tags", "-exec"])] ?? "";
  const place = folder === null ? null : resolved(folder, word);
  if (place === null || place === "") return;
  for (const path of walk.base.files)
    if (path === place || (folderOf(path) === place && path.endsWith(".go")))
      walk.run(path, { ...NOWHERE, folder: "" });
}

const CARGO_TOOLS = new Map([
  ["clippy", "clippy"],
  ["fmt", "rustfmt"],
  ["deny", "cargo-deny"],
]);

function cargo(walk: Walk, args: readonly string[]): void {
  for (const word of args) {
    const tool = CARGO_TOOLS.get(word);
    if (tool !== undefined) walk.useTool(tool);
  }
  if (args.some((word) => /^(?:bench|--benches|--all-targets)$/.test(word))) walk.useTool("cargo bench");
  if (args[0] !== "xtask") return;
  for (const path of walk.base.files)
    if (path.startsWith("xtask/")) walk.run(path, { ...NOWHERE, folder: "" });
}
