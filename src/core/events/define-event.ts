import type { Settings } from "../settings.ts";
import { codes, object, type Fields, type ObjectShape, type Shape, type TypeOf } from "../../text/shape.ts";

/** The code that folds an event and says when it is impossible: the core, the evidence of every mode, or one mode. */
export type EventOwner = "core" | "evidence" | Settings["mode"];

export interface AnyDefinition {
  readonly type: string;
  readonly owner: EventOwner;
  /**
   * Whether the record must be on disk before the run continues, because others may act on it: then not even a power cut may undo it.
   * Other records survive a crash of the foreman too; after a power cut the run repeats a turn or a check.
   */
  readonly durable: boolean | ((event: never) => boolean);
  readonly shape: Shape;
}
interface EventDefinition<Event, Owner extends EventOwner> extends AnyDefinition {
  readonly owner: Owner;
  readonly shape: Shape<Event>;
}
type Typed<Type extends string, F extends Fields> = TypeOf<ObjectShape<F & { readonly type: Shape<Type> }>>;

/** The only definition of an event: its type, its schema, its redaction, its durability and its owner (default: the core) follow from it. */
export function defineEvent<const Type extends string, F extends Fields, Owner extends EventOwner = "core">(
  type: Type,
  {
    owner = "core" as Owner,
    durable,
    shape,
  }: {
    readonly owner?: Owner;
    readonly durable: boolean | ((event: Typed<Type, F>) => boolean);
    readonly shape: F;
  },
): EventDefinition<Typed<Type, F>, Owner> {
  const typed: Shape = object({ type: codes([type]), ...shape });
  return { type, owner, durable, shape: typed as Shape<Typed<Type, F>> };
}

/** The events of these definitions, or those of one owner. */
export type EventOf<Definition, Owner extends EventOwner = EventOwner> =
  Definition extends EventDefinition<infer Event, Owner> ? Event : never;

export function isDefinition(value: object): value is AnyDefinition {
  return "durable" in value;
}
