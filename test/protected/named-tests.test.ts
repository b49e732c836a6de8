import { describe, expect, test } from "vitest";
import { kindsIn, protectedFilesIn } from "./base.ts";

const TEST = "import unittest\n";

describe("tests that only a command or a setting calls so", () => {
  test.each<[about: string, files: Readonly<Record<string, unknown>>, command: string, kinds: object]>([
    [
      "modules",
      { "checks/add.py": TEST, "checks/other.py": "" },
      "python3 -m unittest checks.add.Add",
      { "checks/add.py": "test" },
    ],
    ["a file", { "checks/add.py": TEST }, "python3 -m unittest checks/add.py", { "checks/add.py": "test" }],
    [
      "a pattern of unittest",
      { "checks/check_add.py": TEST, "checks/deep/check_b.py": TEST, "check_c.py": "", "other/x.py": "" },
      "python3 -m unittest discover -s checks -p 'check_*.py'",
      { "checks/check_add.py": "test", "checks/deep/check_b.py": "test" },
    ],
    ["every module", { "add.py": "" }, "python3 -m unittest discover -p '*.py'", {}],
    [
      "a file of pytest",
      { "checks/add.py": "", "add.py": "" },
      "pytest -q checks/add.py::test_a",
      { "checks/add.py": "test" },
    ],
    ["examples in a module", { "add.py": "" }, "pytest --doctest-modules add.py", {}],
    [
      "examples in a text",
      { "README.md": "", "add.py": "" },
      "python3 -m doctest -v README.md add.py",
      { "README.md": "test" },
    ],
    [
      "settings of pytest",
      {
        "pytest.ini": "[pytest]\npython_files = check_*.py\n  *_probe.py\n",
        "a/check_a.py": "",
        "b_probe.py": "",
        "c.py": "",
      },
      "pytest",
      { "pytest.ini": "config", "a/check_a.py": "test", "b_probe.py": "test" },
    ],
    [
      "settings of pytest in TOML",
      {
        "pyproject.toml":
          '[tool.pytest.ini_options]\npython_files = [\n  "*.py",\n]\ntestpaths = ["checks"]\n',
        "checks/a.py": "",
        "b.py": "",
      },
      "python -m pytest",
      { "pyproject.toml": "config", "checks/a.py": "test" },
    ],
    [
      "settings that call everything a test",
      { "pytest.ini": "[pytest]\npython_files = *.py\n", "add.py": "" },
      "pytest",
      { "pytest.ini": "config" },
    ],
    [
      "a pattern of the shell",
      { "checks/a.mjs": "", "checks/b.js": "", "src/c.mjs": "" },
      "node --test checks/*.mjs src/*.mjs",
      { "checks/a.mjs": "test" },
    ],
    [
      "brackets",
      { "checks/a1.sh": "", "checks/ab.sh": "" },
      "sh checks/a[0-9].sh",
      { "checks/a1.sh": "test", "checks/ab.sh": "test" },
    ],
    [
      "a loop",
      { "checks/a.sh": "", "bin/b.sh": "" },
      'for f in checks/*.sh bin/*; do sh "$f" || exit 1; done',
      { "checks/a.sh": "test" },
    ],
    [
      "a loop that runs them",
      { "checks/a": "" },
      'for f in checks/*; do ./"$f" || exit 1; done',
      { "checks/a": "test" },
    ],
    ["a loop that only looks", { "other/a.sh": "" }, "for f in other/*.sh; do shellcheck $f; done", {}],
    ["what a choice is made by", { "other/a.sh": "" }, 'case "$1" in other/*.sh) echo;; esac', {}],
    [
      "a loop that is over",
      { "other/a.sh": "" },
      "for f in other/*.sh; do :; done; sh $f",
      { "other/a.sh": "test" },
    ],
    ["what a loop prints", { "other/a.sh": "" }, "for f in other/*.sh; do sh $f | diff - x; done", {}],
    ["a list of other things", { "order.txt": "" }, "for t in $(cat order.txt); do echo $t; done", {}],
    ["options in a file", { "flags.txt": "" }, "cc @flags.txt -o a a.c", { "flags.txt": "config" }],
    ["set-up that builds", { "setup.py": "" }, "python3 setup.py build", {}],
    ["what is installed from elsewhere", { "setup.py": "" }, "pip install pytest", {}],
  ])("by %s", (_, files, command, kinds) => {
    expect(kindsIn(files, [command])).toEqual(kinds);
  });

  test("new ones are welcome, but what a shell reads among others is not", () => {
    const files = { "checks/a.sh": "", "lib/a.sh": "" };
    const { kindOfNew } = protectedFilesIn(files, [
      "for f in checks/*.sh; do sh $f; done; for f in lib/*.sh tests/*.sh; do . ./$f; done",
    ]);
    expect(["checks/b.sh", "tests/b.sh", "lib/b.sh"].map(kindOfNew)).toEqual([null, null, "shadow"]);
  });
});

describe("plug-ins of pytest that the base names", () => {
  const module = { "support/__init__.py": "", "support/plugin.py": "" };

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["conftest.py", { "conftest.py": 'pytest_plugins = ["support.plugin"]\n' }],
    ["settings", { "pytest.ini": "[pytest]\naddopts = -q -p support.plugin\n" }],
    [
      "a list of settings",
      { "pyproject.toml": '[tool.pytest.ini_options]\naddopts = [\n  "-p", "support.plugin",\n]\n' },
    ],
  ])("by %s", (_, files) => {
    expect(kindsIn({ ...module, ...files }, ["pytest"])["support/plugin.py"]).toBe("config");
  });

  test("without users, or with separate tests", () => {
    expect(kindsIn(module, ["pytest"])).toEqual({});
    const tested = {
      ...module,
      "conftest.py": "pytest_plugins = 'support.plugin'",
      "tests/test_plugin.py": "",
    };
    expect(kindsIn(tested, ["pytest"])["support/plugin.py"]).toBeUndefined();
  });
});

describe("files named like tests among the product", () => {
  const js = 'require("../lib/assertions.js")';

  test.each<
    [about: string, files: Readonly<Record<string, unknown>>, path: string, kind: string | undefined]
  >([
    ["only tests load it", { "lib/assertions.js": "", "test/a.test.js": js }, "lib/assertions.js", "test"],
    [
      "the product loads it",
      { "lib/assertions.js": "", "lib/b.js": js, "test/a.test.js": js },
      "lib/assertions.js",
      undefined,
    ],
    [
      "it has tests",
      { "lib/assertions.js": "", "test/assertions.test.js": js },
      "lib/assertions.js",
      undefined,
    ],
    ["nobody loads it", { "lib/assertions.js": "", "test/a.test.js": "" }, "lib/assertions.js", undefined],
    [
      "in a package",
      { "adder/__init__.py": "", "adder/testing.py": "", "tests/test_a.py": "from adder.testing import x" },
      "adder/testing.py",
      "test",
    ],
    [
      "the first file of its folder",
      { "harness/index.js": "", "test/a.test.js": 'require("../harness")' },
      "harness/index.js",
      "test",
    ],
  ])("%s", (_, files, path, kind) => {
    expect(kindsIn(files, ["npm test"])[path]).toBe(kind);
  });
});

test("a pattern that also matches programs names only those called checkers", () => {
  const asserts = 'import assert from "node:assert";\nassert.equal(1, 1);\n';
  const files = { "bin/check-add.mjs": asserts, "bin/add.mjs": asserts };
  expect(kindsIn(files, ["node --test bin/*.mjs"])).toEqual({ "bin/check-add.mjs": "test" });
});

describe("tests that only a pattern of a runner's configuration names", () => {
  const MOCHA_TEST = "describe('sums', () => {\n  it('adds', () => {});\n});\n";
  const tree = {
    "trials/sums.js": MOCHA_TEST,
    "trials/deep/sums.js": MOCHA_TEST,
    "trials/helper.js": "exports.same = 1;\n",
    "src/own.js": MOCHA_TEST,
    "calc.js": "exports.add = 1;\n",
    "inside.js": `if (import.meta.vitest) {\n${MOCHA_TEST}}\n`,
  };

  test.each<[string, unknown]>([
    [".mocharc.json", { spec: ["trials/**/*.js"] }],
    [".mocharc.yml", "spec:\n  - trials/**/*.js\n"],
    ["package.json", { mocha: { spec: "trials/**/*.js" } }],
    ["jest.config.js", "module.exports = { testMatch: ['<rootDir>/trials/**/*.{js,ts}'] };\n"],
    [
      "vitest.config.ts",
      'export default { test: { include: ["**/*.js"], coverage: { include: ["*.js"] } } };\n',
    ],
  ])("%s: %j", (config, text) => {
    expect(kindsIn({ ...tree, [config]: text }, ["npm test"])).toEqual({
      [config]: "config",
      "trials/sums.js": "test",
      "trials/deep/sums.js": "test",
    });
  });
});
