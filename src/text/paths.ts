import { globMatcher } from "./globs.ts";

/** Paths are relative to the tree's root, with slashes; the root itself is empty. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function inFolder(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** All folders that contain a path, the root last. */
export function foldersAbove(path: string): string[] {
  const above: string[] = [];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) above.push(folder);
  return [...above, ""];
}

/** Resolves a word from a folder; null: outside of the tree, or unknown. */
export function resolved(folder: string, word: string): string | null {
  if (word.startsWith("/") || word.startsWith("~") || word.includes("\0")) return null;
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of word.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Without the last extension; a leading dot is part of the name. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? name : name.slice(0, dot);
}

export function extensionOf(name: string): string {
  return name.slice(stemOf(name).length);
}

/** The files that match a pattern from the root. */
export function matching(files: ReadonlySet<string>, pattern: string): readonly string[] {
  if (!/[*?]/.test(pattern)) return files.has(pattern) ? [pattern] : [];
  return [...files].filter(globMatcher([`./${pattern}`]));
}

/** Joins continued lines of a makefile. After an escaped backslash the line ends. */
export function joinedLines(text: string): string {
  return text.replace(/(?<!\\)((?:\\\\)*)\\\r?\n/g, "$1 ");
}

/** The files that match a shell pattern. */
export function shellMatching(files: ReadonlySet<string>, pattern: string): readonly string[] {
  const plain = pattern.replace(/\[[^\]/]*\]/g, "?");
  return [...files].filter(globMatcher([`./${plain}`]));
}
