import { z } from "zod";
import type { Fields, ObjectShape, Shape, TextFormat, TypeOf } from "../../text/shape.ts";

/** Equal shapes give the same object, so that a schema defines them once. */
const known = new WeakMap<Shape, z.ZodType>();

type ZodFields<F extends Fields> = { readonly [Key in keyof F]: z.ZodType<TypeOf<F[Key]>> };

/** The schema of a shape. Only builds and tests need schemas; the program does not, because loading zod takes too long. */
export function zodOf<F extends Fields>(shape: ObjectShape<F>): z.ZodObject<ZodFields<F>, z.core.$strict>;
export function zodOf<T>(shape: Shape<T>): z.ZodType<T>;
export function zodOf(shape: Shape): z.ZodType {
  const schema = known.get(shape) ?? made(shape);
  known.set(shape, schema);
  return schema;
}

function made(shape: Shape): z.ZodType {
  switch (shape.is) {
    case "text":
      return textOf(shape.format);
    case "number": {
      const number = shape.integer ? z.number().int() : z.number();
      return shape.min === undefined ? number : number.min(shape.min);
    }
    case "flag":
      return z.boolean();
    case "true":
      return z.literal(true);
    case "codes":
      return shape.codes.length === 1 ? z.literal(shape.codes) : z.enum(shape.codes);
    case "list":
      return z.array(zodOf(shape.item));
    case "record":
      return z.record(z.string(), zodOf(shape.item));
    case "nullable":
      return zodOf(shape.of).nullable();
    case "recorded":
      return zodOf(shape.of);
    case "about":
      return zodOf(shape.of).describe(shape.about);
    case "object":
      return z.strictObject(
        Object.fromEntries(
          Object.entries(shape.fields).map(([key, field]) => [
            key,
            field.is === "optional" ? z.exactOptional(zodOf(field.of)) : zodOf(field),
          ]),
        ),
      );
    case "choice": {
      const options = shape.options.map((option) => zodOf<unknown>(option));
      return shape.by === null ? z.union(options) : z.discriminatedUnion(shape.by, options as never);
    }
  }
}

function textOf(format: TextFormat | undefined): z.ZodType {
  if (format === "filled") return z.string().min(1);
  if (format === "date-time") return z.iso.datetime();
  return format === undefined ? z.string() : z.string().regex(format);
}
