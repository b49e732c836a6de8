import fs, { type Stats } from "node:fs";
import { errorCode } from "../../platform/failure.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import type { Laid } from "./spec.ts";
import { folderOf } from "../../text/paths.ts";

function asRoot(): boolean {
  return process.getuid?.() === 0;
}

/** A folder with the files to show in place of a tree's. */
export class Surface {
  readonly folder: string;
  readonly #tree: string;
  /** Folders created here. */
  readonly #made = new Set<string>([""]);

  constructor(folder: string, tree: string) {
    this.folder = folder;
    this.#tree = tree;
    fs.mkdirSync(folder);
    this.#resemble("");
  }

  placeOf(path: string): string | Buffer {
    return placeOf(this.folder, path);
  }

  /** Enters only folders created here, because a link would lead out of it. */
  makeFolder(path: string): void {
    if (this.#made.has(path)) return;
    this.makeFolder(folderOf(path));
    this.#clear(path);
    fs.mkdirSync(this.placeOf(path));
    this.#resemble(path);
    this.#made.add(path);
  }

  lay({ path, kind, bytes, seconds }: Laid): void {
    this.makeFolder(folderOf(path));
    this.#clear(path);
    const place = this.placeOf(path);
    const replaced = lookAt(placeOf(this.#tree, path));
    if (kind === "link") fs.symlinkSync(bytes, place);
    else {
      fs.writeFileSync(place, bytes, { flag: "wx" });
      fs.chmodSync(place, modeOf(kind, replaced));
    }
    const owner = replaced ?? lookAt(this.#tree);
    if (asRoot() && owner) fs.lchownSync(place, owner.uid, owner.gid);
    if (seconds !== undefined) fs.lutimesSync(place, seconds, seconds);
  }

  /** Copies the tree's own file or link, with the given time. */
  copy(path: string, stat: Stats, seconds: number): void {
    this.makeFolder(folderOf(path));
    const from = placeOf(this.#tree, path);
    const to = this.placeOf(path);
    if (stat.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from, { encoding: "buffer" }), to);
    // If the file system supports it, both share their content until one is written.
    else fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL);
    if (asRoot()) fs.lchownSync(to, stat.uid, stat.gid);
    // Comes after chown, which clears some permissions.
    if (!stat.isSymbolicLink()) fs.chmodSync(to, stat.mode & 0o7777);
    fs.lutimesSync(to, stat.atimeMs / 1000, seconds);
  }

  /** A merged folder has the permissions of the upper one. */
  #resemble(path: string): void {
    const model = lookAt(placeOf(this.#tree, path)) ?? lookAt(this.#tree);
    if (!model?.isDirectory()) return;
    if (asRoot()) fs.chownSync(this.placeOf(path), model.uid, model.gid);
    fs.chmodSync(this.placeOf(path), model.mode & 0o7777);
  }

  #clear(path: string): void {
    try {
      fs.unlinkSync(this.placeOf(path));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return;
      fs.rmSync(this.placeOf(path), { recursive: true });
    }
  }
}

/** Only the kind decides whether it is executable, and we must be able to read it. */
function modeOf(kind: "file" | "program", replaced: Stats | undefined): number {
  const shared = replaced?.isFile() === true ? replaced.mode & 0o066 : 0o044;
  const mode = 0o600 | shared;
  return kind === "program" ? mode | ((mode & 0o444) >> 2) : mode;
}

/** Undefined if nothing is there, or unreadable. */
export function lookAt(place: string | Buffer): Stats | undefined {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
