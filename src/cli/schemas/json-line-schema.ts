import { z } from "zod";
import { snakeCase } from "../../text/snake-case.ts";
import { runEventSchema } from "../../core/events/journal-schema.ts";
import { nameParts } from "./schema-names.ts";
import { count, endReason, finalStatus, impasse, ordinal, path, timestamp } from "../../core/report/schema-parts.ts";

nameParts();

const ofRun = { run_id: z.string(), at: timestamp };

interface Nested {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly options?: readonly z.ZodType[];
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
}

/** Keeps shared parts shared, so that each is defined once. */
const inSnakeCase = new WeakMap<z.ZodType, z.ZodType>();

/** The same schema with names in snake_case. */
function withSnakeCase<S extends z.ZodType>(schema: S): S {
  const known = inSnakeCase.get(schema) ?? renamed(schema);
  inSnakeCase.set(schema, known);
  return known as S;
}

function renamed(schema: z.ZodType): z.ZodType {
  const { shape, options, element, innerType } = schema.def as Nested;
  const parts = [...Object.values(shape ?? {}), ...(options ?? []), element, innerType];
  const names = Object.keys(shape ?? {});
  const isSame = (part: z.ZodType | undefined): boolean => !part || withSnakeCase(part) === part;
  if (names.every((name) => snakeCase(name) === name) && parts.every(isSame)) return schema;
  const copy = z.core.clone(schema, {
    ...schema.def,
    ...(shape && {
      shape: Object.fromEntries(
        Object.entries(shape).map(([name, part]) => [snakeCase(name), withSnakeCase(part)]),
      ),
    }),
    ...(options && { options: options.map(withSnakeCase) }),
    ...(element && { element: withSnakeCase(element) }),
    ...(innerType && { innerType: withSnakeCase(innerType) }),
  });
  const meta = schema.meta();
  return meta ? copy.register(z.globalRegistry, meta) : copy;
}

export const jsonLineSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("event"),
    ...ofRun,
    seq: ordinal,
    event: withSnakeCase(runEventSchema).describe("the event of the journal, with names in snake_case"),
  }),
  z.strictObject({
    type: z.literal("phase"),
    ...ofRun,
    attempt: count,
    phase: z.enum(["agent", "review", "main", "base", "fast", "full", "unit", "acceptance", "check"]),
    command: z.string(),
  }),
  z.strictObject({
    type: z.literal("output"),
    ...ofRun,
    stream: z.enum(["stdout", "stderr"]),
    text: z.string(),
  }),
  z.strictObject({
    type: z.literal("check_output"),
    ...ofRun,
    path,
    lines: z.array(
      z.union([z.strictObject({ text: z.string() }), z.strictObject({ left_out: count.nullable() })]),
    ),
  }),
  z.strictObject({
    type: z.literal("review_words"),
    ...ofRun,
    words: z
      .string()
      .describe(
        "of `chat`: what the reviewer said, a message in the marker first, without the marker itself",
      ),
    question: z
      .string()
      .nullable()
      .describe("the last lines of the agent's message if it waits for the user's answer"),
  }),
  z.strictObject({ type: z.literal("activity"), ...ofRun, text: z.string() }),
  z.strictObject({ type: z.literal("stopping"), ...ofRun, signal: z.enum(["SIGINT", "SIGTERM", "SIGHUP"]) }),
  z.strictObject({ type: z.literal("killing"), ...ofRun }),
  z.strictObject({
    type: z.literal("left"),
    ...ofRun,
    status: finalStatus.nullable(),
    exit_code: count.nullable(),
    reason: z.union([endReason, impasse]).nullable(),
    state: z.enum(["ended", "stopped", "waiting"]),
    report_path: path.nullable(),
    receipt_path: path.nullable(),
  }),
]);
