import { codes, flag, list, nullable, object, ours, type TypeOf } from "../../text/shape.ts";

/** `judge`: the original tests judge edited tests. `hold`: a person approves every edited line. */
export const TEST_CHANGES = ["judge", "hold"] as const;
export type TestChanges = (typeof TEST_CHANGES)[number];

/** How checks are isolated from the agent's other files. */
export const roomSettings = object({
  /** Runs in the room before each check: it puts dependencies there, or builds. */
  setup: nullable(ours()),
  /** Patterns of protected files that may change. */
  allow: list(ours()),
  /** Patterns of files that the person declared as protected. */
  protect: list(ours()),
  /** Patterns of files that the person declared as part of the product. */
  product: list(ours()),
  /** Names of environment variables that checks get besides the usual ones. */
  passEnv: list(ours()),
  /** Whether new tests must fail without the work that they came with. */
  proveTests: flag,
  testChanges: codes(TEST_CHANGES),
  /** Whether work may be accepted although it leaves the tree unchanged. */
  allowNoChange: flag,
  /** Whether protected files that an unaccepted run changed are accepted in their current version. */
  acceptTree: flag,
});
export type RoomSettings = TypeOf<typeof roomSettings>;
export const ROOM_SETTING_NAMES: readonly string[] = Object.keys(roomSettings.fields);
