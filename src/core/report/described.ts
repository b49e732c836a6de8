import type { z } from "zod";

type ReadOnly<T> = T extends readonly (infer Element)[]
  ? readonly ReadOnly<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadOnly<T[Key]> }
    : T;

/** The type that a schema describes. Import schemas as types only: the program does not load zod to write a report. */
export type Described<Schema extends z.ZodType> = ReadOnly<z.infer<Schema>>;

/** The same for fields that several schemas share. */
export type DescribedFields<Fields extends Readonly<Record<string, z.ZodType>>> = {
  readonly [Name in keyof Fields]: Described<Fields[Name]>;
};
