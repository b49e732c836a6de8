import { relative, resolve, sep } from "node:path";
import { isBoardFile } from "./disk/names.ts";
import type { BoardRole } from "../../core/board/answer.ts";
import { globMatcher } from "../../text/globs.ts";
import { joinParts, lawfulTests, partsOf, offendingPaths, type TreeParts } from "./tree-parts.ts";
import type { ProjectEnv } from "../../core/board/project-env.ts";
import type { TreeChange } from "../../core/event.ts";
import { lastAttempt, type RunState } from "../../core/state.ts";
import { changedPaths, GIT_STATE, partOf, type TreeSnapshot } from "../../platform/git/tree.ts";
import type { RunContext } from "../../engine/ports.ts";
import { atMost, firstTree, MAX_PATHS, namedChanges } from "../../engine/tree-change.ts";
import { sha256Of } from "../../platform/files/sha256.ts";

type Part = keyof TreeParts;

/** Splits the tree into parts: TEST owns the tests, DEV owns the product, and some files are shared. The board itself is not included. */
class BoardTree {
  readonly #snapshot: TreeSnapshot;
  readonly #ownerOf: (path: string) => Part;
  readonly #lists: string;
  readonly #board: string;

  constructor(snapshot: TreeSnapshot, env: ProjectEnv, boardDir: string) {
    this.#snapshot = snapshot;
    this.#ownerOf = ownersIn(env);
    this.#lists = listsOf(env);
    this.#board = relative(snapshot.root, boardDir).split(sep).join("/");
  }

  part(part: Part): TreeSnapshot {
    return partOf(this.#snapshot, (path) => this.placeOf(path) === part);
  }

  /** The digest contains the path lists that define the part, because a person may change them between two turns. */
  digest(part: Part): string {
    return `${this.#lists}:${this.part(part).sha256}`;
  }

  digests(): TreeParts {
    return { tests: this.digest("tests"), product: this.digest("product"), other: this.digest("other") };
  }

  placeOf(path: string): Part | null {
    if (path.startsWith(`${this.#board}/`) && isBoardFile(path.slice(this.#board.length + 1))) return null;
    // Commits are forbidden only for REVIEW and MAIN.
    return GIT_STATE.test(path) ? "other" : this.#ownerOf(path);
  }
}

const OWNERS = new WeakMap<ProjectEnv, (path: string) => Part>();

/** Owners are cached per path, because each turn looks at the whole tree several times. */
function ownersIn(env: ProjectEnv): (path: string) => Part {
  const known = OWNERS.get(env);
  if (known) return known;
  const isTest = globMatcher(env.testPaths);
  const isShared = globMatcher(env.sharedPaths);
  const seen = new Map<string, Part>();
  const ownerOf = (path: string): Part => {
    if (isTest(path)) return "tests";
    return isShared(path) ? "other" : "product";
  };
  const remembered = (path: string): Part => {
    const owner = seen.get(path) ?? ownerOf(path);
    seen.set(path, owner);
    return owner;
  };
  OWNERS.set(env, remembered);
  return remembered;
}

/** The parts that each role must not change. */
const GUARDED: Readonly<Record<BoardRole | "MAIN", readonly Part[]>> = {
  TEST: ["product"],
  DEV: ["tests"],
  REVIEW: ["tests", "product", "other"],
  MAIN: ["tests", "product", "other"],
};

function listsOf({ testPaths, sharedPaths }: ProjectEnv): string {
  const lists = JSON.stringify([testPaths, sharedPaths]);
  return sha256Of(lists).slice(0, 16);
}

function boardTree(snapshot: TreeSnapshot, state: RunState, env = state.board?.env): BoardTree {
  const { settings } = state;
  if (settings.mode !== "orchestrate" || !env) throw new Error("there is no board");
  return new BoardTree(snapshot, env, settings.boardDir);
}

/** The current tree, for the record; null: unreadable. */
export function treeDigests(state: RunState, { tree }: RunContext): string | null {
  const snapshot = tree.snapshot();
  return snapshot && joinParts(boardTree(snapshot, state).digests());
}

/** Changes of files that belong to other roles. */
interface ForbiddenChanges {
  /** Changed in this iteration. Changes of earlier iterations and restored tests do not count. */
  readonly changed: TreeChange;
  /** Tests that an earlier turn changed and that still differ. */
  readonly unrestored: readonly string[];
  readonly tests: string | null;
}

/**
 * Compares the tree with the one before the iteration's first turn, because an earlier turn of it may have been interrupted. `before` is the tree
 * before this turn.
 */
export function forbiddenChanges(
  role: BoardRole | "MAIN",
  before: TreeSnapshot | null,
  state: RunState,
  context: RunContext,
): ForbiddenChanges {
  const attempt = lastAttempt(state);
  const given = (role === "MAIN" ? attempt?.treeReviewed : attempt?.treeBefore) ?? null;
  const recorded = partsOf(given);
  const after = context.tree.snapshot();
  const tests = after && boardTree(after, state).digest("tests");
  const everything = [context.tree.root];
  // The tree was readable once and is not now, so it was hidden.
  if (given === null || !recorded)
    return { changed: wasEverReadable(state) ? everything : null, unrestored: [], tests };
  if (!before || !after) return { changed: everything, unrestored: [], tests };
  const env = envOf(recorded.tests, state);
  const digestOf = (tree: TreeSnapshot): string => joinParts(boardTree(tree, state, env).digests());
  const first = firstTree(before, given, digestOf, context);
  const trees = { first: first ?? before, before, after };
  const lawful = role === "TEST" || role === "MAIN" ? null : lawfulTests(state);
  const isBack = lawful !== null && !changesIn("tests", lawful, trees, state).isChanged;
  const guarded = GUARDED[role].filter((part) => part !== "tests" || !isBack);
  const changes = guarded.map((part) => changesIn(part, recorded[part], trees, state));
  const paths = [...new Set(changes.flatMap((change) => change.paths))].sort();
  const isTest = (path: string): boolean => boardTree(after, state).placeOf(path) === "tests";
  const earlier = lawful === null || isBack ? null : offendingPaths(state).filter(isTest);
  return {
    changed: changes.some(({ isChanged }) => isChanged) ? namedChanges(paths, before, first, context) : [],
    unrestored: earlier?.length === 0 ? everything : atMost(MAX_PATHS, earlier ?? []),
    tests,
  };
}

function wasEverReadable({ attempts }: RunState): boolean {
  return attempts.some(({ treeBefore, meddledWith }) => treeBefore !== null || meddledWith !== null);
}

/** Whether a path that a report names is a test, judged by the last look at the tree. */
export function isSeenAsTest(path: string, state: RunState, { tree }: RunContext): boolean {
  const seen = tree.last;
  if (!seen) return false;
  const name = relative(seen.root, resolve(state.settings.cwd, path)).split(sep).join("/");
  return seen.files.has(name) && boardTree(seen, state).placeOf(name) === "tests";
}

/** Uses the lists that the part was recorded with. For files that later lists added to it, only the changes of this turn are known. */
function changesIn(
  part: Part,
  owed: string,
  { first, before, after }: Readonly<Record<"first" | "before" | "after", TreeSnapshot>>,
  state: RunState,
): { readonly isChanged: boolean; readonly paths: readonly string[] } {
  const recorded = envOf(owed, state);
  const [was, is] = [boardTree(first, state, recorded), boardTree(after, state, recorded)];
  const isAsOwed = recorded === undefined || is.digest(part) === owed;
  const paths = isAsOwed ? [] : changedPaths(was.part(part), is.part(part));
  const isOfNow = recorded !== undefined && recorded === state.board?.env;
  const added = isOfNow
    ? []
    : changedPaths(boardTree(before, state).part(part), boardTree(after, state).part(part)).filter(
        (path) => recorded === undefined || is.placeOf(path) !== part,
      );
  return { isChanged: !isAsOwed || added.length > 0, paths: [...paths, ...added] };
}

/** Tests that differ from the last look at the tree (after the turn, before the first command). */
export function changedTests(state: RunState, { tree }: RunContext): readonly string[] {
  const before = tree.last;
  const after = before && tree.snapshot();
  if (!after) return [];
  const [was, is] = [boardTree(before, state).part("tests"), boardTree(after, state).part("tests")];
  // Test runners write new files, so those do not count.
  const changed = changedPaths(was, is).filter((path) => was.files.has(path));
  return atMost(MAX_PATHS, changed);
}

/** The path lists that a part's digest was made with. */
function envOf(digest: string, { board }: RunState): ProjectEnv | undefined {
  return board?.envs.findLast((env) => digest.startsWith(`${listsOf(env)}:`));
}

const MAX_LINES = 400;

/** The project's files as MAIN sees them: only names, and not too many. */
export function treeText(
  tree: { readonly root: string; readonly files: ReadonlyMap<string, string> } | null,
  boardDir: string,
): string {
  if (!tree) return "";
  const board = `${relative(tree.root, boardDir)}/`;
  const paths = [...tree.files.keys()]
    .filter((path) => !GIT_STATE.test(path) && !path.startsWith(board))
    .sort();
  const shown = paths.length <= MAX_LINES ? paths : folded(paths);
  const left = shown.length - MAX_LINES;
  return [...shown.slice(0, MAX_LINES), ...(left > 0 ? [`... (+${left})`] : [])].join("\n");
}

/** For a large project only the folders, each with its number of files. */
function folded(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : path;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return Array.from(counts, ([folder, count]) => (folder.endsWith("/") ? `${folder} (${count})` : folder));
}
