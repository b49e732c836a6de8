import type { CommandUses } from "./uses.ts";

/** Everything that the test commands run and use. */
export interface TraceResult {
  readonly uses: Omit<CommandUses, "modules">;
  /** Files of the base that are run. */
  readonly executed: ReadonlySet<string>;
  /** Files that only tests load or run. */
  readonly helpers: ReadonlySet<string>;
  /** Files of the base that are named as configuration or preloaded code. */
  readonly named: ReadonlySet<string>;
  /** Files loaded before the tests, including the product's own. */
  readonly before: ReadonlySet<string>;
  /** Patterns of missing files that would be run or included if they existed. */
  readonly awaited: ReadonlySet<string>;
  /** Folders in which Python looks for modules, and the shell for programs. */
  readonly importFolders: ReadonlySet<string>;
  readonly programFolders: ReadonlySet<string>;
  /** Programs called by plain name whose exit code decides. */
  readonly called: ReadonlySet<string>;
  /** All programs that the commands or the tests run. */
  readonly programs: ReadonlySet<string>;
}
