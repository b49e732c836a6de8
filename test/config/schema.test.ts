import { Ajv2020 } from "ajv/dist/2020.js";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema, configSchemaText } from "../../src/cli/config/schema.ts";
import { PROMPT_NAMES } from "../../src/text/prompt-template.ts";
import { Places } from "./fixtures.ts";

const REPO = join(import.meta.dirname, "..", "..");
const shipped = fs.readFileSync(join(REPO, "schemas", "config.schema.json"), "utf8");
const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(JSON.parse(shipped) as object);

/** The example of the documentation. */
const documented = /```yaml\n(.*?)```/s.exec(
  fs.readFileSync(join(REPO, "docs", "configuration.md"), "utf8"),
)?.[1] as string;

test("the shipped schema equals the code", () => {
  expect(shipped).toBe(configSchemaText());
});

describe("the documented example", () => {
  test("is valid, and names every key", async () => {
    const places = new Places();
    places.write(places.projectFile, documented);
    for (const name of PROMPT_NAMES) places.write(join(places.project, "prompts", `${name}.md`), "prompt\n");
    expect(await places.complaints()).toBe("");
    const written = parse(documented) as Record<string, Record<string, unknown>>;
    const { properties } = JSON.parse(shipped) as {
      properties: Record<string, { properties?: object; additionalProperties?: { properties?: object } }>;
    };
    expect(Object.keys(written).sort()).toEqual(Object.keys(properties).sort());
    for (const section of ["roles", "limits", "tests", "chat", "prompts"])
      expect(Object.keys(written[section] ?? {})).toEqual(Object.keys(properties[section]?.properties ?? {}));
    const used = new Set(
      Object.values(written["profiles"] ?? {}).flatMap((profile) => Object.keys(profile as object)),
    );
    expect([...used].sort()).toEqual(
      Object.keys(properties["profiles"]?.additionalProperties?.properties ?? {}).sort(),
    );
  });

  test("fits the shipped schema", () => {
    expect(validate(parse(documented)) ? [] : validate.errors).toEqual([]);
  });
});

test.each<object>([
  {},
  { agents: ["claude"] },
  { verifiers: ["codex", "mine"], on_stuck: "next-agent" },
  { prompts: { supervise: "a", implement: "b", verify: "c", analyze: "d" } },
  { prompts: { main: "a", test: "b", dev: "c", review: "d" } },
  { roles: {} },
  { roles: { main: ["claude"], test: ["a"], dev: ["a", "b"], review: ["mine"] } },
  { limits: { max_iterations: 100_000 } },
  { chat: {} },
  { chat: { agent: "mine", reviewer: "codex", marker: "全部完成", max_reviews: 100, checks: "npm test" } },
  { chat: { checks: ["a", "b"] } },
  { limits: { max_time: 90, max_wait: "1h30m", max_cost_usd: 0 } },
  { tests: { fast: "a", full: ["a", "b"] } },
  { profiles: { a: { extends: "claude", price: { input: 1, output: 2 } } } },
])("%j is good to both", (sample) => {
  expect(validate(sample)).toBe(true);
  expect(configSchema.safeParse(sample).success).toBe(true);
});

test.each<unknown>([
  [],
  "claude",
  { surprise: 1 },
  { agents: [] },
  { agents: "claude" },
  { agents: ["a b"] },
  { verifiers: [] },
  { verifiers: "codex" },
  { verifiers: ["a b"] },
  { roles: [] },
  { roles: { main: [] } },
  { roles: { dev: "codex" } },
  { roles: { surprise: ["codex"] } },
  { chat: [] },
  { chat: { agent: ["claude"] } },
  { chat: { reviewer: "a b" } },
  { chat: { marker: " " } },
  { chat: { waiting_marker: " " } },
  { chat: { marker: ["DONE"] } },
  { chat: { max_reviews: 0 } },
  { chat: { max_reviews: 101 } },
  { chat: { checks: [] } },
  { chat: { surprise: 1 } },
  { limits: { max_iterations: 0 } },
  { limits: { max_iterations: 100_001 } },
  { on_stuck: "retry" },
  { on_stuck: false },
  { prompts: { surprise: "a" } },
  { prompts: { verify: " " } },
  { limits: { max_cost_usd: -5 } },
  { limits: { max_loops: 0 } },
  { limits: { max_time: "soon" } },
  { limits: { max_time: -1 } },
  { limits: { max_time: 2_073_601 } },
  { limits: { surprise: 1 } },
  { tests: { fast: [] } },
  { tests: { fast: " " } },
  { lang: "fr" },
  { secrets: ["a b"] },
  { profiles: { "a b": {} } },
  { profiles: { a: { env: { "A-B": "x" } } } },
  { profiles: { a: { env: { A: 1 } } } },
  { profiles: { a: { endpoint: "host" } } },
  { profiles: { a: { price: { input: 1 } } } },
  { profiles: { a: { args: "x" } } },
])("%j is bad to both", (sample) => {
  expect(validate(sample)).toBe(false);
  expect(configSchema.safeParse(sample).success).toBe(false);
});
