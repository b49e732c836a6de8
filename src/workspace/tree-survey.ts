import fs, { type BigIntStats } from "node:fs";
import { fileId, type FileAt } from "../files/own-output.ts";
import { isOurs } from "./git.ts";
import type { Contents } from "./tree-contents.ts";
import { pathOf, placeOf } from "./tree-path.ts";
import { repositoryAt, type Repository } from "./tree-repository.ts";

/** Without git nothing is ignored, and a tree may be a whole disk. */
const MOST_WALKED = 50_000;
const MOST_BYTES = 8n * 1024n * 1024n * 1024n;
/** Every repository costs some calls of git; the folders of further ones are walked. */
const MOST_REPOSITORIES = 100;
const SKIPPED = new Set([".git", "node_modules"]);

/** Where to look, and what of it does not count. */
export interface Place {
  readonly root: string;
  /** The person's own list of what git ignores. */
  readonly excludesFile: string;
  /** Files and folders, relative to the root. */
  readonly leftOut: readonly string[];
  /** Where our output goes, by what `fileId` says. */
  readonly output: ReadonlySet<string>;
  /** The same as far as their paths in the tree are known, and the files that the output of earlier foremen went to. */
  readonly named: readonly FileAt[];
}

/** One look at all files of a tree. Methods that tell a boolean say false when the look has to be given up. */
export class Survey {
  readonly files = new Map<string, string>();
  /** What goes by a name of ours and does not count. */
  readonly ours: string[] = [];
  readonly #place: Place;
  readonly #contents: Contents;
  /** Folders that hold what git lists, by whether they can be reached without a link on the way. */
  readonly #reachable = new Map<string, boolean>([["", true]]);
  #walked = 0;
  #bytes = 0n;
  #repositories = 0;

  constructor(place: Place, contents: Contents) {
    this.#place = place;
    this.#contents = contents;
  }

  all(): boolean {
    const { excludesFile } = this.#place;
    return this.#folder("") && this.#ignoreFiles() && this.#add(excludesFile, excludesFile);
  }

  /** A repository goes by what git counts; any other folder is walked, and so is one that git cannot list. */
  #folder(folder: string): boolean {
    const names = namesIn(placeOf(this.#place.root, folder));
    if (names === null) {
      if (folder !== "") this.files.set(folder, "folder unreadable");
      return folder !== "";
    }
    const repository = names.includes(".git") ? this.#repositoryAt(folder) : undefined;
    if (repository) return this.#repository(folder, repository);
    for (const name of names.filter((each) => !SKIPPED.has(each)))
      if (this.#walked++ >= MOST_WALKED || !this.#visit(prefixOf(folder) + name)) return false;
    return true;
  }

  #repositoryAt(folder: string): Repository | undefined {
    const place = placeOf(this.#place.root, folder);
    if (typeof place !== "string" || this.#repositories++ >= MOST_REPOSITORIES) return undefined;
    return repositoryAt(place, this.#place.excludesFile);
  }

  #repository(folder: string, { files, refs, own }: Repository): boolean {
    const prefix = prefixOf(folder);
    this.#reachable.set(folder, true);
    for (const [name, value] of refs) this.files.set(`${prefix}.git/${name}`, `ref ${value}`);
    for (const [name, place] of own) if (!this.#add(prefix + name, place)) return false;
    for (const name of files) {
      const path = prefix + name.replace(/\/$/, "");
      if (this.#isReachable(parentOf(path)) && !this.#visit(path)) return false;
    }
    return true;
  }

  /** A file that decides what git lists counts whether git lists it or not: with `*` in it, it hides itself as well. */
  #ignoreFiles(): boolean {
    for (const [folder, reachable] of this.#reachable) {
      const path = `${prefixOf(folder)}.gitignore`;
      const isNew = reachable && !this.files.has(path) && !this.#isLeftOut(path);
      if (isNew && !this.#add(path, placeOf(this.#place.root, path))) return false;
    }
    return true;
  }

  #isLeftOut(path: string): boolean {
    if (isOurs(path)) this.ours.push(path);
    return isOurs(path) || this.#place.leftOut.some((folder) => `${path}/`.startsWith(`${folder}/`));
  }

  #visit(path: string): boolean {
    if (this.#isLeftOut(path)) return true;
    const place = placeOf(this.#place.root, path);
    const stat = lookAt(place);
    return stat?.isDirectory() === true ? this.#folder(path) : this.#add(path, place, stat);
  }

  /** A folder says nothing: git does not know it either. */
  #add(path: string, place: string | Buffer, stat = lookAt(place)): boolean {
    if (stat === null) this.files.set(path, "unreadable");
    if (!stat || stat.isDirectory() || this.#isOutput(path, fileId(stat))) return true;
    this.#bytes += this.#contents.cost(path, stat);
    if (this.#bytes > MOST_BYTES) return false;
    this.files.set(path, this.#contents.describe(path, place, stat));
    return true;
  }

  /** Nobody holds an earlier foreman's file open, so that its id alone may by now be that of another file. */
  #isOutput(path: string, id: string): boolean {
    const { output, named } = this.#place;
    return output.has(id) || named.some((file) => file.path === path && file.id === id);
  }

  /** A tracked folder may have become a link since: what is seen through it is not the tree's. */
  #isReachable(folder: string): boolean {
    const known = this.#reachable.get(folder);
    if (known !== undefined) return known;
    const isFolder = lookAt(placeOf(this.#place.root, folder))?.isDirectory() === true;
    const reachable = isFolder && this.#isReachable(parentOf(folder));
    this.#reachable.set(folder, reachable);
    return reachable;
  }
}

/** Undefined where there is nothing, null where nobody can tell. */
function lookAt(place: string | Buffer): BigIntStats | null | undefined {
  try {
    return fs.lstatSync(place, { bigint: true, throwIfNoEntry: false });
  } catch {
    return null;
  }
}

function namesIn(folder: string | Buffer): string[] | null {
  try {
    return fs.readdirSync(folder, { encoding: "buffer" }).map(pathOf).sort();
  } catch {
    return null;
  }
}

function prefixOf(folder: string): string {
  return folder === "" ? "" : `${folder}/`;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
