/** How the test commands use entries of files. */
export interface CommandUses {
  /** Names of scripts or tasks, by their file (package.json, deno.json, composer.json). */
  readonly scripts: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of scripts that are used in any package of a workspace. */
  readonly anywhere: ReadonlySet<string>;
  /** Programs that are run, by name; for some also with a subcommand (`make lint`). */
  readonly tools: ReadonlySet<string>;
  /** Whether a file is generated: a new one needs no approval, and the room builds it again. */
  readonly isMade: (path: string) => boolean;
  /** Python modules that decide, as paths without an ending: a folder of that name would shadow them. */
  readonly modules: ReadonlySet<string>;
}

export const NO_USES: CommandUses = {
  scripts: new Map(),
  anywhere: new Set(),
  tools: new Set(),
  isMade: () => false,
  modules: new Set(),
};
