import { list, object, ours, record, type TypeOf } from "../../text/shape.ts";

/** The part of `project_env.json` that the foreman reads. Agents read the rest themselves. */
export const projectEnv = object({
  /** Globs of files that belong to TEST: tests and their configuration. */
  testPaths: list(ours()),
  /** Globs of files that TEST and DEV may both change. */
  sharedPaths: list(ours()),
  /** Environment variables of agents and acceptance commands. */
  env: record(ours()),
});
export type ProjectEnv = TypeOf<typeof projectEnv>;
