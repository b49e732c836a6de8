import { importedBy } from "./ecosystems/node.ts";
import { isAmongScripts, hasCheckerName } from "./judging.ts";
import { isTestPath } from "./test-paths.ts";
import { extensionOf, folderOf, inFolder, nameOf, resolved, shellMatching } from "../../text/paths.ts";
import { filesIn, isExpectation } from "./script-text.ts";
import type { Snapshot, Walk, ExecContext } from "./walk.ts";

const MAX_LITERALS = 300;
const LITERAL = /["'`]([\w@.*-][\w@./*-]{0,200})["'`]/g;
const MODULE = /^[A-Za-z_]\w*(?:\.\w+)+$/;
/** Lists and settings, as opposed to programs. */
const DATA = /^\.(?:json|txt|ya?ml|toml|ini|lst|list|csv)$/;

interface Program {
  readonly path: string;
  readonly text: string;
  readonly isRun: boolean;
  readonly byTest: boolean;
}

/**
 * Files that a program loads, reads or loops over and that are not part of the product. Its own folder contains its parts; the root contains
 * the product.
 */
export function partsOf(base: Snapshot, root: string, { path, text, isRun, byTest }: Program): string[] {
  const home = folderOf(path);
  const isBeside = (part: string): boolean =>
    isRun && !isTestPath(path) && !isRoot(base, root, home) && part.startsWith(`${home}/`);
  const isData = (part: string): boolean =>
    isRun && !byTest && DATA.test(extensionOf(part)) && hasCheckerName(part);
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

/** The root of the tree, or of a package in it that is not a tool. */
function isRoot(base: Snapshot, root: string, folder: string): boolean {
  if (folder === "" || folder === root) return true;
  const isTool = isAmongScripts(`${folder}/x`) || hasCheckerName(folder) || /(?:^|\/)qa$/.test(folder);
  return !isTool && base.files.has(`${folder}/package.json`);
}

/** The files of folders, patterns and modules in a program's text. */
function gatheredBy(base: Snapshot, path: string, text: string, root: string): string[] {
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

/** Files named in a program's text that are not part of the product. */
export function quotedFiles(
  walk: Walk,
  text: string,
  ending: ".js" | ".py",
  { folders }: ExecContext,
): string[] {
  const lines = text.replaceAll(";", "\n");
  const quoted = [...text.matchAll(LITERAL)].map(([, literal = ""]) => literal);
  const all = folders.flatMap((folder) => [
    ...filesIn(inFolder(folder, `text${ending}`), lines, [folder]),
    ...quoted.flatMap((literal) => resolved(folder, literal) ?? []),
  ]);
  return [...new Set(all)].filter(
    (path) => walk.base.files.has(path) && (hasCheckerName(path) || walk.base.isHelper(path, true)),
  );
}

/** The possible files of a program named as for Node or Python: without an ending, or by its folder. */
export function programsNamed(walk: Walk, interpreter: string, word: string, where: ExecContext): string[] {
  if (interpreter === "python") return [word, `${word}/__main__.py`];
  if (interpreter !== "node" || /\.[cm]?[jt]s$/.test(word)) return [word];
  const mains = where.folders.flatMap((folder) => {
    const place = resolved(folder, word);
    if (place === null) return [];
    const manifest = inFolder(place, "package.json");
    const first = inFolder(place, "index.js");
    // If the folder has no manifest, a new one would decide which file runs.
    if (!walk.base.files.has(manifest) && walk.base.files.has(first) && !walk.base.isProduct(first, true))
      walk.awaited.add(manifest);
    return /"main"\s*:\s*"([^"\\]*)"/.exec(walk.base.read(manifest) ?? "")?.[1] ?? [];
  });
  return [
    ...["", ".js", ".cjs", "/index.js"].map((end) => `${word}${end}`),
    ...mains.flatMap((main) => ["", ".js", "/index.js"].map((end) => `${word}/${main}${end}`)),
  ].filter((name) => nameOf(name) !== "");
}
