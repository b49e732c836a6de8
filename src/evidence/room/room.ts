import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { dirname, join, relative } from "node:path";
import { Failure, messageOf } from "../../platform/failure.ts";
import type { RoomKind } from "../../core/evidence/event.ts";
import { shellQuoted } from "../../text/shell-quote.ts";
import { makeDirectories } from "../../platform/files/directories.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { realPath } from "../../platform/git/tree-repository.ts";
import { copyFolder, copyTree } from "./copy-tree.ts";
import { NOT_ENTERED, runningScript } from "./enter-script.ts";
import { furnish, furnitureFor } from "./home.ts";
import { overlaid, wayInto } from "./overlay.ts";
import { RoomParts } from "./parts.ts";
import { removeTree } from "./remove-tree.ts";
import { makeGitDirectory } from "./git-directory.ts";
import type { Built, RoomSpec, RoomWay } from "./spec.ts";

export type { Laid, Placed, RoomSpec, RoomWay } from "./spec.ts";

/** A throwaway view of a work tree, for one command. */
export interface Room {
  readonly kind: RoomKind;
  /** Start the command returned by `command` here. */
  readonly cwd: string;
  /** The path of the tree inside the room. */
  readonly root: string;
  /** A shell command that enters the room and runs another there. */
  readonly command: (command: string) => string;
  readonly home: string;
  readonly results: string;
  readonly probe: string;
  /** Folders with everything that the command wrote into the tree, and the start time. */
  readonly written: { readonly folders: readonly string[]; readonly sinceMs: number };
  /** Why the command did not run at all; null: it did. */
  readonly problem: () => string | null;
  readonly remove: () => void;
}

export interface RoomPlaces {
  readonly home: string;
  readonly tmp: string;
  readonly results: string;
  readonly probe: string;
}

export function roomPlaces({ dir, tmp = join(dir, "tmp") }: Pick<RoomSpec, "dir" | "tmp">): RoomPlaces {
  return {
    home: join(dir, "home"),
    tmp,
    results: join(dir, "results"),
    probe: join(dir, "probe"),
  };
}

/** The file in which code outside or inside the room records why there was nothing to test. */
export function problemFile(dir: string): string {
  return join(dir, "failed");
}

/** The path of the tree inside the room. */
export function rootInside(kind: RoomKind, dir: string, root: string): string {
  return kind === "overlay" ? root : join(dir, "tree");
}

export function openRoom(spec: RoomSpec): Room {
  const { dir, kind } = spec;
  const places = roomPlaces(spec);
  const failed = problemFile(dir);
  const parts = partsOf(spec);
  const built = tryBuild(spec, parts);
  const problem = (): string | null => (typeof built === "string" ? built : problemIn(failed));
  return {
    kind,
    cwd: dir,
    root: typeof built === "string" ? spec.root : built.root,
    ...places,
    command: (command) => {
      if (typeof built === "string") return "exit 125";
      // In a file, because one word of a command line holds at most 128 KB.
      onDisk(dir, () => fs.writeFileSync(join(dir, "enter"), built.script(command), { mode: 0o600 }));
      parts.start();
      return `. ${shellQuoted(join(dir, "enter"))}`;
    },
    written: {
      folders: typeof built === "string" ? [] : built.written, // Times of files are more precise than this.
      sinceMs: Date.now() + 1,
    },
    problem,
    remove: () => {
      removeTree(places.tmp);
      if (spec.isReused) parts.end();
      else removeTree(dir);
    },
  };
}

/** The script empties the file when the command starts. */
function problemIn(file: string): string | null {
  const text = tryReadPlainFile(file)?.toString() ?? NOT_ENTERED;
  return text.trim() || null;
}

/** A message if it could not be built. */
function tryBuild(spec: RoomSpec, parts: RoomParts): Built | string {
  try {
    return onDisk(spec.dir, () => build(spec, parts));
  } catch (error) {
    if (error instanceof Failure) throw error;
    return messageOf(error);
  }
}

const DISK_TROUBLE = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "ENFILE"]);

/** A full disk says nothing about the work: the check is not judged, and the run can continue once there is space. */
function onDisk<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!DISK_TROUBLE.has(code)) throw error;
    throw new Failure("state_write_failed", { path, why: messageOf(error) }, { cause: error });
  }
}

/** By directory of a room, which later ones reuse. */
const partsIn = new Map<string, RoomParts>();

function partsOf({ dir, isReused }: Pick<RoomSpec, "dir" | "isReused">): RoomParts {
  const parts = (isReused && partsIn.get(dir)) || new RoomParts(dir);
  if (isReused) partsIn.set(dir, parts);
  return parts;
}

function build(spec: RoomSpec, parts: RoomParts): Built {
  const { dir, probes } = spec;
  const { home, tmp, results, probe } = roomPlaces(spec);
  parts.begin();
  removeTree(tmp);
  fs.mkdirSync(tmp, { mode: 0o700 });
  parts.provide("results", [], () => fs.mkdirSync(results, { mode: 0o700 }));
  parts.provide("probe", [probes], () => writeProbes(probe, probes));
  const usercustomize = join(probe, "python", "usercustomize.py");
  const furniture = furnitureFor(process.env, fs.existsSync(usercustomize) ? usercustomize : null);
  const placed = (spec.placed ?? []).map(({ at }) => at).filter((at) => isIn(dir, at));
  parts.provide("home", [JSON.stringify([furniture, placed])], () => {
    fs.mkdirSync(home, { mode: 0o700 });
    furnish(home, furniture);
    for (const at of placed) makeDirectories(at);
  });
  return spec.kind === "overlay" ? overlaid(spec, parts) : copied(spec);
}

function writeProbes(folder: string, probes: RoomSpec["probes"]): void {
  fs.mkdirSync(folder, { mode: 0o700 });
  for (const [name, text] of Object.entries(probes)) {
    makeDirectories(join(folder, name, ".."));
    fs.writeFileSync(join(folder, name), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
}

function isIn(dir: string, path: string): boolean {
  return !relative(dir, path).startsWith("..");
}

function copied(spec: RoomSpec): Built {
  const root = rootInside("copy", spec.dir, spec.root);
  copyTree(spec, root);
  for (const { at, from } of spec.placed ?? []) {
    const way = relative(spec.root, at);
    const to = way.startsWith("..") ? at : join(root, way);
    removeTree(to);
    makeDirectories(dirname(to));
    copyFolder(from, to);
  }
  makeGitDirectory(spec.root, join(root, ".git"));
  const cwd = join(root, relative(spec.root, realPath(spec.cwd)));
  return {
    root,
    script: (command) => runningScript({ dir: spec.dir, cwd, env: spec.env, command }),
    written: [root],
  };
}

type Contain = (command: string) => { readonly file: string; readonly args: readonly string[] };

/** Requirements: laid files are visible, hidden ones are not, a folder is in its place, and the tree is unchanged. */
const TRIAL =
  "[ -f laid ] && [ -f same ] && [ ! -e gone ] && mkdir gone && rmdir gone && echo more >>same && rm laid";

/** Whether overlays work in a directory, contained as checks are, and how to enter them. */
export function wayIntoRooms(contain: Contain, scratchDir: string): RoomWay | null {
  const trial = join(scratchDir, "trial");
  const root = join(trial, "tree");
  try {
    onDisk(trial, () => {
      makeDirectories(join(root, "gone"));
      for (const name of ["gone/file", "same"]) fs.writeFileSync(join(root, name), "");
    });
    return tryWay(realPath(root), join(scratchDir, "room"), contain);
  } catch (error) {
    if (error instanceof Failure) throw error;
    return null;
  } finally {
    removeTree(trial);
  }
}

function tryWay(root: string, dir: string, contain: Contain): RoomWay | null {
  const room = openRoom({
    kind: "overlay",
    root,
    dir,
    cwd: root,
    hidden: ["gone"],
    laid: [{ path: "laid", kind: "file", bytes: Buffer.from("") }],
    env: { PATH: process.env["PATH"] ?? "" },
    files: [],
    probes: {},
  });
  const { file, args } = contain(room.command(TRIAL));
  try {
    const { status } = spawnSync(file, args, { cwd: room.cwd, stdio: "ignore", timeout: 10_000 });
    const isWell = status === 0 && room.problem() === null;
    return isWell && fs.readFileSync(join(root, "same"), "utf8") === "" ? (wayInto(dir) ?? null) : null;
  } finally {
    room.remove();
  }
}
