import { describe, expect, test } from "vitest";
import { fromJunit, fromOutput, fromProbes, shown } from "./reading.ts";

const PASSED = { test: { suite: "a.js", name: "adds", status: "passed" } };
const EVENT = { Action: "start", Package: "p" };

describe("probes", () => {
  test("foreign lines are skipped", () => {
    const lines = [
      { begin: "node:test" },
      "not JSON",
      "[1]",
      "null",
      '"text"',
      { begin: "karma" },
      { test: null },
      { test: { name: "no status" } },
      { test: { name: 1, status: "passed" } },
      { test: { name: "no suite", status: "failed" } },
      { test: { name: "x", status: "ok" } },
      { exit: "x" },
      { exit: { file: 1 } },
      { ...PASSED },
      { end: "node:test" },
    ];
    const read = fromProbes(lines);
    expect(shown(read)).toEqual(["-no suite", "+a.js: adds"]);
    expect([read?.runners, read?.exitedBy]).toEqual([["node:test"], []]);
  });

  test.each<[string, readonly (readonly unknown[])[], boolean]>([
    ["one that ended", [[{ begin: "jest" }, { end: "jest" }]], true],
    ["one that did not", [[{ begin: "jest" }, PASSED]], false],
    ["one that ended in another process only", [[{ begin: "jest" }], [{ end: "jest" }]], false],
    ["one of two", [[{ begin: "unittest" }, { begin: "unittest" }, { end: "unittest" }]], false],
    ["an end before the beginning", [[{ end: "jest" }, { begin: "jest" }]], false],
    ["an end that nothing began", [[PASSED, { end: "jest" }]], true],
    ["another runner's end", [[{ begin: "jest" }, { end: "vitest" }]], false],
  ])("a runner: %s", (_, probes, complete) => {
    expect(fromProbes(...probes)?.complete).toBe(complete);
  });

  test("a torn last line", () => {
    const torn = JSON.stringify(PASSED).slice(0, -3);
    expect(shown(fromProbes([{ begin: "jest" }, PASSED, torn]))).toEqual(["!", "+a.js: adds"]);
  });

  test("long names are cut, and not within a character", () => {
    const long = { suite: "s".repeat(9_000), name: `${"x".repeat(495)}😀😀😀`, status: "passed" };
    const [result] = fromProbes([{ test: long }])?.results ?? [];
    expect([result?.suite.length, result?.name]).toEqual([500, `${"x".repeat(495)} ...`]);
  });

  test("the file that ended the process is named once, and not without end", () => {
    const exits = Array.from({ length: 100 }, (_, n) => ({ exit: { file: `/p/${n % 50}.js` } }));
    expect(fromProbes(exits)?.exitedBy).toEqual(Array.from({ length: 20 }, (_, n) => `/p/${n}.js`));
  });
});

test("a file that was about to end a process and stayed did not end it, but may have ended another", () => {
  const exit = { exit: { file: "/p/a.py" } };
  const stayed = { stayed: { file: "/p/a.py" } };
  const whole = [{ begin: "pytest" }, { end: "pytest" }];
  expect(fromProbes([...whole, exit, stayed])?.exitedBy).toEqual([]);
  expect(fromProbes([exit, stayed, exit])?.exitedBy).toEqual(["/p/a.py"]);
  expect(fromProbes([exit], [exit, stayed], [stayed])?.exitedBy).toEqual(["/p/a.py"]);
  expect(fromProbes([exit, { stayed: { file: 1 } }, { stayed: { file: "/p/b.py" } }])?.exitedBy).toEqual([
    "/p/a.py",
  ]);
});

describe("TAP", () => {
  test.each<[string, string, readonly string[] | null]>([
    ["no plan, no version", "ok 1 - a\nok 2 - b", null],
    ["go's plain output", "ok  \texample.com/p\t0.003s", null],
    ["a version alone", "TAP version 13\n", null],
    ["nothing but a plan", "1..0 # SKIP no network", null],
    ["a plan first", "1..2\nok 1 - a\nnot ok 2 - b", ["+a", "-b"]],
    ["a plan last", "ok 1 - a\nnot ok 2 - b\n1..2", ["+a", "-b"]],
    ["fewer than planned", "1..3\nok 1 - a\nok 2 - b", ["!", "+a", "+b"]],
    ["no plan came", "TAP version 14\nok 1 - a", ["!", "+a"]],
    ["bailed out", "1..1\nok 1 - a\nBail out! no database", ["!", "+a"]],
    ["no names", "1..3\nok\nok 2\nnot ok 3 -", ["+(not named)", "+(not named)", "-(not named)"]],
    ["no dash", "1..2\nok 1 a\nok b", ["+a", "+b"]],
    ["a number of the name's", "1..2\nok - 2 and 2\nok 2nd", ["+2 and 2", "+2nd"]],
    ["no test", "1..1\nokay\nnot okay\nok: fine\nok 1 a", ["+a"]],
    [
      "directives",
      "1..6\nok 1 a # SKIP b\nok 2 c # skip\nnot ok 3 d # TODO e\nok 4 f # Todo\nok 5 # SKIP\nok 6 g #1",
      ["?a", "?c", "?d", "?f", "?(not named)", "+g #1"],
    ],
    ["escapes", "1..2\nok 1 - a \\# SKIP b\nok 2 - \\\\c", ["+a # SKIP b", "+\\c"]],
    ["times", "1..1\nok 1 - a # time=3.14ms", ["+a"]],
    [
      "subtests, as in version 14",
      "TAP version 14\n1..2\n# Subtest: a\n    1..1\n    ok 1 - b\nok 1 - a\n    ok 1 - d\n    1..1\nok 2 - c",
      ["+a > b", "+c > d"],
    ],
    ["subtests, fewer than planned", "1..1\n    1..2\n    ok 1 - b\nok 1 - a", ["!", "+a > b"]],
    ["a group that failed by itself", "1..1\n    ok 1 - b\n    1..1\nnot ok 1 - a", ["+a > b", "-a"]],
    ["a group that was cut off", "TAP version 13\nok 1 - a\n    ok 1 - b", ["!", "+a", "+b"]],
    ["braces", "1..2\nok 1 - a {\n    ok 1 - b\n    1..1\n}\nok 2 - c", ["+a > b", "+c"]],
    [
      "subtests after braces",
      "1..2\nok 1 - a {\n    ok 1 - b\n}\n    ok 1 - d\n    1..1\nok 2 - c",
      ["+a > b", "+c > d"],
    ],
    ["a version of subtests", "1..1\n    TAP version 14\n    ok 1 - b\n    1..1\nok 1 - a", ["+a > b"]],
    ["an indented word of others", "1..2\nok 1 - a\n  ok fine\nok 2 - b", ["+a", "+b"]],
    ["dots in YAML", "1..1\nok 1 - a\n  ---\n  x: |\n    ...\n    ok 1 - x\n  ...", ["+a"]],
    ["braces that nothing closes", "1..2\nok 1 - a {\n    ok 1 - b\nok 2 - c", ["+a > b", "+c"]],
    [
      "YAML",
      "1..2\nnot ok 1 - a\n  ---\n  message: |\n    ok 9 - x\n\n  ok 9 - x\n  ...\nok 2 - b",
      ["-a", "+b"],
    ],
    ["YAML that nothing closes", "1..2\nnot ok 1 - a\n  ---\n  x: 1\nok 2 - b", ["-a", "+b"]],
    [
      "dashes that are no YAML",
      "  ---\n    ok 1 - x\nok 1 - a\ntext\n  ---\n    ok 1 - y\nok 2 - b\n1..2",
      ["+a > x", "+b > y"],
    ],
    ["several documents, plans first", "1..1\nok 1 - a\n1..2\nok 1 - b", ["!", "+a", "+b"]],
    ["several documents, plans last", "ok 1 - a\n1..1\nok 1 - b\nok 2 - c\n1..2", ["+a", "+b", "+c"]],
    [
      "several documents with versions",
      "TAP version 13\nok 1 - a\nTAP version 13\nok 1 - b\n1..1",
      ["!", "+a", "+b"],
    ],
    ["words of others after it", "ok 1 - a\n1..1\nok, that was it\nok then", ["+a"]],
  ])("%s", (_, output, expected) => {
    expect(shown(fromOutput(output))).toEqual(expected);
  });
});

describe("cargo", () => {
  const section = (...lines: readonly string[]): readonly string[] => ["running 2 tests", ...lines];

  test("no heading was seen", () => {
    const output = section("test a ... ok", "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured");
    expect(shown(fromOutput(...output))).toEqual(["+a"]);
  });

  test("lines outside of a program belong to no program", () => {
    const output = ["test x ... ok", ...section("test a ... ok", "failures:", "test y ... ok")];
    expect(shown(fromOutput(...output))).toEqual(["!", "+a"]);
    expect(fromOutput("test x ... ok")).toBeNull();
  });

  test("a heading with no program below it", () => {
    expect(fromOutput("     Running unittests src/lib.rs (target/debug/deps/x)")).toBeNull();
  });

  test("one that failed was not named where it ran", () => {
    const names = ["failures:", "failures:", "    a", "    b"];
    const counts = "test result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured";
    expect(shown(fromOutput(...section("test a ... FAILED", ...names, counts)))).toEqual(["-a", "-b"]);
  });

  test("cut off, then another", () => {
    const output = [...section("test a ... ok"), ...section("test b ... ", "text", "FAILED", "ok")];
    expect(shown(fromOutput(...output))).toEqual(["!", "+a", "-b"]);
  });

  test("numbers are not believed without end", () => {
    const boast = "test result: ok. 999999999999 passed; 999999999999 failed; 9 ignored; 0 measured";
    expect(fromOutput(...section(boast), ...section(boast))?.results).toHaveLength(100_000);
  });

  test("a bench, and a time", () => {
    const output = section("test a ... bench:  12 ns/iter (+/- 3)", "test b ... ok <0.001s>");
    expect(shown(fromOutput(...output))).toEqual(["!", "+a", "+b"]);
  });
});

describe("go", () => {
  const shownEvents = (...events: readonly object[]): readonly string[] | null =>
    shown(fromOutput(...events.map((event) => JSON.stringify(event))));
  const of = (Action: string, Test?: string): object => ({ Action, Package: "p", ...(Test ? { Test } : {}) });

  test.each<[string, readonly object[], readonly string[]]>([
    ["a package that did not end", [EVENT, of("run", "A"), of("pass", "A")], ["!", "+p: A"]],
    ["a test that did not end, in one that passed", [EVENT, of("run", "A"), of("pass")], ["!"]],
    [
      "one of two of the same name",
      [EVENT, of("run", "A"), of("run", "A"), of("pass", "A"), of("pass")],
      ["!", "+p: A"],
    ],
    ["no tests", [EVENT, of("output"), of("pass")], []],
    [
      "the same twice",
      [EVENT, of("run", "A"), of("pass", "A"), of("run", "A"), of("fail", "A"), of("fail")],
      ["+p: A", "-p: A"],
    ],
    ["no word about beginnings", [of("pass", "A"), of("pass")], ["+p: A"]],
    ["a bench", [of("run", "B"), of("bench", "B"), of("pass")], ["+p: B"]],
    ["words after the end", [EVENT, of("pass"), of("output")], []],
    [
      "another run of it",
      [EVENT, of("run", "A"), of("fail", "A"), of("fail"), EVENT, of("fail")],
      ["-p: A", "-p: (as a whole)"],
    ],
  ])("%s", (_, events, lines) => {
    expect(shownEvents(...events)).toEqual(lines);
  });

  test("other JSON is not go's", () => {
    expect(
      shownEvents({ Action: "pass" }, { Action: "deploy", Package: "p" }, { Action: 1, Package: "p" }),
    ).toBeNull();
  });
});

describe("JUnit", () => {
  test.each<[string, string, readonly string[] | null]>([
    ["other XML", "<coverage><testsuite><testcase name='a'/></testsuite></coverage>", null],
    ["no XML", "ok", null],
    [
      "either quote, and space",
      `<testsuite ><testcase\n name = 'a "b"' classname="c" /></testsuite >`,
      ['+c: a "b"'],
    ],
    [
      "entities",
      "<testsuite><testcase name='&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&unknown;&#0;&#x110000;&amp;lt;'/></testsuite>",
      [`+<>&"'A😀&unknown;&#0;&#x110000;&lt;`],
    ],
    [
      "a document type is not followed",
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e "eee">]><testsuite><testcase name="&e;"/></testsuite>`,
      ["+&e;"],
    ],
    [
      "texts, comments and data",
      "<testsuite><!-- > <testcase name='x'/> --><testcase name='a'><system-out><![CDATA[ > <failure/>]]></system-out></testcase></testsuite>",
      ["+a"],
    ],
    [
      "failures, errors, skips",
      "<testsuite><testcase name='a'><failure/></testcase><testcase name='b'><error>x</error></testcase><testcase name='c'><skipped/></testcase></testsuite>",
      ["-a", "-b", "?c"],
    ],
    [
      "failed and skipped",
      "<testsuite><testcase name='a'><failure/><skipped/></testcase><testcase name='b'><failure/><skipped type='todo'/></testcase></testsuite>",
      ["-a", "?b"],
    ],
    [
      "flaky, and passed in the end",
      "<testsuite><testcase name='a'><flakyFailure/></testcase></testsuite>",
      ["+a"],
    ],
    [
      "not run, in an attribute",
      "<testsuite><testcase name='a' status='notrun'/><testcase name='b' status='run' result='suppressed'/><testcase name='c' status='run'/></testsuite>",
      ["?a", "?b", "+c"],
    ],
    [
      "where a test is",
      "<testsuites><testsuite name='s' file='f.js'><testcase name='a' classname='c'/><testcase name='b' file='g.js'/></testsuite><testsuite name='c'><testcase name='d' classname='c'/></testsuite></testsuites>",
      ["+f.js: s > a", "+g.js: s > b", "+c: d"],
    ],
    [
      "nested",
      "<testsuites name='all'><testsuite name='a'><testsuite name='b'><testcase name='c'/></testsuite><testcase name='d'/></testsuite></testsuites>",
      ["+a > b > c", "+a > d"],
    ],
    ["a bare sign", "<testsuite><testcase name='a'>1 < 2 <failure/></testcase></testsuite>", ["-a"]],
    [
      "suites that say again where they are",
      "<testsuite name='f.js' file='f.js'><testcase name='a'/><testsuite name='C'><testcase name='b' classname='C'/></testsuite></testsuite>",
      ["+f.js: a", "+f.js: b"],
    ],
    ["no name", "<testsuite><testcase/></testsuite>", ["+(not named)"]],
    ["failed outside of a test", "<testsuite><error/><testcase name='a'/></testsuite>", ["+a"]],
    ["cut off", "<testsuite><testcase name='a'/><testcase name='b'><fail", ["!", "+a"]],
    ["cut off in a value", "<testsuite><testcase name='a'/><testcase name='b", ["!", "+a"]],
    ["cut off in a comment", "<testsuite><testcase name='a'/><!-- ", ["!", "+a"]],
    [
      "ends that nothing began",
      "<testsuite><testsuite name='s'></x></testcase><testcase name='a'></testsuite></testsuite>",
      ["+s > a"],
    ],
  ])("%s", (_, text, expected) => {
    expect(shown(fromJunit(text))).toEqual(expected);
  });

  test("one of several files is cut off", () => {
    const whole = "<testsuite><testcase name='a'/></testsuite>";
    expect(shown(fromJunit(whole, "<testsuite>", whole))).toEqual(["!", "+a", "+a"]);
  });
});
