import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { excerpt, type ExcerptLimits, type ExcerptLine } from "../../src/domain/excerpt.ts";

const LIMITS: ExcerptLimits = { tailLines: 5, errorLines: 3, bytes: 2000 };
const lines = (count: number, word = "line"): string[] =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1}`);
const of = (text: readonly string[], limits = LIMITS): ExcerptLine[] =>
  excerpt({ head: `${text.join("\n")}\n`, tail: null }, limits);
const texts = (found: readonly ExcerptLine[]): string[] =>
  found.flatMap((line) => ("text" in line ? [line.text] : []));

describe("what tells most", () => {
  test("the errors and the end, not the first twenty lines", () => {
    const output = [
      ...lines(200, "installing"),
      "  Error: x is not y",
      "    at a.ts:1",
      ...lines(100, "ok"),
      "1 failed, 99 passed",
    ];
    const found = texts(of(output));
    expect(found).toContain("  Error: x is not y");
    expect(found).toContain("    at a.ts:1");
    expect(found.at(-1)).toBe("1 failed, 99 passed");
    expect(found).not.toContain("installing 1");
  });

  test.each([
    "AssertionError: expected 1 to be 2",
    "FAIL test/a.test.ts",
    "not ok 3 - adds",
    "E       assert 1 == 2",
    "error[E0308]: mismatched types",
    "src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
    "Traceback (most recent call last):",
    "panic: runtime error: index out of range",
    "bash: frobnicate: command not found",
    "  ✕ adds numbers (3 ms)",
    "测试失败：第 3 个",
    "\u001b[31mFAILED\u001b[39m tests/test_a.py::test_b",
  ])("an error looks like this: %s", (error) => {
    const output = [...lines(300, "ok"), error, ...lines(300, "ok")];
    const clean = error.replaceAll(/\u001b\[\d+m/g, "");
    expect(texts(of(output))).toContain(clean);
  });

  test.each(["0 errors", "no failures", "failed: 0", "Found 0 errors, 0 warnings"])(
    "not like this: %s",
    (harmless) => {
      const output = [...lines(300, "ok"), harmless, ...lines(300, "ok")];
      expect(texts(of(output))).not.toContain(harmless);
    },
  );

  test("the first errors, for later ones often follow from them", () => {
    const output = lines(50).flatMap((line) => [`error: ${line}`, ...lines(10, "detail")]);
    const found = texts(of(output));
    expect(found).toContain("error: line 1");
    expect(found).toContain("error: line 3");
    expect(found).not.toContain("error: line 4");
  });

  test("all of a short output, as it is", () => {
    const output = ["one", "", "  two\tand", "three"];
    expect(of(output)).toEqual(output.map((text) => ({ text })));
    expect(excerpt({ head: "", tail: null }, LIMITS)).toEqual([]);
  });
});

describe("what is left out is told", () => {
  test("by the number of lines", () => {
    const found = of([...lines(10, "before"), "fatal: no", ...lines(30, "after")]);
    expect(found[0]).toEqual({ leftOut: 9 });
    const told = found.reduce((sum, line) => sum + ("text" in line ? 1 : (line.leftOut ?? 0)), 0);
    expect(told).toBe(41);
  });

  test("as unknown where the middle was not read", () => {
    const found = excerpt(
      { head: `${lines(50).join("\n")}\n`, tail: `${lines(50, "end").join("\n")}\n` },
      LIMITS,
    );
    expect(found).toEqual([
      { leftOut: null },
      ...lines(50, "end")
        .slice(-5)
        .map((text) => ({ text })),
    ]);
  });
});

const DANGEROUS = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]|\p{Bidi_Control}|[\u2028\u2029]/u;

const nasty = fc.string({
  unit: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("a", " ", "\n", "\r", "\t", "error", "错误", "é", "😀") },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        "\u001b[31m",
        "\u001b]0;title\u0007",
        "\u001b[2J",
        "\u009b",
        "\u202e",
        "\u0000",
      ),
    },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) },
  ),
  maxLength: 400,
});
const anyLimits = fc.record({
  tailLines: fc.integer({ min: 0, max: 10 }),
  errorLines: fc.integer({ min: 0, max: 5 }),
  bytes: fc.integer({ min: 0, max: 500 }),
});

describe("for any output", () => {
  test("nothing that steers a terminal, reorders text or starts a line gets through", () => {
    fc.assert(
      fc.property(nasty, fc.option(nasty), anyLimits, (head, tail, limits) => {
        for (const line of texts(excerpt({ head, tail }, limits))) expect(line).not.toMatch(DANGEROUS);
      }),
      { numRuns: 3000 },
    );
  });

  test("it is bounded in bytes, whatever the letters", () => {
    fc.assert(
      fc.property(nasty, fc.option(nasty), anyLimits, (head, tail, limits) => {
        const found = texts(excerpt({ head, tail }, limits));
        expect(Buffer.byteLength(found.join("\n"))).toBeLessThanOrEqual(limits.bytes);
      }),
      { numRuns: 3000 },
    );
  });

  test("it is bounded for long lines as well", () => {
    const long = "错".repeat(100_000);
    const found = texts(of([long, `error ${long}`, long], { tailLines: 5, errorLines: 5, bytes: 6000 }));
    expect(found.every((line) => line.length <= 310)).toBe(true);
    expect(found.length).toBeGreaterThan(0);
  });

  test("a long line is not cut within a character", () => {
    fc.assert(
      fc.property(fc.integer({ min: 290, max: 310 }), (before) => {
        const [line = ""] = texts(of([`${"x".repeat(before)}${"😀".repeat(20)}`]));
        expect(line).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});
