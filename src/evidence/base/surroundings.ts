import type fs from "node:fs";
import { relative } from "node:path";
import type { Artifact } from "../../platform/process/process-end.ts";
import { changedAbove, stampsAbove } from "./above.ts";
import { digestAt, withContents, withScripts } from "./contents.ts";
import { foldersOf, newEntries, unlistedEntries } from "./folders.ts";
import { hiddenPaths, type Dated } from "./hidden-paths.ts";
import { changedPrograms, pathOf, programStamps } from "./programs.ts";
import { readStamps, writeStamps } from "./stamp-file.ts";
import { DIRECTORY, ignoredStamps, type Stamps } from "../../platform/git/stamps.ts";
import { lookAt } from "../room/surface.ts";
import { isSameMap } from "../../platform/git/tree.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import type { EvidenceContext } from "../checks/evidence-context.ts";
import type { BaseSurroundings, KnownBase, PersonsWork, Surroundings, TimesInRoom } from "../checks/rooms.ts";

type Around = Pick<EvidenceContext, "tree"> & { readonly paths: Pick<EvidenceContext["paths"], "dir"> };

/** Of a readable tree. */
export interface SurroundingsNow extends Surroundings {
  readonly root: string;
}

/** The last surroundings of each tree. */
const lastSeen = new WeakMap<Around["tree"], SurroundingsNow>();

/** Call this after the tree was read, because it lists what git ignores. Returns the previous object if nothing has changed. */
export function surroundingsNow(
  root: string,
  context: Around,
  before?: Pick<Surroundings, "programs">,
): SurroundingsNow {
  const now = lookAround(root, context, before);
  const last = lastSeen.get(context.tree);
  const isSame = last?.root === root && KINDS.every((kind) => isSameStamps(last[kind], now[kind]));
  if (isSame) return last;
  lastSeen.set(context.tree, now);
  return now;
}

const KINDS = ["ignored", "unlisted", "above", "programs"] as const;

function isSameStamps(last: Stamps | null, now: Stamps | null): boolean {
  return last === now || (last !== null && now !== null && isSameMap(last, now));
}

function lookAround(
  root: string,
  { paths, tree }: Around,
  before: Pick<Surroundings, "programs"> | undefined,
): SurroundingsNow {
  const leftOut = [relative(root, paths.dir)];
  const ignored = ignoredStamps(root, { ...tree.ignoring, leftOut });
  const files = tree.last?.files ?? new Map<string, string>();
  return {
    root,
    ignored,
    unlisted: ignored && unlistedEntries(root, { files, ignored, leftOut: [...leftOut, ...tree.leftOut] }),
    above: stampsAbove(root),
    // A resumed run may have another PATH that no agent changed. So the base's directories are compared.
    programs: programStamps(before ? pathOf(before.programs) : (process.env["PATH"] ?? ""), root),
  };
}

export const NOTHING_OWN: PersonsWork = { uncommitted: new Map(), git: new Map() };

/** Adds what later shows whether a file was only rewritten, and when files of the tree were written. */
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

export function keepSurroundings(path: string, { written, ...stamps }: BaseSurroundings): Artifact {
  const times = [...written].map(([file, seconds]) => [file, String(seconds)] as const);
  return writeStamps(path, { ...stamps, written: new Map(times) });
}

/** Null if the file was modified. */
export function readSurroundings(kept: Artifact): BaseSurroundings | null {
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
  /** The hidden paths that are relevant to a person or an agent. */
  readonly shownHidden: readonly string[];
  /** Files where only the time changed, with their earlier time. */
  readonly renewed: readonly Dated[];
  /** Changed programs, and changed settings and dependencies above the tree. */
  readonly programs: readonly string[];
  /** Facts known about the base are unknown now: more may need hiding than is listed. */
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
    shownHidden: hidden,
    renewed,
    programs: changedOutside(before, now),
    isUnknown: isLost(before.ignored, now.ignored) || isLost(before.unlisted, now.unlisted),
  };
}

function isLost(before: Stamps | null, now: Stamps | null): boolean {
  return before !== null && now === null;
}

/** Whether the path was a folder with any content. Called for few paths. */
function foldersBefore({ ignored, unlisted, written }: BaseSurroundings): (path: string) => boolean {
  let held: ReadonlySet<string> | undefined;
  return (path) =>
    unlisted?.get(path) === DIRECTORY ||
    ignored?.get(path) === DIRECTORY ||
    (held ??= foldersOf(written.keys())).has(path);
}

/** Looks outside the tree only, which is less than a tenth of the work. */
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
 * Build tools compare file times, which any program can set. An outdated build would then look new. So a file that matches the base gets its
 * time there, and any other one a time after the base.
 */
export function timesInRoom(
  root: string,
  files: ReadonlyMap<string, string>,
  base: Pick<KnownBase, "files" | "pack" | "surroundings">,
): TimesInRoom {
  const touched: string[] = [];
  const dated: Dated[] = [];
  // The time of the base: the one file time that no program can set back.
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

/** Ignored files except the hidden ones. */
export function besides(
  { ignored }: Pick<Surroundings, "ignored">,
  hidden: readonly string[],
): readonly string[] {
  const gone = new Set(hidden);
  const isGone = (path: string): boolean =>
    gone.has(path) || (path.includes("/") && isGone(path.slice(0, path.lastIndexOf("/"))));
  return [...(ignored ?? [])].flatMap(([path, stamp]) => (stamp === DIRECTORY || isGone(path) ? [] : [path]));
}
