import type { Redactor } from "../../text/redact.ts";
import { redactShape } from "../../text/shape.ts";
import * as all from "./all.ts";
import { isDefinition, type AnyDefinition, type EventOf } from "./define-event.ts";

export type * from "./all.ts";

/**
 * The events in the journal, from which a run's state is folded. Events never contain output, but its path, length and
 * digest.
 */
export type RunEvent = EventOf<(typeof all)[keyof typeof all]>;

const DEFINITIONS: ReadonlyMap<string, AnyDefinition> = new Map(
  Object.values<object>(all)
    .filter(isDefinition)
    .map((definition) => [definition.type, definition]),
);

/** By name: bundles and Node list the exports of a module in different orders. */
export function eventDefinitions(): readonly AnyDefinition[] {
  return [...DEFINITIONS.values()].sort((one, other) => (one.type < other.type ? -1 : 1));
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
