import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join, relative } from "node:path";
import { errorCode } from "../../platform/failure.ts";
import { findTool } from "../../platform/files/tools.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import { Copier, newTimes } from "./copy-tree.ts";
import { mountsBelow } from "./mounts.ts";
import { removeTree } from "./remove-tree.ts";
import type { RoomSpec } from "./spec.ts";
import { lookAt, Surface } from "./surface.ts";
import { folderOf, foldersAbove } from "../../text/paths.ts";
import { treeNamesIn } from "../../platform/git/folder-names.ts";

/** An overlay over one mounted file system of the tree, or over a placed folder. */
export interface Layer {
  /** Its mount point. */
  readonly at: string;
  /** Its lower folder; null: the tree's own. */
  readonly from: string | null;
  /** Null: a single file, shown directly. */
  readonly upper: string | null;
}

export interface Layers {
  readonly layers: readonly Layer[];
  /** Whiteouts are plain files so far: they become real ones when the room is entered. */
  readonly pretended: boolean;
}

interface LayersSpec extends Omit<RoomSpec, "kind" | "way" | "cwd" | "env" | "probes" | "files"> {
  /** Paths that have to be folders. */
  readonly folders: readonly string[];
}

/** Makes the overlays over the tree. An overlay hides mounts below its folder, so each of these gets its own. */
export function makeLayers(spec: LayersSpec): Layers {
  const { root, dir, hidden, placed = [] } = spec;
  const placedIn = placed.map(({ at }) => relative(root, at)).filter((at) => !at.startsWith(".."));
  const covered = new Set([...hidden, ...placedIn]);
  const mounts = mountsBelow(root).filter(
    (at) => !covered.has(at) && !foldersAbove(at).some((folder) => covered.has(folder)),
  );
  const whiteouts = new Whiteouts(join(dir, "layers", "whiteout"), whiteoutOf(dir));
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
  fs.mkdirSync(join(folder, WORK));
  return join(folder, "upper");
}

export const WORK = "work";

/** Leftovers of the kernel in them would prevent their reuse. */
export function emptyWorkFolders(dir: string, layers: number): void {
  for (let index = 0; index < layers; index++) {
    const folder = join(dir, "layers", String(index), WORK);
    for (const name of treeNamesIn(folder)) removeTree(join(folder, name));
  }
}

/** All inputs of layers: equal inputs give equal layers. */
export function inputsOf(spec: LayersSpec): readonly unknown[] {
  const { root, hidden, laid, folders, placed = [], touched = [], dated = [] } = spec;
  const mounts = mountsBelow(root);
  const isHidden = new Set(hidden);
  const laidIn = new Set(laid.flatMap(({ path }) => foldersAbove(path)));
  // Everything else in such a folder is hidden.
  const listed = [...laidIn].filter((path) =>
    [path, ...foldersAbove(path)].some((each) => isHidden.has(each)),
  );
  const named = [...mounts, ...hidden, ...folders, ...laid.map(({ path }) => path)];
  const paths = new Set(["", ...named, ...named.flatMap(foldersAbove)]);
  const stats = [...paths].map((path) => {
    const stat = lookAt(placeOf(root, path));
    return [path, stat?.mode, stat?.uid, stat?.gid];
  });
  const names = listed.map((path) => [path, [...treeNamesIn(placeOf(root, path))].sort()]);
  // Copies are as new as the room.
  const never = touched.length + dated.length > 0 ? [Symbol("never")] : [];
  return [
    JSON.stringify([mounts, hidden, folders, placed, stats, names]),
    ...laid.flatMap(({ path, kind, bytes, seconds }) => [path, kind, bytes, seconds]),
    ...never,
  ];
}

function fillLayer(
  spec: Pick<LayersSpec, "root" | "hidden" | "laid" | "touched" | "dated" | "folders">,
  { at, placedIn }: { readonly at: string; readonly placedIn: readonly string[] },
  mounts: readonly string[],
  surface: Surface,
  whiteouts: Whiteouts,
): void {
  const isPlaced = (path: string): boolean =>
    [path, ...foldersAbove(path)].some((folder) => placedIn.includes(folder));
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
  // A mount point has to be a folder.
  for (const path of [...placedIn, ...spec.folders])
    if (mountOf(path, mounts) === at) surface.makeFolder(own(path));
  const hider = new Hider(tree, surface, new Set(laid.map(({ path }) => own(path))), whiteouts);
  for (const path of hidden.sort()) hider.hide(path);
}

/** The innermost mount that contains the path. A mount point itself does not count: its content hides what is below. */
function mountOf(path: string, mounts: readonly string[]): string | undefined {
  const folders = foldersAbove(path);
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
    this.#laidIn = new Set([...laid].flatMap(foldersAbove));
    this.#whiteouts = whiteouts;
  }

  hide(path: string): void {
    if (this.#laid.has(path) || !this.#isThere(path)) return;
    if (!this.#laidIn.has(path)) {
      this.#surface.makeFolder(folderOf(path));
      this.#whiteouts.put(this.#surface.placeOf(path));
      this.#gone.add(path);
      return;
    }
    // The folder of a laid file has to exist, with everything else in it hidden.
    for (const name of treeNamesIn(placeOf(this.#tree, path))) this.hide(`${path}/${name}`);
  }

  /** Not through a link, a hidden folder or a laid file. */
  #isThere(path: string): boolean {
    const folders = foldersAbove(path);
    if (folders.some((folder) => this.#gone.has(folder) || this.#laid.has(folder))) return false;
    return (
      lookAt(placeOf(this.#tree, path)) !== undefined &&
      folders.every((folder) => lookAt(placeOf(this.#tree, folder))?.isDirectory() === true)
    );
  }
}

/**
 * An overlay's mark for a deleted file: a device number that does not exist. Any user may create it (since Linux 5.8), but not on an overlay
 * file system: there a plain file replaces it.
 */
class Whiteouts {
  pretended = false;
  readonly #name: string;
  readonly #kept: string;
  #made = 0;

  constructor(name: string, kept: string) {
    this.#name = name;
    this.#kept = kept;
  }

  /** Uses hard links to one file: Node cannot create devices, and a program for each would take a millisecond. */
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
    if (this.#made === 1 && isWhiteout(this.#kept) && tryLink(this.#kept, this.#current)) return;
    this.pretended ||= spawnSync(findTool("mknod"), [this.#current, "c", "0", "0"]).status !== 0;
    if (this.pretended) fs.writeFileSync(this.#current, "");
    else keepInstead(this.#kept, this.#current);
  }
}

/** One file that later rooms in the same place reuse: starting a program takes longer than creating all other files. */
export function whiteoutOf(dir: string): string {
  return `${dir}.whiteout`;
}

/** A command that ran as root may have replaced it. */
function isWhiteout(path: string): boolean {
  const stat = lookAt(path);
  return stat?.isCharacterDevice() === true && stat.rdev === 0;
}

function tryLink(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch {
    // The file has the maximum number of links.
    return false;
  }
}

function keepInstead(kept: string, whiteout: string): void {
  fs.rmSync(kept, { recursive: true, force: true });
  tryLink(whiteout, kept);
}
