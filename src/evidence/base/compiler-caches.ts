import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeDirectories } from "../../platform/files/directories.ts";
import { folderDigest } from "../../platform/git/stamps.ts";
import { removeTree } from "../room/remove-tree.ts";
import type { Placed } from "../room/room.ts";
import type { EvidenceContext } from "../checks/evidence-context.ts";
import { sha256Of } from "../../platform/files/sha256.ts";

/**
 * Compiler caches below `~/.cache`. A room has a new home, so without these each check compiles everything from scratch. Nothing else of that
 * folder is kept, because a project may test it.
 */
const COMPILERS = ["go-build", "ccache", "sccache"];

/** The number of work trees with a cache in the state directory. */
const MOST_KEPT = 3;

type Place = Pick<EvidenceContext, "paths" | "rooms">;

function ownCaches({ paths }: Pick<Place, "paths">): string {
  return join(paths.dir, "base", "caches");
}

function inHome(home: string, name: string): string {
  return join(home, ".cache", name);
}

/** Runs on the base fill the caches, so nothing that an agent wrote gets into them. */
export async function fillingCaches<T>(context: Place, home: string, run: () => Promise<T>): Promise<T> {
  const dir = ownCaches(context);
  const moveAll = (from: (name: string) => string, to: (name: string) => string): void => {
    for (const name of COMPILERS) tryMove(from(name), to(name));
  };
  moveAll(
    (name) => join(dir, name),
    (name) => inHome(home, name),
  );
  try {
    return await run();
  } finally {
    moveAll(
      (name) => inHome(home, name),
      (name) => join(dir, name),
    );
    noteCaches(context);
  }
}

/** Called before an agent works: a cache that changes later is not used. */
function noteCaches(context: Place): void {
  for (const name of COMPILERS) {
    const from = join(ownCaches(context), name);
    if (fs.existsSync(from)) context.rooms.caches.set(name, folderDigest(from));
  }
}

/** Later rooms see the base's caches, and write into their own layers. */
export function placedCaches(context: Place, home: string): readonly Placed[] {
  return [...context.rooms.caches].flatMap(([name, noted]) => {
    const from = join(ownCaches(context), name);
    return fs.existsSync(from) && folderDigest(from) === noted ? [{ at: inHome(home, name), from }] : [];
  });
}

/** Moves the caches of an earlier run in this work tree here. Moving ensures that two runs never share one. */
export function takeCaches(context: Place, root: string): void {
  if (fs.existsSync(ownCaches(context))) return;
  tryMove(sharedCaches(context, root), ownCaches(context));
  noteCaches(context);
}

export function leaveCaches(context: Place, root: string): void {
  const shared = sharedCaches(context, root);
  // Keeps only caches that still match the base.
  const names = placedCaches(context, "").map(({ from }) => from);
  if (names.length > 0) {
    removeTree(shared);
    for (const from of names) tryMove(from, join(shared, basename(from)));
    forgetOldest(dirname(shared));
  }
  removeTree(ownCaches(context));
}

function sharedCaches({ paths }: Pick<Place, "paths">, root: string): string {
  const name = sha256Of(root).slice(0, 16);
  return join(dirname(dirname(paths.dir)), "caches", name);
}

function forgetOldest(dir: string): void {
  const age = (name: string): number => fs.statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newestFirst = fs.readdirSync(dir).sort((a, b) => age(b) - age(a));
  for (const name of newestFirst.slice(MOST_KEPT)) removeTree(join(dir, name));
}

/** A cache that cannot be moved is only a slower build. */
function tryMove(from: string, to: string): void {
  try {
    if (!fs.existsSync(from)) return;
    makeDirectories(dirname(to), 0o700);
    fs.renameSync(from, to);
  } catch {
    // It is on another file system, or another process moved it.
  }
}
