import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { complaintsAbout, Places } from "./fixtures.ts";

const asRoot = process.getuid?.() === 0;

test("a problem has its place, its line and a caret", async () => {
  expect(await complaintsAbout("# one\nlimits:\n  max_loops: 3\n  max_cost_usd: -5\n")).toBe(
    `error: agent-foreman.yaml:4:17: max_cost_usd must be 0 or more, got -5
  4 |   max_cost_usd: -5
    |                 ^`,
  );
});

test("the caret is right below wide characters and in long lines", async () => {
  expect(await complaintsAbout('tests: { fast: "测试", fulll: x }\n')).toContain(
    `  1 | tests: { fast: "测试", fulll: x }\n    | ${" ".repeat(23)}^`,
  );
  const long = await complaintsAbout(`tests: { fast: "${"x".repeat(300)}", fulll: x }\n`);
  const [, source = "", caret = ""] = long.split("\n");
  expect(source.slice(caret.indexOf("^"))).toMatch(/^fulll/);
  expect(source.length).toBeLessThan(120);
});

test("all problems of all files are reported at once, in the order of their lines", async () => {
  const places = new Places();
  places.write(places.userFile, "lang: fr\n");
  places.write(
    places.projectFile,
    `agents: [cluade]
limits: { max_lops: 3, stall: soon }
tests: { fast: 5 }
profiles:
  a: { extends: b }
  b: { extends: a }
`,
  );
  const output = (await places.complaints()).split("\n").filter((line) => line.startsWith("error"));
  expect(output.map((line) => /: (?:.*\/)?([\w-]+\.yaml:\d+:\d+)/.exec(line)?.[1])).toEqual([
    "config.yaml:1:7",
    "agent-foreman.yaml:1:10",
    "agent-foreman.yaml:2:11",
    "agent-foreman.yaml:2:31",
    "agent-foreman.yaml:3:16",
    "agent-foreman.yaml:5:17",
  ]);
});

describe("reported problems", () => {
  test.each<[string, string, string]>([
    [
      "a typo",
      "limts: {}",
      "1:1: unknown key limts; did you mean limits? (known: agents, verifiers, roles, profiles, limits",
    ],
    [
      "a typo below",
      "tests: { fst: x }",
      "1:10: unknown key fst; did you mean fast? (known: fast, full, changes, allow_no_change, protect, product)",
    ],
    ["a key of nowhere", "zzzzzz: 1", "1:1: unknown key zzzzzz (known: agents"],
    ["prototype keys", "__proto__: { x: 1 }", "1:1: unknown key __proto__"],
    ["the same key twice", "lang: en\nlang: zh", "2:1: the same key appears twice"],
    ["the same key twice below", 'limits: { stall: 1, "stall": 2 }', "1:21: the same key appears twice"],
    ["a tab", "limits:\n\tmax_loops: 1", "2:1: a tab indents this line"],
    ["two documents", "lang: en\n---\nlang: zh", "2:1: a second document begins here"],
    ["broken YAML", "agents: [claude", "1:16: not valid YAML: Flow sequence"],
    ["a tag", "lang: !!python/object en", "1:7: not valid YAML: Unresolved tag"],
    ["an unknown alias", "lang: *unset", "1:7: no anchor &unset exists before this alias"],
    ["a list", "- claude", "1:1: the file must be a mapping (key: value), got - claude"],
    ["a text", "claude", "1:1: the file must be a mapping"],
    ["nothing after a key", "limits:", "1:8: limits must be a mapping (key: value), there is nothing"],
    ["agents as text", "agents: claude", "1:9: agents must be a list of names, not empty, got claude"],
    ["nothing to run", 'clean_room: { setup: "" }', '1:22: setup must be text that is not empty, got ""'],
    [
      "no name of a variable",
      'clean_room: { pass_env: ["A B"] }',
      "pass_env[0] must be the name of an environment variable (letters, digits and underscores)",
    ],
    ["no agents", "agents: []", "1:9: agents must be a list of names, not empty, got []"],
    ["an agent with a comma", 'agents: ["a,b"]', "1:10: agents[0] must be a name of letters"],
    [
      "an unknown agent",
      "agents: [codx]",
      "1:10: unknown agent or profile codx; did you mean codex? (known: claude",
    ],
    [
      "a fraction",
      "limits: { max_loops: 1.5 }",
      "max_loops must be a whole number from 1 to 100000, got 1.5",
    ],
    ["no attempt", "limits: { max_loops: 0 }", "max_loops must be a whole number from 1 to 100000, got 0"],
    ["negative tokens", "limits: { max_tokens: -1 }", "max_tokens must be a whole number, 0 or more, got -1"],
    ["not a number", "limits: { max_cost_usd: .nan }", "max_cost_usd must be 0 or more, got .nan"],
    ["infinity", "limits: { max_cost_usd: .inf }", "max_cost_usd must be 0 or more, got .inf"],
    ["a negative time", "limits: { max_time: -1 }", "max_time must be a duration such as 90s"],
    [
      "a long time",
      "limits: { max_time: 30d }",
      "max_time must be a duration such as 90s, 15m, 6h or 2d, 24d at most",
    ],
    [
      "a test that is a number",
      "tests: { fast: [5] }",
      "fast must be a command or a list of commands, got [5]",
    ],
    ["an empty command", 'tests: { fast: " " }', 'fast must be a command or a list of commands, got " "'],
    [
      "verifiers as text",
      "verifiers: codex",
      "1:12: verifiers must be a list of names, not empty, got codex",
    ],
    ["no verifiers", "verifiers: []", "1:12: verifiers must be a list of names, not empty, got []"],
    ["a verifier with a comma", 'verifiers: ["a,b"]', "1:13: verifiers[0] must be a name of letters"],
    [
      "an unknown verifier",
      "verifiers: [claude, codx]",
      "1:21: unknown agent or profile codx; did you mean codex? (known: claude",
    ],
    ["a verifier without command", "verifiers: [command]", "1:13: command does not say what to run"],
    ["roles as a list", "roles: [claude]", "1:8: roles must be a mapping (key: value), got [claude]"],
    ["a role as text", "roles: { dev: codex }", "1:15: dev must be a list of names, not empty, got codex"],
    ["no agent for a role", "roles: { dev: [] }", "1:15: dev must be a list of names, not empty, got []"],
    [
      "an unknown role",
      "roles: { tests: [codex] }",
      "1:10: unknown key tests; did you mean test? (known: main, test, dev, review)",
    ],
    [
      "an unknown agent for a role",
      "roles: { main: [claude, codx] }",
      "1:25: unknown agent or profile codx; did you mean codex?",
    ],
    ["a role without command", "roles: { review: [command] }", "1:19: command does not say what to run"],
    [
      "no iterations",
      "limits: { max_iterations: 0 }",
      "1:27: max_iterations must be a whole number from 1 to 100000",
    ],
    ["a typo in verifiers", "verifier: [codex]", "1:1: unknown key verifier; did you mean verifiers?"],
    [
      "an unknown way out",
      "on_stuck: retry",
      "1:11: on_stuck must be stop, continue or next-agent, got retry",
    ],
    [
      "a way out as a flag",
      "on_stuck: true",
      "1:11: on_stuck must be stop, continue or next-agent, got true",
    ],
    ["no way out", "on_stuck:", "1:10: on_stuck must be stop, continue or next-agent, there is nothing"],
    ["another language", "lang: fr", "1:7: lang must be zh or en, got fr"],
    [
      "a value as a secret's name",
      "secrets: [a b]",
      "1:11: secrets[0] must be the name of an environment variable",
    ],
    ["a missing prompt", "prompts: { supervise: no.md }", "1:23: no such file: "],
    ["a prompt that is a directory", "prompts: { supervise: .git }", "1:23: no such file: "],
    ["a missing prompt for steps", "prompts: { implement: no.md }", "1:23: no such file: "],
    [
      "an unknown prompt",
      "prompts: { verfy: no.md }",
      "1:12: unknown key verfy; did you mean verify? (known: supervise, implement, verify, analyze, main, test, dev, review)",
    ],
    ["a prompt that is a number", "prompts: { analyze: 5 }", "1:21: analyze must be text, in quotes"],
    [
      "a number in env",
      "profiles: { a: { extends: pi, env: { PORT: 80 } } }",
      "PORT must be text, in quotes",
    ],
    [
      "a variable with a dash",
      "profiles: { a: { extends: pi, env: { A-B: x } } }",
      "A-B must be the name of an environment",
    ],
    ["a profile with a space", "profiles: { a b: { extends: pi } }", "a b must be a name of letters"],
    [
      "a profile without extends",
      "profiles: { a: { model: x } }",
      "1:13: profile a needs extends: one of claude",
    ],
    [
      "an unknown extends",
      "profiles: { a: { extends: pie } }",
      "1:27: unknown agent or profile pie; did you mean pi?",
    ],
    [
      "half a price",
      "profiles: { a: { extends: pi, price: { input: 1 } } }",
      "output must be 0 or more, there is nothing",
    ],
    [
      "an endpoint without scheme",
      "profiles: { a: { extends: pi, endpoint: host:1 } }",
      "endpoint must be an address",
    ],
    [
      "a command for claude",
      "profiles: { a: { extends: claude, command: x } }",
      "1:35: command is for profiles of command, acp, this one is made from claude",
    ],
    [
      "an endpoint for pi",
      'profiles: { a: { extends: pi, endpoint: "http://localhost/v1" } }',
      "1:31: endpoint is for profiles of claude, codex, gemini, opencode, qwen, copilot",
    ],
    [
      "an endpoint for opencode without a model",
      'profiles: { a: { extends: opencode, endpoint: "http://localhost/v1" } }',
      "1:37: endpoint also needs a model",
    ],
    ["an agent without command", "agents: [command]", "1:10: command does not say what to run"],
    ["an acp agent without command", "agents: [acp]", "1:10: acp does not say what to run"],
    ["a bad reference", 'profiles: { a: { extends: pi, env: { A: "${HOME}" } } }', "is written ${env:NAME}"],
    [
      "a reference elsewhere",
      'profiles: { a: { extends: pi, model: "${env:M}" } }',
      "works in the env of a profile only",
    ],
  ])("%s", async (_, text, expected) => {
    expect(await complaintsAbout(`${text}\n`)).toContain(expected);
  });

  test("each missing prompt has its own place", async () => {
    const output = await complaintsAbout("prompts:\n  verify: a.md\n  analyze: b.md\n");
    expect(output.match(/agent-foreman\.yaml:\d+:\d+: no such file: .*/g)).toEqual([
      expect.stringMatching(/^agent-foreman\.yaml:2:11: .*\/a\.md$/),
      expect.stringMatching(/^agent-foreman\.yaml:3:12: .*\/b\.md$/),
    ]);
  });

  test("a verifier may be a profile of the other file, and its problem points to that file", async () => {
    const places = new Places();
    places.write(places.userFile, "verifiers: [ours]\nprofiles: { mine: { extends: pi } }\n");
    places.write(
      places.projectFile,
      "agents: [mine]\nverifiers: [mine, yours]\nprofiles: { ours: { extends: mine } }\n",
    );
    const output = (await places.complaints()).split("\n").filter((line) => line.startsWith("error"));
    expect(output).toEqual([
      expect.stringContaining("agent-foreman.yaml:2:19: unknown agent or profile yours; did you mean ours?"),
    ]);
  });

  test("in Chinese as well", async () => {
    expect(await complaintsAbout("limits: { max_cost_usd: -5, max_lop: 1 }\n", "zh")).toBe(
      `错误：agent-foreman.yaml:1:25: max_cost_usd 必须是不小于 0 的数，实际为 -5
  1 | limits: { max_cost_usd: -5, max_lop: 1 }
    |                         ^
错误：agent-foreman.yaml:1:29: 未知的键 max_lop；是否想用 max_loops？（可用：max_loops, max_iterations, max_cost_usd, max_tokens, max_time, max_wait, stall, agent_timeout, test_timeout）
  1 | limits: { max_cost_usd: -5, max_lop: 1 }
    |                             ^`,
    );
    expect(await complaintsAbout("on_stuck: retry\n", "zh")).toContain(
      "on_stuck 必须是stop、continue 或 next-agent，实际为 retry",
    );
  });
});

describe("files that cannot be read", () => {
  test("a directory", async () => {
    const places = new Places();
    fs.mkdirSync(places.projectFile);
    expect(await places.complaints()).toBe("error: agent-foreman.yaml: is not a file");
  });

  test("a pipe, without waiting for a writer", async () => {
    const places = new Places();
    const { spawnSync } = await import("node:child_process");
    spawnSync("mkfifo", [places.projectFile]);
    expect(await places.complaints()).toBe("error: agent-foreman.yaml: is not a file");
  });

  test("a link that leads nowhere", async () => {
    const places = new Places();
    fs.symlinkSync("gone.yaml", places.projectFile);
    expect(await places.complaints()).toMatch(/agent-foreman\.yaml: cannot be read: ENOENT/);
  });

  test.skipIf(asRoot)("one without read permission", async () => {
    const places = new Places();
    places.write(places.projectFile, "lang: en\n");
    fs.chmodSync(places.projectFile, 0);
    expect(await places.complaints()).toMatch(/agent-foreman\.yaml: cannot be read: EACCES/);
  });

  test("one that is not UTF-8", async () => {
    expect(await complaintsAbout(Buffer.from([0x6c, 0xff, 0xfe]))).toBe(
      "error: agent-foreman.yaml: is not UTF-8 text",
    );
  });

  test("one that is too large", async () => {
    expect(await complaintsAbout(`# ${"x".repeat(1024 * 1024)}\n`)).toBe(
      "error: agent-foreman.yaml: is larger than 1 MiB",
    );
  });

  test("one that would be overlooked", async () => {
    const places = new Places();
    places.write(places.projectFile.replace(/yaml$/, "yml"), "lang: zh\n");
    expect(await places.complaints()).toBe(
      "error: agent-foreman.yml: is not read under this name: rename it to agent-foreman.yaml",
    );
  });

  test("a bomb of aliases, and one of brackets", async () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (const [before, name] of ["ab", "bc", "cd", "de", "ef", "fg"].map((pair) => pair.split("")))
      bomb.push(`${name}: &${name} [${Array<string>(9).fill(`*${before}`).join()}]`);
    expect(await complaintsAbout(`${bomb.join("\n")}\n`)).toContain("aliases expand to more than");
    expect(await complaintsAbout("secrets: &a [*a]\n")).toContain("error: ");
    for (const depth of [100, 1000, 3000, 10_000, 100_000])
      expect(await complaintsAbout(`x: ${"[".repeat(depth)}${"]".repeat(depth)}\n`)).toContain("error: ");
  });

  test("files made to keep us busy are reported at once, or refused", async () => {
    const times = (count: number, piece: (index: number) => string): string =>
      Array.from({ length: count }, (_, index) => piece(index)).join("");
    const many = await complaintsAbout(times(50_000, (index) => `key${index}: 1\n`));
    expect(many.match(/error/g)).toHaveLength(100);
    for (const text of [
      `secrets: [${times(100_000, (index) => `a b${index},`)}]\n`,
      `lang: &a en\nsecrets: [${times(100_000, () => "*a,")}]\n`,
      `${"x".repeat(900_000)}: 1\n`,
      `lang: ${"token=x:".repeat(100_000)}\n`,
      times(50_000, () => "] :\n"),
      `profiles: { a: { extends: pi, env: {${times(30_000, (index) => `A${index}_TOKEN: aaaaaaaa,`)}}}}\n`,
    ])
      expect(await complaintsAbout(text)).toMatch(/^error: agent-foreman\.yaml:\d+:\d+: .{10,400}\n/);
  });

  test("a profile that is not well formed does not make the agents that name it unknown", async () => {
    const output = await complaintsAbout("agents: [mine]\nprofiles: { mine: 5 }\n");
    expect(output.match(/error/g)).toHaveLength(1);
    expect(output).toContain("2:19: mine must be a mapping (key: value), got 5");
  });

  test("reports the other file's problems, but calls no profile unknown for it", async () => {
    const places = new Places();
    fs.mkdirSync(places.userFile, { recursive: true });
    places.write(places.projectFile, "agents: [mine]\nlang: fr\n");
    const output = await places.complaints();
    expect(output).toContain("config.yaml: is not a file");
    expect(output).toContain("lang must be");
    expect(output).not.toContain("unknown agent");
  });
});
