import type { EventOwnedBy } from "../events/index.ts";

export type * from "../events/chat.ts";

/** Events in a terminal where a person works with an agent, and the foreman's reactions. */
export type ChatEvent = EventOwnedBy<"chat">;
