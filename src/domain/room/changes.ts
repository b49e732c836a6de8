import type { Captured } from "../process-end.ts";

/** What a lost file was before the run: changed since its commit, never committed, or ignored by git. */
export const LOST_KINDS = ["modified", "untracked", "ignored"] as const;

/** A file of the person that is gone, or back at its committed content. */
export interface LostFile {
  readonly path: string;
  readonly was: (typeof LOST_KINDS)[number];
  /** Whether `restore` can bring it back: very large files are not kept. */
  readonly kept: boolean;
}

/** The first ones, so that a journal stays small. */
export interface LostFiles {
  readonly count: number;
  readonly some: readonly LostFile[];
}

export interface ChangeCounts {
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** The work tree after the run, compared with the tree before its first turn. */
export interface RunChanges extends ChangeCounts {
  readonly lost: LostFiles;
  /** Git settings, hooks, programs on PATH and settings above the tree that changed during the run. */
  readonly outside: readonly string[];
  /** Null while the run can go on: the whole base is still there. */
  readonly kept: KeptChanges | null;
}

export interface KeptChanges {
  /** Which files the run changed or lost, and what it left of them. */
  readonly listing: Captured;
  /** Their versions before the run. */
  readonly pack: Captured;
  /** A unified diff. */
  readonly diff: Captured;
}

export const NO_LOST_FILES: LostFiles = { count: 0, some: [] };
