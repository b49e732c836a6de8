import { describe, expect, test } from "vitest";
import { protectedFilesIn } from "./base.ts";

type Tree = Readonly<Record<string, unknown>>;

describe("a program whose output is read is what is tested", () => {
  const tree = { "add.py": "", "add.sh": "", "check.sh": "", "run-all.sh": "", "tools/sum.sh": "" };

  test.each<[string, string, string | null]>([
    ["python3 add.py 2 3", "add.py", "script"],
    ['test "$(python3 add.py 2 3)" = 5', "add.py", null],
    ['[ "`python3 add.py 2 3`" = 5 ]', "add.py", null],
    ["sh add.sh 2 3 | diff - expected", "add.sh", null],
    ["./add.sh 2 3 |& grep -q 5", "add.sh", null],
    ["(cd . && ./add.sh 2 3) | diff - expected", "add.sh", null],
    ["diff <(./add.sh 2 3) expected", "add.sh", null],
    ["./add.sh 2 3 > out.txt && cmp out.txt expected", "add.sh", null],
    ["sh -c 'test \"$(./add.sh 2 3)\" = 5'", "add.sh", null],
    ["env A=1 timeout 5 ./add.sh | diff - expected", "add.sh", null],
    ["sum=$(sh tools/sum.sh 2 3); [ $sum = 5 ]", "tools/sum.sh", null],
    // The last reader only displays the output, or there is none.
    ["./add.sh | tee out.txt", "add.sh", "script"],
    ["./add.sh | tap-spec", "add.sh", "script"],
    ["./add.sh || diff a b", "add.sh", "script"],
    ["./add.sh >/dev/null 2>&1", "add.sh", "script"],
    ["./add.sh > all.log 2>&1", "add.sh", "script"],
    ["./add.sh 2> errors.txt", "add.sh", "script"],
    ["./add.sh >&2", "add.sh", "script"],
    ["./add.sh < in.txt", "add.sh", "script"],
    ["./add.sh; diff a b | cat", "add.sh", "script"],
    ["./add.sh & sleep 1; curl localhost", "add.sh", null],
    ["(./add.sh --serve) & curl localhost", "add.sh", null],
    ["./add.sh && curl localhost &", "add.sh", "script"],
    // One use in any place is enough.
    ["sh add.sh 1 1 && [ $(sh add.sh 2 3) = 5 ]", "add.sh", null],
    // A script with such a name is a checker, whichever program reads its output.
    ["./check.sh | grep -q ok", "check.sh", "script"],
    ['test "$(./run-all.sh)" = ok', "run-all.sh", "script"],
  ])("%s: %s is %s", (command, path, kind) => {
    expect(protectedFilesIn(tree, [command]).kindOf(path)).toBe(kind);
  });

  test.each<[string, Tree]>([
    ["make test", { Makefile: "test:\n\t@./add.sh 2 3 | diff - tests/expected\n" }],
    ["npm test", { "package.json": { scripts: { test: "./add.sh 2 3 | diff - tests/expected" } } }],
    ["sh tests/run.sh", { "tests/run.sh": './add.sh 2 3 >/dev/null\n[ "$(./add.sh 2 3)" = 5 ]\n' }],
    ["sh tests/add.sh", { "tests/add.sh": "is() {\n  got=$(sh add.sh $1)\n}\n" }],
    ["sh tests/add.t", { "tests/add.t": 'x="$(./add.sh 2 3)"\n' }],
    [
      "make test",
      { Makefile: 'test:\n\tfor t in t/*; do sh "$$t"; done\n', "t/a.sh": "x=$(./add.sh)\n./add.sh" },
    ],
    ["sh tests/a.sh", { "tests/a.sh": "./add.sh 2 3 || exit 1\n" }],
  ])("%s (%#)", (command, files) => {
    expect(protectedFilesIn({ "add.sh": "", ...files }, [command]).kindOf("add.sh")).toBeNull();
  });

  test("the output of a whole build says nothing about the programs that it runs", () => {
    const files = { Makefile: "test:\n\t./add.sh\n", "package.json": { scripts: { test: "./sub.sh" } } };
    const { kindOf } = protectedFilesIn({ ...files, "add.sh": "", "sub.sh": "" }, [
      "make test | wc",
      "npm test > out",
    ]);
    expect([kindOf("add.sh"), kindOf("sub.sh")]).toEqual(["script", "script"]);
  });

  test.each<[string, string, string | null]>([
    ["python3 -m adder.sums 2 3", "adder/sums.py", null],
    ["python3 -m adder.verify", "adder/verify.py", "script"],
    ["python3 -m checks.sums", "checks/sums.py", "script"],
    ["python3 -m scripts.sums", "scripts/sums.py", "script"],
    ["python3 -m loose.sums", "loose/sums.py", "script"],
  ])("%s: %s is %s", (command, path, kind) => {
    const packages = { "adder/__init__.py": "", "checks/__init__.py": "", "scripts/__init__.py": "" };
    expect(protectedFilesIn({ ...packages, [path]: "" }, [command]).kindOf(path)).toBe(kind);
  });

  test("its parts are the product's, too", () => {
    const files = { "add.sh": ". ./parts/plus.sh", "parts/plus.sh": "" };
    expect(
      protectedFilesIn(files, ["./add.sh 1 1", "[ $(./add.sh 2 3) = 5 ]"]).kindOf("parts/plus.sh"),
    ).toBeNull();
    expect(protectedFilesIn(files, ["./add.sh 1 1"]).kindOf("parts/plus.sh")).toBe("script");
  });

  test("it may be new", () => {
    const files = {
      "tests/add.sh": "x=$(sh add.sh 2 3)\nsh sub.sh || exit 1\n. ./env.sh\n",
      "ci.sh": "y=$(sh mul.sh)",
    };
    const { kindOfNew } = protectedFilesIn(files, ["sh tests/add.sh", "sh ci.sh"]);
    expect(["add.sh", "sub.sh", "env.sh", "mul.sh"].map(kindOfNew)).toEqual([null, null, null, null]);
  });
});

describe("files that tests load and run from elsewhere", () => {
  test.each<[string, string, string, string | null]>([
    ["tests/a.sh", ". scripts/assert.sh", "scripts/assert.sh", "test"],
    ["tests/a.sh", 'source "$(dirname "$0")/../scripts/assert.sh"', "scripts/assert.sh", "test"],
    ["tests/a.bats", "load x\n. ./checks/equal.sh", "checks/equal.sh", "test"],
    ["tests/a.sh", 'sh tools/same.sh "$(sh add.sh)" 5', "tools/same.sh", "test"],
    ["tests/a.sh", "x=$(sh tools/same.sh)", "tools/same.sh", null],
    ["tests/a.sh", "sh bin/add 2 3 || exit 1", "bin/add", null],
    ["tests/a.sh", ". ./add.sh", "add.sh", null],
    ["tests/a.sh", ". ./src/assert.sh", "src/assert.sh", "test"],
    ["tests/deploy_test.sh", "sh scripts/deploy.sh --dry-run || exit 1", "scripts/deploy.sh", null],
    ["test.js", 'require("./checks/same.js")', "checks/same.js", "test"],
    ["test.js", 'require("./checks/same")', "checks/same.js", "test"],
    ["src/a.test.ts", 'import { same } from "../testing/same.ts"', "testing/same.ts", "test"],
    ["src/a.test.ts", 'import { same } from "../test-support/same.ts"', "test-support/same.ts", "test"],
    ["src/a.test.ts", 'import { a } from "./a.ts"', "src/a.ts", null],
    ["test.js", 'require("./add.js")', "add.js", null],
    ["test.js", 'require("./latest/add.js")', "latest/add.js", null],
    ["test.js", 'require("./checker.js")', "checker.js", null],
    ["test.js", 'require("./harness.js")', "harness.js", "test"],
    ["tests/a.sh", "./verify.sh 1 2", "verify.sh", "test"],
    ["test/a.js", 'spawnSync("sh", ["scripts/assert.sh"])', "scripts/assert.sh", "test"],
    ["test/a.js", 'spawnSync("sh", ["scripts/deploy.sh"])', "scripts/deploy.sh", null],
    ["test/a.js", "assert/equal.js", "assert/equal.js", null],
    ["Test.php", "require './harness.php';", "harness.php", "test"],
    ["spec/a_spec.rb", "require_relative '../checks/same'", "checks/same.rb", "test"],
    ["test/check.js", 'require("../checkout.js")', "checkout.js", null],
    ["test/checks.test.js", 'require("../checks/same.js")', "checks/same.js", null],
    ["test/verify.test.js", 'require("../verify.js")', "verify.js", null],
    ["tests/test_add.py", "from adder.add import add", "adder/add.py", null],
    ["tests/test_add.py", "from checks.same import same", "checks/same.py", "test"],
    ["tests/test_add.py", "from checks import same", "checks/same.py", "test"],
    ["tests/test_add.py", "import checks.same", "checks/same.py", "test"],
    [
      "tests/test_add.py",
      "import checks.same; from checks import *\nfrom checks.same import x",
      "checks/same.py",
      "test",
    ],
    ["adder/tests/test_add.py", "from ..asserts import same", "adder/asserts.py", "test"],
    ["tests/fixtures/x.sh", ". scripts/assert.sh", "scripts/assert.sh", null],
    ["tests/data", ". scripts/assert.sh", "scripts/assert.sh", null],
    ["tests/data", "#!/bin/sh\n. scripts/assert.sh", "scripts/assert.sh", "test"],
  ])("%s with %j: %s is %s", (path, text, loaded, kind) => {
    expect(protectedFilesIn({ [path]: text, [loaded]: "" }, ["make"]).kindOf(loaded)).toBe(kind);
  });

  test("and so on, below the folder in which the commands run, too", () => {
    const files = {
      "part/test.js": 'require("./checks/one.js")',
      "part/checks/one.js": 'require("./two.js"); require("../add.js")',
      "part/checks/two.js": "",
      "part/add.js": "",
      "part/verify.py": "from checks.three import x\nfrom adder import y",
      "part/checks/three.py": "",
      "part/adder.py": "",
    };
    const { kindOf } = protectedFilesIn(files, ["python3 verify.py"], "part");
    expect(Object.keys(files).map(kindOf)).toEqual(["test", "test", "test", null, "script", "script", null]);
  });

  test("tools that only tests name are what they test with", () => {
    const files = {
      "tests/a.sh": "docker build .",
      "tests/run.sh": "eslint .",
      Dockerfile: "",
      ".eslintrc": "",
    };
    const { kindOf } = protectedFilesIn(files, ["sh tests/run.sh"]);
    expect([kindOf("Dockerfile"), kindOf(".eslintrc")]).toEqual([null, "config"]);
  });
});
