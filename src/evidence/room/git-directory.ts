import fs from "node:fs";
import { join, resolve } from "node:path";
import { isDirectory } from "../../platform/files/directories.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { gitBytes } from "../../platform/git/git.ts";
import {
  ask,
  excludesFileOf,
  gitDirectoriesOf,
  realPath,
  refsState,
} from "../../platform/git/tree-repository.ts";
import type { Laid } from "./spec.ts";
import { namesIn } from "../../platform/files/names-in.ts";

/** Ignore lists are shorter. */
const LONGEST = 1024 * 1024;

/** Changes that replace the git directory in an overlay with ours. */
interface GitDirectoryOver {
  readonly laid: readonly Laid[];
  readonly folders: readonly string[];
  readonly hidden: readonly string[];
}

/** The content of a generated git directory, and the state of the repository it came from. */
interface Template {
  readonly state: string | null;
  readonly excludesFile: string;
  readonly isUnborn: boolean;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Cached by root. Every check has its own git directory, and four calls of git for each take longer than many tests. */
const templates = new Map<string, Template>();

/**
 * Makes a git directory with the commits, branches and tags of the tree's own, but without its configuration. Hooks, filters and monitors
 * there are programs that an agent could name. Without a repository it makes nothing.
 */
export function makeGitDirectory(root: string, to: string): void {
  const git = gitFilesOf(root, to);
  if (git) writeFiles(to, new Map([...git.files, git.alternates]));
}

/** The same through files over the tree's own `.git`, of which only the objects stay visible. `at`: a place for intermediate files. */
export function gitDirectoryOver(root: string, at: string): GitDirectoryOver {
  const git = gitFilesOf(root, at);
  if (!git) return { laid: [], folders: [], hidden: [] };
  const own = join(root, ".git");
  // In a linked work tree it is a file: a folder replaces it, with objects elsewhere.
  const showsThrough = fs.lstatSync(own).isDirectory();
  const files = showsThrough ? git.files : new Map([...git.files, git.alternates]);
  const names = namesIn(own).filter((name) => name !== "objects" && name !== "refs");
  const refs = namesIn(join(own, "refs")).map((name) => `refs/${name}`);
  return {
    laid: [...files].map(([name, bytes]) => ({ path: `.git/${name}`, kind: "file", bytes })),
    folders: [".git/refs"],
    hidden: showsThrough ? [...names, ...refs].map((name) => `.git/${name}`) : [],
  };
}

interface GitFiles {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly alternates: readonly [name: string, bytes: Buffer];
}

function gitFilesOf(root: string, at: string): GitFiles | null {
  if (!fs.existsSync(join(root, ".git"))) return null;
  const { own, shared } = gitDirectoriesOf(root);
  const objects = realPath(join(shared, "objects"));
  const state = refsState(own, shared);
  const known = templates.get(root);
  const template =
    state !== null && known?.state === state ? known : templateOf(root, state, { own, shared, objects, at });
  if (!template) return null;
  // On a busy machine git may have given up on the index; then the next room tries again.
  if (template.files.has("index") || template.isUnborn) templates.set(root, template);
  const exclude = ignoreLists([template.excludesFile, excludeIn(shared)]);
  return {
    files: new Map([...template.files, ["info/exclude", exclude]]),
    alternates: alternatesOf(objects),
  };
}

const ALTERNATES = "objects/info/alternates";
const FOLDERS = ["", "objects", "objects/info", "objects/pack", "refs", "refs/heads", "refs/tags", "info"];

function writeFiles(at: string, files: ReadonlyMap<string, Buffer>): void {
  for (const folder of FOLDERS) fs.mkdirSync(join(at, folder), { recursive: true });
  for (const [name, bytes] of files) fs.writeFileSync(join(at, name), bytes);
}

interface Places {
  readonly own: string;
  readonly shared: string;
  readonly objects: string;
  readonly at: string;
}

function templateOf(
  root: string,
  state: string | null,
  { own, shared, objects, at }: Places,
): Template | null {
  const refs = ask(root, ["for-each-ref", "--format=%(objectname) %(refname)"]);
  const [format, head] = wordsOf(
    ask(root, ["rev-parse", "--show-object-format", "HEAD^{commit}"]) ?? unborn(root),
  );
  if (!refs || format === undefined) return null;
  const shallow = tryReadPlainFile(join(shared, "shallow"));
  const files = new Map<string, Buffer>([
    ["config", Buffer.from(configuration(format))],
    // Writes an unborn branch by name; otherwise a detached HEAD, so that commits move no branch.
    [
      "HEAD",
      head ? Buffer.from(`${head}\n`) : (tryReadPlainFile(join(own, "HEAD"), LONGEST) ?? Buffer.alloc(0)),
    ],
    ["packed-refs", refs],
    ...(shallow ? ([["shallow", shallow]] as const) : []),
  ]);
  if (head) {
    writeFiles(at, new Map([...files, alternatesOf(objects)]));
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

/** The person's and the repository's own ignore lists. The room has another home, so git would not find the person's there. */
function ignoreLists(files: readonly string[]): Buffer {
  return Buffer.concat(
    files.flatMap((file) => [tryReadPlainFile(file, LONGEST) ?? Buffer.alloc(0), Buffer.from("\n")]),
  );
}

/** Object folders outside the repository, by full path. */
function furtherObjects(objects: string, depth = 0): string[] {
  const text = tryReadPlainFile(join(objects, "info", "alternates"), LONGEST)?.toString() ?? "";
  const named = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  // Git complains about a missing one at each call.
  const found = named.map((line) => resolve(objects, line)).filter(isDirectory);
  // The same limit as git's.
  return depth === 5 ? found : found.flatMap((each) => [each, ...furtherObjects(each, depth + 1)]);
}

/** Quoted as in C, because a path may contain a line end. */
function alternatesOf(objects: string): [name: string, bytes: Buffer] {
  const folders = [objects, ...furtherObjects(objects)];
  return [ALTERNATES, Buffer.from(folders.map((folder) => `${JSON.stringify(folder)}\n`).join(""))];
}
