import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, Rig, until } from "../rig/rig.ts";

type Line = Readonly<Record<string, unknown>>;

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const SCHEMA = join(CLI, "..", "..", "schemas", "json-line.schema.json");
const validate = ajv.compile(JSON.parse(fs.readFileSync(SCHEMA, "utf8")) as object);

/** The names in these objects are chosen by the user: variables and agents. */
const FOREIGN = new Set(["env", "agent_versions"]);

function areTexts(value: unknown): boolean {
  return Object.values(value ?? {}).every((inner) => typeof inner === "string");
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    name,
    ...(FOREIGN.has(name) && areTexts(inner) ? [] : namesIn(inner)),
  ]);
}

/** All lines. Checks that each has the run and the time. */
function checked(stdout: string): readonly Line[] {
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  expect(new Set(lines.map((line) => line["run_id"])).size).toBe(1);
  for (const line of lines) {
    expect(line["run_id"]).toMatch(/^\d{4}-[a-z0-9]{4}$/);
    expect(line["at"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(namesIn(line).filter((name) => !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name))).toEqual([]);
    expect(validate(line) ? [] : [line, validate.errors]).toEqual([]);
  }
  expect(lines.at(-1)).toMatchObject({ type: "left" });
  return lines;
}

describe("every line of --json has run_id, time and snake_case names", () => {
  test.each(["supervise", "run", "orchestrate", "chat"])("of %s", async (mode) => {
    const rig = new Rig();
    const { code, stdout } = await rig.run(["demo", mode, "--json"], { env: { TMPDIR: rig.root } });
    expect(code).toBe(0);
    // The demo of a board asks once and is resumed.
    const ends = stdout
      .split("\n")
      .flatMap((line, index) => (line.includes('"type":"left"') ? [index + 1] : []));
    const parts = ends.map((end, index) => stdout.split("\n").slice(ends[index - 1] ?? 0, end));
    const lines = parts.flatMap((part) => checked(part.join("\n")));
    expect(new Set(lines.map(({ type }) => type))).toContain("phase");
  });

  test("of analyze", async () => {
    const rig = new Rig();
    const env = rig.withAgents({ CLAUDE_DOES: "lie lie" });
    const { stdout } = await rig.run(["analyze", "plan.md", "--agents", "claude", "--json", "--verbose"], {
      env,
    });
    expect(checked(stdout).length).toBeGreaterThan(3);
  });

  test("of a failed check, of output, of a stop, and of resume; names of variables stay as they are", async () => {
    const rig = new Rig();
    rig.write(
      "agent-foreman.yaml",
      "profiles:\n  myAgent:\n    extends: claude\n    env: { someThing: x, OTHER: y }\n",
    );
    const go = join(rig.root, "go");
    const env = rig.withAgents({ CLAUDE_DOES: "work work work" });
    const fast = [`echo broken >&2; [ -e ${go} ]`];
    const args = rig.superviseArgs({ agents: "myAgent", fast, loops: 1, more: ["--json", "--verbose"] });
    const lines = checked((await rig.run(args, { env })).stdout);
    expect(lines.map(({ type }) => type)).toEqual(expect.arrayContaining(["event", "phase", "check_output"]));
    const [started] = lines;
    expect(started).toMatchObject({
      event: {
        type: "run_started",
        settings: { agents: [{ name: "myAgent", env: { someThing: "x", OTHER: "y" } }] },
      },
    });
    const running = rig.start(
      rig.superviseArgs({ agent: "echo hello; touch ../began; sleep 1000", more: ["--json", "--verbose"] }),
      { env },
    );
    await until(() => fs.existsSync(join(rig.root, "began")));
    process.kill(running.pid, "SIGINT");
    await until(() => running.output().stdout.includes('"stopping"'));
    process.kill(running.pid, "SIGINT");
    const stopped = checked((await running.ended).stdout);
    const types = stopped.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(["output", "stopping", "killing"]));
    const runId = String(stopped[0]?.["run_id"]);
    expect((await rig.run(["cancel", runId])).code).toBe(0);
    expect(checked((await rig.run(["resume", runId, "--json"])).stdout)).toHaveLength(1);
  });
});
