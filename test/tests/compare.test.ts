import { describe, expect, test } from "vitest";
import { compareTests } from "../../src/evidence/results/compare-tests.ts";
import type { Runner, TestReport, TestResult } from "../../src/core/evidence/result.ts";

const STATUSES = { "+": "passed", "-": "failed", "?": "skipped" } as const;

/** Parses `+suite: name`. */
function resultOf(line: string): TestResult {
  const [mark, rest] = [line.charAt(0), line.slice(1)];
  const at = rest.indexOf(": ");
  const status = mark === "+" || mark === "-" ? STATUSES[mark] : STATUSES["?"];
  return { suite: rest.slice(0, Math.max(0, at)), name: at < 0 ? rest : rest.slice(at + 2), status };
}

function report(lines: readonly string[], runner: Runner = "vitest"): TestReport {
  return {
    runners: [runner],
    results: lines.map((line) => resultOf(line)),
    complete: true,
    exitedBy: [],
  };
}

const never = (): boolean => false;

/** Findings as `kind: names`. */
function found(
  base: readonly string[] | null,
  now: readonly string[],
  {
    runner = "vitest",
    wasAllowed = never,
    isAsOnBase = () => true,
  }: {
    runner?: Runner;
    wasAllowed?: (suite: string) => boolean;
    isAsOnBase?: (suite: string) => boolean;
  } = {},
): Record<string, readonly string[]> {
  const before = base && report(base, runner);
  const { regressed, alreadyFailing, newFailing, failing, vanished, skippedNow } = compareTests(
    before,
    report(now, runner),
    wasAllowed,
    isAsOnBase,
  );
  const kinds = { regressed, alreadyFailing, newFailing, failing, vanished, skippedNow };
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, { count, some }]) => (count === 0 ? [] : [[kind, some]])),
  );
}

test("tests of files that are as on the base are failing rather than new, whether or not the base reported them", () => {
  const base = report(["-a.js: a.js"]);
  const now = report(["-a.js: x", "+a.js: y", "-new.js: z", "+new.js: ok"]);
  const compared = compareTests(
    base,
    now,
    never,
    () => true,
    (suite) => suite === "new.js",
  );
  expect(compared).toMatchObject({
    added: 2,
    failing: { some: ["a.js: x"] },
    newFailing: { some: ["new.js: z"] },
  });
});

describe("the outcome of each test", () => {
  test.each<[string, readonly string[], readonly string[], Record<string, readonly string[]>]>([
    ["nothing changed", ["+a.js: x", "?a.js: y"], ["+a.js: x", "?a.js: y"], {}],
    ["one is fixed, one is new", ["-a.js: x"], ["+a.js: x", "+a.js: y", "+b.js: z"], {}],
    ["a regression", ["+a.js: x"], ["-a.js: x"], { regressed: ["a.js: x"] }],
    ["it failed already", ["-a.js: x"], ["-a.js: x"], { alreadyFailing: ["a.js: x"] }],
    ["a new one fails", ["+a.js: x"], ["+a.js: x", "-a.js: y"], { newFailing: ["a.js: y"] }],
    ["one that was skipped fails", ["?a.js: x"], ["-a.js: x"], { newFailing: ["a.js: x"] }],
    ["one is gone", ["+a.js: x", "+a.js: y"], ["+a.js: y"], { vanished: ["a.js: x"] }],
    ["one that failed is gone", ["-a.js: x", "+a.js: y"], ["+a.js: y"], { vanished: ["a.js: x"] }],
    ["one that was skipped is gone", ["?a.js: x", "+a.js: y"], ["+a.js: y"], {}],
    ["a whole file is gone", ["+a.js: x", "+b.js: y"], ["+b.js: y", "+b.js: z"], { vanished: ["a.js: x"] }],
    ["one is skipped", ["+a.js: x"], ["?a.js: x"], { skippedNow: ["a.js: x"] }],
    ["one that failed is skipped", ["-a.js: x"], ["?a.js: x"], { skippedNow: ["a.js: x"] }],
    ["the same name in another file is another", ["+a.js: x"], ["+b.js: x"], { vanished: ["a.js: x"] }],
  ])("%s", (_, base, now, expected) => {
    expect(found(base, now)).toEqual(expected);
  });

  test("where a suite ends and a name begins", () => {
    const of = (suite: string, name: string): TestReport => ({
      ...report([]),
      results: [{ suite, name, status: "passed" }],
    });
    expect(compareTests(of("a", "b: c"), of("a: b", "c"), never).vanished.some).toEqual(["a: b: c"]);
  });

  test("the base is unknown", () => {
    expect(found(null, ["+a.js: x", "-a.js: y", "-z"])).toEqual({ failing: ["a.js: y", "z"] });
    expect(compareTests(null, report(["+x"]), never)).toMatchObject({ added: 0, passed: 1 });
  });

  test("passes on numbers", () => {
    const now: TestReport = {
      ...report(["+a: x", "-a: y", "?a: z", "+a: new", "+a: new"]),
      complete: false,
      exitedBy: ["/p/x.js"],
    };
    expect(compareTests(report(["+a: x", "+a: y", "?a: z"]), now, never)).toMatchObject({
      runners: ["vitest"],
      passed: 3,
      failed: 1,
      skipped: 1,
      added: 2,
      complete: false,
      exitedBy: ["/p/x.js"],
    });
  });

  test("many are counted, the first are named, in the order of the report", () => {
    const names = Array.from({ length: 30 }, (_, n) => `a.js: case ${29 - n}`);
    const base = report(names.map((name) => `+${name}`));
    const { vanished } = compareTests(base, report([]), never);
    expect(vanished).toEqual({ count: 30, some: names.slice(0, 20) });
    const { regressed } = compareTests(base, report(names.map((name) => `-${name}`).toReversed()), never);
    expect(regressed).toEqual({ count: 30, some: names.toReversed().slice(0, 20) });
  });
});

describe("the same name several times", () => {
  test.each<[string, readonly string[], readonly string[], Record<string, readonly string[]>]>([
    ["all are there", ["+x", "+x", "+x"], ["+x", "+x", "+x"], {}],
    ["one is gone", ["+x", "+x", "+x"], ["+x", "+x"], { vanished: ["x"] }],
    ["one is skipped", ["+x", "+x"], ["+x", "?x"], { skippedNow: ["x"] }],
    ["one is skipped, one gone", ["+x", "+x"], ["?x"], { skippedNow: ["x"], vanished: ["x"] }],
    ["one was skipped before", ["+x", "?x"], ["?x", "+x"], {}],
    ["one was skipped before, one is gone", ["+x", "+x", "?x"], ["+x", "?x"], { vanished: ["x"] }],
    ["one fails", ["+x", "+x"], ["+x", "-x"], { regressed: ["x"] }],
    ["one failed", ["-x", "+x"], ["+x", "-x", "-x"], { alreadyFailing: ["x"] }],
    ["it was tried again on the base", ["-x", "+x"], ["+x"], {}],
    ["it was tried again and failed", ["-x", "-x", "-x"], ["+x"], {}],
    ["it is tried again now", ["+x"], ["-x", "+x"], { regressed: ["x"] }],
  ])("%s", (_, base, now, expected) => {
    expect(found(base, now, { runner: "tap" })).toEqual(expected);
  });
});

describe("names that change from run to run", () => {
  test.each([
    ["user 8f14e45fceea167a is made", "user c9f0f895fb98ab91 is made"],
    ["id 123e4567-e89b-12d3-a456-426614174000", "id 00000000-aaaa-4bbb-8ccc-dddddddddddd"],
    ["<Foo object at 0x7f3a2c1b9d30>", "<Foo object at 0x7fe0aa0042f8>"],
    ["listens on localhost:43127", "listens on localhost:59001"],
    ["listens on :8080", "listens on :9090"],
    ["reads /tmp/case-aBcDeF/in.txt", "reads /tmp/case-GhIjKl/in.txt"],
    ["reads C:\\Temp\\a\\b", "reads C:\\Temp\\c\\d"],
    ["at 2026-11-16T04:15:36.861Z", "at 2026-11-17T23:59:59.001+01:00"],
    ["at 04:15:36", "at 23:59:59.123"],
    ["took 12.5 ms", "took 3ms"],
    ["room k3j9x2ab", "room 7tq1zz0p"],
    ["run 1763266536", "run 1763266999"],
  ])("%s", (before, after) => {
    const strict = { isAsOnBase: never };
    expect(found([`+a.js: ${before}`], [`+a.js: ${after}`], strict)).toEqual({});
    expect(found([`+a.js: ${before}`], [`-a.js: ${after}`], strict)).toEqual({
      regressed: [`a.js: ${after}`],
    });
    expect(found([`-a.js: ${before}`], [`-a.js: ${after}`], strict)).toEqual({
      alreadyFailing: [`a.js: ${after}`],
    });
    expect(found([`+a.js: ${before}`], [`?a.js: ${after}`], strict)).toEqual({
      skippedNow: [`a.js: ${before}`],
    });
    expect(found([`+a.js: ${before}`], [], strict)).toEqual({ vanished: [`a.js: ${before}`] });
    expect(compareTests(report([`+${before}`]), report([`+${after}`]), never).added).toBe(0);
  });

  test.each([
    ["adds two", "adds three"],
    ["case 1", "case 2"],
    ["uses sha256", "uses sha512"],
    ["GET /users", "GET /people"],
    ["src/a/b.js", "src/a/c.js"],
  ])("%s is not %s", (before, after) => {
    expect(found([`+${before}`], [`+${after}`], { isAsOnBase: never })).toEqual({ vanished: [before] });
  });

  test("they are counted all the same", () => {
    const base = ["+a.js: id 11111", "+a.js: id 22222", "+a.js: id 33333"];
    const now = ["+a.js: id 44444", "+a.js: id 55555"];
    expect(found(base, now)["vanished"]).toHaveLength(1);
    expect(found(base, now, { isAsOnBase: never })["vanished"]).toHaveLength(1);
    expect(found(base, [...now, "?a.js: id 66666"])["skippedNow"]).toHaveLength(1);
  });

  test("one that looks random only at times", () => {
    const strict = { isAsOnBase: never };
    expect(found(["+a.js: room k3j9x2ab"], ["+a.js: room qwertzui"], strict)).toEqual({});
    expect(found(["+a.js: room k3j9x2ab", "+a.js: adds"], ["+a.js: room qwertzui"], strict)).toEqual({
      vanished: ["a.js: adds"],
    });
  });

  test("suites with such names", () => {
    expect(found(["+run-12345: x"], ["+run-67890: x"], { runner: "junit" })).toEqual({});
    expect(found(["+run-12345: k3j9x2ab"], ["+run-67890: qwertzui"], { runner: "junit" })).toEqual({});
    expect(found(["+/p/a.js: x"], ["+/p/b.js: x"], { runner: "junit" })).toEqual({
      vanished: ["/p/a.js: x"],
    });
  });
});

describe("tests in the place of others", () => {
  const base = ["+a.js: adds", "+a.js: subtracts", "+b.js: x"];
  const now = ["+a.js: adds", "+a.js: trivial", "+a.js: more", "+b.js: x"];

  test("an unchanged file takes its names from the product", () => {
    expect(found(base, now)).toEqual({});
    expect(compareTests(report(base), report(now), never).vanished.count).toBe(0);
  });

  test("in a changed file each name must exist", () => {
    expect(found(base, now, { isAsOnBase: (suite) => suite !== "a.js" })).toEqual({
      vanished: ["a.js: subtracts"],
    });
  });

  test("other files do not make up for it", () => {
    expect(found(base, ["+a.js: adds", "+b.js: x", "+b.js: y", "+c.js: z"])).toEqual({
      vanished: ["a.js: subtracts"],
    });
  });

  test("knows nothing without a known file", () => {
    expect(found(["+x", "+y"], ["+x", "+z"])).toEqual({ vanished: ["y"] });
  });

  test.each<Runner>(["tap", "junit", "go", "cargo"])("a suite of %s is no file", (runner) => {
    expect(found(base, now, { runner })).toEqual({ vanished: ["a.js: subtracts"] });
  });

  test("names no more tests than are missing, if the file is unchanged", () => {
    const rest = ["+a.js: one", "+b.js: x"];
    expect(found(base, rest)["vanished"]).toEqual(["a.js: adds"]);
    expect(found(base, ["?a.js: adds", "+a.js: one", "+b.js: x"])).toEqual({ skippedNow: ["a.js: adds"] });
    const twice = ["+a.js: x", "+a.js: x", "+a.js: y"];
    expect(found(twice, ["?a.js: x", "?a.js: x", "+a.js: z"])).toEqual({ skippedNow: ["a.js: x"] });
  });

  test("tests that the runner did not name may be those", () => {
    const cargo = { runner: "cargo" } as const;
    expect(found(["+l: a", "+l: b"], ["+l: a", "+l: (not named)"], cargo)).toEqual({});
    expect(found(["+l: a", "+l: (not named)"], ["+l: a", "+l: b"], cargo)).toEqual({});
    expect(found(["+l: a", "+l: b"], ["+l: (not named)"], cargo)["vanished"]).toHaveLength(1);
    expect(found(["+(not named)", "+(not named)"], ["+(not named)"], cargo)["vanished"]).toHaveLength(1);
  });
});

test("a person allowed the change of a suite", () => {
  const base = ["+a.js: x", "+a.js: y", "+b.js: x", "+b.js: y"];
  const now = ["?a.js: x", "?b.js: x"];
  expect(found(base, now, { wasAllowed: (suite) => suite === "a.js" })).toEqual({
    vanished: ["b.js: y"],
    skippedNow: ["b.js: x"],
  });
  expect(found(["+a.js: x"], ["-a.js: x"], { wasAllowed: () => true })).toEqual({ regressed: ["a.js: x"] });
});

describe("a file that could not be loaded on the base", () => {
  const strict = { isAsOnBase: never };
  test.each<[string, Runner, string, string]>([
    ["vitest", "vitest", "-test/a.test.ts: test/a.test.ts", "+test/a.test.ts: adds"],
    ["node:test", "node:test", "-test/a b.js", "+test/a b.js: adds"],
    ["node:test as TAP", "tap", "-/p/test/a.test.mjs", "+adds"],
    ["another as TAP", "tap", "-test/a.test.mjs", "+adds"],
    ["a group of node:test's", "node:test", "-a.js: sums", "+a.js: sums > deep > adds"],
    ["a group in a group", "node:test", "-a.js: sums > deep", "+a.js: sums > deep > adds"],
    ["pytest", "pytest", "-test_a.py: collection", "+test_a.py: test_adds"],
    ["a class of pytest's", "pytest", "-test_a.py: TestA", "+test_a.py: TestA > test_adds"],
    ["pytest as JUnit", "junit", "-t.test_a: (as a whole)", "+t.test_a.TestAdd: test_adds"],
    ["unittest", "unittest", "-unittest.loader._FailedTest.test_a", "+test_a.py: A > test_adds"],
    ["what unittest sets up", "unittest", "-setUpClass (test_a.A)", "+test_a.py: A > test_adds"],
    ["go", "go", "-example.com/p: (as a whole)", "+example.com/p: TestAdd"],
  ])("%s", (_, runner, before, after) => {
    expect(found([before, "+o.js: x"], [after, "+o.js: x"], { ...strict, runner })).toEqual({});
    expect(found([before], [before], { ...strict, runner })["alreadyFailing"]).toHaveLength(1);
  });

  test("and of which no test runs now", () => {
    const base = ["-test/a.test.ts: test/a.test.ts", "+b.ts: x"];
    expect(found(base, ["+b.ts: x"])).toEqual({ vanished: ["test/a.test.ts"] });
    expect(found(base, ["?test/a.test.ts: adds", "+b.ts: x"])).toEqual({ vanished: ["test/a.test.ts"] });
    expect(found(["-test/a.js", "+b.js: x"], ["+test/b.js", "+b.js: x"])).toEqual({
      vanished: ["test/a.js"],
    });
  });

  test("one that passed under the name of its file was a test", () => {
    expect(found(["+a.js: a.js", "+a.js: y"], ["+a.js: y", "+a.js: z"], strict)).toEqual({
      vanished: ["a.js"],
    });
  });
});
