import type { Imports } from "./imports.ts";
import type { PythonModules } from "./python-modules.ts";

/** What of the base is looked at on the way from the test commands to all that they run. */
export interface Base {
  readonly files: ReadonlySet<string>;
  readonly read: (path: string) => string | null;
  readonly isProduct: (path: string, isRun?: boolean) => boolean;
  /** Whether what a test loads or runs is no product. */
  readonly isHelper: (path: string, isRun: boolean) => boolean;
  /** Whether tests are named after it. */
  readonly isTested: (path: string) => boolean;
  /** Whether it is only for tests by its name, though it lies among the product, which does not know it. */
  readonly isForTests: (path: string) => boolean;
  readonly imports: Pick<Imports, "loadedBy">;
  /** Modules of Python's by what they load. */
  readonly python: Pick<PythonModules, "isJudge" | "isNamedTest">;
}

/** Where a command is run. */
export interface Where {
  /** Null: nobody can tell. */
  readonly folder: string | null;
  /** Of the script or makefile that it stands in; null: it is the person's own. */
  readonly home: string | null;
  /** Somebody reads what it prints: it is what is tested. */
  readonly outputRead: boolean;
  /** By a test, which runs what it tests, too. */
  readonly byTest: boolean;
}

export const NOWHERE: Where = { folder: null, home: null, outputRead: false, byTest: false };

/** The way itself: what is found is looked at in its turn, whenever that is. */
export interface Walk {
  readonly base: Base;
  /** Where the person's own commands run. */
  readonly root: string;
  readonly text: (text: string, where: Where) => void;
  readonly command: (words: readonly string[], where: Where) => void;
  /** A word that names a file which is run. */
  readonly run: (word: string, where: Where) => void;
  readonly useScript: (file: string, name: string) => void;
  /** Names of scripts that are used in whichever package. */
  readonly anywhere: Set<string>;
  readonly useTool: (name: string) => void;
  /** Code that is loaded before the tests. */
  readonly before: Set<string>;
  /** A word that names a test, or a pattern of such. */
  readonly test: (word: string, where: Where) => void;
  /** A word that names what is read if it is there. */
  readonly awaitRead: (word: string, where: Where) => void;
  /** A script that is run even if it is taken for the product elsewhere. */
  readonly useProgram: (path: string) => void;
  /** Where headers, or sources, are looked for. */
  readonly headerFolders: Set<string>;
  readonly sourceFolders: Set<string>;
  /** Patterns of what is made of something else. */
  readonly made: Set<string>;
  /** Files that would matter if they were there. */
  readonly awaited: Set<string>;
  /** Which is named, be it there or not; or a pattern of such. */
  readonly useFile: (path: string) => void;
}
