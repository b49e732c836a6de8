import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join, relative } from "node:path";
import { errorCode } from "../../domain/failure.ts";
import { findTool } from "../../files/tools.ts";
import { pathOf, placeOf } from "../tree-path.ts";
import { Copier, newTimes } from "./copy-tree.ts";
import { mountsBelow } from "./mounts.ts";
import type { RoomSpec } from "./spec.ts";
import { foldersOf, lookAt, parentOf, Surface } from "./surface.ts";

/** What is seen over one mounted file system of the tree, or over a folder that is placed. */
export interface Layer {
  /** Where it is mounted. */
  readonly at: string;
  /** What it is mounted over; null: what the tree has there. */
  readonly from: string | null;
  /** Null: it is a single file, and seen as it is. */
  readonly upper: string | null;
}

export interface Layers {
  readonly layers: readonly Layer[];
  /** What hides is a plain file for now: it has to be made what it stands for where that can be. */
  readonly pretended: boolean;
}

/**
 * The folders that are laid over the tree. An overlay shows nothing of what is mounted below the folder it lies over, so that each of
 * these gets one of its own.
 */
export function makeLayers(spec: Omit<RoomSpec, "kind" | "cwd" | "env" | "probes" | "files">): Layers {
  const { root, dir, hidden, placed = [] } = spec;
  const placedIn = placed.map(({ at }) => relative(root, at)).filter((at) => !at.startsWith(".."));
  const covered = new Set([".git", ...hidden, ...placedIn]);
  const mounts = mountsBelow(root).filter(
    (at) => !covered.has(at) && !foldersOf(at).some((folder) => covered.has(folder)),
  );
  const whiteouts = new Whiteouts(join(dir, "layers", "whiteout"));
  fs.mkdirSync(join(dir, "layers"));
  const layers = ["", ...mounts].map((at, index, all) => {
    const place = { at: join(root, at), from: null };
    if (lookAt(place.at)?.isDirectory() !== true) return { ...place, upper: null };
    const upper = makeLayer(dir, index);
    fillLayer(spec, { at, placedIn }, all, new Surface(upper, place.at), whiteouts);
    return { ...place, upper };
  });
  const further = placed.map(({ at, from }, index) => {
    const upper = makeLayer(dir, layers.length + index);
    return { at, from, upper: new Surface(upper, from).folder };
  });
  return { layers: [...layers, ...further], pretended: whiteouts.pretended };
}

function makeLayer(dir: string, index: number): string {
  const folder = join(dir, "layers", String(index));
  fs.mkdirSync(folder);
  fs.mkdirSync(join(folder, "work"));
  return join(folder, "upper");
}

function fillLayer(
  spec: Pick<RoomSpec, "root" | "hidden" | "laid" | "touched" | "dated">,
  { at, placedIn }: { readonly at: string; readonly placedIn: readonly string[] },
  mounts: readonly string[],
  surface: Surface,
  whiteouts: Whiteouts,
): void {
  const isPlaced = (path: string): boolean =>
    [path, ...foldersOf(path)].some((folder) => placedIn.includes(folder));
  const isMine = (path: string): boolean => mountOf(path, mounts) === at && !isPlaced(path);
  const own = (path: string): string => (at === "" ? path : path.slice(at.length + 1));
  const tree = join(spec.root, at);
  const times = new Map(
    [...newTimes(spec)].filter(([path]) => isMine(path)).map(([path, time]) => [own(path), time]),
  );
  const hidden = spec.hidden.filter((each) => isMine(each)).map(own);
  const laid = spec.laid.filter(({ path }) => isMine(path));
  const copier = new Copier(tree, surface, new Set(hidden), times);
  for (const path of times.keys()) copier.copy(path);
  for (const each of laid) surface.lay({ ...each, path: own(each.path) });
  // Something can only be mounted where a folder is.
  for (const path of placedIn) if (mountOf(path, mounts) === at) surface.makeFolder(own(path));
  const hider = new Hider(tree, surface, new Set(laid.map(({ path }) => own(path))), whiteouts);
  for (const path of hidden.sort()) hider.hide(path);
}

/** The innermost that it lies in; not one that it is itself: what is mounted there is hidden by what it is mounted on. */
function mountOf(path: string, mounts: readonly string[]): string | undefined {
  const folders = foldersOf(path);
  return folders.find((folder) => mounts.includes(folder));
}

class Hider {
  readonly #tree: string;
  readonly #surface: Surface;
  readonly #laid: ReadonlySet<string>;
  readonly #laidIn: ReadonlySet<string>;
  readonly #whiteouts: Whiteouts;
  readonly #gone = new Set<string>();

  constructor(tree: string, surface: Surface, laid: ReadonlySet<string>, whiteouts: Whiteouts) {
    this.#tree = tree;
    this.#surface = surface;
    this.#laid = laid;
    this.#laidIn = new Set([...laid].flatMap(foldersOf));
    this.#whiteouts = whiteouts;
  }

  hide(path: string): void {
    if (this.#laid.has(path) || !this.#isThere(path)) return;
    if (!this.#laidIn.has(path)) {
      this.#surface.makeFolder(parentOf(path));
      this.#whiteouts.put(this.#surface.placeOf(path));
      this.#gone.add(path);
      return;
    }
    // A folder in which something is laid has to be there: all else in it is hidden.
    for (const name of namesIn(placeOf(this.#tree, path))) this.hide(`${path}/${name}`);
  }

  /** Not through a link, nor through what is hidden or covered by a file that is laid. */
  #isThere(path: string): boolean {
    const folders = foldersOf(path);
    if (folders.some((folder) => this.#gone.has(folder) || this.#laid.has(folder))) return false;
    return (
      lookAt(placeOf(this.#tree, path)) !== undefined &&
      folders.every((folder) => lookAt(placeOf(this.#tree, folder))?.isDirectory() === true)
    );
  }
}

/**
 * What an overlay takes for "there is nothing": a device that does not exist. Anybody may make it (since Linux 5.8), but not on a file
 * system that is an overlay itself: there, the file stands for it.
 */
class Whiteouts {
  pretended = false;
  readonly #name: string;
  #made = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** By links to one: Node cannot make devices, and to start a program for each would take a millisecond each. */
  put(place: string | Buffer): void {
    if (this.#made === 0) this.#make();
    try {
      fs.linkSync(this.#current, place);
    } catch (error) {
      if (errorCode(error) !== "EMLINK") throw error;
      this.#make();
      fs.linkSync(this.#current, place);
    }
  }

  get #current(): string {
    return `${this.#name}-${this.#made}`;
  }

  #make(): void {
    this.#made++;
    this.pretended ||= spawnSync(findTool("mknod"), [this.#current, "c", "0", "0"]).status !== 0;
    if (this.pretended) fs.writeFileSync(this.#current, "");
  }
}

function namesIn(folder: string | Buffer): string[] {
  try {
    return fs.readdirSync(folder, { encoding: "buffer" }).map(pathOf);
  } catch {
    return [];
  }
}
