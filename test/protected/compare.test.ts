import { describe, expect, test } from "vitest";
import { NO_USES } from "../../src/evidence/protected/uses.ts";
import { compared, comparedIn } from "./base.ts";

describe("a whole file", () => {
  test.each<[string, string | null, string | null, string | null]>([
    ["the same", "a\nb\n", "a\nb\n", null],
    ["lines added at the end", "a\nb\n", "a\nb\nc\n", "extended"],
    ["lines added between", "a\nb\n", "x\na\ny\nb\n", "extended"],
    ["a line changed", "a\nb\n", "a\nB\n", "changed"],
    ["a line taken away", "a\nb\n", "a\n", "changed"],
    ["lines in another order", "a\nb\n", "b\na\nc\n", "changed"],
    ["a line of two of the same taken away", "a\na\nb\n", "a\nb\nc\nd\n", "changed"],
    ["blanks at the end of lines", "a \nb", "a\nb\n\n", null],
    ["other line ends", "a\nb\n", "a\r\nb\r\n", null],
    ["blanks at their beginning", "a\nb\n", "a\n  b\n", "changed"],
    ["gone", "a\n", null, "deleted"],
    ["new", null, "a\n", "added"],
    ["emptied", "a\n", "", "changed"],
  ])("%s", (_, before, after, how) => {
    const { change, laid } = compared("test/a.js", before, after, NO_USES, "test");
    expect(change?.how ?? null).toBe(how);
    expect(laid).toBe(before);
  });

  test.each([
    ["test", "extended"],
    ["config", "changed"],
    ["script", "changed"],
    ["shadow", "changed"],
  ] as const)("of kind %s that has grown is %s", (kind, how) => {
    expect(compared("x.js", "a\n", "a\nb\n", NO_USES, kind).change).toEqual({
      path: "x.js",
      kind,
      how,
      entries: [],
    });
  });

  test("files that support tests are compared as a whole, whatever their names", () => {
    const { change } = compared("test/p/package.json", '{"a": 1}', '{"a": 2}', NO_USES, "test");
    expect(change?.how).toBe("changed");
  });
});

describe("the first file of a package of tests", () => {
  test.each([
    ["", null],
    ["\n# nothing\n\n", null],
    ["import sys\n", "added"],
    ["# c\nimport sys", "added"],
  ])("%j", (text, how) => {
    const { change, laid } = compared("tests/__init__.py", null, text, NO_USES, "test");
    expect(change?.how ?? null).toBe(how);
    expect(laid).toBe(how === null ? text : null);
  });
});

describe("package.json", () => {
  const manifest = {
    name: "x",
    version: "1.0.0",
    type: "module",
    scripts: { build: "tsc", test: "npm run unit", unit: "jest", deploy: "./deploy.sh" },
    jest: { bail: true },
    dependencies: { a: "1" },
  };
  const tree = { "package.json": manifest };
  const text = JSON.stringify(manifest, null, 2);
  const become = comparedIn(tree, ["npm test"]);
  const changedTo = (next: object): ReturnType<typeof become> => become("package.json", JSON.stringify(next));

  test.each<[string, object]>([
    ["its version", { ...manifest, version: "2.0.0" }],
    ["its type", { ...manifest, type: "commonjs" }],
    ["dependencies", { ...manifest, dependencies: { a: "2", b: "1" } }],
    ["exports", { ...manifest, exports: "./x.js" }],
    [
      "other scripts",
      { ...manifest, scripts: { ...manifest.scripts, deploy: "true", lint: "eslint", prebuild: "x" } },
    ],
    ["the order", { scripts: { unit: "jest", test: "npm run unit" }, jest: { bail: true } }],
  ])("may change in %s", (_, next) => {
    expect(changedTo(next)).toEqual({ change: null, laid: JSON.stringify(next) });
  });

  test.each<[string, object, readonly string[]]>([
    ["a script", { ...manifest, scripts: { ...manifest.scripts, test: "exit 0" } }, ["scripts.test"]],
    [
      "a script of a script",
      { ...manifest, scripts: { ...manifest.scripts, unit: "exit 0" } },
      ["scripts.unit"],
    ],
    [
      "what comes before",
      { ...manifest, scripts: { ...manifest.scripts, pretest: "x" } },
      ["scripts.pretest"],
    ],
    [
      "what comes after",
      { ...manifest, scripts: { ...manifest.scripts, postunit: "x" } },
      ["scripts.postunit"],
    ],
    ["no scripts", { ...manifest, scripts: {} }, ["scripts.test", "scripts.unit"]],
    ["scripts that are none", { ...manifest, scripts: "x" }, ["scripts.test", "scripts.unit"]],
    ["a runner's key", { ...manifest, jest: { bail: false } }, ["jest"]],
    ["a runner's key taken away", { ...manifest, jest: undefined }, ["jest"]],
    ["another runner's key", { ...manifest, mocha: {}, babel: {}, detox: {} }, ["babel", "detox", "mocha"]],
  ])("may not change in %s", (_, next, entries) => {
    const { change, laid } = changedTo({ ...next, version: "3" });
    expect(change).toEqual({ path: "package.json", kind: "config", how: "changed", entries });
    const { scripts, jest, version, ...others } = JSON.parse(laid ?? "") as typeof manifest;
    expect([scripts.test, scripts.unit, jest, version]).toEqual([
      "npm run unit",
      "jest",
      { bail: true },
      "3",
    ]);
    expect(scripts).not.toHaveProperty("pretest");
    expect(scripts).not.toHaveProperty("postunit");
    expect(others).not.toHaveProperty("mocha");
  });

  test.each([
    ["is no JSON", "{"],
    ["is a list", "[]"],
    ["says something twice", text.replace('"test":', '"test": "exit 0",\n"test":')],
    ["has two lists of scripts", text.replace('"jest":', '"scripts": {},\n"jest":')],
    ["is nested too deeply", `{"jest": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ])("changed as a whole where it %s", (_, after) => {
    expect(become("package.json", after)).toEqual({
      change: { path: "package.json", kind: "config", how: "changed", entries: [] },
      laid: text,
    });
  });

  test("too deep nesting elsewhere cannot be added, but the base may have it", () => {
    const deep = `{"deep": ${"[".repeat(100_000)}${"]".repeat(100_000)}, "scripts": {"test": "exit 0"}}`;
    expect(become("package.json", deep).laid).toBe(text);
  });

  test("duplicates that the base already has are no offence", () => {
    const twice = text.replace('"deploy":', '"deploy": "x",\n"deploy":');
    const again = comparedIn({ "package.json": twice }, ["npm test"]);
    expect(again("package.json", twice.replace("1.0.0", "2.0.0")).change).toBeNull();
    expect(again("package.json", text).change).toBeNull();
    expect(again("package.json", twice.replace("npm run unit", "x")).change?.entries).toEqual([
      "scripts.test",
    ]);
  });

  test("with a byte order mark it says the same", () => {
    expect(become("package.json", `\ufeff${text}`).change).toBeNull();
  });

  test("that is deleted", () => {
    const { change, laid } = become("package.json", null);
    expect(change).toMatchObject({ how: "deleted", entries: ["jest", "scripts.test", "scripts.unit"] });
    expect(laid).toBe(text);
    expect(comparedIn({ "package.json": {} }, ["npm test"])("package.json", null)).toEqual({
      change: null,
      laid: null,
    });
  });

  test("that is new counts where it configures a runner", () => {
    const first = comparedIn({ "a.test.js": "" }, ["npx jest"]);
    expect(
      first("package.json", '{"name": "x", "type": "module", "scripts": {"test": "jest"}}').change,
    ).toBeNull();
    expect(first("package.json", '{"name": "x", "jest": {}}')).toEqual({
      change: { path: "package.json", kind: "config", how: "added", entries: ["jest"] },
      laid: '{\n  "name": "x"\n}\n',
    });
  });

  test("a first test is what was asked for", () => {
    const none = { scripts: { test: 'echo "Error: no test specified" && exit 1' } };
    for (const base of [none, { scripts: {} }, {}]) {
      const first = comparedIn({ "package.json": base }, ["npm test"]);
      expect(first("package.json", '{"scripts": {"test": "node --test"}}').change).toBeNull();
    }
  });

  test("scripts of an installation count if one runs", () => {
    const ci = comparedIn(tree, ["npm ci && npm test"]);
    const next = JSON.stringify({ ...manifest, scripts: { ...manifest.scripts, postinstall: "./x" } });
    expect(ci("package.json", next).change?.entries).toEqual(["scripts.postinstall"]);
    expect(become("package.json", next).change).toBeNull();
  });

  test("keys of tools that are named", () => {
    const lint = comparedIn(tree, ["npx eslint ."]);
    const next = JSON.stringify({ ...manifest, eslintConfig: {}, scripts: {} });
    expect(lint("package.json", next).change?.entries).toEqual(["eslintConfig"]);
  });

  test("scripts by strange names", () => {
    const strange = comparedIn({ "package.json": { scripts: { constructor: "a", __proto__x: "b" } } }, [
      "npm run constructor",
      "npm run __proto__",
    ]);
    expect(strange("package.json", '{"scripts": {"__proto__": "x"}}').change?.entries).toEqual([
      "scripts.constructor",
    ]);
  });
});

describe("deno.json and composer.json", () => {
  test("tasks", () => {
    const become = comparedIn({ "deno.json": '{"tasks": {"test": "deno test", "x": "y"}, "imports": {}}' }, [
      "deno task test",
    ]);
    expect(
      become("deno.json", '{"tasks": {"test": "deno test", "x": "y",}, /* c */ "imports": {"a": "b"}}')
        .change,
    ).toBeNull();
    expect(become("deno.json", '{"tasks": {"test": "true"}}').change?.entries).toEqual(["tasks"]);
    expect(
      become("deno.json", '{"tasks": {"test": "deno test", "x": "y"}, "test": {"exclude": ["."]}}').change
        ?.entries,
    ).toEqual(["test"]);
  });

  test("files that deno checks", () => {
    const base = { "deno.json": '{"lint": {"a": 1}}' };
    expect(comparedIn(base, ["deno lint"])("deno.json", "{}").change?.entries).toEqual(["lint"]);
    expect(comparedIn(base, ["deno test"])("deno.json", "{}").change).toBeNull();
  });

  test("scripts", () => {
    const become = comparedIn({ "composer.json": { scripts: { test: "phpunit" }, require: {} } }, [
      "composer test",
    ]);
    expect(
      become("composer.json", '{"scripts": {"test": "phpunit"}, "require": {"a": "1"}}').change,
    ).toBeNull();
    const next = '{"scripts": {"test": "phpunit", "pre-command-run": "exit"}}';
    expect(become("composer.json", next).change?.entries).toEqual(["scripts"]);
  });
});
