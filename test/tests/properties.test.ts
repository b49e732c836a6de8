import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareTests } from "../../src/evidence/results/compare-tests.ts";
import { parseResults, writeResults } from "../../src/evidence/results/kept-results.ts";
import { readTests } from "../../src/evidence/results/read-tests.ts";
import type { TestReport, TestResult } from "../../src/core/evidence/result.ts";
import { golden, goldens, linesOf } from "./reading.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "",
    "a.js",
    "b.js",
    "adds",
    "run 12345",
    "run 67890",
    "(not named)",
    "(as a whole)",
    "/a/b/c",
    "\ud800",
  ),
);
const result: fc.Arbitrary<TestResult> = fc.record({
  suite: text,
  name: text,
  status: fc.constantFrom("passed", "failed", "skipped"),
});
const anyReport: fc.Arbitrary<TestReport> = fc.record({
  runners: fc.subarray<TestReport["runners"][number]>(["node:test", "vitest", "go", "cargo", "tap"]),
  results: fc.array(result, { maxLength: 30 }),
  complete: fc.boolean(),
  exitedBy: fc.array(text, { maxLength: 3 }),
});
const predicate = fc.func(fc.boolean()) as fc.Arbitrary<(suite: string) => boolean>;

/** The results of every parser, whichever the text is for. */
function readAll(source: string): readonly (TestReport | null)[] {
  return [
    readTests({ probes: [source], junit: [], output: "" }),
    readTests({ probes: [], junit: [source], output: "" }),
    readTests({ probes: [], junit: [], output: source }),
  ];
}

function expectSound(reports: readonly (TestReport | null)[]): void {
  for (const report of reports) {
    if (report === null) continue;
    // Compares booleans, because a diff of large texts takes too long.
    expect(writeResults(parseResults(writeResults(report)) ?? report)).toBe(writeResults(report));
    expect(report.results.filter(({ suite, name }) => suite.length > 500 || name.length > 500)).toEqual([]);
  }
}

describe("kept results", () => {
  test("written results are readable", () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        expect(parseResults(writeResults(report))).toEqual(report);
      }),
    );
  });

  test("a line a result, after one with a version", () => {
    const report: TestReport = {
      runners: ["jest"],
      results: [{ suite: "a.js", name: "x\ny", status: "failed" }],
      complete: false,
      exitedBy: ["/p/x.js"],
    };
    expect(writeResults(report)).toBe(
      linesOf([
        { version: 1, runners: ["jest"], complete: false, exitedBy: ["/p/x.js"], results: 1 },
        { suite: "a.js", name: "x\ny", status: "failed" },
      ]),
    );
  });

  test("cut-off results are not", () => {
    fc.assert(
      fc.property(anyReport, fc.nat(), (report, at) => {
        const written = writeResults(report);
        expect(parseResults(written.slice(0, at % written.length))).toBeNull();
      }),
    );
  });

  const header = { version: 1, runners: ["go"], complete: true, exitedBy: [], results: 0 };
  test.each<[string, readonly unknown[]]>([
    ["another version", [{ ...header, version: 2 }]],
    ["another runner", [{ ...header, runners: ["karma"] }]],
    ["no runners", [{ ...header, runners: "go" }]],
    ["no word on the end", [{ ...header, complete: 1 }]],
    ["no files", [{ ...header, exitedBy: [1] }]],
    ["a result too many", [header, { suite: "", name: "x", status: "passed" }]],
    [
      "another status",
      [
        { ...header, results: 1 },
        { suite: "", name: "x", status: "ok" },
      ],
    ],
    [
      "no name",
      [
        { ...header, results: 1 },
        { suite: "", status: "passed" },
      ],
    ],
    ["no result", [{ ...header, results: 1 }, "x"]],
    ["nothing", []],
  ])("foreign: %s", (_, lines) => {
    expect(parseResults(linesOf(lines))).toBeNull();
    expect(parseResults(linesOf([header]))).not.toBeNull();
  });
});

describe("comparing", () => {
  test("a run compared with itself shows only failures", () => {
    fc.assert(
      fc.property(anyReport, predicate, predicate, (report, wasAllowed, isAsOnBase) => {
        const findings = compareTests(report, report, wasAllowed, isAsOnBase);
        const failing = new Set(
          report.results
            .filter(({ status }) => status === "failed")
            .map(({ suite, name }) => JSON.stringify([suite, name])),
        );
        expect(findings).toMatchObject({
          added: 0,
          regressed: { count: 0 },
          newFailing: { count: 0 },
          vanished: { count: 0 },
          skippedNow: { count: 0 },
          alreadyFailing: { count: failing.size },
        });
      }),
    );
  });

  test("any two: every failing test is of one kind, and no more are lost than existed", () => {
    fc.assert(
      fc.property(anyReport, anyReport, predicate, predicate, (base, now, wasAllowed, isAsOnBase) => {
        const { regressed, alreadyFailing, newFailing, vanished, skippedNow } = compareTests(
          base,
          now,
          wasAllowed,
          isAsOnBase,
        );
        const failing = now.results
          .filter(({ status }) => status === "failed")
          .map(({ suite, name }) => JSON.stringify([suite, name]));
        expect(regressed.count + alreadyFailing.count + newFailing.count).toBe(new Set(failing).size);
        expect(Math.max(vanished.count, skippedNow.count)).toBeLessThanOrEqual(base.results.length);
      }),
    );
  });

  test("names do not hide that fewer tests ran", () => {
    fc.assert(
      fc.property(
        fc.array(result, { minLength: 1, maxLength: 30 }),
        fc.nat(),
        predicate,
        (results, at, isAsOnBase) => {
          const passed = results.map((its) => ({ ...its, status: "passed" }) as const);
          const report: TestReport = { runners: ["vitest"], results: passed, complete: true, exitedBy: [] };
          const fewer = { ...report, results: passed.toSpliced(at % passed.length, 1) };
          expect(compareTests(report, fewer, () => false, isAsOnBase).vanished.count).toBe(1);
        },
      ),
    );
  });
});

describe("hostile texts", () => {
  test.each(goldens)("%s, cut off anywhere", (name) => {
    const whole = golden(name);
    for (let at = 0; at < whole.length; at += 31) expectSound(readAll(whole.slice(0, at)));
  });

  const piece = fc.constantFrom(
    ...["TAP version 13\n", "1..3\n", "ok 1 - a\n", "not ok", " {\n", "}\n", "    ", "  ---\n", "  ...\n"],
    ...["# SKIP", "\\", "Bail out!\n", "running 2 tests\n", "test a ... ", "ok\n", "FAILED\n", "failures:\n"],
    ...[
      "test result: ok. 1 passed; 1 failed; 1 ignored;\n",
      "     Running tests/a.rs (x)\n",
      "   Doc-tests a\n",
    ],
    ...[
      '{"Action":"run","Package":"p","Test":"T"}\n',
      '{"Action":"fail","Package":"p"}\n',
      '{"begin":"jest"}\n',
    ],
    ...[
      '{"test":{"name":"a","status":"passed"}}\n',
      '{"exit":{"file":"x"}}\n',
      "<testsuite name='a'>",
      "</testsuite>",
    ],
    ...[
      "<testcase name='",
      "'",
      ">",
      "/>",
      "<",
      "<!--",
      "<![CDATA[",
      "]]>",
      "&#x41;",
      "&#99999999;",
      "<failure/>",
      "\n",
      "\u001b[1m",
    ],
  );
  test("pieces of all of them in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: piece }, text), { maxLength: 40 }), (pieces) => {
        expectSound(readAll(pieces.join("")));
      }),
    );
  });

  /** A quadratic parser would exceed the test's own limit. */
  const MANY = 20_000;
  const nested = (line: (n: number) => string): string =>
    Array.from({ length: 600 }, (_, n) => line(n)).join("\n");
  test.each<[string, string]>([
    ["subtests in subtests", `1..1\n${nested((n) => `${" ".repeat(600 - n)}ok 1 - ${"x".repeat(50)}`)}`],
    ["groups in groups", `1..1\n${nested((n) => `${" ".repeat(n)}not ok 1 - x {`)}`],
    ["documents", "1..1\nok 1\n".repeat(MANY)],
    ["suites in suites", `${"<testsuite name='a'>".repeat(MANY)}<testcase name='b'/>`],
    [
      "tests in suites in suites",
      `${"<testsuite name='a'>".repeat(300)}${"<testcase name='b'/>".repeat(5_000)}`,
    ],
    ["ends that nothing began", `${"<testsuite>".repeat(MANY)}${"</x>".repeat(MANY)}`],
    ["ends in another order", `${"<testsuite><a>".repeat(MANY)}${"</testsuite></a>".repeat(MANY)}`],
    ["attributes", `<testsuite ${"a='b' ".repeat(MANY)}>`],
    ["quotes", `<testsuite ${`a='"`.repeat(MANY)}`],
    ["beginnings of tags", `<testsuite>${"<a ".repeat(MANY)}`],
    ["beginnings of comments", `<testsuite>${"<!--".repeat(MANY)}`],
    ["spaces", `<testsuite${" ".repeat(300_000)}x`],
    ["entities", `<testsuite name='${"&".repeat(300_000)}'>`],
    ["headings in one line", "     Running x".repeat(MANY)],
    ["dots in one line", `running 1 test\ntest ${" ... ".repeat(MANY)}`],
    ["results of nothing", "running 1 test\ntest result: ok. 100 passed; 0 failed; 0 ignored;\n".repeat(200)],
    ["marks", `1..1\nok 1 ${"# ".repeat(MANY)}${"\\".repeat(MANY)}`],
    ["codes", "\u001b[0".repeat(MANY)],
    ["brackets", `{"Action":${"[".repeat(300_000)}\n`],
    [
      "packages",
      Array.from({ length: MANY }, (_, n) => `{"Action":"run","Package":"p${n}","Test":"t"}\n`).join(""),
    ],
  ])("many %s", (_, hostile) => {
    expectSound(readAll(hostile));
  });

  test.each<[string, (n: number) => string]>([
    ["alike", (n) => `test ${n + 1_000_000}`],
    ["long", (n) => `${"/a1b".repeat(20)} ${n}`],
  ])("30,000 names that are %s", (_, nameOf) => {
    const results = Array.from({ length: 30_000 }, (_unused, n): TestResult => ({
      suite: `s${n % 7}`,
      name: nameOf(n),
      status: "passed",
    }));
    const base: TestReport = { runners: ["tap"], results, complete: true, exitedBy: [] };
    const names = new Set(results.map(({ suite, name }) => `${suite} ${name}`));
    expect(compareTests(base, base, () => false).vanished.count).toBe(0);
    expect(compareTests(base, { ...base, results: [] }, () => false).vanished.count).toBe(names.size);
  });
});
