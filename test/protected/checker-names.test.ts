import { describe, expect, test } from "vitest";
import { protectedFilesIn } from "./base.ts";

const FOR_TESTS = [
  ...["test", "tests", "testing", "tester", "assert", "asserts", "assertion", "assertions"],
  ...["expect", "expects", "expectation", "expectations", "harness", "mock", "mocks", "stub", "stubs"],
  ...["fixture", "fixtures", "golden"],
];
const CHECKERS = [
  ...["check", "checks", "checker", "checking", "verify", "verifies", "verifier", "verification"],
  ...["spec", "specs", "judge", "grade", "grader", "compare"],
];
const RUNNERS = ["run", "runs", "runner", "all", "ci", "suite", "suites", "check", "verify", "harness"];
const SCRIPT_FOLDERS = [
  "scripts",
  "script",
  "tools",
  "tool",
  "ci",
  ".ci",
  ".github",
  "hack",
  "build",
  "dev",
  "xtask",
];
const TEST_SUPPORT = [
  ...["test", "testing", "testlib", "testkit", "testutil", "testutils", "testutilities"],
  ...["testhelper", "testhelpers", "testsupport", "assert", "asserts", "assertion", "assertions"],
  ...["matcher", "matchers", "mock", "mocks", "fixtures"],
];

describe("a script keeps its protection by name although its output is read", () => {
  const kindOf = (path: string) => protectedFilesIn({ [path]: "" }, [`./${path} | grep -q ok`]).kindOf(path);

  test.each([...FOR_TESTS, ...CHECKERS, ...RUNNERS])("%s", (word) => {
    expect([kindOf(`my-${word}.sh`), kindOf(`${word}Sums.sh`)]).not.toContain(null);
  });

  test("a name without such a word is the product's", () => {
    expect([kindOf("sums.sh"), kindOf("contest.sh"), kindOf("rerun.sh")]).toEqual([null, null, null]);
  });
});

describe("a script among the tests is a runner if its name starts with such a word", () => {
  const kindOf = (path: string) => protectedFilesIn({ [path]: "" }, [`sh ${path}`]).kindOf(path);

  test.each(RUNNERS)("%s", (word) => {
    expect([kindOf(`tests/${word}.sh`), kindOf(`tests/${word}-sums.sh`)]).toEqual(["script", "script"]);
  });

  test("else it is a test", () => {
    expect([kindOf("tests/sums.sh"), kindOf("tests/sums-all.sh")]).toEqual(["test", "test"]);
  });
});

describe("a program that a test runs is protected", () => {
  const kindOf = (path: string) =>
    protectedFilesIn({ "tests/a.sh": `./${path}\n`, [path]: "" }, ["sh tests/a.sh"]).kindOf(path);

  test.each(SCRIPT_FOLDERS)("in the folder %s", (folder) => {
    expect(kindOf(`${folder}/sums.sh`)).toBe("test");
  });

  test.each(CHECKERS)("if its name has the word %s", (word) => {
    expect(kindOf(`programs/${word}.sh`)).toBe("test");
  });

  test.each([...FOR_TESTS, ...CHECKERS])("if its folder has the word %s", (word) => {
    expect(kindOf(`my-${word}/sums.sh`)).toBe("test");
  });

  test("else it is the product's", () => {
    expect(kindOf("programs/sums.sh")).toBeNull();
  });
});

describe("a module of the product that only tests load is protected", () => {
  const kindOf = (path: string) =>
    protectedFilesIn({ "tests/a.test.js": `import "../${path}";\n`, [path]: "" }, ["node --test"]).kindOf(
      path,
    );

  test.each(TEST_SUPPORT)("if it is called %s", (word) => {
    expect(kindOf(`src/${word}.js`)).toBe("test");
  });

  test.each(["api-matchers", "test-utils", "testKit"])("in several words, such as %s", (name) => {
    expect([kindOf(`src/${name}.js`), kindOf(`src/${name}/sums.js`)]).toEqual(["test", "test"]);
  });

  test("else it is the product's", () => {
    expect([kindOf("src/sums.js"), kindOf("src/contest.js"), kindOf("src/fixture.js")]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
