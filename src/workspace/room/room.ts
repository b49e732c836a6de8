import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { dirname, join, relative } from "node:path";
import { Failure, messageOf } from "../../domain/failure.ts";
import type { RoomKind } from "../../domain/room/event.ts";
import { shellQuoted } from "../../domain/shell-quote.ts";
import { makeDirectories } from "../../files/directories.ts";
import { tryReadPlainFile } from "../../files/read-file.ts";
import { realPath } from "../tree-repository.ts";
import { copyFolder, copyTree } from "./copy-tree.ts";
import { runningScript } from "./enter-script.ts";
import { furnishHome, furnishPythons } from "./home.ts";
import { overlaid } from "./overlay.ts";
import { removeTree } from "./remove-tree.ts";
import { makeGitDirectory } from "./git-directory.ts";
import type { Built, RoomSpec } from "./spec.ts";

export type { Laid, Placed, RoomSpec } from "./spec.ts";

/** A throwaway view of a work tree, for one command. */
export interface Room {
  readonly kind: RoomKind;
  /** Where the command that `command` gives has to be started. */
  readonly cwd: string;
  /** Where the tree is, for whoever is in the room. */
  readonly root: string;
  /** A shell command that enters the room and runs another there. */
  readonly command: (command: string) => string;
  readonly home: string;
  readonly results: string;
  readonly probe: string;
  /** Folders that hold, when the command is over, what it wrote into the tree; and since when. */
  readonly written: { readonly folders: readonly string[]; readonly sinceMs: number };
  /** Why the command was not run at all; null: it was. */
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

const NOT_ENTERED = "the room cannot be entered\n";

/** Where it is written down, from the outside or from within, why there was nothing that could be tested. */
export function problemFile(dir: string): string {
  return join(dir, "failed");
}

/** Where the tree is, for whoever is in the room. */
export function rootInside(kind: RoomKind, dir: string, root: string): string {
  return kind === "overlay" ? root : join(dir, "tree");
}

export function openRoom(spec: RoomSpec): Room {
  const { dir, kind } = spec;
  const places = roomPlaces(spec);
  const failed = problemFile(dir);
  const built = tryBuild(spec);
  const problem = (): string | null =>
    typeof built === "string" ? built : tryReadPlainFile(failed)?.toString().trim() || null;
  return {
    kind,
    cwd: dir,
    root: typeof built === "string" ? spec.root : built.root,
    ...places,
    command: (command) => {
      if (typeof built === "string") return "exit 125";
      onDisk(dir, () => {
        // Whatever keeps it from being started, the command itself takes it back.
        fs.writeFileSync(failed, NOT_ENTERED);
        // In a file: one word of a command line holds 128 KB at most.
        fs.writeFileSync(join(dir, "enter"), built.script(command), { mode: 0o600 });
      });
      return `exec /bin/sh ${shellQuoted(join(dir, "enter"))}`;
    },
    written: {
      folders: typeof built === "string" ? [] : built.written, // Times of files are finer than this.
      sinceMs: Date.now() + 1,
    },
    problem,
    remove: () => {
      for (const place of [dir, places.tmp]) removeTree(place);
    },
  };
}

/** What was wrong, if it could not be built. */
function tryBuild(spec: RoomSpec): Built | string {
  try {
    return onDisk(spec.dir, () => build(spec));
  } catch (error) {
    if (error instanceof Failure) throw error;
    return messageOf(error);
  }
}

const DISK_TROUBLE = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "ENFILE"]);

/** A full disk says nothing about anybody's work: nobody is judged by it, and the run can go on when there is room again. */
function onDisk<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!DISK_TROUBLE.has(code)) throw error;
    throw new Failure("state_write_failed", { path, why: messageOf(error) }, { cause: error });
  }
}

function build(spec: RoomSpec): Built {
  const { dir, probes } = spec;
  const places = roomPlaces(spec);
  for (const place of [dir, places.tmp]) removeTree(place);
  makeDirectories(dir, 0o700);
  for (const place of Object.values(places)) fs.mkdirSync(place, { mode: 0o700 });
  furnishHome(places.home, process.env);
  for (const [name, text] of Object.entries(probes)) {
    makeDirectories(join(places.probe, name, ".."));
    fs.writeFileSync(join(places.probe, name), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
  furnishPythons(places.home, join(places.probe, "python", "usercustomize.py"));
  for (const { at } of spec.placed ?? []) if (isIn(dir, at)) makeDirectories(at);
  return spec.kind === "overlay" ? overlaid(spec) : copied(spec);
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
  makeGitDirectory(spec.root, join(root, ".git"), null);
  const cwd = join(root, relative(spec.root, realPath(spec.cwd)));
  return {
    root,
    script: (command) => runningScript({ dir: spec.dir, cwd, env: spec.env, command }),
    written: [root],
  };
}

type Contain = (command: string) => { readonly file: string; readonly args: readonly string[] };

/** What has to work: seeing what is laid, not seeing what is hidden, a folder in its place, and the tree untouched. */
const TRIAL =
  "[ -f laid ] && [ -f same ] && [ ! -e gone ] && mkdir gone && rmdir gone && echo more >>same && rm laid";

/** Whether an overlay can be had in a directory, contained as checks are. */
export function roomWorks(contain: Contain, scratchDir: string): boolean {
  const trial = join(scratchDir, "trial");
  const root = join(trial, "tree");
  try {
    onDisk(trial, () => {
      makeDirectories(join(root, "gone"));
      for (const name of ["gone/file", "same"]) fs.writeFileSync(join(root, name), "");
    });
    return worksIn(realPath(root), join(trial, "room"), contain);
  } catch (error) {
    if (error instanceof Failure) throw error;
    return false;
  } finally {
    removeTree(trial);
  }
}

function worksIn(root: string, dir: string, contain: Contain): boolean {
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
  const { status } = spawnSync(file, args, { cwd: room.cwd, stdio: "ignore", timeout: 10_000 });
  return status === 0 && room.problem() === null && fs.readFileSync(join(root, "same"), "utf8") === "";
}
