import fs from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { tryReadPlainFile } from "../files/read-file.ts";
import { gitBytes } from "./git.ts";
import { pathOf } from "./tree-path.ts";

/** Of git's own files, those that decide what git counts, does or runs. Its index is none: `git status` writes it. */
const OWN = ["HEAD", "config.worktree"];
const SHARED = ["config", "info/exclude", "info/attributes"];
/** They follow what others publish; a person's editor may fetch at any moment, and no file comes of it. */
const FETCHED = /^refs\/(?:remotes|prefetch)\//;
const LONGEST_PATH = 8192;

/** A git repository whose work tree is the folder that its `.git` lies in, whatever its configuration says. */
export interface Repository {
  /** Below the folder, tracked or neither tracked nor ignored; one with a slash at its end is a repository of its own. */
  readonly files: readonly string[];
  /** What branches and tags point to. */
  readonly refs: ReadonlyMap<string, string>;
  /** Those of git's own files that count, by their path below the folder, and where they really lie. */
  readonly own: ReadonlyMap<string, string>;
}

/** Undefined where git sees none, or cannot list its files. */
export function repositoryAt(folder: string, excludesFile: string): Repository | undefined {
  const files = filesOf(folder, excludesFile);
  const refs = files && refsOf(folder);
  return refs && { files, refs, own: ownFilesOf(folder) };
}

/**
 * The folder where the tree begins that holds `cwd`. Not asked of git, which believes the tree: with `core.worktree` it would
 * look at another one. A folder that git ignores is a tree of its own, or nothing in it would count.
 */
export function rootOf(cwd: string): string {
  const start = realPath(resolve(cwd));
  for (let folder = start; ; folder = dirname(folder)) {
    if (fs.existsSync(join(folder, ".git")) && ask(folder, ["rev-parse", "--git-dir"]) !== undefined)
      return folder !== start && isIgnored(folder, start) ? start : folder;
    if (folder === dirname(folder)) return start;
  }
}

/** The person's own list of what git ignores. */
export function excludesFileOf(root: string): string {
  const configured = gitBytes(root, ["config", "--type=path", "--get", "core.excludesFile"]);
  const config = process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
  return realPath(resolve(root, lineOf(configured) ?? join(config, "git", "ignore")));
}

export function realPath(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch {
    return path;
  }
}

function filesOf(folder: string, excludesFile: string): string[] | undefined {
  return namesBy(folder, excludesFile, ["--cached", "--others"]);
}

/** Neither tracked nor ignored. */
export function untrackedIn(folder: string, excludesFile: string): string[] | undefined {
  return namesBy(folder, excludesFile, ["--others"]);
}

/** What git ignores below the folder; a directory of which it ignores everything is one name, with a slash at its end. */
export function ignoredIn(folder: string, excludesFile: string): string[] | undefined {
  return namesBy(folder, excludesFile, ["--others", "--ignored", "--directory"]);
}

function namesBy(folder: string, excludesFile: string, which: readonly string[]): string[] | undefined {
  const bytes = ask(folder, [
    ...["-c", `core.excludesFile=${excludesFile}`],
    ...["ls-files", "-z", "--exclude-standard", ...which],
  ]);
  // As Latin-1, bytes can be split and had back.
  const names = bytes?.toString("latin1").split("\0").slice(0, -1);
  return names?.map((name) => pathOf(Buffer.from(name, "latin1")));
}

/** Asked for, because packing them moves the files but no branch. */
function refsOf(folder: string): ReadonlyMap<string, string> | undefined {
  const format = "%(refname) %(HEAD)%(objectname)%(symref) %(worktreepath)%00";
  const listed = ask(folder, ["for-each-ref", `--format=${format}`])?.toString();
  if (listed === undefined) return undefined;
  const refs = new Map<string, string>();
  for (const line of listed.split("\0\n").slice(0, -1)) {
    const [, name = "", value = "", checkedOutAt] = /^(\S+) (.\S+) (.*)$/s.exec(line) ?? [];
    // What is checked out in another work tree moves by the work that is done there.
    const elsewhere = checkedOutAt !== "" && !value.startsWith("*");
    if (!elsewhere && !FETCHED.test(name)) refs.set(name, value);
  }
  return refs;
}

/** Where git keeps what is the work tree's own, and what all work trees of a repository share. */
export function gitDirectoriesOf(folder: string): { readonly own: string; readonly shared: string } {
  const git = join(folder, ".git");
  // A file in linked work trees and submodules.
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

/** Git is told where it is: the tree could send it elsewhere, or have it take two names that differ in case for one. */
export function ask(folder: string, args: readonly string[], input?: string): Buffer | undefined {
  const where = [`--git-dir=${join(folder, ".git")}`, `--work-tree=${folder}`, "-c", "core.ignoreCase=false"];
  return gitBytes(folder, [...where, ...args], input);
}

/** Undefined where there is nothing on it. */
function lineOf(bytes: Buffer | undefined): string | undefined {
  return bytes?.toString().replace(/\n$/, "") || undefined;
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
