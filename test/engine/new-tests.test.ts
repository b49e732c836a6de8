import { expect, test } from "vitest";
import { leftOutOfBaseTests } from "../../src/evidence/checks/new-tests.ts";

const left = (paths: readonly string[], product: Readonly<Record<string, string>> = {}): readonly string[] =>
  leftOutOfBaseTests({
    paths,
    product: Object.keys(product),
    textOf: (path) => product[path] ?? null,
    tests: () => ['read("./data/expected.json"), read(dir + "/input.json"), require("./data/known")'],
    folders: new Set(["test", "test/data", "test/cases"]),
  });

test("data that no base test uses cannot silence a test", () => {
  const data = ["tests/golden/mul.txt", "test/fixtures/a.json", "test/__snapshots__/a.snap", "tests/x.csv"];
  expect(left([...data, "test/a.test.js", "tests/run", "tests/test_a.py"])).toEqual([
    "test/a.test.js",
    "tests/run",
    "tests/test_a.py",
  ]);
});

test.each([
  ["test/data/expected.json", true],
  ["test/data/known.json", true],
  ["test/cases/input.json", true],
  ["other/test/data/expected.json", true],
  ["test/data/unexpected.json", false],
  ["test/cases/7/input.json", false],
])("data that a test of the base asks for: %s, %s", (path, isAsked) => {
  expect(left([path])).toEqual(isAsked ? [path] : []);
});

test.each([
  ["src/spec/i.js", { "src/add.js": 'import { i } from "./spec/i.js";' }],
  ["src/tests/ops.ts", { "src/add.ts": "const ops = require('./tests/ops');" }],
  ["src/spec/index.js", { "src/add.js": 'export * from "./spec";' }],
  ["calc/t_test.py", { "calc/__init__.py": "from .t_test import t\n" }],
  ["calc/t_test.py", { "calc/__init__.py": "from . import a, t_test\n" }],
  ["calc/specs/schema.py", { "calc/core.py": "from calc.specs import schema\n" }],
  ["calc/specs/__init__.py", { "calc/core.py": "import calc.specs\n" }],
])("%s is the product's where that loads it", (path, product) => {
  expect(left([path], product)).toEqual([]);
  expect(left([path], { "src/other.js": 'import "./else.js";', "calc/other.py": "import os\n" })).toEqual([
    path,
  ]);
});
