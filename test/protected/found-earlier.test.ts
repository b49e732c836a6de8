import { describe, expect, test } from "vitest";
import { comparedIn, kindsIn, protectedFilesIn } from "./base.ts";

type Files = Readonly<Record<string, unknown>>;

function newKinds(files: Files, command: string, paths: readonly string[]): (string | null)[] {
  return paths.map(protectedFilesIn(files, [command]).kindOfNew);
}

describe("new modules of Python that are found before what tests use", () => {
  const files = {
    "tests/test_a.py": "import helper\nfrom checklib.deep import equal\nimport adder.add\n",
    "tests/helper.py": "",
  };
  const paths = ["helper.py", "checklib.py", "checklib/__init__.py", "adder/__init__.py", "other.py"];

  test("if a file requires them", () => {
    const required = { ...files, "requirements-dev.txt": "CheckLib==1.0\n" };
    expect(newKinds(required, "pytest", paths)).toEqual([null, "shadow", "shadow", null, null]);
  });

  test("a missing file may be the work", () => {
    const nothing = paths.map(() => null);
    expect(newKinds(files, "pytest", paths)).toEqual(nothing);
    expect(newKinds(files, "PYTHONPATH=src:. pytest", paths)).toEqual(nothing);
  });

  test("plug-ins by their names and by metadata", () => {
    const plugins = [
      "_x_pytestplugin.py",
      "anyio/__init__.py",
      "a-1.DIST-INFO/entry_points.txt",
      "src/pytester.py",
    ];
    expect(newKinds(files, "pytest", plugins)).toEqual(["shadow", "shadow", "shadow", null]);
  });
});

describe("names of packages", () => {
  const files = {
    "package.json": {
      imports: { "#support/*": "./test/support/*", "#own": "./harness/own.js", "#src/*": "./src/*" },
      exports: { ".": "./src/a.js", "./testing": "./test/support/a.js" },
    },
    "harness/index.js": "",
    "harness/own.js": "",
    "test/a.test.js": 'require("../harness")',
  };
  const base = JSON.stringify(files["package.json"], null, 2);

  test.each<[about: string, from: string, to: string, entries: readonly string[]]>([
    [
      "a narrower one",
      '"#support/*"',
      '"#support/a.js": "./src/b.js", "#support/*"',
      ["imports.#support/a.js"],
    ],
    ["one that leads to a helper", "./harness/own.js", "./src/b.js", ["imports.#own"]],
    ["one for others", "./test/support/a.js", "./src/b.js", ["exports../testing"]],
    ["those of the product", '"#src/*"', '"#src/a": "./src/b.js", "#src/*"', []],
    ["the first of all", "./src/a.js", "./src/b.js", []],
  ])("%s", (_, from, to, entries) => {
    const after = base.replace(from, to);
    const { change, laid } = comparedIn(files, ["node --test"])("package.json", after);
    expect(change?.entries ?? []).toEqual(entries);
    expect(JSON.parse(laid ?? "")).toEqual(JSON.parse(entries.length > 0 ? base : after));
  });

  test("files and packages before the folder of a helper", () => {
    const kinds = newKinds(files, "node --test", [
      "harness.js",
      "harness.json",
      "harness/package.json",
      "src.js",
    ]);
    expect(kinds).toEqual(["shadow", "shadow", "shadow", null]);
    const added = comparedIn(files, ["node --test"])("harness/package.json", '{ "main": "../src/b.js" }');
    expect(added.change?.how).toBe("added");
  });
});

describe("files that TypeScript and vite find first", () => {
  test("files that tsc has listed are generated again", () => {
    const { kindOfNew, uses } = protectedFilesIn({ "tsconfig.json": {}, "src/a.ts": "" }, ["tsc"]);
    expect(kindOfNew("tsconfig.tsbuildinfo")).toBe("shadow");
    expect(uses.isMade("tsconfig.tsbuildinfo")).toBe(true);
    expect(newKinds({ "src/a.ts": "" }, "eslint .", ["tsconfig.tsbuildinfo"])).toEqual([null]);
  });

  test("styles are configured by what vitest loads", () => {
    const files = { "package.json": { scripts: { test: "vitest" } }, "src/a.test.ts": "" };
    expect(newKinds(files, "npm test", ["postcss.config.mjs", ".postcssrc"])).toEqual(["config", "config"]);
    const others = { ...files, "package.json": { scripts: { test: "mocha" } } };
    expect(newKinds(others, "npm test", ["postcss.config.mjs"])).toEqual([null]);
  });
});

describe("files that make and compilers find first", () => {
  test("objects and programs that it makes by itself", () => {
    const { uses, kindOfNew } = protectedFilesIn({ Makefile: "test: check\n\t./check\n", "check.c": "" }, [
      "make test",
    ]);
    expect(["check.o", "deep/a.o", "check", "other"].map(uses.isMade)).toEqual([true, true, true, false]);
    expect(kindOfNew("check.o")).toBe("shadow");
  });

  test("programs that are called to judge", () => {
    const makefile = "export PATH := $(CURDIR)/tools:$(PATH)\ntest:\n\tsame 5 $$(adder 2 3)\n";
    const kinds = newKinds({ Makefile: makefile, "tools/x": "" }, "make test", ["tools/same", "tools/adder"]);
    expect(kinds).toEqual(["shadow", null]);
  });

  test.each<[include: string, path: string, kind: string | null]>([
    ["$(sort $(wildcard rules/*.make))", "rules/a.make", "shadow"],
    ["$(shell ls rules/*.inc 2>/dev/null)", "rules/a.inc", "shadow"],
    ["$(shell ls rules/*.inc 2>/dev/null)", "a.make", "shadow"],
    ["$(shell ls rules/*.inc 2>/dev/null)", "other/a.inc", null],
    ["rules/one.make", "rules/a.make", null],
  ])("include %s: %s", (include, path, kind) => {
    expect(newKinds({ Makefile: `test:\n\ttrue\n-include ${include}\n` }, "make test", [path])).toEqual([
      kind,
    ]);
  });

  test("shell calls while the makefile is read", () => {
    const makefile =
      "A := $(shell sh configure.sh) $(shell sh other.sh)\nB := $(shell bin/add --version)\ntest:\n\ttrue\n";
    const kinds = kindsIn({ Makefile: makefile, "configure.sh": "", "other.sh": "", "bin/add": "" }, [
      "make test",
    ]);
    expect(kinds).toEqual({ Makefile: "config", "configure.sh": "script", "other.sh": "script" });
  });
});

describe("lines of makefiles", () => {
  const compare = comparedIn({ Makefile: "test:\n\ttrue\n\nA = vendor/a.c b.c\n" }, ["make test"]);
  const base = "test:\n\ttrue\n\nA = vendor/a.c b.c\n";

  test.each<[about: string, after: string, isChange: boolean]>([
    ["a remark that goes on", `${base}# a \\\nSHELL = x\n`, false],
    ["a remark that ends in a backslash of its own", `${base}# a \\\\\nSHELL = x\n`, true],
    ["a chore that ends so", `${base}docs:\n\techo \\\\\nSHELL = x\n`, true],
    ["a further source", base.replace("b.c", "b.c c.c"), false],
    ["another source for one of others", base.replace("vendor/a.c", "a.c"), true],
  ])("%s", (_, after, isChange) => {
    expect(compare("Makefile", after).change !== null).toBe(isChange);
  });
});

test("a command without end is read in time", () => {
  expect(kindsIn({ "a.sh": "" }, ['"$('.repeat(400_000)])).toEqual({});
});
