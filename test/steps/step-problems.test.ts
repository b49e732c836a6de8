import { describe, expect, test } from "vitest";
import type { StepProblem } from "../../src/text/json/problem.ts";
import {
  analysisProblemText,
  reviewProblemText,
  stepProblemText,
  stepWarningText,
} from "../../src/modes/steps/words/step-problems.ts";

const file = "001-a.json";
const at = { line: 3, column: 5 };

describe("words for step problems", () => {
  test.each<[StepProblem, string, string]>([
    [{ kind: "gone", file }, "step file is gone: 001-a.json", "步骤文件已不存在：001-a.json"],
    [{ kind: "not_a_file", file }, "not a plain file: 001-a.json", "不是普通文件：001-a.json"],
    [{ kind: "not_utf8", file }, "not UTF-8 text: 001-a.json", "不是 UTF-8 文本：001-a.json"],
    [{ kind: "empty", file }, "step file is empty: 001-a.json", "步骤文件为空：001-a.json"],
    [
      { kind: "unreadable", file, why: "EIO: i/o error" },
      "step file cannot be read: 001-a.json (EIO: i/o error)",
      "无法读取步骤文件：001-a.json（EIO: i/o error）",
    ],
    [
      { kind: "too_large", file, limit: 9 },
      "step file is too large: 001-a.json (at most 9 bytes)",
      "步骤文件过大：001-a.json（最多 9 字节）",
    ],
    [
      { kind: "not_json", file, fault: "colon_expected", ...at },
      "not JSON: 001-a.json:3:5 (a colon is expected here)",
      "不是 JSON：001-a.json:3:5（此处应为冒号）",
    ],
    [
      { kind: "not_an_object", file, found: "[]", ...at },
      "not a JSON object: 001-a.json:3:5 (found [])",
      "不是 JSON 对象：001-a.json:3:5（实际为 []）",
    ],
    [
      { kind: "field", file, field: "verification[1].type", expected: "text", found: "42", ...at },
      "wrong field: 001-a.json:3:5 verification[1].type (must be text, found 42)",
      "字段有误：001-a.json:3:5 verification[1].type（应为字符串，实际为 42）",
    ],
    [
      { kind: "field", file, field: "id", expected: "filled_text", found: null, ...at },
      "wrong field: 001-a.json:3:5 id (must be text that is not empty, found nothing)",
      "字段有误：001-a.json:3:5 id（应为非空字符串，实际为 无）",
    ],
    [
      { kind: "duplicate_field", file, field: "verification[0].type", ...at },
      "duplicate field: 001-a.json:3:5 verification[0].type",
      "字段重复：001-a.json:3:5 verification[0].type",
    ],
    [
      { kind: "duplicate_id", file, id: "x", other: "000-b.json" },
      "two steps have the same id: 000-b.json, 001-a.json (x)",
      "步骤 id 重复：000-b.json、001-a.json（x）",
    ],
    [
      { kind: "duplicate_number", file, number: "001", other: "000-b.json" },
      "two steps have the same number: 000-b.json, 001-a.json (001)",
      "步骤序号重复：000-b.json、001-a.json（001）",
    ],
  ])("%j", (problem, en, zh) => {
    expect(stepProblemText(problem, "en")).toBe(en);
    expect(stepProblemText(problem, "zh")).toBe(zh);
  });

  test("a warning", () => {
    const warning = { kind: "id_mismatch", file, id: "step-7", number: "001" } as const;
    expect(stepWarningText(warning, "en")).toBe(
      "id does not fit the file name: 001-a.json (id step-7, number 001)",
    );
    expect(stepWarningText(warning, "zh")).toBe("id 与文件名不一致：001-a.json（id step-7，序号 001）");
    const lengths = { kind: "number_lengths", file: "1000-b.json", other: "999-a.json" } as const;
    expect(stepWarningText(lengths, "en")).toBe(
      "step numbers have different lengths: 1000-b.json, 999-a.json (steps are run in the order of their file names, character by character)",
    );
    expect(stepWarningText(lengths, "zh")).toBe(
      "步骤序号位数不一致：1000-b.json、999-a.json（步骤按文件名逐字符排序执行）",
    );
  });

  test("an analysis", () => {
    expect(analysisProblemText({ kind: "missing" }, "en")).toContain('"steps"');
    expect(analysisProblemText({ kind: "ambiguous", key: "done" }, "en")).toBe(
      'a key is repeated in a JSON object of the answer: "done"',
    );
    const faults = [
      { field: "name", expected: "usable_name", found: null },
      { field: "steps[0].description", expected: "shorter_text", found: '"d ..."', limit: 8000 },
    ] as const;
    expect(analysisProblemText({ kind: "malformed", faults }, "en")).toBe(
      'wrong field: name (must be text that can be a part of a directory name, found nothing); wrong field: steps[0].description (must be shorter text (at most 8000 characters), found "d ...")',
    );
    expect(analysisProblemText({ kind: "malformed", faults }, "zh")).toBe(
      '字段有误：name（应为可用作目录名一部分的字符串，实际为 无）；字段有误：steps[0].description（应为更短的字符串（最多 8000 个字符），实际为 "d ..."）',
    );
  });

  test("a review", () => {
    const fault = { field: "verification[0].result", expected: "pass_or_fail", found: '"ok"' } as const;
    expect(reviewProblemText({ kind: "missing" }, "zh")).toContain('"verification"');
    expect(reviewProblemText({ kind: "amid_text" }, "en")).toBe(
      'other text beside the JSON object of the answer: "verification" (the object has to begin a line and to end the message)',
    );
    expect(reviewProblemText({ kind: "amid_text" }, "zh")).toContain('"verification"');
    expect(reviewProblemText({ kind: "ambiguous", key: "result" }, "en")).toContain('"result"');
    expect(reviewProblemText({ kind: "ambiguous", key: "result" }, "zh")).toBe(
      '回答的 JSON 对象中键重复："result"',
    );
    expect(reviewProblemText({ kind: "malformed", fault }, "en")).toBe(
      'wrong field: verification[0].result (must be "pass" or "fail", found "ok")',
    );
    expect(reviewProblemText({ kind: "incomplete", items: [2, 3] }, "en")).toBe(
      "no result for an item: 2, 3",
    );
    expect(reviewProblemText({ kind: "incomplete", items: [2, 3] }, "zh")).toBe("缺少结果的项：2, 3");
    const items = Array.from({ length: 21 }, (_, index) => index);
    expect(reviewProblemText({ kind: "incomplete", items }, "en")).toMatch(/19 \.\.\.$/);
  });
});
