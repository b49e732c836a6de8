import { spawn } from "@lydell/node-pty";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, Rig, type StartOptions } from "../rig/rig.ts";

/** A PATH without agents. */
const BARE = { env: { PATH: "/usr/bin:/bin" } } as const;

interface Refused {
  readonly code: number | null;
  readonly error: string;
  readonly next: string;
}

async function refusal(rig: Rig, args: readonly string[], options: StartOptions = {}): Promise<Refused> {
  const { code, stdout, stderr } = await rig.run(args, options);
  expect(stdout).toBe("");
  const [, error = "", next = ""] =
    /^(?:error: |错误：)([^\n]+)\n(?: {2}(?:next {4}|下一步 {2})(\S[^\n]*)\n(?: {10}\S[^\n]*\n)?)?$/.exec(
      stderr,
    ) ?? [];
  return { code, error, next };
}

test("an error keeps its words on one line at a terminal that reports no width", async () => {
  const rig = new Rig();
  const command = `stty cols 0; exec '${process.execPath}' '${CLI}' run --dry-rn`;
  const pty = spawn("/bin/sh", ["-c", command], { cwd: rig.project, env: rig.env({}) });
  let screen = "";
  pty.onData((data) => (screen += data));
  await new Promise((resolve) => pty.onExit(resolve));
  expect(screen).toContain("error: unknown flag --dry-rn; did you mean --dry-run?\r\n");
});

describe("reports a typo first", () => {
  test("an unknown flag before flags that are missing", async () => {
    const rig = new Rig();
    expect(await refusal(rig, ["supervise", "--tsk", "x"])).toMatchObject({
      code: 2,
      error: "unknown flag --tsk; did you mean --task?",
    });
    expect((await refusal(rig, ["run", "--dry-rn"])).error).toBe(
      "unknown flag --dry-rn; did you mean --dry-run?",
    );
  });

  test("a test command without quotes is no second command", async () => {
    const rig = new Rig();
    const args = ["supervise", "--task", "t", "--test-fast", "npm", "test", "--test-full", "npm test"];
    expect(await refusal(rig, args)).toMatchObject({
      code: 2,
      error: 'unexpected argument test; quote the command: --test-fast "npm test"',
    });
  });

  test("a flag whose value is missing, although the parser takes the next flag for it", async () => {
    const rig = new Rig();
    for (const [args, flag] of [
      [["supervise", "--task", "--plan-file", "x"], "--task"],
      [["run", "steps", "--model", "--force"], "--model"],
      [["supervise", "--task", "t", "--lang", "--force"], "--lang"],
    ] as const)
      expect(await refusal(rig, args)).toEqual({
        code: 2,
        error: `flag ${flag} needs a value`,
        next: `agent-foreman ${args[0]} --help`,
      });
    expect((await refusal(rig, ["--lang", "en", "supervise", "--task", "--plan-file", "x"])).error).toBe(
      "flag --task needs a value",
    );
    expect((await refusal(rig, ["supervise", "--task=--force", "--plan-file", "x"])).error).toContain(
      "missing required flag",
    );
  });

  test("an argument that is not expected before flags that are missing", async () => {
    const rig = new Rig();
    for (const [args, stray] of [
      [["supervise", "fix it"], "fix it"],
      [["show", "1118-abcd", "more"], "more"],
      [["runs", "1118-abcd"], "1118-abcd"],
      [["config", "path", "verify"], "verify"],
      [["chat", "init", "extra"], "extra"],
    ] as const)
      expect(await refusal(rig, args)).toMatchObject({ code: 2, error: `unexpected argument ${stray}` });
  });

  test("the next step never repeats it, and works", async () => {
    const rig = new Rig();
    for (const args of [
      ["supervize"],
      ["boad", "show"],
      ["runn", "x", "--foo"],
      ["do the thing"],
      ["--foo", "supervise"],
      ["--lang", "fr"],
      ["--lang", "en", "runz"],
      ["help", "supervize"],
      ["supervise", "--tsk", "x"],
    ]) {
      const { code, next } = await refusal(rig, args);
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(next, args.join(" ")).toMatch(/^agent-foreman (?:\w+ )?--help$/);
      const followed = await rig.run(next.split(" ").slice(1));
      expect(followed).toMatchObject({ code: 0, stderr: "" });
      for (const word of args.filter((typed) => !["show", "help", "supervise", "en", "x"].includes(typed)))
        expect(next.split(" ")).not.toContain(word);
    }
  });
});

describe("missing flags", () => {
  test("S1 are listed at once, with init as the way", async () => {
    const rig = new Rig();
    const before = rig.everything();
    const all = await refusal(rig, ["supervise"], BARE);
    expect(all.code).toBe(2);
    for (const flag of ["--task", "--plan-file", "--test-fast", "--test-full"])
      expect(all.error).toContain(flag);
    expect(all.next).toBe("agent-foreman init");
    const zh = await refusal(rig, ["supervise", "--task", "x", "--agent-cmd", "true", "--lang", "zh"]);
    expect(zh.error).toBe("缺少必需参数 --plan-file、--test-fast、--test-full");
    expect(zh.next).toBe("agent-foreman init");
    expect(rig.everything()).toEqual(before);
  });

  test("are those that the configuration does not have either", async () => {
    const rig = new Rig();
    rig.write("agent-foreman.yaml", "agents: [claude]\ntests:\n  fast: npm test\n");
    expect((await refusal(rig, ["supervise"])).error).toBe(
      "missing required flags --task, --plan-file, --test-full",
    );
  });
});

describe("reports bad input before a missing agent", () => {
  const missing = (rig: Rig): string => join(rig.project, "no", "such");

  test("in every mode: a report in a directory that is missing", async () => {
    const rig = new Rig();
    rig.write("SUPERVISOR.md", "Review it.\n");
    rig.write(
      "steps/001-a.json",
      JSON.stringify({ id: "1", description: "a", status: "🔴 待完成", verification: [] }),
    );
    expect((await rig.run(["board", "init", "--yes", "--goal", "g", "--test", "true"])).code).toBe(0);
    const report = ["--report", "no/such/report.json"];
    for (const args of [
      [...rig.superviseArgs({ agents: "claude" }), ...report],
      ["run", "steps", ...report],
      ["analyze", "plan.md", ...report],
      ["orchestrate", ...report],
      ["chat", "--print", "hello", ...report],
    ])
      expect({ verb: args[0], ...(await refusal(rig, args, BARE)) }).toEqual({
        verb: args[0],
        code: 2,
        error: `report cannot be written: ${missing(rig)}/report.json (its directory does not exist)`,
        next: `mkdir -p ${missing(rig)}`,
      });
    expect(rig.runIds()).toEqual([]);
  });

  test("a missing plan file, which still leaves a report", async () => {
    const rig = new Rig();
    const { code, stderr } = await rig.run(rig.superviseArgs({ agents: "claude", plan: "nowhere.md" }), BARE);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: plan file not found: ${join(rig.project, "nowhere.md")}\n  next    create the file, or name another one with --plan-file\n`,
    });
    expect(rig.report(rig.runIds()[0] ?? "").end_reason).toBe("plan_file_missing");
  });

  test("and then names the agent", async () => {
    const rig = new Rig();
    fs.mkdirSync(join(rig.project, "no/such"), { recursive: true });
    const args = [...rig.superviseArgs({ agents: "claude" }), "--report", "no/such/report.json"];
    const { code, stderr } = await rig.run(args, BARE);
    expect(code).toBe(5);
    expect(stderr).toContain("claude");
    expect(rig.runIds()).toEqual([]);
  });
});

test("a step file that cannot be used: the keys of one are named", async () => {
  const rig = new Rig();
  for (const [lang, text] of [
    ["en", "[]"],
    ["zh", '{"title":"x"}'],
  ] as const) {
    rig.write("steps/001-a.json", text);
    const { code, stderr } = await rig.run(["run", "steps", "--dry-run", "--lang", lang]);
    expect(code).toBe(2);
    for (const key of ["id", "description", "status", "verification", "type", "unit_test", "command"])
      expect(stderr).toContain(`"${key}"`);
  }
});

describe("help and version", () => {
  test("help equals --help, for the program and each command", async () => {
    const rig = new Rig();
    const whole = await rig.run(["help"]);
    expect(whole).toMatchObject({ code: 0, stderr: "", stdout: (await rig.run(["--help"])).stdout });
    for (const name of ["supervise", "chat", "config"])
      expect(await rig.run(["help", name])).toMatchObject({
        code: 0,
        stderr: "",
        stdout: (await rig.run([name, "--help"])).stdout,
      });
    expect((await refusal(rig, ["help", "supervize"])).error).toBe(
      "unknown command supervize; did you mean supervise?",
    );
  });

  test("version, -v and --version", async () => {
    const rig = new Rig();
    const manifest = JSON.parse(fs.readFileSync(join(CLI, "..", "..", "package.json"), "utf8")) as {
      readonly version: string;
    };
    for (const word of ["version", "-v", "--version"])
      expect(await rig.run([word])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
  });

  test("--lang alone prints the help in that language", async () => {
    const rig = new Rig();
    const { stdout, stderr } = await rig.run(["--lang", "zh"]);
    expect({ stdout, stderr }).toEqual({
      stdout: (await rig.run(["help", "--lang", "zh"])).stdout,
      stderr: "",
    });
    expect(stdout).toContain("显示版本");
  });

  test("--lang before a command applies to it, also over the configuration", async () => {
    const rig = new Rig();
    rig.write("agent-foreman.yaml", "lang: en\n");
    expect(
      (await refusal(rig, ["--lang", "zh", "supervise", "--task", "x", "--plan-file", "plan.md"])).error,
    ).toMatch(/^缺少必需参数/);
    expect((await rig.run(["--lang=zh", "runs"])).stdout).toContain("还没有运行");
  });
});
