import { errorCode } from "../../platform/failure.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import type { RoomSpec } from "./spec.ts";
import { lookAt, Surface } from "./surface.ts";
import { folderOf } from "../../text/paths.ts";
import { treeNamesIn } from "../../platform/git/folder-names.ts";

/** Copies the visible files of a tree to another place. */
export function copyTree(spec: Omit<RoomSpec, "kind" | "dir" | "cwd" | "env" | "probes">, to: string): void {
  const surface = new Surface(to, spec.root);
  const copier = new Copier(spec.root, surface, new Set(spec.hidden), newTimes(spec));
  for (const path of spec.files) copier.copy(path.replace(/\/$/, ""));
  for (const each of spec.laid) surface.lay(each);
}

/** Copies a folder with all its content. */
export function copyFolder(from: string, to: string): void {
  const copier = new Copier(from, new Surface(to, from), new Set(), new Map());
  for (const name of treeNamesIn(from)) copier.copy(name);
}

/** The times that files get instead of their own. */
export function newTimes({
  touched = [],
  dated = [],
}: Pick<RoomSpec, "touched" | "dated">): ReadonlyMap<string, number> {
  const now = Date.now() / 1000;
  return new Map([
    ...dated.map(({ path, seconds }) => [path, seconds] as const),
    ...touched.map((path) => [path, now] as const),
  ]);
}

/** Keeps the times of files, because build tools compare them, except for the given ones. */
export class Copier {
  readonly #root: string;
  readonly #surface: Surface;
  readonly #hidden: ReadonlySet<string>;
  readonly #times: ReadonlyMap<string, number>;
  readonly #done = new Set<string>();
  /** Folders, by whether they are visible and reachable without a link. */
  readonly #open = new Map<string, boolean>([["", true]]);

  constructor(
    root: string,
    surface: Surface,
    hidden: ReadonlySet<string>,
    times: ReadonlyMap<string, number>,
  ) {
    this.#root = root;
    this.#surface = surface;
    this.#hidden = hidden;
    this.#times = times;
  }

  copy(path: string): void {
    if (this.#done.has(path) || this.#hidden.has(path) || !this.#isOpen(folderOf(path))) return;
    this.#done.add(path);
    try {
      this.#copyIn(path);
    } catch (error) {
      // Tests cannot read such a file either.
      if (!["ENOENT", "EACCES"].includes(errorCode(error) ?? "")) throw error;
    }
  }

  #copyIn(path: string): void {
    const from = placeOf(this.#root, path);
    const stat = lookAt(from);
    if (stat?.isDirectory() === true) {
      this.#surface.makeFolder(path);
      for (const name of treeNamesIn(from)) this.copy(`${path}/${name}`);
    } else if (stat?.isFile() === true || stat?.isSymbolicLink() === true)
      this.#surface.copy(path, stat, this.#times.get(path) ?? stat.mtimeMs / 1000);
  }

  #isOpen(folder: string): boolean {
    const known = this.#open.get(folder);
    if (known !== undefined) return known;
    const isFolder = lookAt(placeOf(this.#root, folder))?.isDirectory() === true;
    const isOpen = isFolder && !this.#hidden.has(folder) && this.#isOpen(folderOf(folder));
    this.#open.set(folder, isOpen);
    return isOpen;
  }
}
