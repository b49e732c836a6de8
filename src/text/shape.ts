/**
 * Shapes describe JSON values as plain data. A shape gives the TypeScript type (`TypeOf`), the schema (`zodOf`) and the
 * redaction (`redactShape`) of a value, so that these cannot differ. There is no shape for text of unknown origin: every
 * text is `ours()` or `foreign()`.
 */
declare const VALUE: unique symbol;

/** The format of a text: not empty, a moment in ISO 8601, or a pattern. */
export type TextFormat = "filled" | "date-time" | RegExp;

type Data =
  | { readonly is: "text"; readonly foreign: boolean; readonly format?: TextFormat | undefined }
  | { readonly is: "number"; readonly integer: boolean; readonly min?: number }
  | { readonly is: "flag" }
  | { readonly is: "true" }
  | { readonly is: "codes"; readonly codes: readonly string[] }
  | { readonly is: "list"; readonly item: Shape }
  | { readonly is: "record"; readonly item: Shape }
  | { readonly is: "nullable"; readonly of: Shape }
  | { readonly is: "about"; readonly of: Shape; readonly about: string }
  | { readonly is: "recorded"; readonly of: Shape }
  | ObjectData<Fields>
  | { readonly is: "choice"; readonly by: string | null; readonly options: readonly AnyObject[] };

interface ObjectData<F extends Fields> {
  readonly is: "object";
  readonly fields: F;
}

export type Shape<T = unknown> = Data & { readonly [VALUE]: T };
interface Optional<T = unknown> {
  readonly is: "optional";
  readonly of: Shape<T>;
}
export type Fields = Readonly<Record<string, Shape | Optional>>;
type AnyObject = ObjectData<Fields> & { readonly [VALUE]: unknown };
export type ObjectShape<F extends Fields> = ObjectData<F> & { readonly [VALUE]: ObjectOf<F> };

export type TypeOf<S> = S extends { readonly [VALUE]: infer T } ? T : never;
type ValueOf<S> = S extends Optional<infer T> ? T : TypeOf<S>;
type Flat<T> = { readonly [Key in keyof T]: T[Key] };
type ObjectOf<F extends Fields> = Flat<
  { readonly [Key in keyof F as F[Key] extends Optional ? never : Key]: ValueOf<F[Key]> } & {
    readonly [Key in keyof F as F[Key] extends Optional ? Key : never]?: ValueOf<F[Key]>;
  }
>;

/** The type of a shape exists for the compiler alone. */
function shape<T>(data: Data): Shape<T> {
  return data as Shape<T>;
}

/** Text that is never redacted: an id, a digest, one of our paths, or a value that the run itself compares. */
export const ours = (format?: TextFormat): Shape<string> => shape({ is: "text", foreign: false, format });
/** Text of agents, programs or people: secrets are removed from it. */
export const foreign = (format?: TextFormat): Shape<string> => shape({ is: "text", foreign: true, format });
export type Text = typeof ours;

export const integer = shape<number>({ is: "number", integer: true });
export const count = shape<number>({ is: "number", integer: true, min: 0 });
export const ordinal = shape<number>({ is: "number", integer: true, min: 1 });
export const amount = shape<number>({ is: "number", integer: false, min: 0 });
export const flag = shape<boolean>({ is: "flag" });
/** For a field that is otherwise absent. */
export const onlyTrue = shape<true>({ is: "true" });
export const path = ours("filled");
export const sha256 = ours(/^[0-9a-f]{64}$/);
export const timestamp = about(ours("date-time"), "UTC, ISO 8601");

export function codes<const Codes extends readonly string[]>(all: Codes): Shape<Codes[number]> {
  return shape({ is: "codes", codes: all });
}
export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return shape({ is: "list", item });
}
export function record<T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return shape({ is: "record", item });
}
export function nullable<T>(of: Shape<T>): Shape<T | null> {
  return shape({ is: "nullable", of });
}
/** A field that can be absent, but not `undefined`. */
export function optional<T>(of: Shape<T>): Optional<T> {
  return { is: "optional", of };
}
/** A value computed from earlier records, whose texts were already redacted. */
export function recorded<T>(of: Shape<T>): Shape<T> {
  return shape({ is: "recorded", of });
}
/** Adds a description, which the schemas show. */
export function about<T>(of: Shape<T>, description: string): Shape<T> {
  return shape({ is: "about", of, about: description });
}
export function object<F extends Fields>(fields: F): ObjectShape<F> {
  return { is: "object", fields } as ObjectShape<F>;
}
/** Objects that differ in the code of one field, or, with null, in the names of their fields. */
export function oneOf<const Options extends readonly AnyObject[]>(
  by: string | null,
  options: Options,
): Shape<TypeOf<Options[number]>> {
  return shape({ is: "choice", by, options });
}

export function isShape(value: unknown): value is Shape {
  return typeof value === "object" && value !== null && "is" in value && value.is !== "optional";
}

/** Replaces every foreign string of a value, and every string that its shape does not describe. */
export function redactShape(
  of: Shape | undefined,
  value: unknown,
  redact: (text: string) => string,
): unknown {
  const inner = of && unwrapped(of, value);
  if (inner?.is === "recorded") return value;
  if (typeof value === "string") return inner && isOurs(inner, value) ? value : redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map((item) => redactShape(inner?.is === "list" ? inner.item : undefined, item, redact));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, redactShape(inner && partOf(inner, key), item, redact)]),
  );
}

/** Without wrappers; of a choice, the option that matches the value. */
function unwrapped(of: Shape, value: unknown): Shape | undefined {
  if (of.is === "nullable" || of.is === "about") return unwrapped(of.of, value);
  return of.is === "choice" ? of.options.find((option) => isOption(option, of.by, value)) : of;
}

function isOption({ fields }: AnyObject, by: string | null, value: unknown): boolean {
  const entries = new Map(Object.entries(value ?? {}));
  if (by === null) return Object.keys(fields).every((key) => entries.has(key));
  const code = fields[by];
  return code?.is === "codes" && code.codes.includes(String(entries.get(by)));
}

function isOurs(of: Shape, text: string): boolean {
  return of.is === "codes" ? of.codes.includes(text) : of.is === "text" && !of.foreign;
}

function partOf(of: Shape, key: string): Shape | undefined {
  if (of.is === "record") return of.item;
  const field = of.is === "object" ? of.fields[key] : undefined;
  return field?.is === "optional" ? field.of : field;
}
