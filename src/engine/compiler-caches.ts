import { createHash } from "node:crypto";
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeDirectories } from "../files/directories.ts";
import { folderDigest } from "../workspace/base/stamps.ts";
import { removeTree } from "../workspace/room/remove-tree.ts";
import type { Placed } from "../workspace/room/room.ts";
import type { RunContext } from "./ports.ts";

/**
 * What compilers keep below `~/.cache`. A room has a new home, so without these each check compiles everything from scratch. Nothing else
 * of that folder is kept: it may be what a project tests.
 */
const COMPILERS = ["go-build", "ccache", "sccache"];

/** So many work trees have a cache in the state directory. */
const MOST_KEPT = 3;

type Place = Pick<RunContext, "paths" | "rooms">;

function ownCaches({ paths }: Pick<Place, "paths">): string {
  return join(paths.dir, "base", "caches");
}

function inHome(home: string, name: string): string {
  return join(home, ".cache", name);
}

/** Runs on the base fill the caches: nothing that an agent wrote takes part in them. */
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

/** Before an agent works: a cache that changes later is not used. */
function noteCaches(context: Place): void {
  for (const name of COMPILERS) {
    const from = join(ownCaches(context), name);
    if (fs.existsSync(from)) context.rooms.caches.set(name, folderDigest(from));
  }
}

/** Later rooms see the caches as the base left them, and write into layers of their own. */
export function placedCaches(context: Place, home: string): readonly Placed[] {
  return [...context.rooms.caches].flatMap(([name, noted]) => {
    const from = join(ownCaches(context), name);
    return fs.existsSync(from) && folderDigest(from) === noted ? [{ at: inHome(home, name), from }] : [];
  });
}

/** Caches that an earlier run in this work tree left. They move: no two runs ever share one. */
export function takeCaches(context: Place, root: string): void {
  if (fs.existsSync(ownCaches(context))) return;
  tryMove(sharedCaches(context, root), ownCaches(context));
  noteCaches(context);
}

/** For the next run in this work tree. */
export function leaveCaches(context: Place, root: string): void {
  const shared = sharedCaches(context, root);
  // Only what is still as the base left it.
  const names = placedCaches(context, "").map(({ from }) => from);
  if (names.length > 0) {
    removeTree(shared);
    for (const from of names) tryMove(from, join(shared, basename(from)));
    forgetOldest(dirname(shared));
  }
  removeTree(ownCaches(context));
}

function sharedCaches({ paths }: Pick<Place, "paths">, root: string): string {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  return join(dirname(dirname(paths.dir)), "caches", name);
}

function forgetOldest(dir: string): void {
  const age = (name: string): number => fs.statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newestFirst = fs.readdirSync(dir).sort((a, b) => age(b) - age(a));
  for (const name of newestFirst.slice(MOST_KEPT)) removeTree(join(dir, name));
}

/** A cache that cannot be moved is one that is missed, and no more. */
function tryMove(from: string, to: string): void {
  try {
    if (!fs.existsSync(from)) return;
    makeDirectories(dirname(to), 0o700);
    fs.renameSync(from, to);
  } catch {
    // It is on another file system, or another process moved it.
  }
}
