import { describe, expect, test } from "vitest";
import { ORDER_SECTIONS } from "../../src/core/board/answer.ts";
import { BOARD_PROBLEMS } from "../../src/core/board/problem.ts";
import { readOrder } from "../../src/modes/orchestrate/rules/read-order.ts";
import { readPlan } from "../../src/modes/orchestrate/rules/read-plan.ts";
import { BOARD_RULES, type BoardRule } from "../../src/core/board/rule.ts";
import { problemsText } from "../../src/modes/orchestrate/rules/rules-plan.ts";
import { boardProblemText } from "../../src/modes/orchestrate/words/board-problems.ts";
import { ruleText } from "../../src/modes/orchestrate/words/board-rules.ts";

const RULES = Object.keys(BOARD_RULES) as BoardRule[];
const CHINESE = /[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/;
/** English sentences. Names and literals of the format belong to no language. */
const ENGLISH = /\b(?:the|is|are|has|have|and|of|to|not|with)\b/;

describe.each(RULES)("the rule %s", (rule) => {
  test("has English words without Chinese, and Chinese ones without English", () => {
    const en = ruleText({ rule, about: "" }, "en");
    const zh = ruleText({ rule, about: "" }, "zh");
    expect(en).toMatch(/[a-z]/);
    expect(en).not.toMatch(CHINESE);
    expect(zh).toMatch(CHINESE);
    expect(zh.replaceAll(/`[^`]*`/g, "")).not.toMatch(ENGLISH);
  });

  test("says what broke it", () => {
    expect(ruleText({ rule, about: "M1-T2" }, "en")).toMatch(/ \(.*M1-T2.*\)$/);
    expect(ruleText({ rule, about: "M1-T2" }, "zh")).toMatch(/（.*M1-T2.*）$/);
  });
});

test("each rule has its own words", () => {
  for (const lang of ["en", "zh"] as const)
    expect(new Set(RULES.map((rule) => ruleText({ rule, about: "" }, lang))).size).toBe(RULES.length);
});

test("B55: says in either language why it is not one line of JSON", () => {
  const codes = [
    "empty",
    "fence",
    "prose",
    "no_object",
    "several_objects",
    "several_lines",
    "repeated_key",
    "not_json",
    "not_an_object",
  ];
  for (const about of codes) {
    expect(ruleText({ rule: "not_one_json_line", about }, "en")).not.toMatch(/\([a-z_]+\)$/);
    expect(ruleText({ rule: "not_one_json_line", about }, "zh")).toMatch(
      /（[^（）]*[\u4e00-\u9fff]+[^（）]*）$/,
    );
  }
});

test("B9: reports the plan's errors line by line", () => {
  const read = readPlan("# Plan\n\n## M1: one\n### M1-T1: a\n- status: WIP\n- evidence: none\n");
  const about = problemsText("problems" in read ? read.problems : []);
  const en = ruleText({ rule: "plan_invalid", about }, "en");
  expect(en).toContain("line 5: a status is one of TODO, DOING, BLOCKED, DONE and VERIFIED, in capitals (");
  expect(en).not.toContain("status_unknown");
  expect(en).not.toContain("field_missing");
  expect(ruleText({ rule: "plan_invalid", about }, "zh")).toContain("第 5 行：status 只能是大写的");
});

test("B28, B30, B41: a missing section is named by the heading that the order is to have", () => {
  for (const section of ORDER_SECTIONS)
    for (const lang of ["en", "zh"] as const) {
      const text = ruleText({ rule: "order_section", about: section }, lang);
      const heading = /[(（](## [^)）]+)[)）]$/.exec(text)?.[1] ?? "";
      expect(readOrder(`# Current Task (Iteration 1)\n${heading}\ntext\n`).sections).toEqual([
        { name: section, text: "text" },
      ]);
    }
});

test("B42, B43: names the fault in either language", () => {
  const broken = { rule: "not_what_review_found", about: "implementation, DEV" } as const;
  expect(ruleText(broken, "en")).toMatch(/\(implementation, DEV\)$/);
  expect(ruleText(broken, "zh")).toMatch(/（实现问题, DEV）$/);
});

describe.each(BOARD_PROBLEMS)("the problem %s", (kind) => {
  test("has English words without Chinese, and Chinese ones without English", () => {
    const en = boardProblemText({ kind, line: null, about: "" }, "en");
    const zh = boardProblemText({ kind, line: null, about: "" }, "zh");
    expect(en).toMatch(/[a-z]/);
    expect(en).not.toMatch(CHINESE);
    expect(zh).toMatch(CHINESE);
    expect(zh).not.toMatch(ENGLISH);
  });

  test("says where and about what", () => {
    expect(boardProblemText({ kind, line: 7, about: "x" }, "en")).toMatch(/^line 7: .* \(x\)$/);
    expect(boardProblemText({ kind, line: 7, about: "x" }, "zh")).toMatch(/^第 7 行：.*（x）$/);
  });
});

test.each([
  ["field_missing", "reason", "`reason` is missing or empty: give it a text"],
  ["field_missing", "task", "`task`: give it, with null where there is nothing"],
  [
    "nothing_to_review",
    "",
    "no task is DONE: finish one first, or send REVIEW with `review_mode: investigate`",
  ],
  ["nothing_to_review", "M1", "the order names no DONE task of M1: name one by `task:`"],
  ["order_task", "M1-T1, M1-T2", "it names M1-T1; allowed: M1-T2"],
  ["order_task", "M1-T1", "it names M1-T1; leave `task:` out"],
  ["not_one_json_line", "no_object", "there is no JSON object in it"],
  ["finish_not_verified", "", "no task is VERIFIED"],
  ["finish_not_verified", "M1-T1", "DOING or BLOCKED: M1-T1"],
  ["partial_not_allowed", "BLOCKED <= 2", "no task has been BLOCKED for more than 2 iterations"],
  ["partial_not_allowed", "DONE < 3", "fewer than 3 tasks are DONE"],
  ["partial_not_allowed", "depends: M1-T1", "there is a dependency between M1-T1 and a blocked task"],
  ["red_not_confirmed", "M1-T1 tests_changed", "M1-T1: its tests changed after they were seen to fail"],
] as const)("%s about %j says: %s", (rule, about, says) => {
  expect(ruleText({ rule, about }, "en")).toContain(`(${says}`);
  const zh = ruleText({ rule, about }, "zh");
  expect(zh).toMatch(CHINESE);
  expect(zh.replaceAll(/`[^`]*`/g, "")).not.toMatch(ENGLISH);
});
