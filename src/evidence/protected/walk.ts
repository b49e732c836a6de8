import type { Imports } from "./imports.ts";
import { resolved } from "../../text/paths.ts";

/** The base as the tracer sees it. */
export interface Snapshot {
  readonly files: ReadonlySet<string>;
  readonly read: (path: string) => string | null;
  readonly isProduct: (path: string, isRun?: boolean) => boolean;
  /** Whether a file that a test loads or runs is a helper, not product. */
  readonly isHelper: (path: string, isRun: boolean) => boolean;
  /** Whether tests are named after it. */
  readonly isTested: (path: string) => boolean;
  /** Whether its name says that it is for tests, although it is among the product, which does not load it. */
  readonly isForTests: (path: string) => boolean;
  readonly imports: Pick<Imports, "loadedBy" | "isLoadedByProduct">;
}

/** Where a command runs. */
export interface ExecContext {
  /** The folders that it may run in, the likeliest last. */
  readonly folders: readonly string[];
  /** The folder of its script or makefile; null: the person's own command. */
  readonly home: string | null;
  /** Its output is read, so it is the product. */
  readonly outputRead: boolean;
  /** A test runs it, and tests also run the product. */
  readonly byTest: boolean;
}

/** The state of a trace. Each file found is traced in turn. */
export interface Walk {
  readonly base: Snapshot;
  /** The working directory of the person's own commands. */
  readonly root: string;
  readonly text: (text: string, where: ExecContext) => void;
  /** A word that names a file to run. */
  readonly run: (word: string, where: ExecContext, args?: readonly string[]) => void;
  readonly command: (words: readonly string[], where: ExecContext) => void;
  /** A missing file that would matter if it existed. */
  readonly awaitFile: (word: string, where: ExecContext) => void;
  readonly useScript: (file: string, name: string) => void;
  /** Names of scripts that are used in any package. */
  readonly anywhere: Set<string>;
  readonly useTool: (name: string) => void;
  /** Code that is loaded before the tests. */
  readonly before: Set<string>;
  /** A word that names a test, or a pattern of tests. */
  readonly test: (word: string, where: ExecContext) => void;
  /** Patterns of generated files. */
  readonly made: Set<string>;
  /** Files that would matter if they existed. */
  readonly awaited: Set<string>;
  /** A named file, existing or not; or a pattern of files. */
  readonly useFile: (path: string) => void;
  /** Folders with names of checks that a text mentions in any way. */
  readonly checkers: (text: string, where: ExecContext) => void;
}

const MAX_FOLDERS = 20;

/** A text may enter each of these folders from its working directory. */
export function foldersFor(entered: readonly string[], { folders, home }: ExecContext): readonly string[] {
  const all = new Set(folders);
  for (const to of entered)
    for (const from of to.includes("\0") && home !== null ? [...all, home] : [...all]) {
      const folder = resolved(from, to.replace(/^\0\/?/, ""));
      if (folder !== null && all.size < MAX_FOLDERS) all.add(folder);
    }
  return [...all];
}
