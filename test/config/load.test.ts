import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULTS } from "../../src/cli/config/config.ts";
import { PROMPT_NAMES } from "../../src/text/prompt-template.ts";
import { Places, projectConfig, sectionOf } from "./fixtures.ts";

test("uses the defaults without files", async () => {
  expect(await new Places().load()).toEqual(DEFAULTS);
});

test("the project goes before the user, value by value, and each value knows where it is from", async () => {
  const places = new Places();
  places.write(
    places.userFile,
    `agents: [gemini]
limits:
  max_loops: 3
  stall: 5m
tests: { fast: make quick, full: make }
lang: zh
secrets: [MINE]
profiles:
  a: { extends: claude }
  b: { extends: claude, model: old }
`,
  );
  places.write(
    places.projectFile,
    `# first line
agents: [codex, b]
limits: { max_loops: 9, max_time: 90 }
tests: { full: [one, two] }
secrets: [OURS]
profiles:
  b: { extends: codex }
`,
  );
  const config = await places.load();
  const user = (line: number) => ({ kind: "user", path: places.userFile, line });
  const project = (line: number) => ({ kind: "project", path: places.projectFile, line });
  expect(config.agents).toEqual({ value: ["codex", "b"], origin: project(2) });
  expect(config.maxLoops).toEqual({ value: 9, origin: project(3) });
  expect(config.maxTimeMs).toEqual({ value: 90_000, origin: project(3) });
  expect(config.stallMs).toEqual({ value: 300_000, origin: user(4) });
  expect(config.agentTimeoutMs).toEqual(DEFAULTS.agentTimeoutMs);
  expect(config.testFast).toEqual({ value: ["make quick"], origin: user(5) });
  expect(config.testFull).toEqual({ value: ["one", "two"], origin: project(4) });
  expect(config.lang).toEqual({ value: "zh", origin: user(6) });
  expect(config.secrets).toEqual([
    { value: "MINE", origin: user(7) },
    { value: "OURS", origin: project(5) },
  ]);
  expect([...config.profiles.keys()]).toEqual(["a", "b"]);
  expect(config.profiles.get("b")).toMatchObject({
    value: { extends: "codex", model: null },
    origin: project(7),
  });
  const digest = (path: string): string => createHash("sha256").update(fs.readFileSync(path)).digest("hex");
  expect(config.files).toEqual([
    { scope: "user", path: places.userFile, sha256: digest(places.userFile) },
    { scope: "project", path: places.projectFile, sha256: digest(places.projectFile) },
  ]);
});

test("the environment sets the agents over the files", async () => {
  const places = new Places();
  places.write(places.projectFile, "agents: [codex]\n");
  const origin = { kind: "environment", variable: "AGENT_FOREMAN_AGENTS" };
  const set = async (value: string) => (await places.load({ AGENT_FOREMAN_AGENTS: value })).agents;
  expect(await set("claude, gemini,")).toEqual({ value: ["claude", "gemini"], origin });
  expect(await set("")).toMatchObject({ value: ["codex"] });
});

test("the environment sets the verifiers over the files, apart from the agents", async () => {
  const places = new Places();
  places.write(places.projectFile, "agents: [claude]\nverifiers: [codex]\n");
  const origin = { kind: "environment", variable: "AGENT_FOREMAN_VERIFIERS" };
  const { agents, verifiers } = await places.load({ AGENT_FOREMAN_VERIFIERS: "gemini,pi" });
  expect(verifiers).toEqual({ value: ["gemini", "pi"], origin });
  expect(agents.value).toEqual(["claude"]);
  const others = await places.load({ AGENT_FOREMAN_AGENTS: "gemini", AGENT_FOREMAN_VERIFIERS: " , " });
  expect(others.verifiers).toMatchObject({ value: ["codex"], origin: { kind: "project", line: 2 } });
  const bare = await new Places().load({ AGENT_FOREMAN_VERIFIERS: "gemini" });
  expect(bare).toEqual({ ...DEFAULTS, verifiers: { value: ["gemini"], origin } });
});

test("by default any agent verifies, and the command says what becomes of a run that is stuck", async () => {
  const { verifiers, onStuck } = await projectConfig("agents: [claude]\n");
  expect(verifiers).toEqual({ value: [], origin: { kind: "default" } });
  expect(onStuck).toEqual({ value: null, origin: { kind: "default" } });
});

test("settings of steps come from the project, value by value, else from the user", async () => {
  const places = new Places();
  const prompt = (file: string, name: string): string => join(file, "..", name);
  for (const file of [places.userFile, places.projectFile])
    for (const name of PROMPT_NAMES) places.write(prompt(file, `${name}.md`), "do it\n");
  places.write(
    places.userFile,
    `verifiers: [codex, pi]
on_stuck: stop
prompts:
  implement: implement.md
  verify: verify.md
`,
  );
  places.write(places.projectFile, "prompts: { verify: verify.md, analyze: analyze.md }\n");
  const user = (line: number) => ({ kind: "user", path: places.userFile, line });
  const project = (line: number) => ({ kind: "project", path: places.projectFile, line });
  const below = await places.load();
  expect(below.verifiers).toEqual({ value: ["codex", "pi"], origin: user(1) });
  expect(below.onStuck).toEqual({ value: "stop", origin: user(2) });
  expect(sectionOf(below, "prompts")).toEqual({
    supervise: { value: null, origin: { kind: "default" } },
    implement: { value: prompt(places.userFile, "implement.md"), origin: user(4) },
    verify: { value: prompt(places.projectFile, "verify.md"), origin: project(1) },
    analyze: { value: prompt(places.projectFile, "analyze.md"), origin: project(1) },
    main: { value: null, origin: { kind: "default" } },
    test: { value: null, origin: { kind: "default" } },
    dev: { value: null, origin: { kind: "default" } },
    review: { value: null, origin: { kind: "default" } },
  });
  places.write(places.projectFile, "verifiers: [gemini]\non_stuck: next-agent\n");
  const above = await places.load();
  expect(above.verifiers).toEqual({ value: ["gemini"], origin: project(1) });
  expect(above.onStuck).toEqual({ value: "next-agent", origin: project(2) });
});

test("takes each role from the project, else from the user, else leaves it unset", async () => {
  const places = new Places();
  places.write(
    places.userFile,
    "roles:\n  main: [claude]\n  dev: [codex, pi]\nlimits: { max_iterations: 9 }\n",
  );
  places.write(places.projectFile, "roles:\n  dev: [gemini]\n  review: [pi]\n");
  const config = await places.load();
  expect(sectionOf(config, "roles")).toEqual({
    main: { value: ["claude"], origin: { kind: "user", path: places.userFile, line: 2 } },
    test: { value: [], origin: { kind: "default" } },
    dev: { value: ["gemini"], origin: { kind: "project", path: places.projectFile, line: 2 } },
    review: { value: ["pi"], origin: { kind: "project", path: places.projectFile, line: 3 } },
  });
  expect(config.maxIterations.value).toBe(9);
  expect((await new Places().load()).maxIterations.value).toBe(60);
});

test("XDG_CONFIG_HOME moves the user's file, if it is absolute", async () => {
  const places = new Places();
  places.write(places.userFile, "lang: zh\n");
  places.write(join(places.root, "xdg", "agent-foreman", "config.yaml"), "lang: en\n");
  expect((await places.load({ XDG_CONFIG_HOME: join(places.root, "xdg") })).lang.value).toBe("en");
  expect((await places.load({ XDG_CONFIG_HOME: "xdg" })).lang.value).toBe("zh");
});

test("uses the nearest file of a project's folder: its own, else the one at the top", async () => {
  const places = new Places();
  const folder = join(places.project, "packages", "one");
  fs.mkdirSync(folder, { recursive: true });
  places.write(places.projectFile, "limits: { max_loops: 1 }\n");
  expect((await places.load({}, folder)).maxLoops.value).toBe(1);
  places.write(join(folder, "agent-foreman.yaml"), "limits: { max_loops: 2 }\n");
  expect((await places.load({}, folder)).maxLoops.value).toBe(2);
});

test("a file above the project is not the project's", async () => {
  const places = new Places();
  places.write(join(places.root, "agent-foreman.yaml"), "lang: zh\n");
  expect((await places.load()).lang.value).toBeNull();
});

test.each(PROMPT_NAMES)("finds the prompt %s next to its file", async (name) => {
  const places = new Places();
  places.write(places.userFile, `prompts: { ${name}: mine.md }\n`);
  const prompt = join(places.userFile, "..", "mine.md");
  places.write(prompt, "do it\n");
  expect((await places.load())[`prompts.${name}`].value).toBe(prompt);
});

test.each(["", "# nothing yet\n", "---\n...\n", "\uFEFFlang: en\n", "lang: en\r\nagents:\r\n  - claude\r\n"])(
  "%j is a configuration",
  async (text) => {
    await expect(projectConfig(text)).resolves.toBeDefined();
  },
);

test("anchors and aliases are understood", async () => {
  const config = await projectConfig("tests: { fast: &t [npm test], full: *t }\n");
  expect(config.testFull.value).toEqual(["npm test"]);
});
