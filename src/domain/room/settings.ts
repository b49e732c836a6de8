/** `judge`: edited tests are judged by what the original tests show. `hold`: a person decides about every edited line. */
export const TEST_CHANGES = ["judge", "hold"] as const;
export type TestChanges = (typeof TEST_CHANGES)[number];

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
  readonly testChanges: TestChanges;
  /** Whether work may be accepted although it leaves the tree as it was. */
  readonly allowNoChange: boolean;
  /** Whether protected files that an unaccepted run left changed are taken as they are. */
  readonly acceptTree: boolean;
}
