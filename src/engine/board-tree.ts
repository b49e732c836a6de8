import { relative, sep } from "node:path";
import type { BoardRole } from "../domain/board/answer.ts";
import { globMatcher } from "../domain/board/globs.ts";
import {
  joinParts,
  lawfulTests,
  partsOf,
  unlawfulPaths,
  type TreeParts,
} from "../domain/board/iterations.ts";
import type { ProjectEnv } from "../domain/board/project-env.ts";
import type { TreeChange } from "../domain/event.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { changedPaths, GIT_STATE, partOf, type TreeSnapshot } from "../workspace/tree.ts";
import type { RunContext } from "./ports.ts";
import { atMost, MAX_PATHS, SOMETHING } from "./tree-change.ts";

type Part = keyof TreeParts;

/** The tree in its parts: TEST owns the tests, DEV the product, and some files are everybody's. The board itself is none of them. */
class BoardTree {
  readonly #snapshot: TreeSnapshot;
  readonly #isTest: (path: string) => boolean;
  readonly #isShared: (path: string) => boolean;
  readonly #board: string;

  constructor(snapshot: TreeSnapshot, { testPaths, sharedPaths }: ProjectEnv, boardDir: string) {
    this.#snapshot = snapshot;
    this.#isTest = globMatcher(testPaths);
    this.#isShared = globMatcher(sharedPaths);
    this.#board = relative(snapshot.root, boardDir).split(sep).join("/");
  }

  part(part: Part): TreeSnapshot {
    return partOf(this.#snapshot, (path) => this.#placeOf(path) === part);
  }

  digests(): TreeParts {
    return {
      tests: this.part("tests").sha256,
      product: this.part("product").sha256,
      other: this.part("other").sha256,
    };
  }

  #placeOf(path: string): Part | null {
    if (path === this.#board || path.startsWith(`${this.#board}/`)) return null;
    // To commit is nobody's offence but REVIEW's and MAIN's.
    if (GIT_STATE.test(path)) return "other";
    if (this.#isTest(path)) return "tests";
    return this.#isShared(path) ? "other" : "product";
  }
}

/** What each may not change. */
const GUARDED: Readonly<Record<BoardRole | "MAIN", readonly Part[]>> = {
  TEST: ["product"],
  DEV: ["tests"],
  REVIEW: ["tests", "product", "other"],
  MAIN: ["tests", "product", "other"],
};

function boardTree(snapshot: TreeSnapshot, state: RunState): BoardTree {
  const { settings, board } = state;
  if (settings.mode !== "orchestrate" || !board) throw new Error("there is no board");
  return new BoardTree(snapshot, board.env, settings.boardDir);
}

/** The tree as it is, for the record; null where it cannot be told. */
export function treeDigests(state: RunState, { tree }: RunContext): string | null {
  const snapshot = tree.snapshot();
  return snapshot && joinParts(boardTree(snapshot, state).digests());
}

/**
 * What is not as it was of all that the role may not touch. `before` names the files; whether something has changed is told by the
 * digests on record, so that an earlier turn that was cut off, or rejected, is not forgotten.
 */
export function forbiddenChange(
  role: BoardRole | "MAIN",
  before: TreeSnapshot | null,
  state: RunState,
  { tree }: RunContext,
): TreeChange {
  const attempt = lastAttempt(state);
  const recorded = partsOf((role === "MAIN" ? attempt?.treeReviewed : attempt?.treeBefore) ?? null);
  if (!recorded) return null;
  const after = tree.snapshot();
  if (!before || !after) return [SOMETHING];
  const lawful = role === "TEST" ? null : lawfulTests(state);
  const owed = role === "MAIN" || lawful === null ? recorded : { ...recorded, tests: lawful };
  const [was, is] = [boardTree(before, state), boardTree(after, state)];
  const now = is.digests();
  const changed = GUARDED[role].filter((part) => now[part] !== owed[part]);
  if (changed.length === 0) return [];
  const paths = changed.flatMap((part) => changedPaths(was.part(part), is.part(part)));
  const named = paths.length === 0 ? unlawfulPaths(state) : paths;
  return named.length === 0 ? [SOMETHING] : atMost(MAX_PATHS, named);
}
