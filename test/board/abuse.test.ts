import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BoardRig, straight } from "../rig/board.ts";
import type { StartOptions } from "../rig/rig.ts";
import { KILL_AFTER } from "../sweep/points.ts";
import { mainPrompts, outcomes, planIn, refused } from "./refusals.ts";

const SCHEMAS = join(import.meta.dirname, "..", "..", "schemas");

function expectValid(name: string, samples: readonly unknown[]): void {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(fs.readFileSync(join(SCHEMAS, name), "utf8")) as object);
  expect(samples.length).toBeGreaterThan(0);
  for (const sample of samples) expect(validate(sample) ? [] : [sample, validate.errors]).toEqual([]);
}

/** Exit code and output of a failed start, which leaves no run, call or file. */
async function notStarted(
  rig: BoardRig,
  flags: readonly string[] = [],
  start: StartOptions = {},
): Promise<readonly [number | null, string]> {
  const before = rig.everything();
  const { code, stdout, stderr } = await rig.orchestrate(flags, start);
  expect({ stdout, calls: rig.calls(), left: rig.everything() }).toEqual({
    stdout: "",
    calls: [],
    left: before,
  });
  return [code, stderr];
}

/** A read-only disk for the board. Root cannot get one through permission bits. */
const READ_ONLY = `data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs";
  const { writeFileSync } = fs;
  fs.writeFileSync = (path, ...rest) => {
    if (/blackboard/.test(path)) throw new Error("EROFS: read-only file system, open '" + path + "'");
    return writeFileSync(path, ...rest);
  };`)}`;

describe("starts nothing", () => {
  test("B9 B10 B11 B13 without a board, or with one that cannot be read; every problem is named", async () => {
    const rig = new BoardRig(["M1-T1", "M1-T2", "M1-T3"]);
    const board = join(rig.project, rig.dir);
    const plan = rig
      .plan()
      .replace("### M1-T2", "### M1-T1")
      .replace("status: TODO", "status: WIP")
      .replace("  1. `sh test/M1-T3.sh` → exit 0", "  1. it works");
    rig.write("blackboard/dev_plan.md", plan);
    rig.write("blackboard/global_context.md", "x".repeat(256 * 1024 + 1));
    fs.rmSync(join(board, "project_env.json"));
    const [code, stderr] = await notStarted(rig);
    expect(code).toBe(2);
    expect(stderr.split("\n").slice(0, -3)).toEqual([
      expect.stringMatching(/^error: blackboard\/dev_plan\.md:6: a status is one of TODO.*\(WIP\)$/),
      expect.stringMatching(/^error: blackboard\/dev_plan\.md:11: .*twice.*\(M1-T1\)$/),
      expect.stringMatching(/^error: blackboard\/dev_plan\.md:20: .*\(it works\)$/),
      expect.stringMatching(/^error: blackboard\/global_context\.md: .*262144/),
      expect.stringMatching(/^error: blackboard\/project_env\.json: .*missing/),
    ]);
    fs.rmSync(board, { recursive: true });
    expect(await notStarted(rig)).toEqual([2, expect.stringContaining("agent-foreman board init")]);
    rig.write("blackboard", "a file\n");
    expect(await notStarted(rig)).toEqual([2, expect.stringContaining("not a directory")]);
  });

  test("with roles, limits or agents that cannot be, or a board that cannot be written", async () => {
    const rig = new BoardRig();
    for (const [flags, words] of [
      [["--roles", "BOSS=main"], "--roles takes MAIN=, TEST=, DEV= and REVIEW="],
      [["--roles", "MAIN="], "got MAIN="],
      [["--roles", "MAIN=main", "main=dev"], "--roles names MAIN twice"],
      [["--roles", "DEV=nobody"], "nobody"],
      [["--max-iterations", "0"], "--max-iterations"],
      [["--max-cost-usd", "1"], "does not report its cost"],
      [["--board", "elsewhere"], "board not found"],
    ] as const)
      expect(await notStarted(rig, flags)).toEqual([2, expect.stringContaining(words)]);
    const unwritable = await notStarted(rig, [], { preload: READ_ONLY });
    expect(unwritable).toEqual([2, expect.stringMatching(/board cannot be written: .*blackboard \(EROFS/)]);
    expect(await notStarted(rig, ["--roles", "DEV=claude"])).toEqual([5, expect.stringContaining("claude")]);
  });
});

test("edits between stop and resume count if readable, edits after a crash do not; all of it in --json", async () => {
  const rig = new BoardRig();
  rig.script([{ next: "USER" }, { next: "TEST", moves: { "M1-T1": "DOING" } }, { next: "DEV" }]);
  const asked = await rig.orchestrate(["--json", "--max-iterations", "3"]);
  const { runId } = asked;
  expect(asked.code).toBe(3);

  const good = rig.plan().replace("make M1-T1", "make it well");
  const broken = good.replace("status: TODO", "status: WIP");
  const journal = JSON.stringify(rig.records(runId));
  rig.write("blackboard/dev_plan.md", broken);
  for (const args of [
    ["resume", runId],
    ["decide", runId, "a"],
  ])
    expect(await rig.run(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("blackboard/dev_plan.md:6: a status is") as string,
    });
  expect([rig.plan(), JSON.stringify(rig.records(runId))]).toEqual([broken, journal]);

  rig.write("blackboard/dev_plan.md", good);
  rig.write("blackboard/project_env.json", '{ "env": { "MODE": "careful" } }\n');
  expect((await rig.decide(runId, "a")).code).toBe(0);
  rig.write("blackboard/global_context.md", "# Context\n\nIt is to be good.\n");
  // The fifth record is the start of TEST.
  const killed = await rig.resume(runId, ["--json"], { preload: KILL_AFTER, env: { SWEEP_KILL: "after:5" } });
  expect(killed.signal).toBe("SIGKILL");
  const lastPrompt = mainPrompts(rig).at(-1) ?? "";
  expect(planIn(lastPrompt)).toBe(good.trimEnd());
  expect(lastPrompt).toContain("It is to be good.");
  expect(lastPrompt).toContain('"MODE": "careful"');
  const doing = rig.plan();
  const later = doing.replace("make it well", "make it better");
  rig.write("blackboard/dev_plan.md", later);
  const last = await rig.resume(runId, ["--json"]);
  expect(last.code).toBe(1);
  expect(rig.plan()).toBe(doing);
  expect(planIn(mainPrompts(rig).at(-1) ?? "")).toBe(doing.trimEnd());
  expect(fs.readFileSync(join(rig.state, "runs", runId, "turns", "3", "board-dev_plan.md"), "utf8")).toBe(
    later,
  );
  expect(last.report).toMatchObject({ board_edits: 2, end_reason: "limit_reached", exit_code: 1 });
  expect(outcomes(last.report)).toEqual(["USER null", "TEST accepted", "DEV accepted"]);
  expect(rig.survivors()).toEqual([]);

  // Readers of the live output and of later output.
  const lines = [asked, killed, last].flatMap(({ stdout }) =>
    stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { readonly type: string }),
  );
  expectValid("json-line.schema.json", lines);
  expectValid("journal-record.schema.json", rig.records(runId));
  expectValid("orchestrate-report.schema.json", [last.report]);
  expect(lines.at(-1)).toMatchObject({ type: "left", run_id: runId, status: "failed", exit_code: 1 });
  const show = await rig.run(["show", runId]);
  expect(show.code).toBe(0);
  for (const words of ["changed by a person", "MAIN -> USER", "USER chose a", "M1-T1 make it well"])
    expect(show.stdout).toContain(words);
  expect((await rig.run(["runs"])).stdout).toMatch(new RegExp(`${runId} +orchestrate +✗ rejected +\\[3\\]`));
  const picture = await rig.run(["board", "show"]);
  expect(picture).toMatchObject({ code: 0, stdout: expect.stringMatching(/M1-T1 DOING +make it well/) });
});

test("a budget, and a logged-out agent: the run stops with its own code, and continues later", async () => {
  const rig = new BoardRig();
  rig.write("agent-foreman.yaml", "agents: [claude]\n");
  rig.script(straight("M1-T1"));
  const does = (words: string): StartOptions => ({ env: rig.withAgents({ CLAUDE_DOES: words }) });
  // Each turn costs 25 cents.
  const poor = await rig.orchestrate(["--max-cost-usd", "0.3", "--max-iterations", "2"], does("board"));
  const { runId } = poor;
  expect(poor).toMatchObject({ code: 4, report: { end_reason: "budget_reached", resumable: true } });
  const out = await rig.resume(runId, ["--max-cost-usd", "9"], does("board board auth"));
  expect(out).toMatchObject({ code: 5, report: { end_reason: "no_agent_available", resumable: true } });
  const last = await rig.resume(runId, [], does("board"));
  expect(last).toMatchObject({ code: 1, report: { end_reason: "limit_reached", resumable: false } });
  expect(outcomes(last.report)).toEqual(["TEST accepted", "DEV accepted"]);
  expect(refused(last.report)).toEqual([]);
});

test("a Chinese run from the first prompt to the last line", async () => {
  const rig = new BoardRig();
  rig.script([{ next: "DEV" }, ...straight("M1-T1")], {
    REVIEW: { say: "**结论：PASS**\n- M1-T1：已复核\n测试命令：`sh test/M1-T1.sh`" },
  });
  const { code, stdout, runId, report } = await rig.orchestrate(["--lang", "zh"]);
  expect(code).toBe(0);
  expect(outcomes(report)).toEqual([
    ...["TEST accepted", "DEV accepted", "REVIEW accepted", "FINISH null", "FINISH accepted"],
  ]);
  expect(refused(report)).toEqual(["1 red_not_confirmed M1-T1", "4 finish_with_update M1-T1"]);
  expect(rig.order(1)).toContain("## 测试需求\n1. ");
  expect(rig.roleReport(1)).toContain("验收命令：1 条中 0 条绿灯。");
  expect(rig.history()).toContain("dev_plan: 无变更");
  const [first = "", second = ""] = mainPrompts(rig);
  expect(first).toMatch(/^[^\n]*[一-鿿]/);
  expect(second).toContain("- red_not_confirmed: ");
  expect(stdout).toMatch(/✓ 通过.*VERIFIED/);
  const show = await rig.run(["show", runId, "--lang", "zh"]);
  expect(show.stdout).toContain("红灯，符合要求");
});
