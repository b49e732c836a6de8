import { isAmongScripts, hasCheckerName } from "./judging.ts";
import { isTestPath } from "./test-paths.ts";
import { extensionOf, folderOf, nameOf, resolved, shellMatching } from "../../text/paths.ts";
import { filesIn, isExpectation, withEndings } from "./script-text.ts";
import type { Snapshot } from "./walk.ts";

const MAX_WORDS = 500;
const WORD = /[\w@*-][\w@.*-]*(?:\/[\w@.*-]+)*/g;
const ENDINGS = ["", ".js", ".cjs", ".mjs", ".ts", ".py", "/index.js", "/__init__.py"];
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
  const isRoot = home === "" || home === root || (base.files.has(`${home}/package.json`) && !isTool(home));
  const isBeside = (part: string): boolean =>
    isRun && !isTestPath(path) && !isRoot && part.startsWith(`${home}/`);
  const isData = (part: string): boolean =>
    isRun && !byTest && DATA.test(extensionOf(part)) && hasCheckerName(part);
  const loaded = [...filesIn(path, text, [root, ""]), ...(byTest ? base.imports.loadedBy(path) : [])];
  const all = isRun && !byTest ? [...loaded, ...mentionedIn(base, text, [home, root, ""])] : loaded;
  return [...new Set(all)].filter((part) => {
    if (!base.files.has(part) || isTestPath(part)) return false;
    if (byTest && base.isForTests(part)) return true;
    if (base.isProduct(part)) return false;
    return isBeside(part) || base.isHelper(part, false) || isExpectation(part) || isData(part);
  });
}

function isTool(folder: string): boolean {
  return isAmongScripts(`${folder}/x`) || hasCheckerName(folder);
}

/** Files and modules that a text mentions, those that match its patterns, and the contents of folders with names of checks. */
export function mentionedIn(base: Snapshot, text: string, folders: readonly string[]): string[] {
  const words = [...new Set(text.match(WORD))].slice(0, MAX_WORDS);
  const names = words.flatMap((word) =>
    /^\w+(?:\.\w+)+$/.test(word) ? [word, word.replaceAll(".", "/")] : [word],
  );
  return [...new Set(folders)].flatMap((folder) =>
    names.flatMap((name) => {
      const found = withEndings(folder, name, ENDINGS).filter((path) => base.files.has(path));
      const place = resolved(folder, name);
      if (place === null || place === "") return found;
      const pattern = name.includes("*") ? place : `${place}/**/*`;
      const isOfChecks = base.isHelper(`${pattern.replace(/\/[^/]*\*.*$/, "")}/x`, false);
      return isOfChecks ? [...found, ...shellMatching(base.files, pattern)] : found;
    }),
  );
}

/** The possible files of a program named as for Node or Python: without an ending, or by its folder. */
export function programsNamed(
  { base, awaited }: { readonly base: Snapshot; readonly awaited: Set<string> },
  interpreter: string,
  word: string,
  folders: readonly string[],
): string[] {
  if (interpreter === "python") return [word, `${word}/__main__.py`];
  if (interpreter !== "node" || /\.[cm]?[jt]s$/.test(word)) return [word];
  const mains = folders.flatMap((folder) => {
    const place = resolved(folder, word);
    if (place === null) return [];
    const manifest = `${place}/package.json`;
    // If the folder has no manifest, a new one would decide which file runs.
    if (base.files.has(`${place}/index.js`) && !base.isProduct(`${place}/index.js`, true))
      awaited.add(manifest);
    return /"main"\s*:\s*"([^"\\]*)"/.exec(base.read(manifest) ?? "")?.[1] ?? [];
  });
  return [
    ...["", ".js", ".cjs", "/index.js"].map((end) => `${word}${end}`),
    ...mains.flatMap((main) => ["", ".js", "/index.js"].map((end) => `${word}/${main}${end}`)),
  ].filter((name) => nameOf(name) !== "");
}
