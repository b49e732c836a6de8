import type * as base from "../events/base.ts";
import type * as candidate from "../events/candidate.ts";
import type { EventOf } from "../events/define-event.ts";

export type * from "../events/base.ts";
export type * from "../events/candidate.ts";
export type * from "../events/check-ended.ts";
export { WEAKNESSES } from "../events/base.ts";

/** Events about the tree before the run and about the room where its checks run. */
export type RoomEvent = EventOf<
  (typeof base)[keyof typeof base] | (typeof candidate)[keyof typeof candidate]
>;
