import type * as chat from "../events/chat.ts";
import type { EventOf } from "../events/define-event.ts";

export type * from "../events/chat.ts";

/** Events in a terminal where a person works with an agent, and the foreman's reactions. */
export type ChatEvent = EventOf<(typeof chat)[keyof typeof chat]>;
