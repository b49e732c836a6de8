import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Rig, type StartOptions, type SuperviseOptions } from "../rig/rig.ts";

/** Each command would leave a trace if it ran. */
const TRACE = "touch started";

/** A refused command line: one clear message, perhaps a next step, and no traces. */
async function refusal(
  rig: Rig,
  args: readonly string[],
  options: StartOptions = {},
): Promise<{ code: number | null; message: string }> {
  const before = rig.everything();
  const { code, stdout, stderr } = await rig.run(args, options);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^error: [^\n]+\n(?: {2}next {4}\S[^\n]*\n(?: {10}\S[^\n]*\n)?)?$/);
  expect(rig.everything()).toEqual(before);
  expect(rig.survivors()).toEqual([]);
  return { code, message: stderr.split("\n")[0] ?? "" };
}

/** Bad input that the message names. */
const badInput = (subject: string | RegExp): unknown => ({
  code: 2,
  message: (typeof subject === "string"
    ? expect.stringContaining(subject)
    : expect.stringMatching(subject)) as string,
});

function supervise(rig: Rig, options: Partial<SuperviseOptions>): string[] {
  return rig.superviseArgs({ agent: TRACE, fast: [TRACE], full: [TRACE], ...options });
}

// Missing required flags and bad values of --max-loops are S1 and S2, in flags.test.ts.
describe("flags", () => {
  test("time limits must be whole numbers from 0, the output limit from 1", async () => {
    const rig = new Rig();
    for (const [flag, value] of [
      ["--agent-timeout-sec", "-1"],
      ["--agent-timeout-sec", "1.5"],
      ["--test-timeout-sec", "soon"],
      ["--test-timeout-sec", "99999999999"],
      ["--max-output-mb", "0"],
    ] as const)
      expect(await refusal(rig, supervise(rig, { more: [flag, value] }))).toEqual(badInput(flag));
  });

  test("a flag without its value is named", async () => {
    const rig = new Rig();
    expect(await refusal(rig, supervise(rig, { more: ["--report"] }))).toEqual(badInput("--report"));
  });

  test("an unknown flag gets a suggestion", async () => {
    const rig = new Rig();
    const misspelt = supervise(rig, { more: ["--max-loop", "3"] });
    expect(await refusal(rig, misspelt)).toEqual(badInput(/unknown flag --max-loop\b.*--max-loops\?/));
    expect(await refusal(rig, supervise(rig, { more: ["--frobnicate"] }))).toEqual(
      badInput("unknown flag --frobnicate"),
    );
  });

  test("an unknown command gets a suggestion, and the next step is one that works", async () => {
    const rig = new Rig();
    expect(await refusal(rig, ["supervize"])).toEqual(badInput(/unknown command supervize.*supervise\?/));
    const { stderr } = await rig.run(["supervize"]);
    const next = /next +agent-foreman (.*)/.exec(stderr)?.[1]?.trim().split(" ") ?? [];
    expect({ next, code: (await rig.run(next)).code }).toEqual({ next, code: 0 });
  });

  test("without a command prints the help", async () => {
    const rig = new Rig();
    const { stderr, stdout } = await rig.run([]);
    expect(stderr).not.toContain("(outputHelp)");
    expect(stdout + stderr).toContain("supervise");
  });

  test("--json and --quiet exclude each other, --lang knows two languages", async () => {
    const rig = new Rig();
    expect(await refusal(rig, supervise(rig, { more: ["--json", "--quiet"] }))).toEqual(
      badInput(/--json.*--quiet/),
    );
    expect(await refusal(rig, supervise(rig, { more: ["--lang", "fr"] }))).toEqual(badInput("--lang"));
  });

  test("messages are also in Chinese", async () => {
    const rig = new Rig();
    const { code, stderr } = await rig.run(supervise(rig, { more: ["--max-loop", "3", "--lang", "zh"] }));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^错误：未知参数 --max-loop；是否想用 --max-loops？/);
  });

  test("messages about bad numbers are also in Chinese", async () => {
    const rig = new Rig();
    const { code, stderr } = await rig.run(supervise(rig, { more: ["--max-loops", "0", "--lang", "zh"] }));
    expect(code).toBe(2);
    expect(stderr).toContain("--max-loops");
    expect(stderr).not.toMatch(/argument|is invalid/);
  });
});

describe("commands and task", () => {
  test("empty ones are refused", async () => {
    const rig = new Rig();
    for (const empty of ["", " \n\t"])
      expect(await refusal(rig, supervise(rig, { agent: empty }))).toEqual(badInput("--agent-cmd"));
    expect(await refusal(rig, supervise(rig, { fast: [TRACE, ""] }))).toEqual(badInput("--test-fast"));
    expect(await refusal(rig, supervise(rig, { full: [" "] }))).toEqual(badInput("--test-full"));
    expect(await refusal(rig, supervise(rig, { task: "" }))).toEqual(badInput("--task"));
  });

  test("refuses a task too long for the environment; the longest allowed one arrives whole", async () => {
    const rig = new Rig();
    expect(await refusal(rig, supervise(rig, { task: "x".repeat(130_000) }))).toEqual(
      badInput(/--task.*130000/),
    );
    const longest = "中".repeat(40_000);
    const { code } = await rig.supervise({
      agent: 'printf %s "$GA_TASK" | wc -c > bytes; agent done',
      task: longest,
    });
    expect(code).toBe(0);
    expect(rig.read("bytes").trim()).toBe("120000");
  });
});

describe("places", () => {
  test("--cwd that is not a directory", async () => {
    const rig = new Rig();
    for (const path of ["nowhere", "plan.md"]) {
      const says = `--cwd is not a directory: ${join(rig.project, path)}`;
      expect(await refusal(rig, supervise(rig, { more: ["--cwd", path] }))).toEqual(badInput(says));
    }
  });

  test("--cwd below a file, or a link that leads to itself", async () => {
    const rig = new Rig();
    fs.symlinkSync("loop", join(rig.project, "loop"));
    for (const path of ["plan.md/below", "loop"])
      expect(await refusal(rig, supervise(rig, { more: ["--cwd", path] }))).toEqual(
        badInput(join(rig.project, path)),
      );
  });

  test("a report that cannot be written is noticed before the first round", async () => {
    const rig = new Rig();
    fs.mkdirSync(join(rig.project, "folder"));
    for (const path of ["missing/report.json", "folder", "plan.md/report.json"])
      expect(await refusal(rig, supervise(rig, { more: ["--report", path] }))).toEqual(
        badInput(join(rig.project, path)),
      );
  });

  test("does not replace a report path such as /dev/null by a file", async () => {
    const rig = new Rig();
    const pipe = join(rig.project, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(await refusal(rig, supervise(rig, { more: ["--report", "pipe"] }))).toEqual(badInput(pipe));
    expect(fs.lstatSync(pipe).isFIFO()).toBe(true);
  });

  test("an empty --report or --plan-file is no path", async () => {
    const rig = new Rig();
    expect(await refusal(rig, supervise(rig, { more: ["--report", ""] }))).toEqual(badInput(""));
    const { code } = await rig.run(supervise(rig, { plan: "" }));
    expect(code).toBe(2);
    expect(rig.exists("started")).toBe(false);
  });

  test("a state directory that cannot be used", async () => {
    const rig = new Rig();
    const file = join(rig.root, "a-file");
    fs.writeFileSync(file, "");
    for (const home of [file, join(file, "below")])
      expect(await refusal(rig, supervise(rig, {}), { env: { AGENT_FOREMAN_HOME: home } })).toEqual({
        code: 6,
        message: expect.stringContaining(home) as string,
      });
  });

  test("a state directory in a place where the system allows none", async () => {
    const rig = new Rig();
    const env = { AGENT_FOREMAN_HOME: "/proc/agent-foreman" };
    expect(await refusal(rig, supervise(rig, {}), { env })).toEqual({
      code: 6,
      message: expect.stringContaining("/proc/agent-foreman") as string,
    });
  });

  test("a missing plan: exit 2, starts nothing, but the report says failed", async () => {
    const rig = new Rig();
    const { code, report } = await rig.supervise({
      agent: TRACE,
      fast: [TRACE],
      full: [TRACE],
      plan: "nowhere.md",
    });
    expect(code).toBe(2);
    expect(report).toMatchObject({ final_status: "failed", end_reason: "plan_file_missing", attempts: [] });
    expect(rig.exists("started")).toBe(false);
    expect(rig.everything().filter((path) => path.endsWith(".tmp"))).toEqual([]);
  });

  test("a missing plan is reported on stderr as well, like other errors", async () => {
    const rig = new Rig();
    const { stderr, stdout } = await rig.supervise({ agent: TRACE, plan: "nowhere.md" });
    expect(stdout + stderr).toContain(join(rig.project, "nowhere.md"));
    expect(stderr).toContain(join(rig.project, "nowhere.md"));
  });
});
