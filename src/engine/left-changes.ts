import fs from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { globMatcher } from "../domain/board/globs.ts";
import { outcomeOf } from "../domain/end.ts";
import { Failure } from "../domain/failure.ts";
import type { RunStarted } from "../domain/event.ts";
import type { Captured } from "../domain/process-end.ts";
import type { BaseTaken, InheritedFile } from "../domain/room/event.ts";
import { isForemanConfig } from "../domain/oracle/names.ts";
import { isOutdated } from "../domain/room/held.ts";
import type { Settings } from "../domain/settings.ts";
import type { RunState } from "../domain/state.ts";
import { readPlainFile } from "../files/read-file.ts";
import { readJournal } from "../journal/read.ts";
import { RunStore, type RunPaths } from "../journal/run-store.ts";
import { shellWord } from "../reports/shell-command.ts";
import { writeKept } from "../workspace/base/kept-file.ts";
import { openPack, readPacked, writePack } from "../workspace/base/pack.ts";
import type { Entry } from "../workspace/base/read-entry.ts";
import { entriesOfCommit } from "../workspace/commit-files.ts";
import { forgetBase, knownBase, startBase, takeBase, type Inherited } from "./base.ts";
import { comparedWith } from "./candidate.ts";
import { noLongerIgnored } from "./ignored-files.ts";
import type { RunContext } from "./ports.ts";
import { treeFiles, type TreeFiles } from "./tree-files.ts";

/** A protected file that a run changed and was not accepted with. */
interface LeftFile extends InheritedFile {
  /** As the run left it; null: not there. */
  readonly left: string | null;
  /** What HEAD had at this path then; null: nothing. Another entry later is a commit of the file. */
  readonly head: string | null;
}

/** Kept in the directory of a run, after its base is gone. */
interface Left {
  /** How many turns there were: without a new one the run has changed nothing since. */
  readonly turns: number;
  /** Where the run's commands ran, below the root of the tree. */
  readonly folder: string;
  readonly files: readonly LeftFile[];
  /** The original versions of those that were not added. */
  readonly pack: Captured;
}

/** What a run that ends or stops leaves for the next run in this tree; then the base of an ended one is removed. */
export function leaveTree(state: RunState, context: RunContext): void {
  try {
    if (state.base && keepsTests(state)) keepLeft(state, context);
  } catch (error) {
    // The tree may be gone, or the disk full: the base stays, and the next run compares the tree with that.
    if (error instanceof Failure) return;
    throw error;
  }
  if (state.ended) forgetBase(context);
}

function keepLeft(state: RunState, context: RunContext): void {
  const { paths } = context;
  const before = readLeft(paths);
  // Written again it would be taken for the last work in this tree.
  if (before?.turns === state.turns && (before.files.length === 0 || !isAccepted(state))) return;
  const changes = isAccepted(state) ? [] : changesSince(state, context, treeFiles(state.settings, context));
  writeLeft(state, paths, changes);
}

function isAccepted(state: RunState): boolean {
  const status = outcomeOf(state)?.status;
  return status === "passed" || status === "manually_passed";
}

/** Modes in which the tests of the base decide. In a conversation the person says what becomes of the tests. */
function keepsTests({ settings }: Pick<RunStarted, "settings">): boolean {
  return settings.room !== null && settings.mode !== "chat" && settings.mode !== "analyze";
}

interface Change {
  readonly file: LeftFile;
  readonly original: Entry | null;
}

/** The protected files that are not as on the run's base. After an accepted attempt there are none: the tree is what was accepted. */
function changesSince(
  state: RunState,
  context: Pick<RunContext, "rooms">,
  now: TreeFiles,
): readonly Change[] {
  if (isOutdated(state)) return [];
  const base = knownBase(state, context);
  const isAllowed = globMatcher(state.settings.room?.allow ?? []);
  const changed = comparedWith(base, now, noLongerIgnored(base, now)).filter(
    // A file that was too large to be kept has no original that could be put in its place.
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
      // After an accepted step the original is that step's, and `restore` goes back to the start of the run.
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
 * Takes the base of a run. Protected files that are still as an unaccepted run left them are taken from that run's base: otherwise a
 * rejected change of a test would become the next run's standard.
 */
export function takeOriginalBase(state: RunState, context: RunContext): BaseTaken {
  const now = treeFiles(state.settings, context);
  const wanted = keepsTests(state) && !state.settings.room?.acceptTree && !isOutdated(state);
  return takeBase(state, context, now, wanted ? inheritedFrom(context, now) : []);
}

/** Refuses to start with the configuration that an unaccepted run left: it would decide which tests judge this run. */
export function refuseLeftConfig(settings: Settings, context: RunContext): void {
  const { mode, room, cwd } = settings;
  if (mode === "chat" || mode === "analyze" || room?.acceptTree === true) return;
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

function inheritedFrom(context: RunContext, now: TreeFiles): readonly Inherited[] {
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

/** Of the run that worked in this tree last. Its own base had the originals of the runs before it. */
function lastLeft(context: RunContext, now: TreeFiles): Left | null {
  const store = new RunStore(dirname(dirname(context.paths.dir)));
  const own = basename(context.paths.dir);
  const runs = store
    .startedWith((started) => started.runId !== own && keepsTests(started))
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

/**
 * A killed run could not say how it left the tree. So all that differs from its base is taken for its doing, but for files that were
 * committed since.
 */
function leftByKilled(runId: string, paths: RunPaths, context: RunContext, now: TreeFiles): Left | null {
  try {
    const { state } = readJournal(paths.journal, runId);
    if (!state.base || relative(now.root, state.settings.cwd) !== state.base.taken.folder) return null;
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
    // Of a damaged run nothing is known.
    if (error instanceof Failure) return null;
    throw error;
  }
}
