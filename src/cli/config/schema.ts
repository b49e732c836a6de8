import * as z from "zod/mini";
import type { Expected } from "../../platform/config-problem.ts";
import { AFTER_PROFILES, BEFORE_PROFILES } from "../settings/configured.ts";
import type { ConfiguredSetting } from "../settings/setting.ts";
import { expects, valueSchemas } from "./value-schemas.ts";

const { amount, filledText, name, text, variable, variables } = valueSchemas;

/** The error about an unknown key lists the known keys. */
const mapping = <S extends z.core.$ZodShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys"
        ? Object.keys(shape).join(", ")
        : JSON.stringify("mapping" satisfies Expected),
  });

const optional = <T extends z.ZodMiniType>(schema: T, description: string) =>
  z.optional(schema.check(z.describe(description)));

const profile = mapping({
  extends: optional(
    name,
    "The agent or profile it is made from. A profile with the name of an agent is made from that one.",
  ),
  program: optional(filledText, "The executable, where it is not the agent's own"),
  command: optional(filledText, "The shell command, for profiles made from `command` or `acp`"),
  args: optional(z.array(text, expects("texts")), "Arguments after those of `extends`"),
  env: optional(
    z.record(variable, text, expects("mapping")),
    "Environment variables. Secrets only as ${env:NAME}",
  ),
  model: optional(filledText, "The model, as the agent calls it"),
  endpoint: optional(
    z.string(expects("url")).check(z.regex(/^https?:\/\/[^\s/]/, expects("url"))),
    "Address of the model's service",
  ),
  price: optional(
    mapping({ input: amount, cached: z.optional(amount), output: amount }),
    "Dollars a million tokens, for agents that do not report their cost. Default of `cached`: `input`",
  ),
});

type Shape = Record<string, z.ZodMiniType>;

/** The schemas of settings, each section as one mapping. */
function shapeOf(settings: readonly ConfiguredSetting[]): Shape {
  const shape: Shape = {};
  const sections: Record<string, Shape> = {};
  for (const { key, type, about } of settings) {
    const [first = "", inSection] = key.split(".");
    const schema = optional(type.schema(valueSchemas), about);
    if (inSection === undefined) shape[first] = schema;
    else {
      const section = { ...sections[first], [inSection]: schema };
      sections[first] = section;
      shape[first] = z.optional(mapping(section));
    }
  }
  return shape;
}

export type WrittenProfile = z.infer<typeof profile>;

export const configSchema = mapping({
  ...shapeOf(BEFORE_PROFILES),
  profiles: optional(z.record(name, profile, expects("mapping")), "Agents by your own names"),
  ...shapeOf(AFTER_PROFILES),
  secrets: optional(
    variables,
    "Names of further environment variables whose values are kept out of everything that is written",
  ),
});

/** Checked values of a file by section and key. */
export type WrittenConfig = z.infer<typeof configSchema>;

/** The schema file that is shipped for editors. */
export function configSchemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(configSchema, { target: "draft-2020-12" }), null, 2)}\n`;
}
