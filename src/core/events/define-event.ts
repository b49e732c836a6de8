import { codes, object, type Fields, type ObjectShape, type Shape, type TypeOf } from "../../text/shape.ts";

export interface AnyDefinition {
  readonly type: string;
  /**
   * Whether the record must be on disk before the run continues, because others may act on it: then not even a power cut may undo it.
   * Other records survive a crash of the foreman too; after a power cut the run repeats a turn or a check.
   */
  readonly durable: boolean | ((event: never) => boolean);
  readonly shape: Shape;
}
interface EventDefinition<Event> extends AnyDefinition {
  readonly shape: Shape<Event>;
}
type Typed<Type extends string, F extends Fields> = TypeOf<ObjectShape<F & { readonly type: Shape<Type> }>>;

/** The only definition of an event: its type, its schema, its redaction and its durability follow from it. */
export function defineEvent<const Type extends string, F extends Fields>(
  type: Type,
  { durable, shape }: { readonly durable: boolean | ((event: Typed<Type, F>) => boolean); readonly shape: F },
): EventDefinition<Typed<Type, F>> {
  const typed: Shape = object({ type: codes([type]), ...shape });
  return { type, durable, shape: typed as Shape<Typed<Type, F>> };
}

export type EventOf<Definition> = Definition extends EventDefinition<infer Event> ? Event : never;

export function isDefinition(value: object): value is AnyDefinition {
  return "durable" in value;
}
