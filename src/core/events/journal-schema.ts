import { z } from "zod";
import { eventDefinitions, type RunEvent } from "./index.ts";
import { zodOf } from "./zod-of.ts";
import { ordinal, sha256, timestamp } from "../report/schema-parts.ts";

export const runEventSchema = z.discriminatedUnion(
  "type",
  eventDefinitions().map(({ shape }) => zodOf(shape)) as never,
) as unknown as z.ZodType<RunEvent>;

export const journalRecordSchema = z.strictObject({
  v: z.literal(3),
  seq: ordinal,
  at: timestamp,
  prev: sha256.describe("hash of the previous record; zeros for the first"),
  event: runEventSchema,
  hash: sha256.describe("SHA-256 of the line's text before this field"),
});
