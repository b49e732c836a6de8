import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodyOf, readOrder } from "../../src/modes/orchestrate/rules/read-order.ts";
import { LONG_TEXTS, texts } from "./hostile.ts";

const HEAD = "# Current Task (Iteration 5)";
const TEST_ORDER = [
  HEAD,
  "assigned_agent: TEST",
  "",
  "## 任务目标",
  "为用户登录功能编写单元测试",
  "",
  "## 测试需求",
  "1. 正常登录：有效用户名+密码应返回 token",
  "   1. 一次",
  "   2. 两次",
  "2. 密码错误：应返回 401 错误",
  "3. 用户不存在：应返回 404 错误",
  "",
  "## 被测代码",
  "- `project/backend/app/auth.py:login()`",
  "",
  "## 验收标准",
  "- 命令: `pytest project/backend/tests/test_auth.py -v`",
  "- 阈值: 测试可运行，当前应为红灯（实现前）",
].join("\n");
const order = (...lines: string[]): string => [HEAD, ...lines].join("\n");

describe("a work order", () => {
  test("B24, B25, B28, B30 of the contract's own example", () => {
    const read = readOrder(TEST_ORDER);
    expect(read).toMatchObject({
      iteration: 5,
      assignedAgent: "TEST",
      selfTest: null,
      reviewMode: null,
      task: null,
      redWaiver: null,
      unknownValues: [],
      requirements: 3,
      partial: null,
      commands: [
        {
          command: "pytest project/backend/tests/test_auth.py -v",
          threshold: "测试可运行，当前应为红灯（实现前）",
        },
      ],
    });
    expect(read.sections.map(({ name }) => name)).toEqual([
      "goal",
      "test_requirements",
      "code_under_test",
      "acceptance",
    ]);
    expect(read.sections[0]?.text).toBe("为用户登录功能编写单元测试");
  });

  test.each([
    [HEAD, 5],
    [`\ufeff${HEAD}  \r\nx`, 5],
    ["# Current Task (Iteration 12): store files", 12],
    ["", null],
    [`\n${HEAD}`, null],
    [`Sure!\n${HEAD}`, null],
    ["## Current Task (Iteration 5)", null],
    ["# Current Task (Iteration {iteration})", null],
    ["# Current Task (Iteration 5", null],
    ["# current task (iteration 5)", null],
    ["# Current Task (Iteration 5)x", null],
  ])("B24 %j is of iteration %j", (text, iteration) => {
    expect(readOrder(text).iteration).toBe(iteration);
  });

  test.each([
    ["B25", "assigned_agent: DEV", { assignedAgent: "DEV" }],
    ["B25", "- **assigned_agent**：DEV", { assignedAgent: "DEV" }],
    ["B26", "self_test: enabled", { selfTest: "enabled" }],
    ["B26", "self_test: disabled      # DEV 专用", { selfTest: "disabled" }],
    ["B26", "self_test: Enabled", { selfTest: "enabled", unknownValues: [] }],
    ["B26", "self_test: DISABLED", { selfTest: "disabled", unknownValues: [] }],
    ["B27", "review_mode: Milestone", { reviewMode: "milestone", unknownValues: [] }],
    ["B26", "self_test: yes", { selfTest: null, unknownValues: [{ key: "self_test", value: "yes" }] }],
    ["B26", "self_test: n/a", { selfTest: null, unknownValues: [] }],
    ["B26", "self_test: # DEV", { selfTest: null, unknownValues: [] }],
    ["B27", "review_mode: milestone", { reviewMode: "milestone" }],
    ["B27", "Review_Mode：single", { reviewMode: "single" }],
    ["B27", "review_mode: investigate", { reviewMode: "investigate" }],
    [
      "B27",
      "review_mode: <milestone|single>",
      { reviewMode: null, unknownValues: [{ key: "review_mode", value: "<milestone|single>" }] },
    ],
    ["B14", "task: M1-T2", { task: "M1-T2" }],
    ["B15", "red_waiver: exists since issue #12", { redWaiver: "exists since issue #12" }],
    ["B15", "red_waiver: none", { redWaiver: null }],
    ["B26", "```\nself_test: enabled\n```", { selfTest: null }],
    ["B26", "## Goal\nself_test: enabled", { selfTest: null }],
  ])("%s %j in its head", (_, line, said) => {
    expect(readOrder(order(line))).toMatchObject(said);
  });

  test("B26 a duplicate key has no value", () => {
    expect(readOrder(order("self_test: enabled", "self_test: disabled"))).toMatchObject({
      selfTest: null,
      unknownValues: [{ key: "self_test", value: "enabled, disabled" }],
    });
    expect(readOrder(order("self_test: enabled", "self_test: enabled")).selfTest).toBe("enabled");
  });

  test.each([
    ["任务目标", "goal"],
    ["Task goal:", "goal"],
    ["**Goal**", "goal"],
    ["Acceptance criteria", "acceptance"],
    ["验收标准（按顺序）", "acceptance"],
    ["test  REQUIREMENTS", "test_requirements"],
    ["Code under test", "code_under_test"],
    ["调查任务", "investigation"],
    ["DEV 反馈内容", "dev_feedback"],
    ["DEV feedback：", "dev_feedback"],
    ["Related files", "files"],
    ["调查要求", "investigation_requirements"],
    ["Requirements", "investigation_requirements"],
    ["澄清回复", "clarification_reply"],
  ])("B28 a section %j is %s", (title, name) => {
    expect(readOrder(order(`## ${title}`, "a", "", "### b", "c", "## Other", "d")).sections).toEqual([
      { name, text: "a\n\n### b\nc" },
    ]);
  });

  test("B28 a heading in a code block begins no section", () => {
    expect(readOrder(order("## Goal", "```", "## Acceptance", "```")).sections).toHaveLength(1);
  });

  test("B28 commands and thresholds are numbered; the words around them are not read", () => {
    const section = [
      "## Acceptance",
      "Run each, in order:",
      "1. `npm test` → exit 0",
      "2. `npm run lint` -> 0 warnings",
    ];
    expect(readOrder(order(...section)).commands).toEqual([
      { command: "npm test", threshold: "exit 0" },
      { command: "npm run lint", threshold: "0 warnings" },
    ]);
    expect(readOrder(order("## Goal", "1. `npm test` → exit 0")).commands).toEqual([]);
    const unnumbered = order("## Acceptance", "`npm test` → exit 0", "no `npm run lint` → 0 warnings");
    expect(readOrder(unnumbered).commands).toEqual([{ command: "npm test", threshold: "exit 0" }]);
  });

  test.each([
    ["a heading", `${HEAD}\n## Partial Milestone Review: M2 (excluding blocked tasks)`, "M2"],
    ["a line", `${HEAD}\n**Partial Milestone Review：M2 (excluding blocked tasks)**`, "M2"],
    ["a title's value", `${HEAD}\n标题: Partial Milestone Review: M12 (excluding blocked tasks)`, "M12"],
    ["the title", `${HEAD}: Partial Milestone Review: M2 (excluding blocked tasks)`, "M2"],
    ["amid words", `${HEAD}\nNot a Partial Milestone Review: M2 (excluding blocked tasks)`, null],
    ["without what it excludes", `${HEAD}\n## Partial Milestone Review: M2`, null],
    ["in a code block", "```\nPartial Milestone Review: M2 (excluding blocked tasks)\n```", null],
  ])("B33 of a partial review: %s", (_, text, milestone) => {
    expect(readOrder(text).partial).toBe(milestone);
  });

  test("B44 two orders are equal whatever their iteration and white space", () => {
    const later = TEST_ORDER.replace("Iteration 5", "Iteration 6").replaceAll("\n\n", "\r\n \r\n");
    expect(bodyOf(later)).toBe(bodyOf(TEST_ORDER));
    expect(bodyOf(TEST_ORDER.replace("401", "403"))).not.toBe(bodyOf(TEST_ORDER));
  });

  test("any text can be read", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(readOrder(text).sections.length).toBeLessThanOrEqual(text.length);
        expect(bodyOf(`x\n${text}`)).toBe(bodyOf(`y\n${text}\n`));
      }),
    );
  });

  test.each(LONG_TEXTS)("takes no time for %s", (_, text) => {
    expect(readOrder(text).iteration).toBeNull();
    expect(bodyOf(text).length).toBeLessThan(text.length);
  });
});
