import { JUSTFILES, MAKEFILES, TASKFILES } from "../builders.ts";
import { folderOf, inFolder, matching, nameOf, resolved } from "../../../text/paths.ts";
import { operandAt } from "../programs.ts";
import { mentionedIn } from "../parts.ts";
import { shellLines } from "../script-text.ts";
import type { Walk, ExecContext } from "../walk.ts";
import { readMakefile } from "./make.ts";
import { nearest } from "./node.ts";
import { UNKNOWN } from "./shell.ts";

const WITH_VALUE = "-C -f -I -o -d --directory --file --makefile --justfile".split(" ");
const FOLDER = /^(?:-C|--directory(?:=.*)?|-d|--working-directory(?:=.*)?)$/;
const INCLUDED_FROM = /^(?:-I|--include-dir(?:=.*)?)$/;
const FILE = /^(?:-f|--(?:make|just)?file(?:=.*)?)$/;
/** Make's built-in rules can build a program from these. */
const MADE_OF = [".c", ".cc", ".cpp", ".C", ".s", ".S", ".f", ".sh"];
const COMPILED = /\.(?:c|cc|cpp|cxx|C|s|S|f)$/;
const CARGO_TOOLS: readonly (readonly [string, string])[] = [
  ["clippy", "clippy"],
  ["fmt", "rustfmt"],
  ["deny", "cargo-deny"],
  ["bench", "cargo bench"],
  ["--benches", "cargo bench"],
  ["--all-targets", "cargo bench"],
];

/** Programs that build or test using their own file. */
export function traceBuild(walk: Walk, [name = "", ...args]: readonly string[], where: ExecContext): void {
  const unread = { ...where, outputRead: false };
  if (name === "make" || name === "gmake") make(walk, args, unread, MAKEFILES);
  else if (name === "just") make(walk, args, unread, JUSTFILES);
  else if (name === "task" || name === "go-task") linesOf(walk, TASKFILES, unread);
  else if (name === "tox") linesOf(walk, ["tox.ini", "setup.cfg"], unread);
  else if (name === "go" && args[0] === "run")
    for (const path of mentionedIn(walk.base, args.join(" "), where.folders))
      walk.run(path, { ...unread, folders: [""] });
  else if (name === "cargo") {
    for (const [word, tool] of CARGO_TOOLS) if (args.includes(word)) walk.useTool(tool);
    if (args[0] === "xtask")
      for (const path of matching(walk.base.files, "xtask/**")) walk.run(path, { ...unread, folders: [""] });
  }
}

function linesOf(walk: Walk, names: readonly string[], where: ExecContext): void {
  for (const path of names.flatMap((name) => nearest(walk, name, where.folders)))
    for (const line of shellLines(walk.base.read(path) ?? ""))
      walk.text(line, { ...where, folders: [folderOf(path)], home: folderOf(path) });
}

function make(walk: Walk, args: readonly string[], where: ExecContext, names: readonly string[]): void {
  const goals: string[] = [];
  for (let at = operandAt(args, 0, WITH_VALUE); at < args.length; at = operandAt(args, at + 1, WITH_VALUE))
    goals.push(args[at] ?? "");
  for (const goal of goals) walk.useTool(`make ${goal}`);
  const to = valuesOf(args, FOLDER);
  const below = (words: readonly string[]): string[] =>
    where.folders.flatMap((folder) => words.flatMap((word) => resolved(folder, word) ?? []));
  const all = [...walk.base.files].filter((path) => names.includes(nameOf(path))).map(folderOf);
  const folders = to.some((word) => word.includes(UNKNOWN)) ? all : to.length > 0 ? below(to) : where.folders;
  const files = valuesOf(args, FILE);
  for (const folder of folders) {
    const among = (files.length > 0 ? files : names).flatMap((name) => resolved(folder, name) ?? []);
    const found = among.filter((path) => walk.base.files.has(path)).slice(0, files.length || 1);
    const here = { ...where, folders: [folder, ...below(valuesOf(args, INCLUDED_FROM))], home: folder };
    for (const path of found) makeIn(walk, path, { where: here, folder, goals });
  }
}

function makeIn(
  walk: Walk,
  first: string,
  {
    where,
    folder,
    goals,
  }: { readonly where: ExecContext; readonly folder: string; readonly goals: readonly string[] },
): void {
  walk.useFile(first);
  const here = { ...where, folders: [folder] };
  const left = new Set([first]);
  let text = "";
  let makefile = readMakefile(text, goals);
  // An included file may set variables for other includes.
  for (const path of left) {
    text += `${walk.base.read(path) ?? ""}\n`;
    makefile = readMakefile(text, goals);
    for (const place of where.folders)
      for (const include of makefile.includes) {
        const name = resolved(place, include);
        if (name === null) continue;
        walk.useFile(name);
        for (const found of matching(walk.base.files, name)) {
          walk.useFile(found);
          left.add(found);
        }
      }
  }
  for (const line of makefile.commands) walk.text(line, here);
  walk.checkers(text, here);
  if (makefile.path !== null) walk.text(`PATH=${makefile.path}`, here);
  if (JUSTFILES.includes(nameOf(first))) return;
  for (const pattern of makefile.made) walk.made.add(inFolder(folder, pattern));
  for (const target of makefile.done) walk.awaited.add(inFolder(folder, target));
  for (const need of makefile.unmade) {
    const file = inFolder(folder, need);
    const isMade = MADE_OF.some((ending) => walk.base.files.has(file + ending));
    if (isMade && !walk.base.files.has(file)) walk.made.add(file);
  }
  if ([...walk.base.files].some((file) => COMPILED.test(file))) walk.made.add("**/*.o");
}

function valuesOf(args: readonly string[], option: RegExp): readonly string[] {
  return args.flatMap((word, at) =>
    option.test(word) ? [/=(.*)/.exec(word)?.[1] ?? args[at + 1] ?? ""] : [],
  );
}
