import { importedBy } from "./follow-packages.ts";
import { isAmongScripts, isCalledJudge } from "./judging.ts";
import { isTestPath } from "./names.ts";
import { extensionOf, folderOf, inFolder, nameOf, resolved, shellMatching } from "./paths.ts";
import { filesIn, isExpectation } from "./script-text.ts";
import type { Base, Walk, Where } from "./walk.ts";

const MAX_LITERALS = 300;
const LITERAL = /["'`]([\w@.*-][\w@./*-]{0,200})["'`]/g;
const MODULE = /^[A-Za-z_]\w*(?:\.\w+)+$/;
/** Lists and settings, as opposed to what is run. */
const DATA = /^\.(?:json|txt|ya?ml|toml|ini|lst|list|csv)$/;

interface Program {
  readonly path: string;
  readonly text: string;
  readonly isRun: boolean;
  readonly byTest: boolean;
}

/** What a program loads, reads or goes through, and is no product. Beside one in a folder of its own lie its parts; in the root lies the product. */
export function partsOf(base: Base, root: string, { path, text, isRun, byTest }: Program): string[] {
  const home = folderOf(path);
  const isBeside = (part: string): boolean =>
    isRun && !isTestPath(path) && !isRoot(base, root, home) && part.startsWith(`${home}/`);
  const isData = (part: string): boolean =>
    isRun && !byTest && DATA.test(extensionOf(part)) && isCalledJudge(part);
  const loaded = [
    ...filesIn(path, text, [root, ""]),
    ...importedBy(base, path, text),
    ...(byTest ? base.imports.loadedBy(path) : []),
  ];
  const all = isRun && !byTest ? [...loaded, ...gatheredBy(base, path, text, root)] : loaded;
  return [...new Set(all)].filter((part) => {
    if (!base.files.has(part) || isTestPath(part)) return false;
    if (byTest && base.isForTests(part)) return true;
    if (base.isProduct(part) && !(isBeside(part) && base.python.isJudge(path))) return false;
    return isBeside(part) || base.isHelper(part, false) || isExpectation(part) || isData(part);
  });
}

/** Of the tree, or of a package in it that is no tool. */
function isRoot(base: Base, root: string, folder: string): boolean {
  if (folder === "" || folder === root) return true;
  const isTool = isAmongScripts(`${folder}/x`) || isCalledJudge(folder) || /(?:^|\/)qa$/.test(folder);
  return !isTool && base.files.has(`${folder}/package.json`);
}

/** The files of folders, patterns and modules that a program has among its texts. */
function gatheredBy(base: Base, path: string, text: string, root: string): string[] {
  const literals = new Set([...text.matchAll(LITERAL)].map(([, literal = ""]) => literal));
  const starts = new Set([folderOf(path), root, ""]);
  return [...literals].slice(0, MAX_LITERALS).flatMap((literal) =>
    [...starts].flatMap((start) => {
      const place = resolved(start, literal);
      if (place === null || place === "") return [];
      if (MODULE.test(literal)) return [inFolder(start, `${literal.replaceAll(".", "/")}.py`), place];
      if (base.files.has(place)) return [place];
      const pattern = literal.includes("*") ? place : `${place}/**/*`;
      return base.isHelper(`${pattern.replace(/\/[^/]*\*.*$/, "")}/x`, false)
        ? shellMatching(base.files, pattern)
        : [];
    }),
  );
}

/** The text of a program that stands in the command: of what it loads, what judges is no product. */
export function followProgramText(walk: Walk, text: string, ending: ".js" | ".py", where: Where): void {
  const folder = where.folder ?? walk.root;
  const lines = text.replaceAll(";", "\n");
  const quoted = [...text.matchAll(LITERAL)].flatMap(([, literal = ""]) => resolved(folder, literal) ?? []);
  for (const path of new Set([...filesIn(inFolder(folder, `text${ending}`), lines, [folder]), ...quoted]))
    if (walk.base.files.has(path) && (isCalledJudge(path) || walk.base.isHelper(path, true)))
      walk.run(path, { ...where, folder: "" });
}

/** Which files a program may mean that is named as it is for node or Python: without an ending, or by its folder. */
export function programsNamed(walk: Walk, interpreter: string, word: string, where: Where): string[] {
  if (interpreter === "python") return [word, `${word}/__main__.py`];
  if (interpreter !== "node" || /\.[cm]?[jt]s$/.test(word)) return [word];
  const place = resolved(where.folder ?? walk.root, word);
  const manifest = place === null ? null : walk.base.read(inFolder(place, "package.json"));
  // Where the folder has none, one that comes would say what is run.
  const first = place === null ? "" : inFolder(place, "index.js");
  const isThere = walk.base.files.has(inFolder(folderOf(first), "package.json"));
  if (!isThere && walk.base.files.has(first) && !walk.base.isProduct(first, true))
    walk.awaited.add(inFolder(folderOf(first), "package.json"));
  const main = /"main"\s*:\s*"([^"\\]*)"/.exec(manifest ?? "")?.[1];
  return [
    ...["", ".js", ".cjs", "/index.js"].map((ending) => `${word}${ending}`),
    ...(main === undefined ? [] : ["", ".js", "/index.js"].map((ending) => `${word}/${main}${ending}`)),
  ].filter((name) => nameOf(name) !== "");
}
