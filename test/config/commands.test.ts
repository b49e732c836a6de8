import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { loadConfig } from "../../src/config/load.ts";

const FULL = `agents: [router, claude]
profiles:
  router:
    extends: codex
    model: m
    env: { OPENAI_API_KEY: "\${env:ROUTER_KEY}" }
limits:
  max_time: 2h
tests: { fast: npm test, full: [npm run lint, npm run all] }
secrets: [MINE]
`;

describe("config show", () => {
  test("shows what is in effect and where it is from, in columns, with no secret resolved", async () => {
    const rig = new Rig();
    rig.write("agent-foreman.yaml", FULL);
    const { code, stdout, stderr } = await rig.run(["config", "show"], { env: { ROUTER_KEY: "hunter2" } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`KEY                                 VALUE              FROM
agents                              router, claude     agent-foreman.yaml:1
profiles.router.extends             codex              agent-foreman.yaml:3
profiles.router.model               m                  agent-foreman.yaml:3
profiles.router.env.OPENAI_API_KEY  \${env:ROUTER_KEY}  agent-foreman.yaml:3
limits.max_loops                    6                  default
limits.max_cost_usd                 no limit           default
limits.max_tokens                   no limit           default
limits.max_time                     2h                 agent-foreman.yaml:8
limits.max_wait                     6h                 default
limits.stall                        15m                default
limits.agent_timeout                1h                 default
limits.test_timeout                 30m                default
tests.fast                          npm test           agent-foreman.yaml:9
tests.full                          npm run lint       agent-foreman.yaml:9
tests.full                          npm run all        agent-foreman.yaml:9
prompts.supervise                   built in           default
lang                                by locale          default
secrets                             MINE               agent-foreman.yaml:10
`);
  });

  test("says the same as JSON, durations in seconds", async () => {
    const rig = new Rig();
    const path = rig.write("agent-foreman.yaml", FULL);
    const { stdout } = await rig.run(["config", "show", "--json"], {
      env: { AGENT_FOREMAN_AGENTS: "claude" },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      files: [{ scope: "project", path, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
      agents: { value: ["claude"], origin: { kind: "environment", variable: "AGENT_FOREMAN_AGENTS" } },
      profiles: { router: { value: { env: { OPENAI_API_KEY: "${env:ROUTER_KEY}" } }, origin: { line: 3 } } },
      limits: {
        max_time: { value: 7200, origin: { kind: "project", path, line: 8 } },
        max_loops: { value: 6 },
      },
      secrets: [{ value: "MINE" }],
    });
  });

  test("speaks the language of the configuration, unless a flag names another", async () => {
    const rig = new Rig();
    rig.write("agent-foreman.yaml", "lang: zh\n");
    expect((await rig.run(["config"])).stdout).toContain("来源");
    expect((await rig.run(["config", "--lang", "en"])).stdout).toContain("FROM");
  });

  test("an unknown agent in the environment", async () => {
    const rig = new Rig();
    const { code, stderr } = await rig.run(["config"], { env: { AGENT_FOREMAN_AGENTS: "cluade" } });
    expect(code).toBe(2);
    expect(stderr).toContain("error: unknown agent cluade; did you mean claude? (known: claude, codex");
  });
});

describe("config prompt", () => {
  test("prints the prompt that comes with the program, in the language asked for", async () => {
    const rig = new Rig();
    expect((await rig.run(["config", "prompt"])).stdout).toContain("{{protocol}}");
    expect((await rig.run(["config", "prompt", "--lang", "zh"])).stdout).toContain("# 任务");
  });

  test("a prompt of the project's that cannot be used is found by the check", async () => {
    const rig = new Rig();
    rig.write("mine.md", "{{task}}\n");
    rig.write("agent-foreman.yaml", "prompts: { supervise: mine.md }\n");
    const { code, stderr } = await rig.run(["config", "check"]);
    expect(code).toBe(2);
    expect(stderr).toContain("{{protocol}} is missing");
  });
});

describe("config check", () => {
  test("tells everything that is wrong on stderr, and ends with 2", async () => {
    const rig = new Rig();
    rig.write("agent-foreman.yaml", "limits:\n  max_cost_usd: -5\n  max_lops: 2\n");
    const { code, stdout, stderr } = await rig.run(["config", "check"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(`error: agent-foreman.yaml:2:17: max_cost_usd must be 0 or more, got -5
  2 |   max_cost_usd: -5
    |                 ^
error: agent-foreman.yaml:3:3: unknown key max_lops; did you mean max_loops? (known: max_loops, max_cost_usd, max_tokens, max_time, max_wait, stall, agent_timeout, test_timeout)
  3 |   max_lops: 2
    |   ^
`);
  });

  test("tells it as JSON", async () => {
    const rig = new Rig();
    const path = rig.write("agent-foreman.yaml", "lang: fr\n");
    const { code, stdout } = await rig.run(["config", "check", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      files: [path],
      problems: [
        { file: path, line: 1, column: 7, code: "wrong_value", message: "lang must be zh or en, got fr" },
      ],
    });
  });

  test("cannot be made to steer the terminal by the file", async () => {
    const rig = new Rig();
    rig.write("agent-foreman.yaml", '"\\e[2J\\n\u009b2J": 1\n');
    const { code, stderr } = await rig.run(["config", "check"]);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(stderr.trimEnd().split("\n")).toHaveLength(3);
  });

  test("is content with a valid file, and with none", async () => {
    const rig = new Rig();
    const none = await rig.run(["config", "check"]);
    expect(none.stdout).toContain("No configuration file");
    expect(none.stdout).toContain("next  agent-foreman init\n");
    rig.write("agent-foreman.yaml", FULL);
    const valid = await rig.run(["config", "check", "--cwd", "../project"]);
    expect(valid).toMatchObject({ code: 0, stdout: "✓ valid  agent-foreman.yaml\n" });
    expect((await rig.run(["config", "check", "--json"])).stdout).toContain('"ok": true');
  });

  test("config path tells the files", async () => {
    const rig = new Rig();
    const path = rig.write("agent-foreman.yaml", "");
    expect((await rig.run(["config", "path"])).stdout).toBe(`${path}\n`);
  });

  test("an unknown action", async () => {
    const { code, stderr } = await new Rig().run(["config", "shw"]);
    expect(code).toBe(2);
    expect(stderr).toContain("must be one of show, check, path, prompt, got shw");
  });
});

/** A PATH on which these agents are all there is. */
function withAgents(rig: Rig, ...names: string[]): Record<string, string> {
  const bin = join(rig.root, "bin");
  fs.mkdirSync(bin, { recursive: true });
  for (const name of names) fs.writeFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
  return { PATH: bin };
}

describe("init --yes", () => {
  test("writes what it finds, valid, and one command to type next", async () => {
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
    expect(config.tests.fast.value).toEqual(["npm run test:unit"]);
    expect(config.tests.full.value).toEqual(["npm test"]);
    expect(await rig.run(["config", "check"])).toMatchObject({ code: 0 });
  });

  test("what it comments out is valid, too", async () => {
    const rig = new Rig();
    await rig.run(["init", "--yes"], { env: withAgents(rig) });
    const text = rig.read("agent-foreman.yaml");
    const opened = text.replace(/^# ((?:agents|tests|limits|profiles|  ).*)$/gm, "$1");
    expect(opened).toContain("\n  max_loops: 6");
    rig.write("agent-foreman.yaml", opened);
    expect(await rig.run(["config", "check"])).toMatchObject({ code: 0, stderr: "" });
    const { agents, limits, tests, profiles } = await loadConfig({
      cwd: rig.project,
      env: { HOME: rig.home },
    });
    expect(agents.value).toEqual(["claude"]);
    expect(limits.maxTimeMs.value).toBe(7_200_000);
    expect(tests.full.value).toEqual(["npm test"]);
    expect([...profiles.keys()]).toEqual(["local"]);
  });

  test("finds nothing: sends to doctor", async () => {
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
      `already there, nothing was written: ${join(rig.project, "agent-foreman.yaml")}`,
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
    const { agents, tests } = await loadConfig({ cwd: rig.project, env: { HOME: rig.home } });
    expect(agents.value).toEqual(["claude", "codex"]);
    expect(tests.fast.value).toEqual(["cargo test --lib"]);
    expect(tests.full.value).toEqual(["cargo test"]);
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
