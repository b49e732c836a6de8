import fs from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { globMatcher } from "../../text/globs.ts";
import { outcomeOf } from "../../core/end.ts";
import { Failure } from "../../platform/failure.ts";
import type { Artifact } from "../../platform/process/process-end.ts";
import type { BaseTaken, InheritedFile } from "../../core/evidence/event.ts";
import { isForemanConfig } from "../protected/test-paths.ts";
import { isOutdated } from "../held.ts";
import type { Settings } from "../../core/settings.ts";
import type { RunState } from "../../core/state.ts";
import { readPlainFile } from "../../platform/files/read-file.ts";

import type { RunPaths } from "../../core/journal/run-store.ts";
import { shellWord } from "../../text/shell-quote.ts";
import { writeKept } from "../../platform/git/kept-file.ts";
import { openPack, readPacked, writePack } from "../../platform/git/pack.ts";
import type { Entry } from "../../platform/git/read-entry.ts";
import { entriesOfCommit } from "../../platform/git/commit-files.ts";
import { forgetBase, knownBase, startBase, takeBase, type Inherited } from "./base.ts";
import { comparedWith } from "../checks/candidate.ts";
import { noLongerIgnored } from "./ignored-files.ts";
import type { EvidenceContext } from "../checks/evidence-context.ts";
import { treeFiles, type TreeFiles } from "./tree-files.ts";

/** A protected file that an unaccepted run changed. */
interface LeftFile extends InheritedFile {
  /** The run's version; null if the file is gone. */
  readonly left: string | null;
  /** The entry in HEAD at that time; null if none. A different entry later means that the file was committed. */
  readonly head: string | null;
}

/** Kept in the directory of a run after its base is removed. */
interface Left {
  /** The number of turns: without a new one the run has changed nothing since. */
  readonly turns: number;
  /** The working directory of the run's commands, below the root of the tree. */
  readonly folder: string;
  readonly files: readonly LeftFile[];
  /** The original versions of files that were not added. */
  readonly pack: Artifact;
}

/** Notes what a run that ends or stops leaves for the next run in this tree. Then removes the base of an ended run. */
export function leaveTree(state: RunState, context: EvidenceContext): void {
  try {
    if (state.base && keepsTests(state)) keepLeft(state, context);
  } catch (error) {
    // The tree may be gone, or the disk full. Then the base stays, and the next run compares the tree with it.
    if (error instanceof Failure) return;
    throw error;
  }
  if (state.ended) forgetBase(context);
}

function keepLeft(state: RunState, context: EvidenceContext): void {
  const { paths } = context;
  const before = readLeft(paths);
  // If written again, it would look like the latest work in this tree.
  if (before?.turns === state.turns && (before.files.length === 0 || !isAccepted(state))) return;
  const changes = isAccepted(state) ? [] : changesSince(state, context, treeFiles(state.settings, context));
  writeLeft(state, paths, changes);
}

function isAccepted(state: RunState): boolean {
  const status = outcomeOf(state)?.status;
  return status === "passed" || status === "manually_passed";
}

/** In a conversation the person decides about the tests. */
function keepsTests({ settings, mode }: RunState): boolean {
  return settings.room !== null && mode.testsDecide;
}

interface Change {
  readonly file: LeftFile;
  readonly original: Entry | null;
}

/** The protected files that differ from the run's base. After an accepted attempt there are none, because the tree is the accepted one. */
function changesSince(
  state: RunState,
  context: Pick<EvidenceContext, "rooms">,
  now: TreeFiles,
): readonly Change[] {
  if (isOutdated(state)) return [];
  const base = knownBase(state, context);
  const isAllowed = globMatcher(state.settings.room?.allow ?? []);
  const changed = comparedWith(base, now, noLongerIgnored(base, now)).filter(
    // A file that was too large to keep has no original to restore.
    ({ path, change, laid }) => change && !isAllowed(path) && (laid !== null || !base.files.has(path)),
  );
  if (changed.length === 0) return [];
  const head = entriesOfCommit(now.root, "HEAD");
  const start = startBase(state, context);
  return changed.map(({ path, laid }) => {
    const left = now.files.get(path) ?? null;
    const found = state.base?.taken.inherited.some.find((file) => file.path === path && file.found === left);
    const from = found ?? {
      path,
      runId: state.runId,
      // After an accepted step the original is that step's version, and `restore` goes back to the start of the run.
      restores: base.files.has(path)
        ? start?.files.get(path) === base.files.get(path)
        : start?.pack.entries.has(path) === true,
      added: laid === null,
      found: null,
    };
    return { file: { ...from, left, head: head.get(path) ?? null }, original: laid };
  });
}

function leftPath({ dir }: Pick<RunPaths, "dir">): string {
  return join(dir, "left.json");
}

function writeLeft(state: RunState, paths: RunPaths, changes: readonly Change[]): Left {
  const originals = new Map(
    changes.flatMap(({ file, original }) => (original ? [[file.path, original]] : [])),
  );
  const left: Left = {
    turns: state.turns,
    folder: state.base?.taken.folder ?? "",
    files: changes.map(({ file }) => file),
    pack: writePack(join(paths.dir, "left.pack"), "", [...originals.keys()], undefined, originals).kept,
  };
  writeKept(leftPath(paths), (append) => append(Buffer.from(JSON.stringify(left))));
  return left;
}

function readLeft(paths: Pick<RunPaths, "dir">): Left | null {
  try {
    return JSON.parse(readPlainFile(leftPath(paths)).toString("utf8")) as Left;
  } catch {
    return null;
  }
}

/**
 * Takes the base of a run. Protected files still as an unaccepted run left them come from that run's base. Otherwise a rejected change of a
 * test would become the next run's standard.
 */
export function takeOriginalBase(state: RunState, context: EvidenceContext): BaseTaken {
  const now = treeFiles(state.settings, context);
  const wanted = keepsTests(state) && !state.settings.room?.acceptTree && !isOutdated(state);
  return takeBase(state, context, now, wanted ? inheritedFrom(context, now) : []);
}

/** Refuses to start with the configuration of an unaccepted run, because it would decide which tests judge this run. */
export function refuseLeftConfig(settings: Settings, context: EvidenceContext): void {
  const { room, cwd } = settings;
  if (!context.mode.rules.testsDecide || room?.acceptTree === true) return;
  const snapshot = context.tree.snapshot();
  if (!snapshot) return;
  const now = treeFiles(settings, context, snapshot);
  const left = inheritedFrom(context, now).find((file) => isForemanConfig(file.path));
  if (!left) return;
  const path = relative(cwd, join(now.root, left.path));
  const wayOut = left.added ? "rm" : `agent-foreman restore ${left.runId}`;
  throw new Failure("config_left_changed", {
    runId: left.runId,
    path,
    command: left.added || left.restores ? `${wayOut} ${shellWord(path)}` : "",
  });
}

function inheritedFrom(context: EvidenceContext, now: TreeFiles): readonly Inherited[] {
  const left = lastLeft(context, now);
  const pack = left && left.files.length > 0 ? openPack(left.pack) : null;
  if (!left || !pack) return [];
  const head = entriesOfCommit(now.root, "HEAD");
  return left.files.flatMap(({ left: was, head: then, ...file }) => {
    const isUntouched = (now.files.get(file.path) ?? null) === was && (head.get(file.path) ?? null) === then;
    const original = file.added ? null : readPacked(pack, file.path);
    return isUntouched && (file.added || original) ? [{ ...file, found: was, original }] : [];
  });
}

/** From the last run in this tree. Its own base includes the originals of earlier runs. */
function lastLeft(context: EvidenceContext, now: TreeFiles): Left | null {
  const { store } = context;
  const own = basename(context.paths.dir);
  const runs = store
    .startedWith(({ runId, settings }) => runId !== own && settings.room !== null)
    .map(({ runId, settings }) => ({
      paths: store.paths(runId),
      runId,
      folder: relative(now.root, settings.cwd),
    }))
    .filter(({ folder }) => folder !== ".." && !folder.startsWith(`..${sep}`))
    .toSorted((a, b) => lastWorkMs(b.paths) - lastWorkMs(a.paths));
  for (const { runId, paths, folder } of runs) {
    const left = readLeft(paths) ?? leftByKilled(runId, paths, context, now);
    if (left?.folder === folder) return left;
  }
  return null;
}

function lastWorkMs(paths: RunPaths): number {
  const stat = [leftPath(paths), paths.journal].flatMap(
    (path) => fs.statSync(path, { throwIfNoEntry: false }) ?? [],
  );
  return stat[0]?.mtimeMs ?? 0;
}

/** A killed run could not record how it left the tree. So all differences from its base count as its changes, except files committed since. */
function leftByKilled(runId: string, paths: RunPaths, context: EvidenceContext, now: TreeFiles): Left | null {
  try {
    const { state } = context.store.read(runId);
    if (
      !state.base ||
      !keepsTests(state) ||
      relative(now.root, state.settings.cwd) !== state.base.taken.folder
    )
      return null;
    const rooms = { ...context.rooms, base: null, seen: null };
    const changes = isAccepted(state) ? [] : changesSince(state, { rooms }, now);
    const then = entriesOfCommit(now.root, changes.length > 0 ? state.base.taken.commit : null);
    const isCommitted = ({ file }: Change): boolean => file.head !== (then.get(file.path) ?? null);
    return writeLeft(
      state,
      paths,
      changes.filter((change) => !isCommitted(change)),
    );
  } catch (error) {
    // Nothing is known about a damaged run.
    if (error instanceof Failure) return null;
    throw error;
  }
}
