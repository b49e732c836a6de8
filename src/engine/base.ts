import fs from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { commandsOf as boardCommands } from "../domain/board/call.ts";
import { tasksOf } from "../domain/board/plan.ts";
import { isBestEffort } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";
import type { BaseTaken, InheritedFile, Weakness } from "../domain/room/event.ts";
import { baseCommands } from "../domain/room/held.ts";
import type { RunState } from "../domain/state.ts";
import { worthKeeping } from "../workspace/base/contents.ts";
import { openPack, readPacked, writePack } from "../workspace/base/pack.ts";
import { describeEntry, readEntry, type Entry } from "../workspace/base/read-entry.ts";
import { headCommit, topLevel } from "../workspace/git.ts";
import { placeOf } from "../workspace/tree-path.ts";
import { takeCaches } from "./compiler-caches.ts";
import { LARGEST_TEXT, type Standing } from "./compare-entry.ts";
import { keep, makeKeptDirectory } from "./keep.ts";
import type { RunContext } from "./ports.ts";
import { personsWork } from "./persons-work.ts";
import type { KnownBase, StartBase, Surroundings } from "./rooms.ts";
import type { TreeFiles } from "./tree-files.ts";
import { oracleDigest, oracleOfTree } from "./tree-oracle.ts";
import { readKept } from "./turn-files.ts";
import { baseSurroundings, keepSurroundings, NOTHING_OWN, readSurroundings } from "./surroundings.ts";

/** A protected file whose original version takes the place of the one in the tree; null: there was none. */
export interface Inherited extends InheritedFile {
  readonly original: Entry | null;
}

/** Keeps what is needed to hold later trees against this one, out of the agent's way. */
export function takeBase(
  state: RunState,
  context: RunContext,
  { root, files: onDisk, sha256, leftOut, isRepository }: TreeFiles,
  inherited: readonly Inherited[],
): BaseTaken {
  const { settings } = state;
  const originals = new Map(inherited.map(({ path, original }) => [path, original]));
  const files = withOriginals(onDisk, originals);
  forgetBase(context, state.base?.taken, state.startBase);
  const dir = join(context.paths.dir, "base", String(state.events));
  makeKeptDirectory(dir);
  takeCaches(context, root);
  const read = new Set<string>();
  const judged = {
    files,
    entryAt: (path: string): Standing => {
      read.add(path);
      const original = originals.get(path);
      if (original !== undefined) return original;
      return readEntry(placeOf(root, path), LARGEST_TEXT) ?? "unread";
    },
    commands: commandsOf(state),
    folder: relative(root, settings.cwd),
  };
  const oracle = oracleOfTree(judged);
  const isOracle = (path: string): boolean => oracle.kindOf(path) !== null || read.has(path);
  const paths = [...files.keys()];
  const commit = headCommit(settings.cwd);
  const isFirst = state.attempts.length === 0 && isRepository;
  const person = isFirst ? personsWork(root, files, commit, context) : NOTHING_OWN;
  const surroundings = baseSurroundings(root, paths, context, person);
  // What decides comes first: there is an end to how much is kept.
  const inOrder = [
    ...paths.filter(isOracle),
    ...worthKeeping(surroundings.ignored ?? new Map()),
    ...paths.filter((path) => !isOracle(path) && person.uncommitted.has(path)),
    ...paths.filter((path) => !isOracle(path) && !person.uncommitted.has(path)),
  ];
  const kept = new Map([...originals].flatMap(([path, original]) => (original ? [[path, original]] : [])));
  const pack = writePack(join(dir, "pack"), root, inOrder, undefined, kept);
  context.rooms.base = { tree: sha256, files, commands: judged.commands, oracle, pack, surroundings };
  return {
    type: "base_taken",
    tree: sha256,
    files: files.size,
    folder: judged.folder,
    leftOut,
    commit,
    isRepository,
    oracle: oracleDigest(oracle, files),
    listing: keep(join(dir, "files"), JSON.stringify([...files])),
    pack: pack.kept,
    stamps: keepSurroundings(join(dir, "stamps"), surroundings),
    room: context.rooms.kind,
    weak: weaknesses(settings.cwd, commit, surroundings, context),
    inherited: {
      count: inherited.length,
      some: inherited
        .slice(0, MOST_NAMED)
        .map(({ path, runId, restores, added, found }) => ({ path, runId, restores, added, found })),
    },
  };
}

/** A journal is no place for thousands of names. */
const MOST_NAMED = 200;

function withOriginals(
  files: ReadonlyMap<string, string>,
  originals: ReadonlyMap<string, Entry | null>,
): ReadonlyMap<string, string> {
  if (originals.size === 0) return files;
  const all = new Map(files);
  for (const [path, original] of originals) {
    if (original) all.set(path, describeEntry(original));
    else all.delete(path);
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The base that the journal tells of: from what was kept, where another process took it, or commands have been named since. */
export function knownBase(state: RunState, context: Pick<RunContext, "rooms">): KnownBase {
  const taken = state.base?.taken;
  if (!taken) throw new Error("there is no base");
  const commands = commandsOf(state);
  const last = context.rooms.base;
  const isSame = last?.tree === taken.tree;
  if (isSame && isDeepStrictEqual(last.commands, commands)) return last;
  const { files, pack, surroundings } = isSame ? last : readBase(taken);
  const entryAt = (path: string): Standing => (files.has(path) ? (readPacked(pack, path) ?? "unread") : null);
  const oracle = oracleOfTree({ files, entryAt, commands, folder: taken.folder });
  context.rooms.base = { tree: taken.tree, files, commands, oracle, pack, surroundings };
  return context.rooms.base;
}

/** Null: the run has none, or nothing of it is left. */
export function startBase(
  state: RunState,
  { rooms }: { readonly rooms: Pick<RunContext["rooms"], "base" | "start"> },
): StartBase | null {
  const taken = state.startBase;
  if (!taken) return null;
  const known = [rooms.base, rooms.start].find(
    (base) => base?.tree === taken.tree && base.pack.kept.path === taken.pack.path,
  );
  return known ?? (rooms.start = { tree: taken.tree, ...readBase(taken) });
}

function readBase(taken: BaseTaken): Pick<KnownBase, "files" | "pack" | "surroundings"> {
  const listing = readKept(taken.listing);
  const pack = openPack(taken.pack);
  const surroundings = readSurroundings(taken.stamps);
  if (listing === undefined || !pack || !surroundings)
    throw new Failure("base_changed", { path: taken.listing.path });
  return { files: new Map(JSON.parse(listing) as [string, string][]), pack, surroundings };
}

/** Whatever may be run to see whether the work is done, as far as it is known; and what makes ready for it. */
function commandsOf(state: RunState): readonly string[] {
  const { setup = null } = state.settings.room ?? {};
  return [...(setup === null ? [] : [setup]), ...testCommands(state)];
}

function testCommands({ settings, board, steps }: RunState): readonly string[] {
  switch (settings.mode) {
    case "run":
      return steps.flatMap(({ unitTest }) => unitTest?.command ?? []);
    case "orchestrate":
      return board ? boardCommands(tasksOf(board.plan)) : [];
    case "chat":
      return settings.checks;
    case "supervise":
    case "analyze":
      return baseCommands(settings).map(({ command }) => command);
  }
}

function weaknesses(
  cwd: string,
  commit: string | null,
  { ignored }: Surroundings,
  { machine, rooms }: RunContext,
): readonly Weakness[] {
  const isRepository = topLevel(cwd) !== undefined;
  return [
    ...(isRepository ? [] : (["no_git"] as const)),
    ...(isRepository && commit === null ? (["no_commit"] as const) : []),
    ...(rooms.kind === "overlay" ? [] : (["no_overlay"] as const)),
    ...(ignored === null ? (["ignored_unknown"] as const) : []),
    ...(isBestEffort(machine.container.level) ? (["best_effort"] as const) : []),
  ];
}

/** What was kept of trees that nothing is held against any more, each of which may be as large as the tree. What tests showed stays. */
export function forgetBase(
  { paths }: Pick<RunContext, "paths">,
  ...but: readonly (BaseTaken | null | undefined)[]
): void {
  const dir = join(paths.dir, "base");
  const needed = new Set(but.map((taken) => taken && basename(dirname(taken.listing.path))));
  try {
    for (const name of fs.readdirSync(dir))
      if (/^\d+$/.test(name) && !needed.has(name))
        fs.rmSync(join(dir, name), { recursive: true, force: true });
  } catch {
    // There was none, or it stays: that changes nothing about how the run comes out.
  }
}
