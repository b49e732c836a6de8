import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE, TODO } from "../rig/steps.ts";
import { answer, AnalyzeRig, DIR, step, SUFFIX, validator } from "./rig.ts";

describe("the result of an answer", () => {
  const steps = [
    step({ slug: "hello", extra: "is not kept" }),
    step({
      slug: "Say Bye!",
      description: "  Say bye\nto everybody ",
      done: true,
      verification: [
        { type: "unit", description: "bye is said", severity: "is not kept" },
        { type: "manual", description: "it sounds friendly" },
      ],
    }),
    step({ slug: null, title: "问候 语", description: "中文问候" }),
  ];

  test("a directory of that name with one file a step, all keys in their order, done ones 🟢; the report says where", async () => {
    const rig = new AnalyzeRig(answer({ steps }));
    const { code, stdout, stderr, report } = await rig.analyze();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(rig.written()).toEqual([DIR]);
    expect(rig.filesIn(DIR)).toEqual(["001-hello.json", "002-say-bye.json", "003-问候-语.json"]);
    expect(rig.read(join(DIR, "001-hello.json"))).toBe(
      `{
  "id": "step-001",
  "description": "Say hello",
  "status": "${TODO}",
  "verification": [
    {
      "type": "unit",
      "description": "hello is said"
    }
  ]
}
`,
    );
    expect(JSON.parse(rig.read(join(DIR, "002-say-bye.json")))).toEqual({
      id: "step-002",
      description: "Say bye\nto everybody",
      status: DONE,
      verification: [
        { type: "unit", description: "bye is said" },
        { type: "manual", description: "it sounds friendly" },
      ],
    });
    expect(JSON.parse(rig.read(join(DIR, "003-问候-语.json")))).toMatchObject({
      id: "step-003",
      status: TODO,
    });

    expect(stdout).toContain(`✓ 3 steps written: ${join(rig.project, DIR)}`);
    expect(stdout).toContain(`agent-foreman run '${DIR}'`);
    expect(report).toMatchObject({
      mode: "analyze",
      final_status: "passed",
      exit_code: 0,
      requirements: { path: join(rig.project, "requirements.md") },
      steps_dir: join(rig.project, DIR),
      files: rig.filesIn(DIR),
      attempts: [{ index: 1, decision: "accepted", reasons: [], problem: null, changed_files: [] }],
      agent_failures: [],
    });
    expect(validator("analyze-report.schema.json")(report)).toEqual([]);
    expect(rig.survivors()).toEqual([]);

    const [call, ...others] = rig.calls();
    expect(others).toEqual([]);
    expect(call?.prompt).toContain("It greets the person it is given.");
    expect(call?.prompt).toContain(`"name": "<short name, at most 30 characters>"`);
  });

  test("R42 run takes the steps as they are, and leaves the done one alone", async () => {
    const rig = new AnalyzeRig(answer({ steps }));
    expect((await rig.analyze()).code).toBe(0);
    const dry = await rig.run(["run", DIR, "--dry-run", "--lang", "en"]);
    expect({ code: dry.code, stderr: dry.stderr }).toEqual({ code: 0, stderr: "" });
    const ended = await rig.run(["run", DIR, "--lang", "en"]);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: "" });
    expect(rig.called().slice(1)).toEqual([
      "worker step-001 1",
      "reviewer step-001 1",
      "worker step-003 1",
      "reviewer step-003 1",
    ]);
    for (const file of rig.filesIn(DIR).filter((name) => name.endsWith(".json")))
      expect(JSON.parse(rig.read(join(DIR, file)))).toMatchObject({ status: DONE });
  });

  test.each([
    [
      "too long",
      "A very long name of a requirement, far longer than thirty",
      "A very long name of a requirem",
    ],
    ["Chinese, too long", "求".repeat(40), "求".repeat(30)],
    ["a path upwards", "../../../etc/passwd", "etc passwd"],
    ["an absolute path", "/tmp/x", "tmp x"],
    ["with NUL, line end and colour", "a\u0000b\nc\u001b[31md", "a b c [31md"],
    ["a hidden one", "...hidden", "hidden"],
    ["emoji that cannot be cut", "👩‍👩‍👧‍👦".repeat(8), "👩‍👩‍👧‍👦".repeat(4)],
    ["like a flag", "--force", "force"],
    ["spaces around", "  user   login  ", "user login"],
  ])("a name that is %s", async (_, name, clean) => {
    const rig = new AnalyzeRig(answer({ name }));
    const before = fs.readdirSync(rig.root);
    expect((await rig.analyze()).code).toBe(0);
    expect(rig.written()).toEqual([`${clean}${SUFFIX}`]);
    expect(Array.from(clean).length).toBeLessThanOrEqual(30);
    expect(
      fs
        .readdirSync(rig.root)
        .filter((each) => !before.includes(each))
        .toSorted(),
    ).toEqual(["calls", "state"]);
  });

  test("slugs that lead elsewhere, are alike, or are empty", async () => {
    const slugs = [
      "../../../evil",
      "/etc/passwd",
      "same",
      "same",
      "",
      "🙂",
      "..",
      "a\u0000b",
      7,
      "x".repeat(300),
    ];
    const rig = new AnalyzeRig(answer({ steps: slugs.map((slug) => step({ slug })) }));
    expect((await rig.analyze()).code).toBe(0);
    expect(rig.filesIn(DIR)).toEqual([
      "001-evil.json",
      "002-etc-passwd.json",
      "003-same.json",
      "004-same.json",
      "005-say-hello.json",
      "006-say-hello.json",
      "007-say-hello.json",
      "008-a-b.json",
      "009-say-hello.json",
      `010-${"x".repeat(40)}.json`,
    ]);
    expect(rig.everything().filter((path) => path.includes("evil"))).toEqual([
      join("project", DIR, "001-evil.json"),
    ]);
  });

  test("--out: writes there, whatever name the answer has", async () => {
    const rig = new AnalyzeRig(answer());
    const { code, report } = await rig.analyze(["--out", "my steps"]);
    expect({ code, dir: report.steps_dir }).toEqual({ code: 0, dir: join(rig.project, "my steps") });
    expect(rig.filesIn("my steps")).toEqual(["001-hello.json"]);
    expect(rig.written()).toEqual([]);
  });

  test.each([
    ["in a code fence", `Here it is:\n\n\`\`\`json\n${answer()}\n\`\`\`\n`],
    ["between prose", `I looked at {everything} and "steps".\n${answer()}\nThat is all.`],
    ["over many lines", JSON.stringify(JSON.parse(answer()), null, 4)],
    ["after another that was given up", `${answer({ steps: [] })}\nNo, rather:\n${answer()}`],
    [
      "with the keys of a prototype",
      answer({ steps: [step()] }).replace(
        "{",
        '{"__proto__": {"name": "evil"}, "constructor": 1, "toString": 2, ',
      ),
    ],
  ])("an answer %s is used", async (_, says) => {
    const rig = new AnalyzeRig(says);
    expect((await rig.analyze()).code).toBe(0);
    expect(rig.written()).toEqual([DIR]);
    expect(rig.filesIn(DIR)).toEqual(["001-hello.json"]);
  });
});

describe("output", () => {
  test("--json: prints only one valid JSON value per line", async () => {
    const rig = new AnalyzeRig(answer());
    const { code, stdout, stderr, runId } = await rig.analyze(["--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const faults = validator("json-line.schema.json");
    for (const line of lines) expect(faults(line), JSON.stringify(line)).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ type: "left", run_id: runId, status: "passed", exit_code: 0 });
    const events = lines
      .filter(({ type }) => type === "event")
      .map(({ event }) => (event as { type: string }).type);
    expect(events).toEqual(rig.events(runId).map(({ type }) => type));
    expect(events).toContain("steps_written");
  });

  test("--lang zh and en: prompt, screen and the second prompt", async () => {
    for (const [lang, asked, again, written] of [
      ["zh", "你的最后一条消息必须以如下形式的 JSON 对象结尾", "你的上一个回答无法使用", "已写入 1 个步骤"],
      [
        "en",
        "Your last message has to end with one JSON object",
        "Your last answer could not be used",
        "1 step written",
      ],
    ] as const) {
      const rig = new AnalyzeRig();
      rig.script({ "analyst 1": { say: "no" }, "analyst 2": { say: answer() } });
      const { stdout } = await rig.analyze(["--lang", lang]);
      expect(rig.calls()[0]?.prompt).toContain(asked);
      expect(rig.calls()[1]?.prompt).toContain(again);
      expect(stdout).toContain(written);
      expect(rig.written(), "whatever the language").toEqual([DIR]);
    }
  });

  test("--cwd and --report: the project is there, steps and report are in the caller's directory", async () => {
    const rig = new AnalyzeRig(answer());
    const here = join(rig.root, "here");
    fs.mkdirSync(here);
    const requirements = join(rig.project, "requirements.md");
    const args = ["analyze", requirements, "--cwd", rig.project, "--report", "my.json", "--lang", "en"];
    const { code, stdout } = await rig.run(args, { cwd: here });
    expect(code).toBe(0);
    expect(fs.readdirSync(here).toSorted()).toEqual([DIR, "my.json"].toSorted());
    expect(rig.written()).toEqual([]);
    expect(stdout).toContain(join(here, DIR));
  });
});
