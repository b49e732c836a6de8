import { createHash } from "node:crypto";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { ownOutput, pipelineFiles, type FileAt } from "../files/own-output.ts";
import { Contents } from "./tree-contents.ts";
import { excludesFileOf, realPath, rootOf } from "./tree-repository.ts";
import { Survey, type Located, type Place } from "./tree-survey.ts";

export interface TreeSnapshot {
  readonly root: string;
  readonly sha256: string;
  /** Kind and content digest by path, relative to the root; absolute outside of it. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * All files of a work tree, to compare with itself at another time. Ignored files (caches, build output) do not count, or every test
 * would change the tree. Ignore files, branches and git's configuration do count. Git only lists names: its own comparison runs
 * programs that the tree names, and can be configured to miss an edit.
 */
export class WorkTree {
  readonly #cwd: string;
  readonly #leftOut: readonly string[];
  readonly #earlierOutput: readonly FileAt[];
  // Decided once, at the first look. Otherwise a `git init` or another ignore list would change the extent of the tree, and an agent
  // could have files left out.
  #place: Place | undefined;
  readonly #contents = new Contents();
  readonly #located = new Map<string, Located>();
  #last: TreeSnapshot | null = null;
  #ours: readonly string[] = [];

  /** `leftOut`: files and folders that the foreman changes. `earlierOutput`: output files of earlier foremen, like `output`. */
  constructor(cwd: string, leftOut: readonly string[] = [], earlierOutput: readonly FileAt[] = []) {
    this.#cwd = cwd;
    this.#leftOut = leftOut;
    this.#earlierOutput = earlierOutput;
  }

  /**
   * Null: no such folder, or too large (50,000 files where git does not decide what counts, 8 GiB to read). Returns the previous object
   * if no file was touched since, so that anything computed from it can be reused.
   */
  snapshot(): TreeSnapshot | null {
    const place = this.#placeNow();
    const survey = new Survey(place, this.#contents, this.#located);
    const { touched } = this.#contents;
    const isWhole = survey.all();
    this.#ours = survey.ours;
    const isUntouched =
      isWhole && touched === this.#contents.touched && isSameMap(this.#last?.files, survey.files);
    if (!isUntouched) this.#last = isWhole ? new Snapshot(place.root, survey.files) : null;
    return this.#last;
  }

  get root(): string {
    return this.#placeNow().root;
  }

  /** Excluded paths, relative to the root. */
  get leftOut(): readonly string[] {
    return this.#placeNow().leftOut;
  }

  /** Output files in the tree, ours and those of earlier foremen, relative to the root. Known on Linux only. */
  get output(): readonly FileAt[] {
    return this.#placeNow().named;
  }

  /** Files skipped at the last look because of a name that the foreman uses; anyone can make such a file. */
  get ours(): readonly string[] {
    return this.#ours;
  }

  /** The last snapshot: if nothing has run since, another look costs much and finds nothing. */
  get last(): TreeSnapshot | null {
    return this.#last;
  }

  #placeNow(): Place {
    return (this.#place ??= placeOf(this.#cwd, this.#leftOut, this.#earlierOutput));
  }

  /** The ignore list and the nested repositories of the last look. A look at ignored files must use the same, or it would miss some. */
  get ignoring(): { readonly excludesFile?: string; readonly repositories: readonly string[] } {
    const repositories = [...(this.#last?.files.keys() ?? [])].flatMap(
      (path) => /^(.+)\/\.git\/HEAD$/s.exec(path)?.[1] ?? [],
    );
    return this.#place ? { excludesFile: this.#place.excludesFile, repositories } : { repositories };
  }
}

/** A snapshot from a stored list of files. */
export function snapshotOf(root: string, files: ReadonlyMap<string, string>): TreeSnapshot {
  return new Snapshot(root, files);
}

class Snapshot implements TreeSnapshot {
  readonly root: string;
  readonly files: ReadonlyMap<string, string>;
  #sha256: string | undefined;

  constructor(root: string, files: ReadonlyMap<string, string>) {
    this.root = root;
    this.files = files;
  }

  /** Computed lazily: for a large tree it takes as long as the look. */
  get sha256(): string {
    return (this.#sha256 ??= digestOf(this.files));
  }
}

export function isSameMap(
  known: ReadonlyMap<string, string> | undefined,
  found: ReadonlyMap<string, string>,
): boolean {
  if (known?.size !== found.size) return false;
  for (const [path, value] of found) if (known.get(path) !== value) return false;
  return true;
}

/** Only some of its files. */
export function partOf({ root, files }: TreeSnapshot, isWanted: (path: string) => boolean): TreeSnapshot {
  return new Snapshot(root, new Map([...files].filter(([path]) => isWanted(path))));
}

/** Created, removed and modified paths. */
export function changedPaths(before: TreeSnapshot, after: TreeSnapshot): string[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()]);
  return [...paths].filter((path) => before.files.get(path) !== after.files.get(path)).sort();
}

/** The digest of everything except some files of a folder (absolute, or relative to the root) that the foreman changes. */
export function digestWithout(snapshot: TreeSnapshot, folder: string, names: readonly string[]): string {
  return digestOf(filesBut(snapshot, folder, names));
}

/** The same for file contents only: a commit changes no file. */
export function contentDigest(snapshot: TreeSnapshot, folder: string, names: readonly string[]): string {
  return digestOf(filesBut(snapshot, folder, names).filter(([name]) => !GIT_STATE.test(name)));
}

/** The files without git's own, without those outside the tree, and without some of a folder that the foreman changes. */
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

/** Files of a folder (absolute, or relative to the root) as paths of the tree; empty if it is elsewhere. */
export function pathsIn(root: string, folder: string, names: readonly string[]): string[] {
  const path = relative(root, realPath(resolve(root, folder)));
  return names.map((name) => (path === "" ? name : `${path}/${name}`)).filter(isBelow);
}

/** Branches, configuration and the like, not the files themselves. */
export const GIT_STATE = /(?:^|\/)\.git(?:\/|$)/;

function placeOf(cwd: string, leftOut: readonly string[], earlierOutput: readonly FileAt[]): Place {
  const root = rootOf(cwd);
  // A place outside does not belong to the tree, and the tree itself is never left out.
  const ownFolders = leftOut.map((path) => relative(root, realPath(path))).filter(isBelow);
  const isOwn = (path: string): boolean => ownFolders.some((folder) => `${path}/`.startsWith(`${folder}/`));
  const files = pipelineFiles().map(({ path, id }) => ({ path: relative(root, path), id }));
  // Of earlier foremen, only files in the tree: the id of a closed file can become another file's.
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
  // JSON keeps names distinct that UTF-8 would not: those that are not UTF-8 (tree-path.ts).
  for (const file of [...files].sort(byPath)) hash.update(JSON.stringify(file));
  return hash.digest("hex");
}

function byPath([a]: readonly [string, string], [b]: readonly [string, string]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
