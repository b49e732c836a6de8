import * as z from "zod/mini";
import { markerProblem } from "../../modes/chat/completed.ts";
import type { Expected } from "../../platform/config-problem.ts";
import { DURATION, MAX_DURATION_MS, parseDuration } from "./duration.ts";

/** Errors carry what was expected as JSON, because the words depend on the language. */
export const expects = (expected: Expected): { error: string } => ({ error: JSON.stringify(expected) });

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const filledText = z.string(expects("text")).check(z.regex(/\S/, expects("filled_text")));
const name = z.string(expects("name")).check(z.regex(NAME, expects("name")));
const variable = z.string(expects("variable")).check(z.regex(VARIABLE_NAME, expects("variable")));
const command = z.string(expects("text_or_texts")).check(z.regex(/\S/, expects("text_or_texts")));
const seconds = z
  .number(expects("duration"))
  .check(z.minimum(0, expects("duration")), z.maximum(MAX_DURATION_MS / 1000, expects("duration")));

/** Checks of values in a configuration file. */
export const valueSchemas = {
  text: z.string(expects("text")),
  filledText,
  texts: z.array(filledText, expects("texts")),
  yesOrNo: z.boolean(expects({ oneOf: ["true", "false"] })),
  oneOf: (choices: readonly string[]) => z.enum([...choices], expects({ oneOf: choices })),
  name,
  names: z.array(name, expects("names")).check(z.minLength(1, expects("names"))),
  variable,
  variables: z.array(variable, expects("variables")),
  commands: z.union(
    [command, z.array(command).check(z.minLength(1, expects("text_or_texts")))],
    expects("text_or_texts"),
  ),
  duration: z
    .union(
      [z.string(expects("duration")).check(z.regex(DURATION, expects("duration"))), seconds],
      expects("duration"),
    )
    .check(z.refine((value) => parseDuration(String(value)) !== undefined, expects("duration"))),
  whole: (min: number, max: number) => {
    const expected = expects({ whole: [min, max] });
    return z.int(expected).check(z.minimum(min, expected), z.maximum(max, expected));
  },
  amount: z.number(expects("amount")).check(z.minimum(0, expects("amount"))),
  marker: z.string(expects("marker")).check(
    z.regex(/\S/, expects("marker")),
    z.refine((value) => markerProblem(value) === null, expects("marker")),
  ),
};
