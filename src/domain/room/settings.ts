/** How checks are kept apart from whatever the agent left. */
export interface RoomSettings {
  /** Runs in the room before each check: it puts dependencies there, or builds. */
  readonly setup: string | null;
  /** Patterns of files of the oracle that may change. */
  readonly allow: readonly string[];
  /** Names of environment variables that checks get besides the usual ones. */
  readonly passEnv: readonly string[];
  /** Whether new tests have to fail without the work that they came with. */
  readonly proveTests: boolean;
  /** Whether protected files that an unaccepted run left changed are taken as they are. */
  readonly acceptTree: boolean;
}
