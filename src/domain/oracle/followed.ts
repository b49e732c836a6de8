import type { OracleUses } from "./uses.ts";

export interface Followed {
  readonly uses: Omit<OracleUses, "modules">;
  /** Files of the base that are run. */
  readonly executed: ReadonlySet<string>;
  /** Those that only tests load or run. */
  readonly helpers: ReadonlySet<string>;
  /** What tests give the product, and what it has to make of it. */
  readonly expected: ReadonlySet<string>;
  /** Files of the base that are named as configuration, or as what is loaded before all else. */
  readonly named: ReadonlySet<string>;
  /** Those that are loaded before the tests, the product's own among them. */
  readonly before: ReadonlySet<string>;
  /** Patterns of what is run or included if it is there, and is not there. */
  readonly awaited: ReadonlySet<string>;
  /** Where Python is told to look for modules, and the shell for programs. */
  readonly importFolders: ReadonlySet<string>;
  readonly programFolders: ReadonlySet<string>;
  /** Programs that are called by their plain names, and judge by how they end. */
  readonly called: ReadonlySet<string>;
  /** All programs that the commands, or the tests, are seen to run. */
  readonly programs: ReadonlySet<string>;
  /** Where compilers look for headers, and make for sources. */
  readonly headerFolders: ReadonlySet<string>;
  readonly sourceFolders: ReadonlySet<string>;
}
