import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";
import { PROMPT_NAMES, type PromptName } from "../../src/text/prompt-template.ts";
import type { Lang } from "../../src/core/settings.ts";

const FULL = `agents: [router, claude]
verifiers: [claude]
profiles:
  router:
    extends: codex
    model: m
    env: { OPENAI_API_KEY: "\${env:ROUTER_KEY}" }
limits:
  max_time: 2h
tests: { fast: npm test, full: [npm run lint, npm run all], protect: ["golden/**", score.pl] }
on_stuck: stop
roles: { dev: [claude, router] }
chat: { reviewer: router, checks: [npm test, make] }
secrets: [MINE]
clean_room: { setup: npm ci, allow_oracle_change: ["test/**"] }
`;

describe("config show", () => {
  test("shows what is in effect and where it is from, in columns, with no secret resolved", async () => {
    const rig = new Rig();
    rig.write("agent-foreman.yaml", FULL);
    const { code, stdout, stderr } = await rig.run(["config", "show"], { env: { ROUTER_KEY: "hunter2" } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`KEY                                 VALUE               FROM
agents                              router, claude      agent-foreman.yaml:1
verifiers                           claude              agent-foreman.yaml:2
roles.main                          any agent           default
roles.test                          any agent           default
roles.dev                           claude, router      agent-foreman.yaml:12
roles.review                        any agent           default
profiles.router.extends             codex               agent-foreman.yaml:4
profiles.router.model               m                   agent-foreman.yaml:4
profiles.router.env.OPENAI_API_KEY  \${env:ROUTER_KEY}   agent-foreman.yaml:4
limits.max_loops                    6                   default
limits.max_iterations               60                  default
limits.max_cost_usd                 no limit            default
limits.max_tokens                   no limit            default
limits.max_time                     2h                  agent-foreman.yaml:9
limits.max_wait                     6h                  default
limits.stall                        15m                 default
limits.agent_timeout                1h                  default
limits.test_timeout                 30m                 default
tests.fast                          npm test            agent-foreman.yaml:10
tests.full                          npm run lint        agent-foreman.yaml:10
tests.full                          npm run all         agent-foreman.yaml:10
tests.changes                       judge               default
tests.allow_no_change               false               default
tests.protect                       golden/**           agent-foreman.yaml:10
tests.protect                       score.pl            agent-foreman.yaml:10
tests.product                       none                default
chat.agent                          claude              default
chat.reviewer                       router              agent-foreman.yaml:13
chat.marker                         [TASK_COMPLETED]    default
chat.waiting_marker                 [WAITING_FOR_USER]  default
chat.max_reviews                    5                   default
chat.checks                         npm test            agent-foreman.yaml:13
chat.checks                         make                agent-foreman.yaml:13
prompts.supervise                   built in            default
prompts.implement                   built in            default
prompts.verify                      built in            default
prompts.analyze                     built in            default
prompts.main                        built in            default
prompts.test                        built in            default
prompts.dev                         built in            default
prompts.review                      built in            default
clean_room.enabled                  true                default
clean_room.setup                    npm ci              agent-foreman.yaml:15
clean_room.allow_oracle_change      test/**             agent-foreman.yaml:15
clean_room.prove_tests              false               default
clean_room.pass_env                 none                default
sandbox                             false               default
on_stuck                            stop                agent-foreman.yaml:11
lang                                by locale           default
secrets                             MINE                agent-foreman.yaml:14
`);
  });

  test("says the same as JSON, durations in seconds", async () => {
    const rig = new Rig();
    const path = rig.write("agent-foreman.yaml", FULL);
    const { stdout } = await rig.run(["config", "show", "--json"], {
      env: { AGENT_FOREMAN_AGENTS: "claude", AGENT_FOREMAN_VERIFIERS: "router,pi" },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      files: [{ scope: "project", path, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
      agents: { value: ["claude"], origin: { kind: "environment", variable: "AGENT_FOREMAN_AGENTS" } },
      verifiers: {
        value: ["router", "pi"],
        origin: { kind: "environment", variable: "AGENT_FOREMAN_VERIFIERS" },
      },
      roles: { main: { value: [] }, dev: { value: ["claude", "router"], origin: { line: 12 } } },
      profiles: { router: { value: { env: { OPENAI_API_KEY: "${env:ROUTER_KEY}" } }, origin: { line: 4 } } },
      limits: {
        max_time: { value: 7200, origin: { kind: "project", path, line: 9 } },
        max_loops: { value: 6 },
        max_iterations: { value: 60 },
      },
      chat: {
        agent: { value: "claude", origin: { kind: "default" } },
        reviewer: { value: "router", origin: { line: 13 } },
        max_reviews: { value: 5 },
        checks: { value: ["npm test", "make"] },
      },
      tests: { protect: { value: ["golden/**", "score.pl"], origin: { line: 10 } }, product: { value: [] } },
      prompts: { analyze: { value: null, origin: { kind: "default" } } },
      on_stuck: { value: "stop", origin: { kind: "project", path, line: 11 } },
      secrets: [{ value: "MINE" }],
    });
  });

  test("speaks the language of the configuration, unless a flag names another", async () => {
    const rig = new Rig();
    rig.write("agent-foreman.yaml", "lang: zh\n");
    expect((await rig.run(["config"])).stdout).toContain("来源");
    expect((await rig.run(["config", "--lang", "en"])).stdout).toContain("FROM");
  });

  test("without named verifiers, any agent verifies", async () => {
    const rig = new Rig();
    expect((await rig.run(["config"])).stdout).toMatch(/^verifiers +any agent +default$/m);
    expect((await rig.run(["config", "--lang", "zh"])).stdout).toMatch(/^verifiers +任意 agent +默认$/m);
  });

  test.each(["show", "check"])("an unknown verifier in the environment: %s", async (action) => {
    const rig = new Rig();
    const { code, stderr } = await rig.run(["config", action], { env: { AGENT_FOREMAN_VERIFIERS: "codx" } });
    expect(code).toBe(2);
    expect(stderr).toContain("error: unknown agent codx; did you mean codex? (known: claude, codex");
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

  test.each(PROMPT_NAMES)("prints %s by its name, in the language asked for", async (name) => {
    const rig = new Rig();
    for (const lang of ["en", "zh"] as const) {
      const { code, stdout } = await rig.run(["config", "prompt", name, "--lang", lang]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: shippedPrompt(name, lang) });
    }
  });

  test("without a name it is the one of supervise", async () => {
    const { stdout } = await new Rig().run(["config", "prompt"]);
    expect(stdout).toBe(shippedPrompt("supervise", "en"));
  });

  test("a name of no prompt, and one where none is asked for", async () => {
    const rig = new Rig();
    expect((await rig.run(["config", "prompt", "verfy"])).code).toBe(2);
    const { code, stdout, stderr } = await rig.run(["config", "check", "verify"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("unexpected argument verify");
  });

  test.each([
    ["supervise", "{{task}}\n", "{{protocol}} is missing"],
    ["implement", "{{description}} {{verification}} {{protocol}}\n", "{{feedback}} is missing"],
    ["verify", "{{description}} {{protocol}}\n", "{{verification}} is missing"],
    ["analyze", "{{feedback}} {{protocol}}\n", "{{requirements}} is missing"],
    ["verify", "{{verification}}\n{{task}}\n", "line 2: unknown placeholder {{task}}"],
  ])("a prompt of the project's that cannot be used is found by the check: %s", async (name, text, why) => {
    const rig = new Rig();
    const path = rig.write("mine.md", text);
    rig.write("agent-foreman.yaml", `prompts: { ${name}: mine.md }\n`);
    const { code, stderr } = await rig.run(["config", "check"]);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: prompt cannot be used: ${path} (${why})`);
  });

  test("prompts that come with the program can be kept in files, and pass the check", async () => {
    const rig = new Rig();
    for (const name of PROMPT_NAMES) rig.write(`${name}.md`, shippedPrompt(name, "en"));
    rig.write(
      "agent-foreman.yaml",
      `prompts: { ${PROMPT_NAMES.map((name) => `${name}: ${name}.md`).join(", ")} }\n`,
    );
    expect(await rig.run(["config", "check"])).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("config check", () => {
  test("lists all problems on stderr, and ends with 2", async () => {
    const rig = new Rig();
    rig.write("agent-foreman.yaml", "limits:\n  max_cost_usd: -5\n  max_lops: 2\n");
    const { code, stdout, stderr } = await rig.run(["config", "check"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(`error: agent-foreman.yaml:2:17: max_cost_usd must be 0 or more, got -5
  2 |   max_cost_usd: -5
    |                 ^
error: agent-foreman.yaml:3:3: unknown key max_lops; did you mean max_loops? (known: max_loops, max_iterations, max_cost_usd, max_tokens, max_time, max_wait, stall, agent_timeout, test_timeout)
  3 |   max_lops: 2
    |   ^
`);
  });

  test("lists them as JSON", async () => {
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

  test("config path lists the files", async () => {
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

function shippedPrompt(name: PromptName, lang: Lang): string {
  return fs.readFileSync(join(import.meta.dirname, "../../src/modes/prompts", `${name}.${lang}.md`), "utf8");
}
