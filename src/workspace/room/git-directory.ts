import { createHash } from "node:crypto";
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

/** The contents of a git directory that was made, and the state of the repository it was made from. */
interface Template {
  readonly state: string;
  readonly excludesFile: string;
  readonly isUnborn: boolean;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** By root. Every check has a git directory of its own, and four calls of git for each take longer than many tests. */
const templates = new Map<string, Template>();

/**
 * A git directory that knows the commits, branches and tags of a tree's own, and nothing of its configuration: hooks, filters and
 * monitors are programs that whoever works in the tree can name. Null where there is no repository.
 */
export function makeGitDirectory(root: string, to: string, seenAt: string | null): GitDirectory | null {
  if (!fs.existsSync(join(root, ".git"))) return null;
  const { own, shared } = gitDirectoriesOf(root);
  const objects = realPath(join(shared, "objects"));
  const state = stateOf(own, shared);
  const known = templates.get(root);
  const template = known?.state === state ? known : templateOf(root, state, { own, shared, objects, at: to });
  if (!template) return null;
  // Git may have given up on the index on a busy machine: the next room tries again.
  if (template.files.has("index") || template.isUnborn) templates.set(root, template);
  writeFiles(to, template.files);
  fs.writeFileSync(join(to, "info", "exclude"), ignoreLists([template.excludesFile, excludeIn(shared)]));
  fs.writeFileSync(join(to, ALTERNATES), alternates([seenAt ?? objects, ...furtherObjects(objects)]));
  return { objects };
}

const ALTERNATES = "objects/info/alternates";
const FOLDERS = ["", "objects", "objects/info", "objects/pack", "refs", "refs/heads", "refs/tags", "info"];

function writeFiles(at: string, files: ReadonlyMap<string, Buffer>): void {
  for (const folder of FOLDERS) fs.mkdirSync(join(at, folder), { recursive: true });
  for (const [name, bytes] of files) fs.writeFileSync(join(at, name), bytes);
}

/** A repository's list of refs is not longer. */
const LONGEST_REFS = 256 * 1024 * 1024;

/** Changes whenever HEAD, a branch or a tag moves. Read without git: git reads the same files. */
function stateOf(own: string, shared: string): string {
  const hash = createHash("sha256");
  const add = (path: string): void => {
    hash
      .update(`${path}\0`)
      .update(tryReadPlainFile(path, LONGEST_REFS) ?? "")
      .update("\0");
  };
  for (const name of ["HEAD", "config.worktree"]) add(join(own, name));
  for (const name of ["packed-refs", "config", "shallow"]) add(join(shared, name));
  for (const folder of new Set([own, shared])) {
    add(join(folder, "reftable", "tables.list"));
    for (const path of filesBelow(join(folder, "refs"))) add(path);
  }
  return hash.digest("hex");
}

function filesBelow(folder: string): string[] {
  try {
    const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .flatMap((entry) => (entry.isDirectory() ? [] : [join(entry.parentPath, entry.name)]))
      .sort();
  } catch {
    return [];
  }
}

interface Places {
  readonly own: string;
  readonly shared: string;
  readonly objects: string;
  readonly at: string;
}

function templateOf(root: string, state: string, { own, shared, objects, at }: Places): Template | null {
  const refs = ask(root, ["for-each-ref", "--format=%(objectname) %(refname)"]);
  const [format, head] = wordsOf(
    ask(root, ["rev-parse", "--show-object-format", "HEAD^{commit}"]) ?? unborn(root),
  );
  if (!refs || format === undefined) return null;
  const shallow = tryReadPlainFile(join(shared, "shallow"));
  const files = new Map<string, Buffer>([
    ["config", Buffer.from(configuration(format))],
    // An unborn branch is named; on any other nothing can be committed by way of its name.
    [
      "HEAD",
      head ? Buffer.from(`${head}\n`) : (tryReadPlainFile(join(own, "HEAD"), LONGEST) ?? Buffer.alloc(0)),
    ],
    ["packed-refs", refs],
    ...(shallow ? ([["shallow", shallow]] as const) : []),
  ]);
  if (head) {
    writeFiles(at, files);
    fs.writeFileSync(join(at, ALTERNATES), alternates([objects, ...furtherObjects(objects)]));
    gitBytes(at, [`--git-dir=${at}`, "read-tree", "HEAD"]);
    const index = tryReadPlainFile(join(at, "index"));
    if (index) files.set("index", index);
  }
  return { state, excludesFile: excludesFileOf(root), isUnborn: !head, files };
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

function excludeIn(shared: string): string {
  return join(shared, "info", "exclude");
}

/** The person's and the repository's own: the room has another home, where git would look for the person's. */
function ignoreLists(files: readonly string[]): Buffer {
  return Buffer.concat(
    files.flatMap((file) => [tryReadPlainFile(file, LONGEST) ?? Buffer.alloc(0), Buffer.from("\n")]),
  );
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
