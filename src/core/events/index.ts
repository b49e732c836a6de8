import type { Redactor } from "../../text/redact.ts";
import { redactShape } from "../../text/shape.ts";
import * as all from "./all.ts";
import type { Settings } from "../settings.ts";
import { isDefinition, type AnyDefinition, type EventOf, type EventOwner } from "./define-event.ts";

export type * from "./all.ts";

/**
 * The events in the journal, from which a run's state is folded. Events never contain output, but its path, length and
 * digest.
 */
export type RunEvent = EventOwnedBy<EventOwner>;
export type EventOwnedBy<Owner extends EventOwner> = EventOf<(typeof all)[keyof typeof all], Owner>;
/** Events about the tree before the run, about its candidates and about their checks. */
export type EvidenceEvent = EventOwnedBy<"evidence">;
export type ModeEvent = EventOwnedBy<Settings["mode"]>;

const DEFINITIONS: ReadonlyMap<string, AnyDefinition> = new Map(
  Object.values<object>(all)
    .filter(isDefinition)
    .map((definition) => [definition.type, definition]),
);

/** By name: bundles and Node list the exports of a module in different orders. */
export function eventDefinitions(): readonly AnyDefinition[] {
  return [...DEFINITIONS.values()].sort((one, other) => (one.type < other.type ? -1 : 1));
}

/** False for an unknown event, which only a journal can contain. */
export function isOwnedBy<Owner extends EventOwner>(
  owner: Owner,
  event: RunEvent,
): event is EventOwnedBy<Owner> {
  return DEFINITIONS.get(event.type)?.owner === owner;
}

/** An event that only one mode knows. */
export function isModeEvent(event: RunEvent): event is ModeEvent {
  const owner = DEFINITIONS.get(event.type)?.owner;
  return owner !== "core" && owner !== "evidence";
}

/** Removes secrets from every foreign string of an event. */
export function redactEvent<E extends RunEvent>(event: E, redactor: Pick<Redactor, "text">): E {
  return redactShape(DEFINITIONS.get(event.type)?.shape, event, (text) => redactor.text(text)) as E;
}

/** Whether the record has to be on disk before the run continues. */
export function mustFsync(event: RunEvent): boolean {
  const durable = DEFINITIONS.get(event.type)?.durable ?? true;
  return typeof durable === "boolean" ? durable : durable(event as never);
}
