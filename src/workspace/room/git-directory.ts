import fs from "node:fs";
import { join, resolve } from "node:path";
import { isDirectory } from "../../files/directories.ts";
import { tryReadPlainFile } from "../../files/read-file.ts";
import { gitBytes } from "../git.ts";
import { ask, excludesFileOf, gitDirectoriesOf, realPath } from "../tree-repository.ts";

/** A list of what to ignore is not longer. */
const LONGEST = 1024 * 1024;

export interface GitDirectory {
  /** Where the objects of the real one lie. */
  readonly objects: string;
}

/**
 * A git directory that knows the commits, branches and tags of a tree's own, and nothing of its configuration: hooks, filters and
 * monitors are programs that whoever works in the tree can name. Null where there is no repository.
 */
export function makeGitDirectory(root: string, to: string, seenAt: string | null): GitDirectory | null {
  if (!fs.existsSync(join(root, ".git"))) return null;
  const refs = ask(root, ["for-each-ref", "--format=%(objectname) %(refname)"]);
  const [format, head] = wordsOf(
    ask(root, ["rev-parse", "--show-object-format", "HEAD^{commit}"]) ?? unborn(root),
  );
  if (!refs || format === undefined) return null;
  const { own, shared } = gitDirectoriesOf(root);
  const objects = realPath(join(shared, "objects"));
  for (const folder of [
    "",
    "objects",
    "objects/info",
    "objects/pack",
    "refs",
    "refs/heads",
    "refs/tags",
    "info",
  ])
    fs.mkdirSync(join(to, folder));
  const write = (name: string, text: string | Buffer): void => fs.writeFileSync(join(to, name), text);
  write("config", configuration(format));
  // An unborn branch is named; on any other nothing can be committed by way of its name.
  write("HEAD", head ? `${head}\n` : (tryReadPlainFile(join(own, "HEAD"), LONGEST) ?? ""));
  write("packed-refs", refs);
  write("info/exclude", Buffer.concat(ignoreLists(root, shared)));
  const shallow = tryReadPlainFile(join(shared, "shallow"));
  if (shallow) write("shallow", shallow);
  write("objects/info/alternates", alternates([objects, ...furtherObjects(objects)]));
  if (head) gitBytes(to, [`--git-dir=${to}`, "read-tree", "HEAD"]);
  if (seenAt !== null) write("objects/info/alternates", alternates([seenAt, ...furtherObjects(objects)]));
  return { objects };
}

function unborn(root: string): Buffer | undefined {
  return ask(root, ["rev-parse", "--show-object-format"]);
}

function wordsOf(bytes: Buffer | undefined): string[] {
  return bytes?.toString().trim().split("\n") ?? [];
}

function configuration(format: string): string {
  const isNew = format !== "sha1";
  return [
    "[core]",
    `\trepositoryformatversion = ${isNew ? 1 : 0}`,
    "\tbare = false",
    "\thooksPath = /dev/null",
    "\tfsmonitor = false",
    ...(isNew ? ["[extensions]", `\tobjectformat = ${format}`] : []),
    "",
  ].join("\n");
}

/** The repository's own and the person's, which is looked for in another home than the room's. */
function ignoreLists(root: string, shared: string): Buffer[] {
  const files = [excludesFileOf(root), join(shared, "info", "exclude")];
  return files.flatMap((file) => [tryReadPlainFile(file, LONGEST) ?? Buffer.alloc(0), Buffer.from("\n")]);
}

/** Where those may lie that are not in the repository itself, by their full path. */
function furtherObjects(objects: string, depth = 0): string[] {
  const text = tryReadPlainFile(join(objects, "info", "alternates"), LONGEST)?.toString() ?? "";
  const named = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  // Git complains of one that is not there each time it is called.
  const found = named.map((line) => resolve(objects, line)).filter(isDirectory);
  // As git does.
  return depth === 5 ? found : found.flatMap((each) => [each, ...furtherObjects(each, depth + 1)]);
}

/** In C's manner of quoting, for a path may hold a line end. */
function alternates(folders: readonly string[]): string {
  return folders.map((folder) => `${JSON.stringify(folder)}\n`).join("");
}
