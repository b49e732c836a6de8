import { createHash } from "node:crypto";
import fs from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { tryReadPlainFile } from "../files/read-file.ts";
import { gitBytes, headCommit } from "./git.ts";
import { listingOf, type Listing } from "./tree-listing.ts";
import { pathOf } from "./tree-path.ts";
import { namesIn } from "../files/names-in.ts";

/** Git's own files that decide what it counts, does or runs. The index is not one: `git status` writes it. */
const OWN = ["HEAD", "config.worktree"];
const SHARED = ["config", "info/exclude", "info/attributes"];
/** They follow what others publish. A person's editor may fetch at any moment, and that changes no file. */
const FETCHED = /^refs\/(?:remotes|prefetch)\//;
const LONGEST_PATH = 8192;

/** A git repository whose work tree is the folder with its `.git`, whatever its configuration claims. */
export interface Repository {
  /** Below the folder: tracked, or neither tracked nor ignored. A slash at the end marks a nested repository. */
  readonly files: readonly string[];
  /** Targets of branches and tags. */
  readonly refs: ReadonlyMap<string, string>;
  /** Those of git's own files that count, by path below the folder, with their real places. */
  readonly own: ReadonlyMap<string, string>;
}

/** Undefined: git sees no repository, or cannot list its files. */
export function repositoryAt(folder: string, excludesFile: string): Repository | undefined {
  const files = listingAt(folder, excludesFile)?.files;
  const refs = files && refsOf(folder);
  return refs && { files, refs, own: ownFilesOf(folder) };
}

/**
 * The root of the tree that contains `cwd`. We do not ask git, because it believes the tree: `core.worktree` would send it elsewhere.
 * A folder that git ignores is its own tree, or nothing in it would count.
 */
export function rootOf(cwd: string): string {
  const start = realPath(resolve(cwd));
  for (let folder = start; ; folder = dirname(folder)) {
    if (fs.existsSync(join(folder, ".git")) && ask(folder, ["rev-parse", "--git-dir"]) !== undefined)
      return folder !== start && isIgnored(folder, start) ? start : folder;
    if (folder === dirname(folder)) return start;
  }
}

/** The person's own list of ignored files. */
export function excludesFileOf(root: string): string {
  const configured = gitBytes(root, ["config", "--type=path", "--get", "core.excludesFile"]);
  const config = process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  return realPath(resolve(root, lineOf(configured) ?? join(config, "git", "ignore")));
}

export function realPath(path: string): string {
  try {
    return fs.realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Git's prefix of an untracked file's name; tags have the same length. */
const UNTRACKED = "? ";

/** Git's list of the files below a folder; undefined: git failed. */
function listingAt(folder: string, excludesFile: string): Listing | undefined {
  const { own, shared } = gitDirectoriesOf(folder);
  return listingOf(folder, `${folder}\0${excludesFile}`, {
    list: () => {
      const tagged = namesBy(folder, excludesFile, ["-t", "--cached", "--others"]);
      const ignored = tagged && namesBy(folder, excludesFile, ["--others", "--ignored", "--directory"]);
      const files = tagged?.map((name) => name.slice(UNTRACKED.length)) ?? [];
      const untracked = files.filter((_, at) => tagged?.[at]?.startsWith(UNTRACKED));
      return ignored && { files, untracked, ignored };
    },
    excluded: (directories) => excludedOf(folder, excludesFile, directories),
    deciding: [
      excludesFile,
      ...[own, shared, join(shared, "objects"), join(shared, "refs")],
      ...["index", "HEAD", "commondir", "config.worktree"].map((name) => join(own, name)),
      ...["config", "info", "info/exclude"].map((name) => join(shared, name)),
    ],
  });
}

/** The directories that a pattern names; the rest merely contain only ignored files. */
function excludedOf(folder: string, excludesFile: string, directories: readonly string[]): readonly string[] {
  const input = directories.map((name) => `${name}\0`).join("");
  const listed = ask(
    folder,
    ["-c", `core.excludesFile=${excludesFile}`, "check-ignore", "-z", "--no-index", "--stdin"],
    input,
  );
  return listed ? namesFrom(listed) : [];
}

/** Neither tracked nor ignored. */
export function untrackedIn(folder: string, excludesFile: string): readonly string[] | undefined {
  return listingAt(folder, excludesFile)?.untracked;
}

/** Ignored files below the folder. A directory with only ignored files is one name, with a slash at its end. */
export function ignoredIn(folder: string, excludesFile: string): readonly string[] | undefined {
  return listingAt(folder, excludesFile)?.ignored;
}

function namesBy(folder: string, excludesFile: string, which: readonly string[]): string[] | undefined {
  const bytes = ask(folder, [
    ...["-c", `core.excludesFile=${excludesFile}`],
    ...["ls-files", "-z", "--exclude-standard", ...which],
  ]);
  return bytes && namesFrom(bytes);
}

/** Latin-1 lets us split bytes and restore them. */
function namesFrom(bytes: Buffer): string[] {
  const names = bytes.toString("latin1").split("\0").slice(0, -1);
  return names.map((name) => pathOf(Buffer.from(name, "latin1")));
}

/** No repository's list of refs is longer. */
const LONGEST_REFS = 256 * 1024 * 1024;

/** Changes whenever HEAD, a branch or a tag moves. Reads the files that git reads, without git. Null: some are behind links. */
export function refsState(own: string, shared: string): string | null {
  const hash = createHash("sha256");
  const below = [...new Set([own, shared])].map((folder) => filesBelow(join(folder, "refs")));
  if (below.includes(null)) return null;
  const worktrees = namesIn(join(shared, "worktrees")).map((name) => join(shared, "worktrees", name));
  const files = [
    ...["HEAD", "config.worktree", "reftable/tables.list"].map((name) => join(own, name)),
    ...["packed-refs", "config", "shallow", "reftable/tables.list"].map((name) => join(shared, name)),
    ...worktrees.flatMap((folder) => [join(folder, "HEAD"), join(folder, "gitdir")]),
    ...below.flatMap((paths) => paths ?? []),
  ];
  for (const path of files)
    hash
      .update(`${path}\0`)
      .update(tryReadPlainFile(path, LONGEST_REFS) ?? "")
      .update("\0");
  return hash.digest("hex");
}

/** Null: there is a link, which may lead to a folder that git visits. */
function filesBelow(folder: string): string[] | null {
  try {
    const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
    if (entries.some((entry) => entry.isSymbolicLink())) return null;
    const files = entries.filter((entry) => !entry.isDirectory());
    return files.map((entry) => join(entry.parentPath, entry.name)).sort();
  } catch {
    return [];
  }
}

interface KnownRefs {
  readonly state: string;
  readonly refs: ReadonlyMap<string, string>;
}

/** By folder. */
const knownRefs = new Map<string, KnownRefs>();

function refsOf(folder: string): ReadonlyMap<string, string> | undefined {
  const { own, shared } = gitDirectoriesOf(folder);
  const state = refsState(own, shared);
  const known = knownRefs.get(folder);
  if (state !== null && known?.state === state) return known.refs;
  const refs = askForRefs(folder);
  if (state !== null && refs) knownRefs.set(folder, { state, refs });
  return refs;
}

/** The commit that is checked out in a tree and in a folder below its root; null: none. Asks git only if the refs do not show it. */
export function headCommitIn(root: string, cwd: string): string | null {
  if (!fs.existsSync(join(root, ".git"))) return headCommit(cwd);
  const current = [...(refsOf(root)?.values() ?? [])].find((value) => value.startsWith("*"));
  const commit = current?.slice(1) ?? "";
  return COMMIT.test(commit) ? commit : headCommit(cwd);
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Asks git, because packing refs moves the files but no branch. */
function askForRefs(folder: string): ReadonlyMap<string, string> | undefined {
  const format = "%(refname) %(HEAD)%(objectname)%(symref) %(worktreepath)%00";
  const listed = ask(folder, ["for-each-ref", `--format=${format}`])?.toString();
  if (listed === undefined) return undefined;
  const refs = new Map<string, string>();
  for (const line of listed.split("\0\n").slice(0, -1)) {
    const [, name = "", value = "", checkedOutAt] = /^(\S+) (.\S+) (.*)$/s.exec(line) ?? [];
    // A branch checked out in another work tree moves by work done there.
    const elsewhere = checkedOutAt !== "" && !value.startsWith("*");
    if (!elsewhere && !FETCHED.test(name)) refs.set(name, value);
  }
  return refs;
}

/** Git's folders: the one of this work tree, and the one that all work trees of a repository share. */
export function gitDirectoriesOf(folder: string): { readonly own: string; readonly shared: string } {
  const git = join(folder, ".git");
  // Linked work trees and submodules have a file here.
  const own = resolve(folder, lineOf(tryReadPlainFile(git, LONGEST_PATH))?.replace("gitdir: ", "") ?? git);
  const shared = resolve(own, lineOf(tryReadPlainFile(join(own, "commondir"), LONGEST_PATH)) ?? "");
  return { own, shared };
}

function ownFilesOf(folder: string): ReadonlyMap<string, string> {
  const { own, shared } = gitDirectoriesOf(folder);
  const hooks = namesIn(join(shared, "hooks")).map((name) => `hooks/${name}`);
  const files = [
    ...OWN.map((name) => [name, join(own, name)] as const),
    ...[...SHARED, ...hooks].map((name) => [name, join(shared, name)] as const),
  ];
  return new Map([
    [".git", join(folder, ".git")],
    ...files.map(([name, place]) => [`.git/${name}`, realPath(place)] as const),
  ]);
}

function isIgnored(folder: string, path: string): boolean {
  return ask(folder, ["check-ignore", "--quiet", "--", path]) !== undefined;
}

/** Passes git its location: the tree could send it elsewhere, or make it treat names as equal that differ only in case. */
export function ask(folder: string, args: readonly string[], input?: string): Buffer | undefined {
  const where = [`--git-dir=${join(folder, ".git")}`, `--work-tree=${folder}`, "-c", "core.ignoreCase=false"];
  return gitBytes(folder, [...where, ...args], input);
}

/** Undefined: empty. */
function lineOf(bytes: Buffer | undefined): string | undefined {
  return bytes?.toString().replace(/\n$/, "") || undefined;
}
