import { describe, expect, test } from "vitest";
import { kindsIn } from "./base.ts";

const TEST = 'import { add } from "../src/add.ts";\ntest("adds", () => expect(add(1, 2)).toBe(3));\n';
const PRODUCT = { "src/add.ts": "export const add = (a, b) => a + b;\n", "test/add.test.ts": TEST };
const scripts = (command: string, more = {}): object => ({ scripts: { test: command }, ...more });

/** Protected files below src. */
const protectedIn = (files: Readonly<Record<string, unknown>>, command = "npm test"): string[] =>
  Object.keys(kindsIn({ ...PRODUCT, ...files }, [command])).filter((path) =>
    /^(?:src|lib|adder|internal)\//.test(path),
  );

describe("code that a runner loads before the tests", () => {
  test.each([
    ["vitest.config.ts", 'export default { test: { setupFiles: ["./src/start.ts"] } };'],
    ["vitest.config.ts", 'export default { test: { setupFiles: "src/start.ts" } };'],
    ["vitest.config.ts", 'export default { test: { globalSetup: [resolve(__dirname, "src/start.ts")] } };'],
    [
      "vitest.config.ts",
      'const before = "./src/start";\nexport default { test: { setupFiles: ["./src/start"] } };',
    ],
    ["vitest.config.ts", 'import start from "./src/start.ts";\nexport default { plugins: [start()] };'],
    ["vitest.config.ts", 'export default { resolve: { alias: { chai: "./src/start.ts" } } };'],
    ["jest.config.js", 'module.exports = { setupFilesAfterEnv: ["<rootDir>/src/start.ts"] };'],
    ["jest.config.js", 'module.exports = { transform: { "\\\\.ts$": "<rootDir>/src/start.ts" } };'],
    ["jest.config.js", 'module.exports = { moduleNameMapper: { "^chai$": "<rootDir>/src/start.ts" } };'],
    [".mocharc.yml", "require:\n  - ts-node/register\n  - ./src/start.ts\n"],
    [".mocharc.json", '{ "require": "./src/start.ts" }'],
    ["bunfig.toml", '[test]\npreload = ["./src/start.ts"]\n'],
  ])("%s: %s", (config, text) => {
    const files = { "package.json": scripts("vitest run"), [config]: text, "src/start.ts": "" };
    expect(protectedIn(files)).toEqual(["src/start.ts"]);
  });

  test.each([
    ["node --test --import ./src/start.ts"],
    ["node --require=./src/start.ts --test"],
    ["node -r ./src/start --test"],
    ["NODE_OPTIONS='--import ./src/start.ts' vitest run"],
    ["mocha -r src/start.ts"],
    ["bun test --preload ./src/start.ts"],
    ["node --test --test-reporter=./src/start.ts"],
  ])("%s", (command) => {
    expect(protectedIn({ "package.json": scripts(command), "src/start.ts": "" })).toEqual(["src/start.ts"]);
    expect(protectedIn({ "src/start.ts": "" }, command)).toEqual(["src/start.ts"]);
  });

  test("in package.json, under the runner's key", () => {
    const manifest = scripts("jest", { jest: { setupFiles: ["./src/start.ts"] } });
    expect(protectedIn({ "package.json": manifest, "src/start.ts": "" })).toEqual(["src/start.ts"]);
  });

  test("with what only it loads, by way of others; not what tests load, nor the product", () => {
    const files = {
      "vitest.config.ts": 'export default { test: { setupFiles: ["src/start.ts"] } };',
      "src/start.ts":
        'import "./compare.js";\nimport { add } from "./add.ts";\nimport "./store.ts";\nimport "@/theme";\n',
      "src/compare.ts": 'import "./deep/equal";\n',
      "src/deep/equal.ts": "",
      "src/store.ts": "",
      "src/theme.ts": "",
      "src/page.ts": 'import { store } from "./store.ts";\nimport "@/theme";\n',
    };
    expect(protectedIn(files)).toEqual(["src/start.ts", "src/compare.ts", "src/deep/equal.ts"]);
  });

  test("a set-up below the tests leads to matchers among the product", () => {
    const files = {
      "vitest.config.ts": 'export default { test: { setupFiles: ["test/start.ts"] } };',
      "test/start.ts": 'import { same } from "../src/same.ts";\nexpect.extend({ same });\n',
      "src/same.ts": "",
    };
    expect(protectedIn(files)).toEqual(["src/same.ts"]);
  });

  test.each([
    ["production code loads it", { "src/main.ts": 'import "./start.ts";\n' }],
    ["by an alias", { "src/main.ts": 'import "~/start";\n' }],
    ["it is what the package is", { "package.json": scripts("vitest run", { main: "./src/start.ts" }) }],
  ])("the product's own where %s", (_, more) => {
    const files = {
      "vitest.config.ts": 'export default { test: { setupFiles: ["src/start.ts"] } };',
      "src/start.ts": "",
      ...more,
    };
    expect(protectedIn(files)).toEqual([]);
  });

  test.each([
    ["an alias of the product", 'export default { resolve: { alias: { adder: "./src/index.ts" } } };'],
    ["an alias of a tested module", 'export default { resolve: { alias: { adder: "./src/add.ts" } } };'],
    ["the name of a package", 'export default { test: { environment: "src", reporters: ["worker"] } };'],
    ["coverage", 'export default { test: { coverage: { include: ["src/worker.ts"] } } };'],
    ["inputs of the build", 'export default { build: { rollupOptions: { input: "src/worker.ts" } } };'],
    [
      "a plug-in that is the product",
      'import plugin from "./src/index.ts";\nexport default { plugins: [plugin()] };',
    ],
  ])("named by a configuration and the product all the same: %s", (_, text) => {
    const files = { "vitest.config.ts": text, "src/index.ts": "", "src/worker.ts": "" };
    expect(protectedIn(files)).toEqual([]);
  });
});

describe("files that only tests load", () => {
  test("is for tests by its folder or its imports, though it is among the product", () => {
    const files = {
      "package.json": scripts("vitest run"),
      "test/more.test.ts":
        'import { check } from "../src/testing/compare.ts";\nimport { same } from "../src/same.ts";\nimport { twice } from "../src/twice.ts";\n',
      "src/testing/compare.ts": 'import "./deep.ts";\n',
      "src/testing/deep.ts": "",
      "src/same.ts": 'import { expect } from "vitest";\n',
      "src/twice.ts": "",
      "src/words.ts": "// testing, compare, same: words\n",
    };
    expect(protectedIn(files)).toEqual(["src/testing/compare.ts", "src/testing/deep.ts", "src/same.ts"]);
  });

  test.each([
    ["tests/conftest.py", "from adder.testing import *\n"],
    ["tests/test_add.py", "from adder.testing import *\nfrom adder.add import add\n"],
    ["tests/conftest.py", "from adder import testing\n"],
  ])("%s: %s", (path, text) => {
    const files = {
      "adder/__init__.py": '"""Adds; has tests and testing."""\n',
      "adder/add.py": "",
      "adder/testing.py": "",
      [path]: text,
    };
    expect(protectedIn(files, "pytest")).toEqual(["adder/testing.py"]);
    const moved = Object.fromEntries(
      Object.entries(files).map(([name, one]) => [name.replace(/^adder/, "src/adder"), one]),
    );
    expect(protectedIn(moved, "pytest")).toEqual(["src/adder/testing.py"]);
  });

  test("by fixtures and hooks that a conftest takes from the product's folder; not the product that it starts", () => {
    const files = {
      "adder/__init__.py": "def create_app(): ...\n",
      "adder/app.py": "",
      "adder/common.py": "import pytest\n\n\n@pytest.fixture\ndef app(): ...\n",
      "tests/conftest.py":
        "from adder import create_app\nfrom adder.app import start\nfrom adder.common import app\n",
    };
    expect(protectedIn(files, "pytest")).toEqual(["adder/common.py"]);
  });

  test("plug-ins by name, also from a source folder", () => {
    const files = { "src/adder/__init__.py": "", "src/adder/quiet.py": "", "tests/test_add.py": "" };
    expect(protectedIn(files, "pytest -p adder.quiet")).toEqual(["src/adder/quiet.py"]);
  });

  test("unless the product loads it", () => {
    const files = {
      "adder/__init__.py": "from adder.testing import check\n",
      "adder/testing.py": "",
      "tests/conftest.py": "from adder.testing import *\n",
    };
    expect(protectedIn(files, "pytest")).toEqual([]);
  });

  test("in Go, by the package", () => {
    const files = {
      "go.mod": "module example.com/adder\n",
      "internal/testutil/equal.go": "package testutil\n",
      "internal/sum/sum.go": "package sum\n",
      "add_test.go":
        'package adder\n\nimport (\n\t"example.com/adder/internal/sum"\n\t"example.com/adder/internal/testutil"\n)\n',
    };
    expect(protectedIn(files, "go test ./...")).toEqual(["internal/testutil/equal.go"]);
  });
});
