import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { loadConfig } from "../../src/cli/config/load.ts";

/** A PATH with only these agents. */
function withAgents(rig: Rig, ...names: string[]): Record<string, string> {
  const bin = join(rig.root, "bin");
  fs.mkdirSync(bin, { recursive: true });
  for (const name of names) fs.writeFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
  return { PATH: bin };
}

describe("init --yes", () => {
  test("writes valid findings, and names one command to type next", async () => {
    const rig = new Rig();
    rig.write("package.json", JSON.stringify({ scripts: { test: "x", "test:unit": "y" } }));
    const { code, stdout, stderr } = await rig.run(["init", "--yes"], {
      env: withAgents(rig, "codex", "claude"),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(
      '✓ wrote  agent-foreman.yaml\nnext  agent-foreman supervise --task "<what is to be done>" --plan-file plan.md\n',
    );
    const text = rig.read("agent-foreman.yaml");
    expect(text).toMatch(
      /^# yaml-language-server: \$schema=https:\/\/unpkg\.com\/agent-foreman@\d+\.\d+\.\d+\/schemas\/config\.schema\.json\n/,
    );
    const config = await loadConfig({ cwd: rig.project, env: { HOME: rig.home } });
    expect(config.agents.value).toEqual(["claude", "codex"]);
    expect(config.testFast.value).toEqual(["npm run test:unit"]);
    expect(config.testFull.value).toEqual(["npm test"]);
    expect(await rig.run(["config", "check"])).toMatchObject({ code: 0 });
  });

  test("its commented lines are valid as well", async () => {
    const rig = new Rig();
    await rig.run(["init", "--yes"], { env: withAgents(rig) });
    const text = rig.read("agent-foreman.yaml");
    const opened = text.replace(/^# ((?:agents|tests|limits|profiles|  ).*)$/gm, "$1");
    expect(opened).toContain("\n  max_loops: 6");
    rig.write("agent-foreman.yaml", opened);
    expect(await rig.run(["config", "check"])).toMatchObject({ code: 0, stderr: "" });
    const { agents, maxTimeMs, testFull, profiles } = await loadConfig({
      cwd: rig.project,
      env: { HOME: rig.home },
    });
    expect(agents.value).toEqual(["claude"]);
    expect(maxTimeMs.value).toBe(7_200_000);
    expect(testFull.value).toEqual(["npm test"]);
    expect([...profiles.keys()]).toEqual(["local"]);
  });

  test("finds nothing: refers to doctor", async () => {
    const rig = new Rig();
    const { stdout } = await rig.run(["init", "--yes", "--lang", "zh"], { env: withAgents(rig) });
    expect(stdout).toBe("✓ 已写入  agent-foreman.yaml\n下一步  agent-foreman doctor\n");
  });

  test("an agent but no tests: the command has a place for them", async () => {
    const rig = new Rig();
    const { stdout } = await rig.run(["init", "--yes"], { env: withAgents(rig, "claude") });
    expect(stdout).toContain('--plan-file plan.md --test-fast "<command>" --test-full "<command>"\n');
  });

  test("points to the schema of an installed copy", async () => {
    const rig = new Rig();
    rig.write("node_modules/agent-foreman/schemas/config.schema.json", "{}");
    await rig.run(["init", "--yes"], { env: withAgents(rig) });
    expect(rig.read("agent-foreman.yaml")).toContain(
      "$schema=./node_modules/agent-foreman/schemas/config.schema.json\n",
    );
  });

  test("never overwrites, unless forced, and never a plan", async () => {
    const rig = new Rig();
    rig.write("agent-foreman.yaml", "mine\n");
    const env = withAgents(rig);
    const refused = await rig.run(["init", "--yes", "--plan"], { env });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      `file already exists, nothing was written: ${join(rig.project, "agent-foreman.yaml")}`,
    );
    expect(refused.stderr).toContain("agent-foreman init --force");
    expect(rig.read("agent-foreman.yaml")).toBe("mine\n");
    const forced = await rig.run(["init", "--yes", "--plan", "--force"], { env });
    expect(forced).toMatchObject({ code: 0, stderr: "" });
    expect(forced.stdout).not.toContain("plan.md\n✓");
    expect(rig.read("agent-foreman.yaml")).toContain("yaml-language-server");
    expect(rig.read("plan.md")).toContain("Do the work.");
  });

  test("writes a plan if asked", async () => {
    const rig = new Rig();
    fs.rmSync(join(rig.project, "plan.md"));
    const { stdout } = await rig.run(["init", "--yes", "--plan"], { env: withAgents(rig) });
    expect(stdout).toContain("✓ wrote  agent-foreman.yaml\n✓ wrote  plan.md\n");
    expect(rig.read("plan.md")).toContain("# Plan");
  });

  test("a place that cannot be written", async () => {
    const rig = new Rig();
    fs.mkdirSync(join(rig.project, "agent-foreman.yaml"));
    const { code, stderr } = await rig.run(["init", "--yes", "--force"], { env: withAgents(rig) });
    expect(code).toBe(2);
    expect(stderr).toMatch(/error: cannot be written: .*agent-foreman\.yaml \(EISDIR/);
    expect(rig.exists("agent-foreman.yaml.tmp")).toBe(false);
  });

  test("without a terminal it asks for --yes", async () => {
    const rig = new Rig();
    const { code, stderr } = await rig.run(["init"]);
    expect(code).toBe(2);
    expect(stderr).toContain("next    agent-foreman init --yes");
    expect(rig.exists("agent-foreman.yaml")).toBe(false);
  });
});

describe("init at a terminal", () => {
  test("asks for agents, tests and a plan", async () => {
    const rig = new Rig();
    fs.rmSync(join(rig.project, "plan.md"));
    rig.write("Cargo.toml", "");
    const session = new TerminalSession(rig, ["init"], withAgents(rig, "claude"));
    await session.shows("Which agents?");
    session.press(Key.down, " ", Key.enter);
    await session.shows("Fast tests");
    session.press(" --lib", Key.enter);
    await session.shows("Full tests");
    session.press(Key.enter);
    await session.shows("Write a plan.md");
    session.press("y");
    await session.shows('next  agent-foreman supervise --task "<what is to be done>"');
    expect(await session.ended).toBe(0);
    const { agents, testFast, testFull } = await loadConfig({ cwd: rig.project, env: { HOME: rig.home } });
    expect(agents.value).toEqual(["claude", "codex"]);
    expect(testFast.value).toEqual(["cargo test --lib"]);
    expect(testFull.value).toEqual(["cargo test"]);
    expect(rig.exists("plan.md")).toBe(true);
  });

  test.each([
    ["Ctrl-C", Key.ctrlC],
    ["Ctrl-D", Key.ctrlD],
  ])("%s writes nothing", async (_, key) => {
    const rig = new Rig();
    const session = new TerminalSession(rig, ["init"], withAgents(rig, "claude"));
    await session.shows("Which agents?");
    session.press(Key.enter);
    await session.shows("Fast tests");
    session.press(key);
    await session.shows("nothing was written");
    expect(await session.ended).toBe(130);
    expect(rig.exists("agent-foreman.yaml")).toBe(false);
  });
});
