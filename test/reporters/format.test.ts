import stringWidth from "fast-string-width";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { duration } from "../../src/text/time-text.ts";
import {
  byteSize,
  clockTime,
  cutToWidth,
  padToWidth,
  roughly,
  rowsAt,
  stopwatch,
  wrapToWidth,
} from "../../src/ui/format.ts";

test.each([
  [0, "0.0s"],
  [850, "0.9s"],
  [9940, "9.9s"],
  [9960, "10s"],
  [15_000, "15s"],
  [59_600, "1m"],
  [267_000, "4m27s"],
  [1_800_000, "30m"],
  [3_599_600, "1h"],
  [3_900_000, "1h05m"],
  [7_200_000, "2h"],
])("duration of %i ms is %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test("times that count up keep their width; ages are rough", () => {
  expect([161_900, 3_909_000, -5].map(stopwatch)).toEqual(["02:41", "1:05:09", "00:00"]);
  expect([8900, 59_999, 299_000, 7_300_000].map(roughly)).toEqual(["8s", "59s", "4m", "2h"]);
});

test("clock time is local", () => {
  expect(clockTime(new Date(2026, 0, 2, 3, 4, 5).toISOString())).toBe("03:04:05");
});

test("byte sizes", () => {
  expect([0, 1023, 1229, 64 * 1024 * 1024, 150.4 * 1024].map(byteSize)).toEqual([
    "0 B",
    "1023 B",
    "1.2 KB",
    "64 MB",
    "150 KB",
  ]);
});

test("cuts by display width, between characters, with dots", () => {
  expect(cutToWidth("pagination", 10)).toBe("pagination");
  expect(cutToWidth("pagination", 9)).toBe("pagina...");
  expect(cutToWidth("添加分页功能", 12)).toBe("添加分页功能");
  expect(cutToWidth("添加分页功能", 11)).toBe("添加分页...");
  expect(cutToWidth("添加分页功能", 10)).toBe("添加分...");
  expect(cutToWidth("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 5)).toBe("👩‍👩‍👧‍👦...");
  expect(cutToWidth("a\tb", 9)).toBe("a    b");
  expect(cutToWidth("pagination", 2)).toBe("..");
});

test("counts characters of ambiguous width as two cells when it cuts", () => {
  expect(cutToWidth("→→→→", 8)).toBe("→→→→");
  expect(cutToWidth("→→→→", 7)).toBe("→→...");
});

test("rows of a reflowed line: a wide character never sits on two rows", () => {
  expect(rowsAt("", 10)).toBe(1);
  expect(rowsAt("x".repeat(10), 10)).toBe(1);
  expect(rowsAt("x".repeat(11), 10)).toBe(2);
  expect(rowsAt("页".repeat(4), 8)).toBe(1);
  expect(rowsAt("页".repeat(4), 7)).toBe(2);
  expect(rowsAt("页".repeat(7), 7)).toBe(3);
});

test("pads by display width", () => {
  expect(stringWidth(padToWidth("下一步", 8))).toBe(8);
  expect(padToWidth("answers!", 7)).toBe("answers!");
});

describe("rows of a long line", () => {
  test.each([
    ["fits", 10, ["fits"]],
    ["two words", 5, ["two", "  words"]],
    ["  why     the tests failed", 20, ["  why     the tests", "    failed"]],
    ["  | quoted words go on", 12, ["  | quoted", "  | words go", "  | on"]],
    ["a path/that/is/longer/than/a/row here", 12, ["a", "  path/that/is/longer/than/a/row", "  here"]],
    ["未通过：完整测试失败，请重试", 16, ["未通过：完整测试", "  失败，请重试"]],
    ["see agent-foreman show 1115-k3f7 now", 30, ["see", "  agent-foreman show 1115-k3f7", "  now"]],
    [
      "写入 /home/退款需求实现步骤/001.json，请查看",
      16,
      ["写入", "  /home/退款需求实现步骤/001.json，", "  请查看"],
    ],
    ["tab\tstops count", 10, ["tab", "  stops", "  count"]],
  ])("%j in %i columns", (text, width, rows) => {
    expect(wrapToWidth(text, width)).toEqual(rows);
  });

  test("break only between words, and lose none", () => {
    const words = fc.array(fc.stringMatching(/^[a-z/.()]{1,12}$/), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(words, fc.integer({ min: 20, max: 100 }), (all, width) => {
        const rows = wrapToWidth(all.join(" "), width);
        expect(rows.flatMap((row) => row.trim().split(" "))).toEqual(all);
        for (const row of rows) expect(row.length).toBeLessThanOrEqual(width);
      }),
    );
  });
});
