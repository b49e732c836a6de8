import { expect, test } from "vitest";
import { runnable } from "../../src/engine/new-tests.ts";

const left = (paths: readonly string[], product: Readonly<Record<string, string>> = {}): readonly string[] =>
  runnable(paths, Object.keys(product), (path) => product[path] ?? null);

test("data among tests can silence nobody", () => {
  const data = ["tests/golden/mul.txt", "test/fixtures/a.json", "test/__snapshots__/a.snap", "tests/x.csv"];
  expect(left([...data, "test/a.test.js", "tests/run", "tests/test_a.py"])).toEqual([
    "test/a.test.js",
    "tests/run",
    "tests/test_a.py",
  ]);
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
