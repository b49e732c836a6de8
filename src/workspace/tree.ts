import { createHash } from "node:crypto";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { ownOutput, pipelineFiles, type FileAt } from "../files/own-output.ts";
import { Contents } from "./tree-contents.ts";
import { excludesFileOf, realPath, rootOf } from "./tree-repository.ts";
import { Survey, type Place } from "./tree-survey.ts";

export interface TreeSnapshot {
  readonly root: string;
  readonly sha256: string;
  /** By path, relative to the root (absolute where it lies outside): what kind of thing it is, and the digest of its content. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * All files of a work tree, to be compared with themselves at another time. Ignored files (caches, what a build makes) do not
 * count, or every test would change the tree; what decides about that does, and so do branches and git's configuration. Git is
 * asked for names alone: its own comparison runs programs that the tree names, and can be told not to see an edit.
 */
export class WorkTree {
  readonly #cwd: string;
  readonly #leftOut: readonly string[];
  readonly #earlierOutput: readonly FileAt[];
  // Decided once, at the first look: otherwise a `git init` in a folder, or another list of ignored files, would make it another tree,
  // and whoever works in it could have files left out.
  #place: Place | undefined;
  readonly #contents = new Contents();
  #last: TreeSnapshot | null = null;
  #ours: readonly string[] = [];

  /** Files and folders that are left out change by our own hand; earlier output is that of the foremen before us, as `output` tells it. */
  constructor(cwd: string, leftOut: readonly string[] = [], earlierOutput: readonly FileAt[] = []) {
    this.#cwd = cwd;
    this.#leftOut = leftOut;
    this.#earlierOutput = earlierOutput;
  }

  /** Null when there is no such folder, or it is too large: 50,000 files where git does not say what counts, 8 GiB to read. */
  snapshot(): TreeSnapshot | null {
    const place = this.#placeNow();
    const survey = new Survey(place, this.#contents);
    this.#ours = survey.ours;
    this.#last = survey.all() ? new Snapshot(place.root, survey.files) : null;
    return this.#last;
  }

  get root(): string {
    return this.#placeNow().root;
  }

  /** What is left out, relative to the root. */
  get leftOut(): readonly string[] {
    return this.#placeNow().leftOut;
  }

  /** The files in the tree that our output goes to, and that of the foremen before us, relative to the root. Known on Linux only. */
  get output(): readonly FileAt[] {
    return this.#placeNow().named;
  }

  /** What was left out at the last look because it goes by a name of ours: anybody can make such a file. */
  get ours(): readonly string[] {
    return this.#ours;
  }

  /** As it was when it was last looked at: where nothing has run since, another look costs much and tells nothing. */
  get last(): TreeSnapshot | null {
    return this.#last;
  }

  #placeNow(): Place {
    return (this.#place ??= placeOf(this.#cwd, this.#leftOut, this.#earlierOutput));
  }

  /**
   * By which of a person's lists files were left out as ignored when it was last looked at, and which folders are repositories, with
   * lists of their own. Whoever looks at ignored files has to go by the same, or some would be seen by nobody.
   */
  get ignoring(): { readonly excludesFile?: string; readonly repositories: readonly string[] } {
    const repositories = [...(this.#last?.files.keys() ?? [])].flatMap(
      (path) => /^(.+)\/\.git\/HEAD$/s.exec(path)?.[1] ?? [],
    );
    return this.#place ? { excludesFile: this.#place.excludesFile, repositories } : { repositories };
  }
}

/** A tree as it was kept. */
export function snapshotOf(root: string, files: ReadonlyMap<string, string>): TreeSnapshot {
  return new Snapshot(root, files);
}

class Snapshot implements TreeSnapshot {
  readonly root: string;
  readonly files: ReadonlyMap<string, string>;

  constructor(root: string, files: ReadonlyMap<string, string>) {
    this.root = root;
    this.files = files;
  }

  /** Made when it is asked for: of a large tree it takes as long as to look at it. */
  get sha256(): string {
    return digestOf(this.files);
  }
}

/** Only some of its files. */
export function partOf({ root, files }: TreeSnapshot, isWanted: (path: string) => boolean): TreeSnapshot {
  return new Snapshot(root, new Map([...files].filter(([path]) => isWanted(path))));
}

/** What was made, removed or changed. */
export function changedPaths(before: TreeSnapshot, after: TreeSnapshot): string[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()]);
  return [...paths].filter((path) => before.files.get(path) !== after.files.get(path)).sort();
}

/** The digest of everything but some files of a folder (absolute, or relative to the root) that change by our own hand. */
export function digestWithout(snapshot: TreeSnapshot, folder: string, names: readonly string[]): string {
  return digestOf(filesBut(snapshot, folder, names));
}

/** The same of the files' contents alone: committing changes no file. */
export function contentDigest(snapshot: TreeSnapshot, folder: string, names: readonly string[]): string {
  return digestOf(filesBut(snapshot, folder, names).filter(([name]) => !GIT_STATE.test(name)));
}

/** The files themselves, without git's own and what lies outside the tree, but some of a folder that change by our own hand. */
export function contentFiles(
  snapshot: TreeSnapshot,
  folder: string,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const files = filesBut(snapshot, folder, names);
  return new Map(files.filter(([name]) => !GIT_STATE.test(name) && !isAbsolute(name)).sort(byPath));
}

export function digestOfFiles(files: ReadonlyMap<string, string>): string {
  return digestOf(files);
}

function filesBut({ root, files }: TreeSnapshot, folder: string, names: readonly string[]) {
  const own = new Set(pathsIn(root, folder, names));
  return [...files].filter(([name]) => !own.has(name));
}

/** Files of a folder (absolute, or relative to the root) as paths of the tree; none where it lies elsewhere. */
export function pathsIn(root: string, folder: string, names: readonly string[]): string[] {
  const path = relative(root, realPath(resolve(root, folder)));
  return names.map((name) => (path === "" ? name : `${path}/${name}`)).filter(isBelow);
}

/** Branches, configuration and the like, not the files themselves. */
export const GIT_STATE = /(?:^|\/)\.git(?:\/|$)/;

function placeOf(cwd: string, leftOut: readonly string[], earlierOutput: readonly FileAt[]): Place {
  const root = rootOf(cwd);
  // What lies elsewhere is none of the tree's, and the tree itself is never left out.
  const ownFolders = leftOut.map((path) => relative(root, realPath(path))).filter(isBelow);
  const isOwn = (path: string): boolean => ownFolders.some((folder) => `${path}/`.startsWith(`${folder}/`));
  const files = pipelineFiles().map(({ path, id }) => ({ path: relative(root, path), id }));
  // Of the others' files only those in the tree: the id of one that is closed becomes another file's.
  const now = files.filter(({ path }) => isBelow(path) && !isOwn(path));
  const named = [...earlierOutput, ...now].map((file) => [`${file.id} ${file.path}`, file] as const);
  return {
    root,
    excludesFile: excludesFileOf(root),
    leftOut: ownFolders,
    output: new Set([...ownOutput(), ...now.map(({ id }) => id)]),
    named: [...new Map(named).values()],
  };
}

function isBelow(path: string): boolean {
  return path !== "" && path !== ".." && !path.startsWith(`..${sep}`);
}

function digestOf(files: Iterable<readonly [string, string]>): string {
  const hash = createHash("sha256");
  // JSON keeps names apart that UTF-8 does not: those that are not UTF-8 (tree-path.ts).
  for (const file of [...files].sort(byPath)) hash.update(JSON.stringify(file));
  return hash.digest("hex");
}

function byPath([a]: readonly [string, string], [b]: readonly [string, string]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
