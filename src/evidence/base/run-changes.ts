import { join } from "node:path";
import type { RunEvent } from "../../core/event.ts";
import { Failure } from "../../platform/failure.ts";
import type {
  ChangeCounts,
  KeptChanges,
  LostFile,
  LostFiles,
  RunChanges,
} from "../../core/evidence/changes.ts";
import { canBeAmong } from "../../text/secret.ts";
import type { RunState } from "../../core/state.ts";
import { LARGEST_PACKED, openPack, packFrom, readPacked, type Pack } from "../../platform/git/pack.ts";
import { keptFrom, writeKept } from "../../platform/git/kept-file.ts";
import { describeEntry, readEntry } from "../../platform/git/read-entry.ts";
import { readStamp } from "../../platform/git/stamps.ts";
import { changedSettings, gitSettings } from "../../platform/git/git-settings.ts";
import { treeDiff, type FileChange, type FileDiff } from "../../platform/git/tree-diff.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import { startBase } from "./base.ts";
import { writeArtifact, makeKeptDirectory } from "../../platform/files/artifact.ts";
import { lostFiles } from "./persons-work.ts";
import type { EvidenceContext } from "../checks/evidence-context.ts";
import type { StartBase } from "../checks/rooms.ts";
import { changedProgramsNow } from "./surroundings.ts";
import { treeFiles, type TreeFiles } from "./tree-files.ts";

/** An agent that deletes thousands of files must not fill the journal with their names. */
const MOST_NAMES = 200;

/** A file that the run changed or deleted. */
export interface ChangedFile {
  readonly path: string;
  /** Whether it existed before the run. */
  readonly was: boolean;
  /** The current kind and digest; null if the file is gone. */
  readonly left: string | null;
  /** Permissions to restore; null: those of any new file. */
  readonly mode: number | null;
  readonly lost: boolean;
}

/** The files that a run changed, with their earlier versions. */
export interface ChangedFiles {
  readonly files: readonly ChangedFile[];
  readonly pack: Pack;
}

export type FileStat = Omit<FileDiff, "bytes">;

interface Compared extends ChangedFiles {
  readonly start: StartBase;
  readonly now: TreeFiles;
  readonly lost: readonly LostFile[];
}

type Looking = Pick<EvidenceContext, "tree" | "mode"> & {
  readonly rooms: Pick<EvidenceContext["rooms"], "base" | "start">;
};

/** Compares the tree with the one before the first turn; null: the run has no base. */
export function compareWithStart(state: RunState, context: Looking): Compared | null {
  const start = startBase(state, context);
  if (!start) return null;
  const now = treeFiles(state.settings, context);
  const lost = lostNow(state, start, now);
  const isLost = new Set(lost.map(({ path }) => path));
  const paths = new Set([...start.files.keys(), ...now.files.keys()]);
  const found = new Map(state.startBase?.inherited.some.map((file) => [file.path, file.found]));
  const changed = [...paths].filter((path) => {
    const is = now.files.get(path);
    return before(start, path) !== is && found.get(path) !== (is ?? null);
  });
  const all = new Set([...isLost, ...changed.sort()]);
  const ignoredNow = (path: string): string | null => {
    const entry = start.files.has(path) ? null : readEntry(placeOf(now.root, path), LARGEST_PACKED);
    return entry && describeEntry(entry);
  };
  const files = [...all].map((path) => ({
    path,
    was: before(start, path) !== undefined,
    left: now.files.get(path) ?? ignoredNow(path),
    mode: modeOf(start, path),
    lost: isLost.has(path),
  }));
  return { files, pack: start.pack, start, now, lost };
}

/** A formerly ignored file may count now; its earlier content is in the pack. */
function before({ files, pack }: StartBase, path: string): string | undefined {
  const entry = pack.entries.get(path);
  return files.get(path) ?? (entry && `${entry.kind} ${entry.sha256}`);
}

/** The person's losses, now or after an earlier turn. */
export function lostNow(state: RunState, start: StartBase, now: TreeFiles): readonly LostFile[] {
  if (state.startBase?.isRepository !== true) return [];
  const earlier = state.attempts
    .flatMap(({ candidate }) => candidate?.taken.lost?.some ?? [])
    .map(({ path }) => path);
  return lostFiles(start, now, (path) => canBeAmong(earlier, path));
}

/** Ignored files may hold secrets, so they get their old permissions. */
function modeOf({ files, surroundings: { ignored } }: StartBase, path: string): number | null {
  const stamp = files.has(path) ? undefined : ignored?.get(path);
  return stamp === undefined ? null : readStamp(stamp).mode & 0o777;
}

export function lostOf(lost: readonly LostFile[]): LostFiles {
  return { count: lost.length, some: lost.slice(0, MOST_NAMES) };
}

/** Adds the run's changes to its last event. A failure here does not change how the run ends. */
export function withChanges(event: RunEvent, context: EvidenceContext): RunEvent {
  if (event.type !== "run_ended" && event.type !== "run_stopped") return event;
  const counted = (isLast: boolean): RunChanges | null =>
    nullIfFailed(() => changesOf(context.journal.state, context, isLast));
  // On a full disk the diff cannot be kept, but the files can still be counted.
  const changes = counted(event.type === "run_ended") ?? counted(false);
  return changes ? { ...event, changes } : event;
}

function nullIfFailed<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

function changesOf(state: RunState, context: EvidenceContext, isLast: boolean): RunChanges | null {
  const compared = compareWithStart(state, context);
  if (!compared) return null;
  const { now, lost, start } = compared;
  const dir = join(context.paths.dir, "base", "changed");
  if (isLast) makeKeptDirectory(dir);
  const stats: FileStat[] = [];
  const writeDiffs = (append: (bytes: Buffer) => void): void => {
    for (const { bytes, ...stat } of diffsOf(compared)) {
      append(bytes);
      stats.push(stat);
    }
  };
  const diff = isLast ? writeKept(join(dir, "diff"), writeDiffs) : null;
  if (!diff) writeDiffs(() => {});
  return {
    ...countsOf(stats),
    lost: lostOf(lost),
    outside: outsideOf(start, now).slice(0, MOST_NAMES),
    kept: diff && { diff, ...keepFiles(dir, compared, stats) },
  };
}

function outsideOf({ surroundings }: StartBase, { root, isRepository }: TreeFiles): readonly string[] {
  const settings = isRepository ? changedSettings(surroundings.git, gitSettings(root)) : [];
  return [...settings, ...changedProgramsNow(surroundings, root)];
}

export function countsOf(stats: readonly FileStat[]): ChangeCounts {
  const sum = (count: (stat: FileStat) => number): number =>
    stats.reduce((all, each) => all + count(each), 0);
  return {
    files: stats.length,
    added: sum(({ added }) => (added ? 1 : 0)),
    deleted: sum(({ deleted }) => (deleted ? 1 : 0)),
    insertions: sum(({ insertions }) => insertions),
    deletions: sum(({ deletions }) => deletions),
  };
}

function keepFiles(
  dir: string,
  { files, pack }: ChangedFiles,
  stats: readonly FileStat[],
): Omit<KeptChanges, "diff"> {
  const earlier = files.filter(({ was }) => was).map(({ path }) => path);
  const listing: Listing = { files, stats };
  return {
    pack: packFrom(join(dir, "pack"), pack, earlier).kept,
    listing: writeArtifact(join(dir, "files"), JSON.stringify(listing)),
  };
}

interface Listing {
  readonly files: readonly ChangedFile[];
  readonly stats: readonly FileStat[];
}

export interface RunDiff {
  readonly stats: readonly FileStat[];
  readonly bytes: Buffer;
}

/** The changes kept at the end of the run; null if none were. Throws if the file was modified. */
export function keptFiles({ changes }: RunState): ChangedFiles | null {
  if (!changes?.kept) return null;
  const { files } = readListing(changes.kept);
  const pack = openPack(changes.kept.pack);
  if (!pack) throw new Failure("base_changed", { path: changes.kept.pack.path });
  return { files, pack };
}

export function keptDiff({ changes }: RunState): RunDiff | null {
  if (!changes?.kept) return null;
  const { stats } = readListing(changes.kept);
  const bytes = keptFrom(changes.kept.diff, 0);
  if (!bytes) throw new Failure("base_changed", { path: changes.kept.diff.path });
  return { stats, bytes };
}

function readListing({ listing }: KeptChanges): Listing {
  const text = keptFrom(listing, 0);
  if (!text) throw new Failure("base_changed", { path: listing.path });
  return JSON.parse(text.toString()) as Listing;
}

/** Leaves out ignored files: they may hold secrets, and git shows them in no diff either. */
export function diffsOf({ files, pack, now }: Compared): Iterable<FileDiff> {
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return treeDiff(changesIn(inOrder, pack, now));
}

function* changesIn(
  files: readonly ChangedFile[],
  pack: Pack,
  { root, files: listed }: TreeFiles,
): Generator<FileChange> {
  for (const { path, was, left, mode } of files) {
    if (mode !== null && !listed.has(path)) continue;
    yield {
      path,
      before: was ? (readPacked(pack, path) ?? "unknown") : null,
      after: left === null ? null : (readEntry(placeOf(root, path), LARGEST_PACKED) ?? "unknown"),
    };
  }
}
