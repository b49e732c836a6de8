import fs from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isBestEffort } from "../../core/event.ts";
import { Failure } from "../../platform/failure.ts";
import type { BaseTaken, InheritedFile, Weakness } from "../../core/evidence/event.ts";
import type { RunState } from "../../core/state.ts";
import { NOT_DECLARED } from "../protected/declared.ts";
import { worthKeeping } from "./contents.ts";
import { openPack, readPacked, writePack } from "../../platform/git/pack.ts";
import { describeEntry, readEntry, type Entry } from "../../platform/git/read-entry.ts";
import { topLevel } from "../../platform/git/git.ts";
import { headCommitIn } from "../../platform/git/tree-repository.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import { takeCaches } from "./compiler-caches.ts";
import { LARGEST_TEXT, type Standing } from "./compare-entry.ts";
import { writeArtifact, makeKeptDirectory } from "../../platform/files/artifact.ts";
import type { EvidenceContext } from "../checks/evidence-context.ts";
import { personsWork } from "./persons-work.ts";
import type { KnownBase, StartBase, Surroundings } from "../checks/rooms.ts";
import type { TreeFiles } from "./tree-files.ts";
import { protectedDigest, protectedFilesOfTree } from "./tree-protected.ts";
import { readKept } from "../../platform/files/kept.ts";
import { baseSurroundings, keepSurroundings, NOTHING_OWN, readSurroundings } from "./surroundings.ts";

/** A protected file whose original version replaces the one in the tree; null: it did not exist. */
export interface Inherited extends InheritedFile {
  readonly original: Entry | null;
}

/** Keeps everything needed to compare later trees with this one, out of the agent's reach. */
export function takeBase(
  state: RunState,
  context: EvidenceContext,
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
    declared: settings.room ?? NOT_DECLARED,
  };
  const protectedFiles = protectedFilesOfTree(judged);
  const isProtected = (path: string): boolean => protectedFiles.kindOf(path) !== null || read.has(path);
  const paths = [...files.keys()];
  const commit = headCommitIn(root, settings.cwd);
  const isFirst = state.attempts.length === 0 && isRepository;
  const person = isFirst ? personsWork(root, files, commit, context) : NOTHING_OWN;
  const surroundings = baseSurroundings(root, paths, context, person);
  // Protected files come first, because the space is limited.
  const inOrder = [
    ...paths.filter(isProtected),
    ...worthKeeping(surroundings.ignored ?? new Map()),
    ...paths.filter((path) => !isProtected(path) && person.uncommitted.has(path)),
    ...paths.filter((path) => !isProtected(path) && !person.uncommitted.has(path)),
  ];
  const kept = new Map([...originals].flatMap(([path, original]) => (original ? [[path, original]] : [])));
  const pack = writePack(join(dir, "pack"), root, inOrder, undefined, kept);
  context.rooms.base = { tree: sha256, files, commands: judged.commands, protectedFiles, pack, surroundings };
  return {
    type: "base_taken",
    tree: sha256,
    files: files.size,
    folder: judged.folder,
    leftOut,
    commit,
    isRepository,
    protected: protectedDigest(protectedFiles, files),
    listing: writeArtifact(join(dir, "files"), JSON.stringify([...files])),
    pack: pack.kept,
    stamps: keepSurroundings(join(dir, "stamps"), surroundings),
    room: context.rooms.kind,
    weak: weaknesses(isRepository || topLevel(settings.cwd) !== undefined, commit, surroundings, context),
    inherited: {
      count: inherited.length,
      some: inherited
        .slice(0, MOST_NAMED)
        .map(({ path, runId, restores, added, found }) => ({ path, runId, restores, added, found })),
    },
  };
}

/** Thousands of names do not belong in a journal. */
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

/** The base named in the journal. Reads the stored one if another process took it or commands were added since. */
export function knownBase(state: RunState, context: Pick<EvidenceContext, "rooms">): KnownBase {
  const taken = state.base?.taken;
  if (!taken) throw new Error("there is no base");
  const commands = commandsOf(state);
  const last = context.rooms.base;
  const isSame = last?.tree === taken.tree;
  if (isSame && isDeepStrictEqual(last.commands, commands)) return last;
  const { files, pack, surroundings } = isSame ? last : readBase(taken);
  const entryAt = (path: string): Standing => (files.has(path) ? (readPacked(pack, path) ?? "unread") : null);
  const declared = state.settings.room ?? NOT_DECLARED;
  const protectedFiles = protectedFilesOfTree({ files, entryAt, commands, folder: taken.folder, declared });
  context.rooms.base = { tree: taken.tree, files, commands, protectedFiles, pack, surroundings };
  return context.rooms.base;
}

/** Null: the run has no base, or its files are gone. */
export function startBase(
  state: RunState,
  { rooms }: { readonly rooms: Pick<EvidenceContext["rooms"], "base" | "start"> },
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

/** All known commands that may check the work, and the set-up. */
function commandsOf(state: RunState): readonly string[] {
  const { setup = null } = state.settings.room ?? {};
  return [...(setup === null ? [] : [setup]), ...state.mode.testCommands(state, state.settings)];
}

function weaknesses(
  isRepository: boolean,
  commit: string | null,
  { ignored }: Surroundings,
  { machine, rooms }: EvidenceContext,
): readonly Weakness[] {
  return [
    ...(isRepository ? [] : (["no_git"] as const)),
    ...(isRepository && commit === null ? (["no_commit"] as const) : []),
    ...(rooms.kind === "overlay" ? [] : (["no_overlay"] as const)),
    ...(ignored === null ? (["ignored_unknown"] as const) : []),
    ...(isBestEffort(machine.container.level) ? (["best_effort"] as const) : []),
  ];
}

/** Removes stored trees that are no longer compared; each may be as large as the work tree. Test results stay. */
export function forgetBase(
  { paths }: Pick<EvidenceContext, "paths">,
  ...but: readonly (BaseTaken | null | undefined)[]
): void {
  const dir = join(paths.dir, "base");
  const needed = new Set(but.map((taken) => taken && basename(dirname(taken.listing.path))));
  try {
    for (const name of fs.readdirSync(dir))
      if (/^\d+$/.test(name) && !needed.has(name))
        fs.rmSync(join(dir, name), { recursive: true, force: true });
  } catch {
    // Missing or undeletable: neither changes the result of the run.
  }
}
