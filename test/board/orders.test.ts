import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BoardRig, straight, type Move } from "../rig/board.ts";
import { expectRulesNamed, mainPrompts, outcomes, refused } from "./refusals.ts";

const ENVIRONMENT = '{ "python": "3.12", "env": { "MODE": "fast" } }';
const SECOND = '[ "$MODE" = fast ] && test -f src/second.txt';

describe("work orders", () => {
  test("B14 B20 B22 B24 B25 B26 B27 B28 B29 B30 B31 missing parts are named; roles get complete orders, with the environment", async () => {
    const rig = new BoardRig();
    rig.planned({ "M1-T1": { acceptance: ["sh test/M1-T1.sh", SECOND] }, "M1-T2": {} });
    rig.write(join(rig.dir, "project_env.json"), `${ENVIRONMENT}\n`);
    const commands = `1. \`sh test/M1-T1.sh\` → exit 0\n2. \`${SECOND}\` → exit 0`;
    const whole = (head: string, acceptance = commands): string =>
      `${head}\n\n## Goal\nDo it.\n\n## Acceptance\n${acceptance}`;
    const requirements = ["a file is stored", "an empty one is refused"];
    const moves: readonly Move[] = [
      {
        next: "TEST",
        moves: { "M1-T1": "DOING" },
        task: "# Current Task (Iteration 7)\nassigned_agent: DEV\n\n## Acceptance\n1. `sh test/M1-T1.sh` → exit 0",
      },
      { next: "TEST", moves: { "M1-T1": "DOING" }, order: { task: "M1-T2" } },
      { next: "TEST", moves: { "M1-T1": "DOING" }, order: { requirements } },

      { next: "TEST", order: { goal: "Redesign the tests: one file a case.", requirements } },

      { next: "DEV", task: whole("# Current Task (Iteration 3)\nassigned_agent: DEV\ntask: M1-T1") },
      {
        next: "DEV",
        task: whole(
          "# Current Task (Iteration 3)\nassigned_agent: DEV\nself_test: maybe",
          "1. `sh test/M1-T1.sh` → exit 0",
        ),
      },
      { next: "DEV", order: { selfTest: "disabled" } },

      { next: "TEST", moves: { "M1-T1": "DONE" } },
      { next: "DEV" },

      { next: "TEST", moves: { "M1-T1": "DONE" } },
      { next: "DEV", order: { goal: "Both files, please." } },

      { next: "TEST", moves: { "M1-T1": "DONE", "M1-T2": "DOING" } },
      { next: "DEV" },

      {
        next: "REVIEW",
        moves: { "M1-T2": "DONE" },
        task: whole("# Current Task (Iteration 8)\nassigned_agent: REVIEW"),
      },
      {
        next: "REVIEW",
        moves: { "M1-T2": "DONE" },
        task: whole("# Current Task (Iteration 8)\nassigned_agent: REVIEW\nreview_mode: quick"),
      },
      { next: "REVIEW", moves: { "M1-T2": "DONE" }, order: { mode: "single", task: "M1-T2" } },
      { next: "REVIEW", moves: { "M1-T2": "VERIFIED" }, order: { mode: "single", task: "M1-T1" } },
      { next: "FINISH", moves: { "M1-T1": "VERIFIED" } },
      { next: "FINISH" },
    ];
    rig.script(moves, {
      "DEV 3": { claim: "SKIPPED" },
      "DEV 5": { write: { "src/M1-T1.txt": "stored\n", "src/second.txt": "second\n" } },
    });
    const { code, report } = await rig.orchestrate();
    expect(code).toBe(0);

    const lacking =
      "order_section goal; test_order_incomplete test_requirements; test_order_incomplete code_under_test";
    expect(refused(report)).toEqual([
      `1 order_header 1; order_agent DEV, TEST; ${lacking}; order_commands ${SECOND}`,
      `1 order_task M1-T2, M1-T1; order_commands sh test/M1-T1.sh; order_commands ${SECOND}`,
      "3 order_self_test",
      `3 order_self_test maybe; order_commands ${SECOND}`,
      "4 done_without_green M1-T1",
      "5 done_without_green M1-T1",
      expect.stringMatching(/^8 order_review_mode;/),
      expect.stringMatching(/^8 order_review_mode quick;/),
      "10 finish_with_update M1-T1",
    ]);
    expectRulesNamed(rig, report);
    expect(outcomes(report)).toEqual([
      ...["TEST accepted", "TEST accepted", "DEV accepted"],
      // It reported PASS but made only one of two commands pass.
      "DEV rejected: acceptance_failed",
      ...["DEV accepted", "TEST accepted", "DEV accepted", "REVIEW accepted", "REVIEW accepted"],
      ...["FINISH null", "FINISH accepted"],
    ]);
    // B31 Without a self test nothing runs and nothing is DONE. Otherwise every command runs, whatever the first result.
    const results = report.iterations.map(({ checks }) => checks.map(({ exit_code }) => exit_code));
    expect(results.slice(0, 5)).toEqual([[1, 1], [1, 1], [], [0, 1], [0, 0]]);
    expect(rig.roleReport(3)).toContain("No acceptance command was run.");
    expect(rig.roleReport(4)).toMatch(/^1\. `sh test\/M1-T1\.sh` → green\n2\. .* → red \(/m);

    // B24 to B29 The order as MAIN wrote it is on the board and in the prompt. The prompt also has the environment.
    const workers = rig.calls().filter(({ role }) => role !== "MAIN");
    for (const { role, iteration, prompt } of workers) {
      const order = rig.order(iteration);
      expect(order.startsWith(`# Current Task (Iteration ${iteration})\nassigned_agent: ${role}\n`)).toBe(
        true,
      );
      expect(prompt).toContain(order.trimEnd());
      expect(order).not.toContain("python");
      expect(prompt).toContain(ENVIRONMENT);
    }
    expect(rig.order(3)).toContain("\nself_test: disabled\n");
    expect(rig.order(4)).toContain("\nself_test: enabled\n");
    expect(rig.order(8)).toContain("\nreview_mode: single\ntask: M1-T2\n");
    expect(rig.order(1)).toContain("## Test requirements\n1. a file is stored\n2. an empty one is refused");
    expect(report.iterations.map(({ tasks }) => tasks.join())).toEqual([
      ...["M1-T1", "M1-T1", "M1-T1", "M1-T1", "M1-T1", "M1-T2", "M1-T2", "M1-T2", "M1-T1", "", "M1-T1,M1-T2"],
    ]);
  });

  test("B24 B26 B28 B30 as in the document: Chinese sections, full-width colons, command and threshold apart", async () => {
    const rig = new BoardRig();
    const order = [
      ...[
        "# Current Task (Iteration 1)",
        "assigned_agent：TEST",
        "",
        "## 任务目标",
        "为存储功能编写单元测试",
        "",
      ],
      ...["## 测试需求", "1. 正常存储", "2. 空文件应被拒绝", "", "## 被测代码", "- `src/M1-T1.txt`", ""],
      ...["## 验收标准", "- 命令: `sh test/M1-T1.sh`", "- 阈值: 测试可运行，当前应为红灯"],
    ].join("\n");
    const begin = { "M1-T1": "DOING" } as const;
    rig.script(
      [
        {
          next: "TEST",
          moves: begin,
          task: order.replace("# Current Task (Iteration 1)", "# 当前任务（第 1 轮）"),
        },
        { next: "TEST", moves: begin, task: order.replace("## 测试需求", "## 需求") },
        { next: "TEST", moves: begin, task: order },
        ...straight("M1-T1").slice(1),
      ],
      { "TEST 1": { commands: ["sh test/M1-T1.sh"] } },
    );
    const { code, report } = await rig.orchestrate(["--lang", "zh"]);
    expect(code).toBe(0);
    expect(refused(report)).toEqual([
      "1 order_header 1",
      "1 test_order_incomplete test_requirements",
      "4 finish_with_update M1-T1",
    ]);
    const prompts = mainPrompts(rig);
    expect(prompts[1]).toContain("## 你上一个回答违反了以下规则");
    expect(prompts[1]).toMatch(/^- order_header: .*# Current Task \(Iteration N\)/m);
    expect(prompts[2]).toMatch(/^- test_order_incomplete: .*（## 测试需求）$/m);
    expect(rig.order(1)).toBe(`${order}\n`);
    expect(rig.order(2)).toMatch(
      /\nself_test: enabled\n[^]*## 任务目标\n[^]*## 验收标准\n1\. `sh test\/M1-T1\.sh` → /,
    );
    expect(rig.roleReport(1)).toContain("1. `sh test/M1-T1.sh` → 红灯");
    expect(rig.statuses()).toEqual(["M1-T1 VERIFIED"]);
  });
});
