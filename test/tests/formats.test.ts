import { describe, expect, test } from "vitest";
import { readTests } from "../../src/evidence/results/read-tests.ts";
import { fromJunit, fromOutput, golden, shown } from "./reading.ts";

const NODE_NESTED = [
  "+sums > adds",
  "+sums > is # odd \\ here",
  "+sums > deep > works",
  "-sums > deep > fails",
  "?sums > later",
  "?sums > some day",
  "?sums > todo that fails",
  "?top skipped by call",
  "+parent > child",
  "+parent > child 2",
];

const CARGO = [
  "+src/lib.rs: tests::adds",
  "+src/lib.rs: tests::deep::inner",
  "-src/lib.rs: tests::fails",
  "?src/lib.rs: tests::slow",
  "?src/lib.rs: tests::slow_why",
  "+src/lib.rs: tests::panics - should panic",
  "+src/main.rs: tests::of_main",
  "+tests/whole.rs: adds",
  "+tests/whole.rs: whole",
  "+tests/whole.rs: noisy",
  "?Doc-tests tiny: src/lib.rs - add",
  "+Doc-tests tiny: src/lib.rs - add",
  "+Doc-tests tiny: src/lib.rs - add - compile",
];

describe("real output of tools", () => {
  test("ctest", () => {
    expect(shown(fromOutput(golden("ctest.txt")))).toEqual([
      "+adds",
      "+with.dots...",
      "-fails",
      "?skips",
      "-segv",
      "-none",
      "?off",
      "-slow",
      "+averyveryveryveryverylongnameofatestthatislongerthanthecolumnsofctestsoutput",
    ]);
    const cut = golden("ctest.txt").split("\n").slice(0, 3);
    expect(shown(fromOutput(...cut))).toEqual(["!", "+adds"]);
    expect(shown(fromOutput("Test project /home/ann/b", "No tests were found!!!"))).toEqual([]);
  });

  test("ava, with or without the names of files", () => {
    const ofFile = ["+adds", "+weird › name"];
    const left = ["?left", "?later"];
    const one = [...left, ...ofFile, "?known", "-bad"];
    expect(shown(fromOutput(golden("ava-6-one.txt")))).toEqual(one);
    expect(shown(fromOutput(golden("ava-6.txt")))).toHaveLength(7);
    expect(new Set(shown(fromOutput(golden("ava-6.txt"))))).toEqual(new Set(["+adds", ...one]));
    // Version 3 does not mark expected failures.
    expect(new Set(shown(fromOutput(golden("ava-3.txt"))))).toEqual(
      new Set(["+adds", ...left, ...ofFile, "+known", "-bad"]),
    );
    expect(shown(fromOutput(golden("ava-6-one.txt"), golden("ava-3.txt")))).toHaveLength(13);
    expect(fromOutput("  ✔ something", "  ─", "", "all is well")).toBe(null);
  });

  test("uvu, which names only what failed", () => {
    const unnamed = (suite: string, count: number) =>
      Array.from({ length: count }, () => `+${suite}(not named)`);
    expect(shown(fromOutput(golden("uvu.txt")))).toEqual([
      ...unnamed("a.js: ", 2),
      "-a.js: bad",
      ...unnamed("a.js clsx: ", 2),
      ...unnamed("b.js: ", 1),
      "?(not named)",
    ]);
    expect(shown(fromOutput(golden("uvu-node.txt")))).toEqual([
      ...unnamed("", 2),
      ...unnamed("clsx: ", 2),
      "?(not named)",
    ]);
    expect(fromOutput("• •   (2 / 2)", "  Total:     3")).toBe(null);
  });

  test("bats for people", () => {
    expect(shown(fromOutput(golden("bats-pretty.txt")))).toEqual(["+adds", "?left", "-bad"]);
    expect(fromOutput("step 1/3 - copies", "step 2/3 - builds")).toBe(null);
  });

  test("node:test as TAP: nested, with messages and output that look like tests", () => {
    expect(shown(fromOutput(golden("node.tap")))).toEqual(["+one", "+two", ...NODE_NESTED]);
    expect(fromOutput(golden("node.tap"))?.runners).toEqual(["tap"]);
  });

  test("node:test as TAP: a file that cannot be loaded, and one that ended the process", () => {
    expect(shown(fromOutput(golden("node-gone.tap")))).toEqual([
      "+one",
      "+two",
      "-/home/ann/project/gone.test.mjs",
    ]);
    expect(shown(fromOutput(golden("node-cut.tap")))).toEqual(["+/home/ann/project/cut.test.mjs"]);
  });

  test("node:test as JUnit", () => {
    const expected = ["+one", "+two", ...NODE_NESTED].map(
      (line) => `${line.charAt(0)}test: ${line.slice(1)}`,
    );
    expect(shown(fromJunit(golden("node.junit.xml")))).toEqual(expected);
    expect(fromJunit(golden("node.junit.xml"))?.runners).toEqual(["junit"]);
  });

  test("vitest as TAP, groups in braces", () => {
    expect(shown(fromOutput(golden("vitest.tap")))).toEqual([
      "+a.test.ts > sums > adds",
      `+a.test.ts > sums > with <angle> & "quotes" 'both' \u0007`,
      "-a.test.ts > sums > deep > fails",
      "?a.test.ts > sums > later",
      "?a.test.ts > sums > some day",
      "+a.test.ts > each 1",
      "+a.test.ts > each 2",
      "-b.test.ts",
    ]);
  });

  test("vitest as JUnit", () => {
    expect(shown(fromJunit(golden("vitest.junit.xml")))).toEqual([
      "+a.test.ts: sums > adds",
      `+a.test.ts: sums > with <angle> & "quotes" 'both' `,
      "-a.test.ts: sums > deep > fails",
      "?a.test.ts: sums > later",
      "?a.test.ts: sums > some day",
      "+a.test.ts: each 1",
      "+a.test.ts: each 2",
      "-b.test.ts: b.test.ts",
    ]);
  });

  test("pytest as JUnit", () => {
    expect(shown(fromJunit(golden("pytest.junit.xml"), golden("pytest-gone.junit.xml")))).toEqual([
      "+test_a: pytest > test_n[1]",
      "-test_a: pytest > test_n[2]",
      "?test_a: pytest > test_s",
      "+test_a.TestC: pytest > test_m",
      "-test_a: pytest > test_setup",
      "?test_a: pytest > test_xf",
      "+test_a: pytest > test_out",
      "-c.test_c: (as a whole)",
    ]);
  });

  test("cargo test", () => {
    const read = fromOutput(golden("cargo.txt"));
    expect({ runners: read?.runners, complete: read?.complete }).toEqual({
      runners: ["cargo"],
      complete: true,
    });
    expect(shown(read)?.toSorted()).toEqual(CARGO.toSorted());
  });

  test("cargo test --nocapture: output of tests appears between their names and results", () => {
    expect(shown(fromOutput(golden("cargo-nocapture.txt")))?.toSorted()).toEqual(CARGO.toSorted());
  });

  test("cargo test --quiet: counted, and named where they failed", () => {
    const unnamed = (mark: string, count: number): string[] =>
      Array.from({ length: count }, () => `${mark}(not named)`);
    expect(shown(fromOutput(golden("cargo-quiet.txt")))).toEqual([
      ...unnamed("+", 3),
      "-tests::fails",
      ...unnamed("?", 2),
      ...unnamed("+", 6),
      ...unnamed("?", 1),
    ]);
  });

  test("cargo test, and a test that ends the process with 0", () => {
    const expected = shown(fromOutput(golden("cargo-exit.txt")));
    expect(expected?.toSorted()).toEqual(
      ["!", ...CARGO.filter((line) => !/whole$|noisy$/.test(line))].toSorted(),
    );
  });

  test("go test -json", () => {
    const read = fromOutput(golden("go.ndjson"));
    expect(read?.runners).toEqual(["go"]);
    expect(shown(read)).toEqual([
      "+example.com/tiny: TestAdd/small",
      "-example.com/tiny: TestAdd/large",
      "-example.com/tiny: TestAdd",
      "?example.com/tiny: TestNet",
      "-example.com/tiny/broken: (as a whole)",
      "-example.com/tiny/panics: TestPanic",
    ]);
  });

  test("colours are no part of it", () => {
    const coloured = golden("cargo.txt").replace(/ok$/gm, "\u001b[32mok\u001b[0m");
    expect(shown(fromOutput(coloured))).toEqual(shown(fromOutput(golden("cargo.txt"))));
  });

  test("several tools in one output", () => {
    const read = fromOutput(golden("go.ndjson"), golden("cargo.txt"), golden("node-cut.tap"));
    expect(read).toMatchObject({ runners: ["go", "cargo", "tap"], complete: true });
    expect(read?.results).toHaveLength(6 + CARGO.length + 1);
    expect(fromOutput(golden("cargo-exit.txt"), golden("node-cut.tap"))?.complete).toBe(false);
  });
});

describe("the trusted source", () => {
  const probe = '{"test":{"suite":"a.js","name":"probed","status":"passed"}}\n';
  const exit = '{"exit":{"file":"/p/src/x.js"}}\n';
  const junit = ["<testsuite><testcase classname='c' name='reported'/></testsuite>"];
  const output = "1..1\nok 1 - written";

  test.each([
    ["the probes first", [probe, exit], junit, output, ["+a.js: probed"]],
    ["then JUnit files", [exit], junit, output, ["+c: reported"]],
    ["then the output", [exit], ["<coverage/>"], output, ["+written"]],
    ["otherwise no tests, but the file that ended the process", [exit], [], "fine", []],
  ])("%s", (_, probes, reports, text, expected) => {
    const read = readTests({ probes, junit: reports, output: text });
    expect([shown(read), read?.exitedBy]).toEqual([expected, ["/p/src/x.js"]]);
  });

  test("believes a runner that ran nothing", () => {
    const begun = '{"begin":"vitest"}\n{"end":"vitest"}\n';
    expect(readTests({ probes: [begun], junit, output })).toEqual({
      runners: ["vitest"],
      results: [],
      complete: true,
      exitedBy: [],
    });
  });

  test("no source at all", () => {
    expect(readTests({ probes: ["", "{}\n"], junit: ["no xml"], output: "all is well\nok\n" })).toBeNull();
  });
});
