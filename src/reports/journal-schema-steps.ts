import { z } from "zod";
import { ordinal, path, plannedStep, requirement, sha256, stepStatus, unitTest } from "./schema-parts.ts";

/** What happens to steps and their files. */
export const stepEvents = {
  started: { step: ordinal, regression: z.boolean() },
  marked: {
    step: ordinal,
    status: stepStatus,
    unitTest: unitTest.nullable(),
    sha256,
    edited: z.boolean(),
  },
  refused: {
    step: ordinal,
    why: z.enum(["changed", "invalid", "write_failed"]),
    message: z.string(),
  },
  written: {
    dir: path,
    files: z.array(z.string()),
    steps: z.array(z.strictObject(plannedStep)),
    requirements: z.array(z.strictObject(requirement)),
    unchanged: z.literal(true).exactOptional().describe("the directory held these very files already"),
  },
};
