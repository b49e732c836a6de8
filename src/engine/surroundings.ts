import type fs from "node:fs";
import { relative } from "node:path";
import type { Captured } from "../domain/process-end.ts";
import { changedAbove, stampsAbove } from "../workspace/base/above.ts";
import { digestAt, withContents, withScripts } from "../workspace/base/contents.ts";
import { foldersOf, newEntries, unlistedEntries } from "../workspace/base/folders.ts";
import { hiddenPaths, type Dated } from "../workspace/base/hidden-paths.ts";
import { changedPrograms, pathOf, programStamps } from "../workspace/base/programs.ts";
import { readStamps, writeStamps } from "../workspace/base/stamp-file.ts";
import { DIRECTORY, ignoredStamps, type Stamps } from "../workspace/base/stamps.ts";
import { lookAt } from "../workspace/room/surface.ts";
import { placeOf } from "../workspace/tree-path.ts";
import type { RunContext } from "./ports.ts";
import type { BaseSurroundings, KnownBase, PersonsWork, Surroundings, TimesInRoom } from "./rooms.ts";

type Around = Pick<RunContext, "tree"> & { readonly paths: Pick<RunContext["paths"], "dir"> };

/** Of a tree that can be looked at. */
export interface SurroundingsNow extends Surroundings {
  readonly root: string;
}

/** After a look at the tree, which says what of it git ignores. */
export function surroundingsNow(
  root: string,
  { paths, tree }: Around,
  before?: Pick<Surroundings, "programs">,
): SurroundingsNow {
  const leftOut = [relative(root, paths.dir)];
  const ignored = ignoredStamps(root, { ...tree.ignoring, leftOut });
  const files = tree.last?.files ?? new Map<string, string>();
  return {
    root,
    ignored,
    unlisted: ignored && unlistedEntries(root, { files, ignored, leftOut: [...leftOut, ...tree.leftOut] }),
    above: stampsAbove(root),
    // A resumed run may have another PATH, which no agent changed. So the directories of the base are compared.
    programs: programStamps(before ? pathOf(before.programs) : (process.env["PATH"] ?? ""), root),
  };
}

export const NOTHING_OWN: PersonsWork = { uncommitted: new Map(), git: new Map() };

/** With what is needed to tell later what was only written anew, and when files of the tree were written. */
export function baseSurroundings(
  root: string,
  files: Iterable<string>,
  context: Around,
  person: PersonsWork = NOTHING_OWN,
): BaseSurroundings {
  const { ignored, unlisted, above, programs } = surroundingsNow(root, context);
  return {
    unlisted,
    above: above && withContents("/", above),
    ignored: ignored && withContents(root, ignored),
    programs: withScripts(programs),
    written: writtenAt(root, files),
    ...person,
  };
}

export function keepSurroundings(path: string, { written, ...stamps }: BaseSurroundings): Captured {
  const times = [...written].map(([file, seconds]) => [file, String(seconds)] as const);
  return writeStamps(path, { ...stamps, written: new Map(times) });
}

/** Null where it is not what was kept. */
export function readSurroundings(kept: Captured): BaseSurroundings | null {
  const read = readStamps(kept);
  if (!read) return null;
  const { ignored = null, unlisted = null, above = null, programs, written, uncommitted, git } = read;
  const times = [...(written ?? [])].map(([file, seconds]) => [file, Number(seconds)] as const);
  return {
    ignored,
    unlisted,
    above,
    programs: programs ?? new Map(),
    written: new Map(times),
    uncommitted: uncommitted ?? new Map(),
    git: git ?? new Map(),
  };
}

export interface ChangedAround {
  readonly hidden: readonly string[];
  /** Of the hidden ones those that a person or an agent may want to know of. */
  readonly worthTelling: readonly string[];
  /** What is as it was but for its time, with the time that it had. */
  readonly renewed: readonly Dated[];
  /** Programs, and settings and dependencies above the tree, that are not as they were. */
  readonly programs: readonly string[];
  /** What was known of the base is not known of the tree now: there may be more to hide than is told. */
  readonly isUnknown: boolean;
}

export function changedAround(before: BaseSurroundings, now: SurroundingsNow): ChangedAround {
  const wasFolder = foldersBefore(before);
  const none = { hidden: [], caches: [], renewed: [] };
  const { hidden, caches, renewed } =
    before.ignored && now.ignored
      ? hiddenPaths(before.ignored, now.ignored, (path) => digestAt(now.root, path), wasFolder)
      : none;
  const unlisted =
    before.unlisted && now.unlisted ? newEntries(before.unlisted, now.unlisted, wasFolder) : [];
  return {
    hidden: [...hidden, ...caches, ...unlisted],
    worthTelling: hidden,
    renewed,
    programs: changedOutside(before, now),
    isUnknown: isLost(before.ignored, now.ignored) || isLost(before.unlisted, now.unlisted),
  };
}

function isLost(before: Stamps | null, now: Stamps | null): boolean {
  return before !== null && now === null;
}

/** Whether there was a folder, whatever it held. Asked for few. */
function foldersBefore({ ignored, unlisted, written }: BaseSurroundings): (path: string) => boolean {
  let held: ReadonlySet<string> | undefined;
  return (path) =>
    unlisted?.get(path) === DIRECTORY ||
    ignored?.get(path) === DIRECTORY ||
    (held ??= foldersOf(written.keys())).has(path);
}

/** What lies outside the tree alone, which is not a tenth of the work. */
export function changedProgramsNow(before: Surroundings, root: string): readonly string[] {
  const programs = programStamps(pathOf(before.programs), root);
  return changedOutside(before, { programs, above: stampsAbove(root) });
}

type Outside = Pick<Surroundings, "programs" | "above">;

function changedOutside(before: Outside, now: Outside): readonly string[] {
  const programs = changedPrograms(before.programs, now.programs, digestOutside);
  return [
    ...programs,
    ...(before.above && now.above ? changedAbove(before.above, now.above, digestOutside) : []),
  ];
}

function digestOutside(path: string): string | null {
  return digestAt("/", path);
}

/**
 * Build tools go by the times of files, and anybody can set these: what was built of something else would be taken for new. So a file
 * that is as on the base was written when it was there, and any other one after the base was taken.
 */
export function timesInRoom(
  root: string,
  files: ReadonlyMap<string, string>,
  base: Pick<KnownBase, "files" | "pack" | "surroundings">,
): TimesInRoom {
  const touched: string[] = [];
  const dated: Dated[] = [];
  // When the base was taken: the one time of a file that no program can set back.
  const takenMs = lookAt(base.pack.kept.path)?.ctimeMs ?? Infinity;
  for (const [path, file] of files) {
    const stat = lookAt(placeOf(root, path));
    if (!stat || stat.isSymbolicLink()) continue;
    const seconds = base.files.get(path) === file ? base.surroundings.written.get(path) : undefined;
    if (seconds === undefined) {
      if (stat.mtimeMs <= takenMs) touched.push(path);
    } else if (seconds !== secondsOf(stat)) dated.push({ path, seconds });
  }
  return { touched, dated };
}

function writtenAt(root: string, files: Iterable<string>): ReadonlyMap<string, number> {
  const written = new Map<string, number>();
  for (const path of files) {
    const stat = lookAt(placeOf(root, path));
    if (stat) written.set(path, secondsOf(stat));
  }
  return written;
}

function secondsOf({ mtimeMs }: fs.Stats): number {
  return mtimeMs / 1000;
}

/** The files that git ignores, but those that are hidden. */
export function besides(
  { ignored }: Pick<Surroundings, "ignored">,
  hidden: readonly string[],
): readonly string[] {
  const gone = new Set(hidden);
  const isGone = (path: string): boolean =>
    gone.has(path) || (path.includes("/") && isGone(path.slice(0, path.lastIndexOf("/"))));
  return [...(ignored ?? [])].flatMap(([path, stamp]) => (stamp === DIRECTORY || isGone(path) ? [] : [path]));
}
