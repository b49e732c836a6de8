import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { excerpt, type ExcerptLimits, type ExcerptLine } from "../../src/text/excerpt.ts";

const LIMITS: ExcerptLimits = { tailLines: 5, errorLines: 3, bytes: 2000 };
const lines = (count: number, word = "line"): string[] =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1}`);
const of = (text: readonly string[], limits = LIMITS): ExcerptLine[] =>
  excerpt({ head: `${text.join("\n")}\n`, tail: null }, limits);
const texts = (found: readonly ExcerptLine[]): string[] =>
  found.flatMap((line) => ("text" in line ? [line.text] : []));

describe("the most informative lines", () => {
  test("the error of a test file that Node could not load", () => {
    const block = [
      "not ok 1 - /p/some.test.js",
      "  ---",
      "  failureType: 'testCodeFailure'",
      "  error: 'test failed'",
      "  ...",
    ];
    const output = [
      "# node:fs:448",
      "# Error: ENOENT: no such file",
      ...lines(20, "#     at"),
      ...block,
      "1..1",
      "# fail 1",
    ];
    expect(texts(of(output))).toContain("# Error: ENOENT: no such file");
  });

  test("shows the errors and the end, not the first twenty lines, passing tests or counts", () => {
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
    expect(found).not.toContain("1 failed, 99 passed");
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

  test.each([
    ["--- FAIL: TestLease (0.00s)", "    expected 5 total but got 3"],
    ["________ test_queue ________", "E AssertionError: assert '3 pending' == '2 pending'"],
    ["  1) login", "     Error: 2 failed logins expected"],
    ["  ● lease", "    Duration of the lease must be positive"],
    ["not ok 1 - runs", "  error: 'Ran 3 tests too few'"],
    ["  ● tests", "    Tests: 2 failed is not what was expected"],
  ])("an assertion that mentions counts is no footer: %s", (name, assertion) => {
    const found = texts(of([...lines(300, "installing"), name, assertion, ...lines(300, "stack")]));
    expect(found).toEqual(expect.arrayContaining([name, assertion]));
  });

  test.each([
    "1 failed, 99 passed",
    "1 failed, 99 passed in 0.12s",
    "=================== 1 failed, 2 passed in 0.12s ===================",
    " Test Files  1 failed | 2 passed (3)",
    "      Tests  1 failed | 2 passed (3)",
    "Tests:       1 failed, 2 passed, 3 total",
    "Test Suites: 1 failed, 1 total",
    "Snapshots:   0 total",
    "  2 passing (12ms)",
    "  1 failing",
    "  1 pending",
    "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
    "# duration_ms 51.2",
    "ℹ tests 2",
    "1..2",
    "Ran 2 tests in 0.001s",
    "Ran all test suites.",
    "FAILED (failures=1)",
    "   Duration  1.20s (transform 20ms, setup 0ms)",
    "   Start at  10:00:00",
    "Time:        1.2 s, estimated 2 s",
  ])("a runner's count is one: %s", (footer) => {
    const found = texts(of(["not ok 1 - adds", "  error: 4 !== 3", footer]));
    expect(found).toEqual(["not ok 1 - adds", "  error: 4 !== 3"]);
  });

  test("a numbered list is no failed test: the compiler's error is shown", () => {
    const error = "src/a.ts(3,1): error TS2304: Cannot find name 'x'.";
    const steps = ["1) install dependencies", "2) build", "✓ 12 modules transformed."];
    const found = texts(of([...steps, ...lines(200, "built"), error, ...lines(200, "built")]));
    expect(found).toContain(error);
    expect(found).not.toContain("2) build");
  });

  test("an error is looked for where the failed tests do not say why", () => {
    const error = "src/a.c:3: error: unknown type name 'x'";
    const output = ["--- FAIL: TestLease (0.00s)", "ok 2 - other", error, ...lines(200, "built")];
    expect(texts(of(output)).slice(0, 2)).toEqual(["--- FAIL: TestLease (0.00s)", error]);
  });

  test("mocha's failed test is shown with its error, not also in the list of tests", () => {
    const list = [
      "  cart",
      "    ✓ fails on an error",
      "    1) sums up",
      "",
      "  1 passing (4ms)",
      "  1 failing",
      "",
    ];
    const failure = ["  1) cart", "       sums up:", "", "      AssertionError: 4 == 3"];
    const found = texts(of([...list, ...failure], { ...LIMITS, tailLines: 1 }));
    expect(found).toEqual(failure.filter((line) => line !== ""));
  });

  test.each(["PASS expected but received FAIL", "status PASSED was expected"])(
    "an assertion that mentions passing is no passed test: %s",
    (assertion) => {
      const found = texts(of(["--- FAIL: TestState (0.00s)", `    ${assertion}`, ...lines(300, "stack")]));
      expect(found).toContain(`    ${assertion}`);
    },
  );

  test.each([
    "ok 1 - throws an error",
    "  ✓ fails on an error",
    "PASS test/error.test.js (5.2 s)",
    "PASS  src/error.spec.ts",
    "test errors::fails ... ok",
    "test_fails (tests.Errors.test_fails) ... ok",
    "tests/test_error.py::test_fails[a b] PASSED              [ 50%]",
  ])("a passed test is left out, whatever its name: %s", (passed) => {
    expect(texts(of([passed, "not ok 2 - adds", "  error: 4 !== 3", passed]))).toEqual([
      "not ok 2 - adds",
      "  error: 4 !== 3",
    ]);
  });

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

describe("omissions are marked", () => {
  test("by the number of lines", () => {
    const found = of([...lines(10, "before"), "fatal: no", ...lines(30, "after")]);
    expect(found[0]).toEqual({ leftOut: 9 });
    const counted = found.reduce((sum, line) => sum + ("text" in line ? 1 : (line.leftOut ?? 0)), 0);
    expect(counted).toBe(41);
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
  test("contains nothing that controls a terminal, reorders text or starts a line", () => {
    fc.assert(
      fc.property(nasty, fc.option(nasty), anyLimits, (head, tail, limits) => {
        for (const line of texts(excerpt({ head, tail }, limits))) expect(line).not.toMatch(DANGEROUS);
      }),
      { numRuns: 3000 },
    );
  });

  test("is bounded in bytes, for any letters", () => {
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
