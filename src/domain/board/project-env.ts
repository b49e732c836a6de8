/** What `project_env.json` says that the foreman goes by. The rest of it is told to the agents as it is. */
export interface ProjectEnv {
  /** Globs of files that belong to TEST: tests, and what decides how they run. */
  readonly testPaths: readonly string[];
  /** Globs of files that TEST and DEV may both change. */
  readonly sharedPaths: readonly string[];
  /** Environment variables of agents and acceptance commands. */
  readonly env: Readonly<Record<string, string>>;
}
