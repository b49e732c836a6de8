/** What the test commands come down to, as far as entries of files are concerned. */
export interface OracleUses {
  /** Names of scripts or tasks, by the file that has them (package.json, deno.json, composer.json). */
  readonly scripts: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of scripts that are used in whichever package of a workspace. */
  readonly anywhere: ReadonlySet<string>;
  /** Programs that are run, by name; of some, what they are asked for as well (`make lint`). */
  readonly tools: ReadonlySet<string>;
  /** What of `config` in package.json they go by. */
  readonly settings: ReadonlySet<string>;
  /** Of `exports` and `imports` in package.json: those that only the tests are run with. */
  readonly conditions: ReadonlySet<string>;
  /** Whether a file is made of something else, so that a new one needs nobody's leave and is made anew in the room. */
  readonly isMade: (path: string) => boolean;
  /** Modules of Python's, by their paths without an ending, that decide: a folder of that name would stand before them. */
  readonly modules: ReadonlySet<string>;
}

export const NO_USES: OracleUses = {
  scripts: new Map(),
  anywhere: new Set(),
  tools: new Set(),
  settings: new Set(),
  conditions: new Set(),
  isMade: () => false,
  modules: new Set(),
};
