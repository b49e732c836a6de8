import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRole } from "../../src/modes/orchestrate/rules/read-role.ts";
import { BOARD_ROLES, type BoardRole } from "../../src/core/board/answer.ts";
import type { RoleSaid } from "../../src/core/board/role-said.ts";
import { LONG_TEXTS, texts } from "./hostile.ts";

const NOTHING: RoleSaid = {
  claim: null,
  testFiles: [],
  commands: [],
  covered: [],
  blockType: null,
  failureType: null,
  fault: null,
  testFeedback: null,
  clarification: null,
  tasks: [],
};

describe("a role's report", () => {
  test("B35 of TEST, in Chinese", () => {
    const report = [
      "# TEST 报告 M1-T2",
      "- **结论**：PASS（红灯）",
      "- 测试文件: `test/a.test.ts`、`./test/b.test.ts`",
      "- 测试命令: `npx vitest run test/a.test.ts`",
      "- 覆盖: 1-3, 5",
    ];
    expect(readRole(report.join("\n"), "TEST")).toEqual({
      ...NOTHING,
      claim: "PASS",
      testFiles: ["test/a.test.ts", "test/b.test.ts"],
      commands: ["npx vitest run test/a.test.ts"],
      covered: [1, 2, 3, 5],
      tasks: ["M1-T2"],
    });
  });

  test("B35 of TEST, in English and with lists", () => {
    const report = [
      "## Test files",
      "",
      "- test/a.test.ts (new)",
      "- `test/my data.json`",
      "",
      "## Test commands",
      "```sh",
      "# all of them",
      "$ npm test -- a",
      "```",
      "**Coverage:**",
      "1. a login",
      "2. a wrong password",
      "",
      "## Conclusion",
      "PASS",
    ];
    expect(readRole(report.join("\r\n"), "TEST")).toEqual({
      ...NOTHING,
      claim: "PASS",
      testFiles: ["test/a.test.ts", "test/my data.json"],
      commands: ["npm test -- a"],
      covered: [1, 2],
    });
  });

  test.each([
    ["结论: PASS", "PASS"],
    ["结论：FAIL", "FAIL"],
    ["## Conclusion: BLOCKED", "BLOCKED"],
    ["**结论: ✅ PASS**", "PASS"],
    ["结论: PASS ✅", "PASS"],
    ["Conclusion: PASS - all of it", "PASS"],
    ["Conclusion: FAIL because of M1-T2", "FAIL"],
    ["Conclusion: FAIL (M1-T1 PASS)", "FAIL"],
    ["## Conclusion\n\nAll is well.\n\nConclusion: PASS", "PASS"],
    ["## Conclusion\n### PASS", "PASS"],
    ["结论: PASS\n结论: unsure", null],
    ["结论: FAIL\n结论: unsure", "FAIL"],
    ["Conclusion: PASS is not deserved", null],
    ["Conclusion: PASS 全部", null],
    ["Conclusion: PASS?", null],
    ["Conclusion: 0 PASS", null],
    ["Conclusion: PASS, FAIL or BLOCKED", null],
    ["Conclusion: PASS (M1-T1), FAIL (M1-T2)", null],
    ["Conclusion: ~~PASS~~ FAIL", null],
    ["结论: PASS\n```\n结论: FAIL\n```", "PASS"],
    ["```\n结论: PASS\n```", null],
    ["> 结论: PASS", null],
    ["结论: PASS|FAIL|BLOCKED", null],
    ["结论: PASS / FAIL", null],
    ["结论: <PASS|FAIL>", null],
    ["结论: [ ] PASS [x] FAIL", null],
    ["结论: PASSED", null],
    ["结论: pass", "PASS"],
    ["**Conclusion:** Pass", "PASS"],
    ["Conclusion: fail because of M1-T2", "FAIL"],
    ["Conclusion: Blocked (no network)", "BLOCKED"],
    ["Conclusion: pass, fail or blocked", null],
    ["Conclusion: pass is not deserved", null],
    ["Conclusion: PASS (0 fail)", "PASS"],
    ["结论: passed", null],
    ["结论: the tests PASS", null],
    ["My conclusion: PASS", null],
    ["结论 PASS", null],
    ["结论:", null],
    ["", null],
  ])("B35, B48 %j claims %j", (report, claim) => {
    expect(readRole(report, "REVIEW").claim).toBe(claim);
    expect(readRole(report, "TEST").claim).toBe(claim);
  });

  test.each([
    ["1. Self-test result: **FAIL** (2 of 3)", "FAIL"],
    ["自测结果: 未执行", "SKIPPED"],
    ["Self-test: skipped", "SKIPPED"],
    ["自测结果: 未执行测试", null],
    ["Self-test: SKIPPED(未执行)", "SKIPPED"],
    ["Self-test: PASS\nSelf-test: SKIPPED", "SKIPPED"],
    ["Self-test: SKIPPED\nSelf-test: PASS", "SKIPPED"],
  ])("B38 of DEV, %j claims %j", (report, claim) => {
    expect(readRole(report, "DEV").claim).toBe(claim);
  });

  test.each<[BoardRole, string, string | null]>([
    ["DEV", "自测结果: PASS\n结论: FAIL", "PASS"],
    ["DEV", "Conclusion: PASS", null],
    ["TEST", "结论: FAIL\n自测结果: PASS", "FAIL"],
    ["TEST", "Self-test: PASS", null],
    ["REVIEW", "Conclusion: FAIL\n## Self-test\nPASS", "FAIL"],
    ["REVIEW", "Self-test: PASS", null],
  ])("B35 %s concludes by its own key: %j", (role, report, claim) => {
    expect(readRole(report, role).claim).toBe(claim);
  });

  test.each([
    ["## M1-T1\nConclusion: FAIL\n## M1-T2\nConclusion: PASS", "FAIL"],
    ["## M1-T1\nConclusion: PASS\n## M1-T2\nConclusion: BLOCKED\n## M1-T3\nConclusion: PASS", "BLOCKED"],
    ["Conclusion: FAIL\nConclusion: BLOCKED", "BLOCKED"],
    ["Conclusion: BLOCKED\nConclusion: FAIL\nConclusion: PASS", "FAIL"],
    ["Conclusion: PASS\nConclusion: PASS", "PASS"],
    ["Conclusion: PASS\n## Clarification request\nwhich?\n### Conclusion\nFAIL", "FAIL"],
  ])("B48 the worst of several claims counts: %j", (report, claim) => {
    expect(readRole(report, "REVIEW").claim).toBe(claim);
  });

  test("B42 naming the type of a failure means that one was found", () => {
    const report = "Conclusion: PASS\nFailure type: implementation";
    expect(readRole(report, "REVIEW")).toMatchObject({ claim: "FAIL", failureType: "implementation" });
    expect(readRole("Conclusion: PASS\nFailure type: none", "REVIEW").claim).toBe("PASS");
    // Its tests fail because the implementation is missing.
    expect(readRole(report, "TEST").claim).toBe("PASS");
  });

  test.each([
    ["<!-- Conclusion: PASS -->", null],
    ["<!--\nConclusion: PASS\n-->\nConclusion: FAIL", "FAIL"],
    ["Conclusion: FAIL\n<!--\nConclusion: BLOCKED", "FAIL"],
    ["words <!-- and\nConclusion: PASS\n-->", null],
    ["words `<!--`\nConclusion: PASS\n`-->`", "PASS"],
    ["words <!-- that nothing closes\nConclusion: PASS", "PASS"],
    ["Conclusion: PASS\n\n    Conclusion: FAIL", "PASS"],
    ["\tConclusion: PASS", null],
    ["# Report\n    Conclusion: PASS", null],
    ["words\n    Conclusion: PASS", "PASS"],
    ["- words\n\n    Conclusion: PASS", "PASS"],
    ["- words\n\n      Conclusion: PASS", null],
    ["- words\n\nothers\n\n    Conclusion: PASS", null],
  ])("B35 comments and indented code claim nothing: %j", (report, claim) => {
    expect(readRole(report, "REVIEW").claim).toBe(claim);
  });

  test("B35 an indented block may contain the commands, a comment may not", () => {
    expect(readRole("Test commands:\n\n    npm test\n    npm run lint", "TEST").commands).toEqual([
      "npm test",
      "npm run lint",
    ]);
    expect(readRole("Test commands:\n<!--\nnpm test\n-->", "TEST").commands).toEqual([]);
    expect(readRole("Test files:\n    - a.test.ts", "TEST").testFiles).toEqual(["a.test.ts"]);
    expect(readRole("## M1-T1\n\n    M1-T2\n<!-- M1-T3 -->", "REVIEW").tasks).toEqual(["M1-T1"]);
  });

  test.each([
    ["阻塞类型: 环境问题", { blockType: "environment" }],
    ["Block type: **environment** (no network)", { blockType: "environment" }],
    ["阻塞类型：权限", { blockType: "permission" }],
    ["Block type: permission denied", { blockType: "permission" }],
    ["阻塞类型: 缺少设计稿", { blockType: "other" }],
    ["阻塞类型: 无", { blockType: null }],
    ["阻塞类型: 环境问题|权限|其他", { blockType: null }],
  ])("B39 %j", (report, said) => {
    expect(readRole(report, "REVIEW")).toEqual({ ...NOTHING, ...said });
  });

  test.each([
    ["失败类型: 实现问题", { failureType: "implementation" }],
    ["Failure type: test", { failureType: "test" }],
    ["失败类型: 测试问题", { failureType: "test" }],
    ["Failure type: testing", { failureType: null }],
    ["失败类型: 需求不清晰", { failureType: null }],
    ["失败类型: 实现问题|测试问题", { failureType: null }],
    ["问题归属: 测试问题", { fault: "test" }],
    ["Fault: implementation", { fault: "implementation" }],
    ["**问题归属**: 需求不清晰", { fault: "requirements" }],
    ["Fault: requirements", { fault: "requirements" }],
    ["Fault: the weather", { fault: null }],
    ["Fault: none", { fault: "none" }],
    ["**Fault:** None (the test is right, and so is the code)", { fault: "none" }],
    ["问题归属: 无", { fault: "none" }],
    ["问题归属：无。", { fault: "none" }],
    ["问题归属: 无法判断", { fault: null }],
    ["Fault: none yet", { fault: null }],
  ])("B42, B43 %j", (report, said) => {
    expect(readRole(report, "REVIEW")).toEqual({ ...NOTHING, ...said });
  });

  test.each([
    [
      "to the next heading",
      "## 测试问题反馈\nIt asks for 3.\n### why\n```\n## 2\n```\n## Other\nx",
      "It asks for 3.\n### why\n```\n## 2\n```",
    ],
    ["to the conclusion", "### Test feedback\nIt asks for 3.\n\n自测结果: FAIL", "It asks for 3."],
    ["with a conclusion of its own", "## 测试问题反馈\n自测结果: that is wrong", "自测结果: that is wrong"],
    ["on a line", "- **测试问题反馈**: it asks for 3\n  and not 2\n# x", "it asks for 3\n  and not 2"],
    ["that is none", "## 测试问题反馈\n\n- 无。\n\n## Other", null],
    ["that is none, before the conclusion", "## Test feedback\nNone.\n\n自测结果: PASS", null],
    ["that is empty", "## 测试问题反馈\n", null],
    ["quoted", "```\n## 测试问题反馈\nx\n```", null],
    ["long", `## 测试问题反馈\n${"x".repeat(9000)}`, `${"x".repeat(7996)} ...`],
  ])("B40 feedback on tests: %s", (_, report, testFeedback) => {
    expect(readRole(report, "DEV").testFeedback).toBe(testFeedback);
  });

  test("B40 a conclusion after the feedback counts, one inside it does not", () => {
    expect(readRole("自测结果: FAIL\n## 测试问题反馈\n自测结果: wrong", "DEV").claim).toBe("FAIL");
    expect(readRole("## 测试问题反馈\nx\n自测结果: BLOCKED", "DEV").claim).toBe("BLOCKED");
  });

  test("B46 a request for clarification", () => {
    expect(readRole("## 澄清请求\n是否记录日志？\n\n## 结论: BLOCKED", "TEST").clarification).toBe(
      "是否记录日志？",
    );
    expect(readRole("Clarification request: none", "TEST").clarification).toBeNull();
  });

  test.each([
    ["覆盖: 1、2、3", [1, 2, 3]],
    ["Coverage: requirements 2 – 4", [2, 3, 4]],
    ["Coverage: 85%", []],
    ["覆盖: 3-1", []],
    ["覆盖: 1-999", []],
    ["覆盖: M1-T2", []],
    ["覆盖:\n- [x] 1. a\n- [ ] 2. b\n- 需求 3: c\n\nwords\n4. d", [1, 3]],
    ["Coverage:\n1. [x] a\n2. [ ] b", [1]],
  ])("B35 %j", (report, covered) => {
    expect(readRole(report, "TEST").covered).toEqual(covered);
  });

  test.each([
    ["测试命令: npm test", ["npm test"]],
    ["测试命令: 无", []],
    ["测试命令: <command>", []],
    ["Test command: `a` and `b`", ["a", "b"]],
    ["测试命令:\n1. `a`\n2. `b`\n\nthen `c`", ["a", "b"]],
    ["测试命令: `a`\n测试命令: `b`", ["b"]],
  ])("B35 %j", (report, commands) => {
    expect(readRole(report, "TEST").commands).toEqual(commands);
  });

  test("lists are bounded", () => {
    const report = Array.from({ length: 99 }, (_, n) => `- \`t/${n}.ts\``).join("\n");
    expect(readRole(`测试文件:\n${report}`, "TEST").testFiles).toHaveLength(50);
    expect(readRole(`测试命令:\n${report}`, "TEST").commands).toHaveLength(50);
    expect(readRole(`测试命令: \`${"x".repeat(2001)}\``, "TEST").commands).toEqual([]);
  });

  test("any text can be read", () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...BOARD_ROLES), (text, role) => {
        const { claim, testFiles, commands, tasks } = readRole(text, role);
        const said = [...testFiles, ...commands, ...tasks, claim === "SKIPPED" ? "" : (claim ?? "")];
        expect(said.filter((one) => !text.includes(one))).toEqual([]);
      }),
    );
  });

  test.each(LONG_TEXTS)("takes no time for %s", (_, text) => {
    expect(readRole(text, "REVIEW").testFiles.length).toBeLessThanOrEqual(50);
  });
});
