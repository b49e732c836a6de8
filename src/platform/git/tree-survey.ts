import fs, { type BigIntStats } from "node:fs";
import { fileId, type FileAt } from "../files/own-output.ts";
import { isOurs } from "./git.ts";
import type { Contents } from "./tree-contents.ts";
import { pathOf, placeOf } from "./tree-path.ts";
import { repositoryAt, type Repository } from "./tree-repository.ts";
import { folderOf } from "../../text/paths.ts";
import { prefixOf } from "./stamps.ts";

/** Without git nothing is ignored, and a tree may be a whole disk. */
const MOST_WALKED = 50_000;
const MOST_BYTES = 8n * 1024n * 1024n * 1024n;
/** Every repository costs some calls of git; the folders of further ones are walked. */
const MOST_REPOSITORIES = 100;
const SKIPPED = new Set([".git", "node_modules"]);

/** The tree to look at, and the files in it that do not count. */
export interface Place {
  readonly root: string;
  /** The person's own list of ignored files. */
  readonly excludesFile: string;
  /** Files and folders, relative to the root. */
  readonly leftOut: readonly string[];
  /** The `fileId`s of our own output files. */
  readonly output: ReadonlySet<string>;
  /** The same with their paths in the tree, as far as known, and the output files of earlier foremen. */
  readonly named: readonly FileAt[];
}

/** A path with its links resolved. */
export interface Located {
  readonly folder: string;
  readonly place: string | Buffer;
  readonly isOurs: boolean;
  readonly isLeftOut: boolean;
}

/** One look at all files of a tree. Methods return false when the look has to be given up. */
export class Survey {
  readonly files = new Map<string, string>();
  /** Uncounted files with a name that the foreman uses. */
  readonly ours: string[] = [];
  readonly #place: Place;
  readonly #contents: Contents;
  readonly #located: Map<string, Located>;
  /** Folders of files that git lists, by whether they can be reached without a link. */
  readonly #reachable = new Map<string, boolean>([["", true]]);
  #walked = 0;
  #bytes = 0n;
  #repositories = 0;

  /** `located`: paths resolved by earlier looks at the same place. */
  constructor(place: Place, contents: Contents, located: Map<string, Located> = new Map()) {
    this.#place = place;
    this.#contents = contents;
    this.#located = located;
  }

  all(): boolean {
    const { excludesFile } = this.#place;
    return this.#folder("") && this.#ignoreFiles() && this.#add(excludesFile, excludesFile);
  }

  /** In a repository git's list counts. Any other folder is walked, and so is one that git cannot list. */
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
      if (this.#isReachable(this.#locate(path).folder) && !this.#visit(path)) return false;
    }
    return true;
  }

  /** A file that decides what git lists counts even if git does not list it: with `*` in it, it hides itself as well. */
  #ignoreFiles(): boolean {
    for (const [folder, reachable] of this.#reachable) {
      const path = `${prefixOf(folder)}.gitignore`;
      const isNew = reachable && !this.files.has(path) && !this.#isLeftOut(path);
      if (isNew && !this.#add(path, placeOf(this.#place.root, path))) return false;
    }
    return true;
  }

  #isLeftOut(path: string, { isOurs: hasOurName, isLeftOut } = this.#locate(path)): boolean {
    if (hasOurName) this.ours.push(path);
    return isLeftOut;
  }

  #locate(path: string): Located {
    const known = this.#located.get(path);
    if (known) return known;
    const { root, leftOut } = this.#place;
    const ours = isOurs(path);
    const isLeftOut = ours || leftOut.some((folder) => `${path}/`.startsWith(`${folder}/`));
    const located = { folder: folderOf(path), place: placeOf(root, path), isOurs: ours, isLeftOut };
    this.#located.set(path, located);
    return located;
  }

  #visit(path: string): boolean {
    const located = this.#locate(path);
    if (this.#isLeftOut(path, located)) return true;
    const { place } = located;
    const stat = lookAt(place);
    return stat?.isDirectory() === true ? this.#folder(path) : this.#add(path, place, stat);
  }

  /** Folders are skipped; git does not track them either. */
  #add(path: string, place: string | Buffer, stat = lookAt(place)): boolean {
    if (stat === null) this.files.set(path, "unreadable");
    if (!stat || stat.isDirectory() || this.#isOutput(path, stat)) return true;
    const known = this.#contents.known(path, stat);
    if (known === undefined) this.#bytes += this.#contents.cost(stat);
    if (this.#bytes > MOST_BYTES) return false;
    this.files.set(path, known ?? this.#contents.describe(path, place, stat));
    return true;
  }

  /** Earlier foremen no longer hold their files open, so another file may now have the same id. */
  #isOutput(path: string, stat: BigIntStats): boolean {
    const { output, named } = this.#place;
    if (output.size === 0 && named.length === 0) return false;
    const id = fileId(stat);
    return output.has(id) || named.some((file) => file.path === path && file.id === id);
  }

  /** A tracked folder may have become a link, and files seen through it are not the tree's. */
  #isReachable(folder: string): boolean {
    const known = this.#reachable.get(folder);
    if (known !== undefined) return known;
    const isFolder = lookAt(placeOf(this.#place.root, folder))?.isDirectory() === true;
    const reachable = isFolder && this.#isReachable(folderOf(folder));
    this.#reachable.set(folder, reachable);
    return reachable;
  }
}

/** Undefined: nothing there. Null: unreadable. */
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
