import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAKE_CLOCK, Rig, type SuperviseOptions } from "../rig/rig.ts";

const CLAUDE: SuperviseOptions = { agents: "claude", fast: ["test -f work.txt"], full: ["true"] };

describe("unusable agents", () => {
  const REFUSED: [string, string[], number, RegExp][] = [
    ["unknown", ["--agent", "claud"], 2, /unknown agent.*claud[\s\S]*claude/],
    [
      "not installed",
      ["--agent", "gemini"],
      5,
      /agent gemini not found on PATH\n.*npm install -g @google\/gemini-cli/,
    ],
    ["none", ["--agent", " , "], 2, /--agent is empty/],
    ["named and commanded", ["--agent", "claude", "--agent-cmd", "x"], 2, /cannot be used with/],
    ["with a nonce", ["--agent", "claude", "--nonce"], 2, /cannot be used with/],
  ];
  test.each(REFUSED)("%s", async (_, flags, exitCode, message) => {
    const rig = Rig.inWorkTree();
    const base = [
      "supervise",
      "--task",
      "t",
      "--plan-file",
      "plan.md",
      "--test-fast",
      "true",
      "--test-full",
      "true",
    ];
    const { code, stderr } = await rig.run([...base, ...flags], { env: rig.withAgents() });
    expect(code).toBe(exitCode);
    expect(stderr).toMatch(message);
    expect(rig.runIds()).toEqual([]);
  });

  test("flags of the other way to work, also where the configuration names the agents", async () => {
    const rig = Rig.inWorkTree();
    const session = await rig.run(rig.superviseArgs({ more: ["--session", "continue"] }));
    expect(session.stderr).toContain("--session cannot be used with --agent-cmd");
    rig.write("agent-foreman.yaml", "agents: [claude]\ntests: { fast: 'true', full: 'true' }\n");
    const args = ["supervise", "--task", "t", "--plan-file", "plan.md", "--nonce"];
    const { code, stderr } = await rig.run(args, { env: rig.withAgents() });
    expect(code).toBe(2);
    expect(stderr).toContain("--nonce needs --agent-cmd");
    expect(rig.runIds()).toEqual([]);
  });

  test("a profile with an unset variable", async () => {
    const rig = Rig.inWorkTree();
    rig.write(
      "agent-foreman.yaml",
      'profiles: { p: { extends: claude, env: { ANTHROPIC_API_KEY: "${env:NOT_THERE}" } } }\n',
    );
    const { code, stderr } = await rig.run(rig.superviseArgs({ ...CLAUDE, agents: "p" }), {
      env: rig.withAgents(),
    });
    expect(code).toBe(2);
    expect(stderr).toContain("NOT_THERE");
  });

  test("a configuration that is wrong is shown where it is", async () => {
    const rig = Rig.inWorkTree();
    rig.write("agent-foreman.yaml", "limits:\n  max_cost_usd: -5\n");
    const { code, stderr } = await rig.run(rig.superviseArgs(CLAUDE), { env: rig.withAgents() });
    expect(code).toBe(2);
    expect(stderr).toContain("agent-foreman.yaml:2:17");
    expect(rig.runIds()).toEqual([]);
  });

  test("a prompt without required parts", async () => {
    const rig = Rig.inWorkTree();
    rig.write("my-prompt.md", "Do {{task}} and {{dance}}.\n");
    rig.write("agent-foreman.yaml", "prompts: { supervise: my-prompt.md }\n");
    const { code, stderr } = await rig.run(rig.superviseArgs(CLAUDE), { env: rig.withAgents() });
    expect(code).toBe(2);
    expect(stderr).toMatch(/my-prompt\.md.*dance/);
  });
});

describe("configuration", () => {
  test("names agents and tests, so that few flags remain", async () => {
    const rig = Rig.inWorkTree();
    rig.write(
      "agent-foreman.yaml",
      "agents: [claude]\ntests: { fast: test -f work.txt, full: ['true'] }\nlimits: { max_loops: 2 }\n",
    );
    const { code } = await rig.run(["supervise", "--task", "t", "--plan-file", "plan.md"], {
      env: rig.withAgents(),
    });
    expect(code).toBe(0);
    expect(rig.report(rig.runIds()[0] ?? "")).toMatchObject({
      max_loops: 2,
      test_fast: ["test -f work.txt"],
    });
  });

  test("a project's own prompt takes the place of ours", async () => {
    const rig = Rig.inWorkTree();
    rig.write("my-prompt.md", "Please: {{task}}\n{{protocol}}\n");
    rig.write("agent-foreman.yaml", "prompts: { supervise: my-prompt.md }\n");
    const { code, report } = await rig.supervise(CLAUDE, { env: rig.withAgents() });
    expect(code).toBe(0);
    expect(fs.readFileSync(join(rig.home, "claude-prompt-1.md"), "utf8")).toMatch(/^Please: the task\n/);
    expect(report.prompt?.path).toBe(join(rig.project, "my-prompt.md"));
  });

  test("a profile switches the provider by its name", async () => {
    const rig = Rig.inWorkTree();
    rig.write(
      "agent-foreman.yaml",
      'profiles: { other: { extends: claude, model: big, endpoint: "http://localhost:1/v1", env: { KEY_OF_IT: "${env:MY_KEY}" } } }\n',
    );
    const bin = rig.write(
      "bin/claude",
      '#!/bin/sh\nprintf "%s %s" "$ANTHROPIC_BASE_URL" "$KEY_OF_IT" > seen; echo "$*" > args\n',
    );
    fs.chmodSync(bin, 0o755);
    const env = { PATH: `${join(rig.project, "bin")}:${rig.env()["PATH"]}`, MY_KEY: "a-key-of-mine" };
    await rig.run(rig.superviseArgs({ agents: "other", loops: 1 }), { env });
    expect(rig.read("seen")).toBe("http://localhost:1/v1 a-key-of-mine");
    expect(rig.read("args")).toContain("--model big");
    expect(fs.readFileSync(rig.journalPath(rig.runIds()[0] ?? ""), "utf8")).not.toContain("a-key-of-mine");
  });

  test("a run keeps its initial input: an agent's edits have no effect and are reported", async () => {
    const rig = Rig.inWorkTree();
    rig.write("agent-foreman.yaml", "limits: { max_loops: 2 }\n");
    const env = rig.withAgents({ CLAUDE_DOES: "meddle meddle" });
    const { code, report, stdout } = await rig.supervise({ ...CLAUDE, full: ["false"] }, { env });
    expect(code).toBe(1);
    expect(report.attempts).toHaveLength(2);
    const changed = [join(rig.project, "plan.md"), join(rig.project, "agent-foreman.yaml")];
    expect(report.attempts[0]?.changed_inputs).toEqual(changed);
    expect(stdout).toContain(`changed during the run, without effect on it: ${changed.join(", ")}`);
    const second = fs.readFileSync(join(rig.home, "claude-prompt-2.md"), "utf8");
    expect(second).toContain("Do the work.");
    expect(second).not.toContain("Nothing to do.");
    expect(second).toContain("agent-foreman.yaml");
  });
});

test("reports a configuration file that an agent creates", async () => {
  const rig = Rig.inWorkTree();
  const env = rig.withAgents({ CLAUDE_DOES: "meddle" });
  const { report } = await rig.supervise(CLAUDE, { env });
  expect(report.attempts[0]?.changed_inputs).toContain(join(rig.project, "agent-foreman.yaml"));
});

test("the effect of a profile on an agent is shown at the start", async () => {
  const rig = Rig.inWorkTree();
  const mine = rig.write("mine.sh", "#!/bin/sh\nexit 1\n");
  fs.chmodSync(mine, 0o755);
  rig.write(
    "agent-foreman.yaml",
    'profiles: { claude: { program: ./mine.sh, endpoint: "http://localhost:1" } }\n',
  );
  const { stdout } = await rig.run(rig.superviseArgs({ agents: "claude", loops: 1 }), {
    env: rig.withAgents(),
  });
  expect(stdout).toContain("claude: program ./mine.sh, endpoint http://localhost:1");
});

test("the program may be replaced during a run", async () => {
  const rig = Rig.inWorkTree();
  const dist = join(rig.root, "program");
  fs.cpSync(join(import.meta.dirname, "..", "..", "dist"), dist, { recursive: true });
  const env = rig.withAgents({ CLAUDE_DOES: "lie quota work" });
  // The first test after a turn removes the whole program.
  const turns = join(rig.home, "claude-turns");
  const options = { ...CLAUDE, fast: [`test ! -e '${turns}' || rm -rf '${dist}'; test -f work.txt`] };
  const { code, stderr } = await rig.run(rig.superviseArgs(options), {
    env,
    preload: FAKE_CLOCK,
    program: join(dist, "cli.cjs"),
  });
  expect(stderr).toBe("");
  expect(code).toBe(0);
});

describe("secrets", () => {
  const KEY = "tr0ub4dor-and-3-horses";
  const WELL_KNOWN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

  /** All files that the run wrote, by path, except the agent's own files in its home. */
  function written(rig: Rig): Map<string, string> {
    const paths = rig
      .everything()
      .filter((path) => !path.startsWith("home/") && path !== "project/leaky.sh")
      .filter((path) => fs.statSync(join(rig.root, path)).isFile());
    return new Map(paths.map((path) => [path, fs.readFileSync(join(rig.root, path), "utf8")]));
  }

  test.each([[[]], [["--json", "--verbose"]], [["--verbose"]]])(
    "reach no record and no screen %j",
    async (more) => {
      const rig = Rig.inWorkTree();
      rig.write("leaky.sh", `echo "key $LEAKED_KEY ${WELL_KNOWN}"; exit 1\n`);
      const env = rig.withAgents({ CLAUDE_DOES: "leak", LEAKED_KEY: KEY });
      const ended = await rig.run(rig.superviseArgs({ ...CLAUDE, fast: ["sh leaky.sh"], loops: 2, more }), {
        env,
      });
      expect(ended.code).toBe(1);
      const files = written(rig);
      for (const text of [ended.stdout, ended.stderr, ...files.values()]) expect(text).not.toContain(KEY);
      // A key that is known only by its form stays in the transcripts, which hold the output of commands.
      const records = [...files].filter(([path]) => !path.endsWith(".log")).map(([, text]) => text);
      for (const text of [ended.stdout, ended.stderr, ...records]) expect(text).not.toContain(WELL_KNOWN);
      expect(records.join("")).toContain("[redacted");
    },
  );

  test("that a profile passes by reference do not appear in the run's records", async () => {
    const rig = Rig.inWorkTree();
    const yaml = 'profiles: { p: { extends: claude, env: { FOO: "${env:PLAIN_NAME}" } } }\n';
    rig.write("agent-foreman.yaml", yaml);
    const env = rig.withAgents({ PLAIN_NAME: KEY });
    for (const options of [{ full: [`true # ${KEY}`] }, { task: `say ${KEY}` }]) {
      const args = rig.superviseArgs({ ...CLAUDE, agents: "p", ...options });
      const { code, stderr } = await rig.run(args, { env });
      expect(code).toBe(2);
      expect(stderr).toMatch(/--(?:test-full|task) holds a secret/);
    }
  });

  test("that are handed over by reference and are short are no secrets", async () => {
    const rig = Rig.inWorkTree();
    rig.write(
      "agent-foreman.yaml",
      'profiles: { p: { extends: claude, env: { MODE: "${env:MODE_NOW}" } } }\n',
    );
    const env = rig.withAgents({ MODE_NOW: "test" });
    expect((await rig.run(rig.superviseArgs({ ...CLAUDE, agents: "p" }), { env })).code).toBe(0);
  });

  test("never change where a run works", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ POSTGRES_PASSWORD: "project-of-mine" });
    fs.renameSync(rig.project, join(rig.root, "project-of-mine"));
    const cwd = join(rig.root, "project-of-mine");
    const { code } = await rig.run(rig.superviseArgs(CLAUDE), { env, cwd });
    fs.renameSync(cwd, rig.project);
    expect(code).toBe(0);
    expect(rig.report(rig.runIds()[0] ?? "").cwd).toBe(cwd);
  });

  test("of several lines are kept line by line", async () => {
    const rig = Rig.inWorkTree();
    const lines = ["-----BEGIN KEY-----", "first-line-of-it", "second-line-of-it", "-----END KEY-----"];
    const env = { DEPLOY_KEY: lines.join("\n") };
    rig.write("say.sh", "printf 'GA_STATUS=NEEDS_WORK\\nGA_EVIDENCE=it says second-line-of-it\\n'\n");
    const agent = "sh say.sh";
    await rig.run(rig.superviseArgs({ agent, loops: 1 }), { env });
    const journal = fs.readFileSync(rig.journalPath(rig.runIds()[0] ?? ""), "utf8");
    expect(journal).toContain("it says [redacted DEPLOY_KEY]");
  });

  test("do not appear in commands", async () => {
    const rig = Rig.inWorkTree();
    const { code, stderr } = await rig.run(rig.superviseArgs({ agent: `run --key ${KEY}` }), {
      env: { MY_API_KEY: KEY },
    });
    expect(code).toBe(2);
    expect(stderr).toContain("--agent-cmd holds a secret");
    expect(stderr).not.toContain(KEY);
  });
});
