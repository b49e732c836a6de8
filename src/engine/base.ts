import fs from "node:fs";
import { join, relative } from "node:path";
import { commandsOf } from "../domain/board/call.ts";
import { tasksOf } from "../domain/board/plan.ts";
import { isBestEffort } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";
import { oracleOf, type Oracle } from "../domain/oracle/oracle.ts";
import type { BaseTaken, Weakness } from "../domain/room/event.ts";
import { baseCommands } from "../domain/room/held.ts";
import type { RunState } from "../domain/state.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { openPack, readPacked, writePack } from "../workspace/base/pack.ts";
import { headCommit, topLevel } from "../workspace/git.ts";
import { digestOfFiles } from "../workspace/tree.ts";
import { keep, makeKeptDirectory } from "./keep.ts";
import type { RunContext } from "./ports.ts";
import type { KnownBase, Surroundings } from "./rooms.ts";
import { treeFiles } from "./tree-files.ts";
import { readKept } from "./turn-files.ts";
import { keepSurroundings, readSurroundings, baseSurroundings } from "./surroundings.ts";

/** A larger text configures nothing. */
const LARGEST_TEXT = 4 * 1024 * 1024;

/** Keeps what is needed to hold later trees against this one, out of the agent's way. */
export function takeBase(state: RunState, context: RunContext): BaseTaken {
  const { settings } = state;
  const { root, files, sha256, leftOut } = treeFiles(settings, context);
  const dir = join(context.paths.dir, "base", String(state.events));
  makeKeptDirectory(dir);
  const read = new Set<string>();
  const oracle = oracleIn(state, root, [...files.keys()], (path) => {
    read.add(path);
    return tryReadPlainFile(join(root, path), LARGEST_TEXT);
  });
  const isOracle = (path: string): boolean => oracle.kindOf(path) !== null || read.has(path);
  const paths = [...files.keys()];
  // What decides comes first: there is an end to how much is kept.
  const inOrder = [...paths.filter(isOracle), ...paths.filter((path) => !isOracle(path))];
  const pack = writePack(join(dir, "pack"), root, inOrder);
  const decisive = [...files].filter(([path]) => oracle.kindOf(path) !== null);
  const surroundings = baseSurroundings(root, paths, context);
  const commit = headCommit(settings.cwd);
  context.rooms.base = { tree: sha256, files, oracle, pack, surroundings };
  return {
    type: "base_taken",
    tree: sha256,
    files: files.size,
    folder: relative(root, settings.cwd),
    leftOut,
    commit,
    oracle: { files: decisive.length, sha256: digestOfFiles(new Map(decisive)) },
    listing: keep(join(dir, "files"), JSON.stringify([...files])),
    pack: pack.kept,
    stamps: keepSurroundings(join(dir, "stamps"), surroundings),
    room: context.rooms.kind,
    weak: weaknesses(settings.cwd, commit, surroundings, context),
  };
}

/** The base that the journal tells of: from what was kept, where another process took it. */
export function knownBase(state: RunState, context: RunContext): KnownBase {
  const taken = state.base?.taken;
  if (!taken) throw new Error("there is no base");
  if (context.rooms.base?.tree === taken.tree) return context.rooms.base;
  const listing = readKept(taken.listing);
  const pack = openPack(taken.pack);
  const surroundings = readSurroundings(taken.stamps);
  if (listing === undefined || !pack || !surroundings)
    throw new Failure("base_changed", { path: taken.listing.path });
  const files = new Map(JSON.parse(listing) as [string, string][]);
  const { root } = treeFiles(state.settings, context);
  const oracle = oracleIn(state, root, [...files.keys()], (path) => readPacked(pack, path)?.bytes);
  context.rooms.base = { tree: taken.tree, files, oracle, pack, surroundings };
  return context.rooms.base;
}

function oracleIn(
  state: RunState,
  root: string,
  files: readonly string[],
  read: (path: string) => Buffer | undefined,
): Oracle {
  return oracleOf({
    files,
    read: (path) => textOf(read(path)),
    commands: testCommands(state),
    cwd: relative(root, state.settings.cwd),
  });
}

/** Null where it is no text: then nothing is to be read in it. */
export function textOf(bytes: Buffer | undefined): string | null {
  if (bytes === undefined || bytes.length > LARGEST_TEXT) return null;
  const text = bytes.toString("utf8");
  return text.includes("\uFFFD") || text.includes("\0") ? null : text;
}

/** Whatever may be run to see whether the work is done, as far as it is known. */
function testCommands({ settings, board, steps }: RunState): readonly string[] {
  switch (settings.mode) {
    case "run":
      return steps.flatMap(({ unitTest }) => unitTest?.command ?? []);
    case "orchestrate":
      return board ? commandsOf(tasksOf(board.plan)) : [];
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

/** Nothing is held against it any more, and it may be as large as the tree. What its tests showed stays. */
export function forgetBase({ paths }: Pick<RunContext, "paths">): void {
  const dir = join(paths.dir, "base");
  try {
    for (const name of fs.readdirSync(dir))
      if (/^\d+$/.test(name)) fs.rmSync(join(dir, name), { recursive: true, force: true });
  } catch {
    // There was none, or it stays: that changes nothing about how the run came out.
  }
}
