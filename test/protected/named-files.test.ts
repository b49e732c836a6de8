import { describe, expect, test } from "vitest";
import { protectedFilesOf } from "../../src/evidence/protected/protected-files.ts";
import { kindsIn, protectedFilesIn } from "./base.ts";

describe("files that commands name", () => {
  const tree = {
    "package.json": {
      main: "start.js",
      bin: { tool: "./tool.js" },
      exports: { ".": { import: "./esm.mjs" } },
    },
    "start.js": "",
    "tool.js": "",
    "esm.mjs": "",
    "index.js": "",
    "check.js": "",
    "run.sh": "./inner.sh",
    "inner.sh": "",
    "src/self.js": "",
    "lib/x.sh": "",
    "scripts/test.js": "",
    "scripts/lib/x.sh": "",
    "test/run.js": "",
    "test/all.js": "",
    "test/calc.test.js": "",
    "test/index.js": "",
    "run-tests.sh": "",
    "unit-tests.sh": "",
    "src/test/all.sh": "",
    "cfg/jest.json": "",
    "hooks/early.js": "",
    "notes.md": "",
    "expected.txt": "",
    "sub/check.sh": "",
  };

  test.each<[string, string, string | null]>([
    ["./run.sh", "run.sh", "script"],
    ["./run.sh", "inner.sh", "script"],
    ["sh run.sh", "run.sh", "script"],
    ["sh -x -o pipefail run.sh", "run.sh", "script"],
    ["bash -c './run.sh && true'", "run.sh", "script"],
    ["bash -c './run.sh && true'", "inner.sh", "script"],
    [". ./run.sh", "run.sh", "script"],
    ["source run.sh", "inner.sh", "script"],
    ["bash -n run.sh", "run.sh", null],
    ["run.sh", "run.sh", null],
    ["./run-tests.sh", "run-tests.sh", "script"],
    ["sh unit-tests.sh", "unit-tests.sh", "test"],
    ["sh src/test/all.sh", "src/test/all.sh", "script"],
    ["node check.js", "check.js", "script"],
    ["node --check check.js", "check.js", null],
    ["node --require ./hooks/early.js check.js", "hooks/early.js", "config"],
    ["NODE_OPTIONS='--import ./hooks/early.js' node check.js", "hooks/early.js", "config"],
    ["env NODE_OPTIONS='-r ./hooks/early.js' node check.js", "hooks/early.js", "config"],
    ["node index.js", "index.js", null],
    ["node start.js", "start.js", null],
    ["node ./tool.js --version", "tool.js", null],
    ["node esm.mjs", "esm.mjs", null],
    ["node src/self.js", "src/self.js", null],
    ["sh lib/x.sh", "lib/x.sh", null],
    ["sh scripts/lib/x.sh", "scripts/lib/x.sh", "script"],
    ["node scripts/test.js", "scripts/test.js", "script"],
    ["node test/run.js", "test/run.js", "script"],
    ["node test/all.js", "test/all.js", "script"],
    ["node test/calc.test.js", "test/calc.test.js", "test"],
    ["node test/index.js", "test/index.js", "test"],
    ["npx jest --config cfg/jest.json", "cfg/jest.json", "config"],
    ["npx jest --config=cfg/jest.json", "cfg/jest.json", "config"],
    ["npx jest -c cfg/jest.json", "cfg/jest.json", "config"],
    ["grep -c x notes.md", "notes.md", null],
    ["grep -q done notes.md", "notes.md", null],
    ["test -f notes.md", "notes.md", null],
    ["node check.js notes.md", "notes.md", null],
    ["diff expected.txt out.txt", "expected.txt", "test"],
    ["cd sub && sh check.sh", "sub/check.sh", "script"],
    ["cd sub && sh ../run.sh", "run.sh", "script"],
    ["cd sub; cd ..; sh run.sh", "run.sh", "script"],
    ["sh /sub/check.sh", "sub/check.sh", null],
    ["sh ../check.sh", "check.js", null],
    ["tsx check.js", "check.js", "script"],
    ["npx tsx check.js", "check.js", "script"],
    ["bun check.js", "check.js", "script"],
    ["deno run -A check.js", "check.js", "script"],
    ["npx c8 -r text node check.js", "check.js", "script"],
    ["xvfb-run -a node check.js", "check.js", "script"],
    ["find . -name x -exec sh run.sh {} +", "run.sh", "script"],
    ["eval 'sh run.sh'", "run.sh", "script"],
    ["$(pwd)/run.sh", "run.sh", "script"],
    ['"$PWD/run.sh"', "run.sh", "script"],
  ])("%s: %s is %s", (command, path, kind) => {
    expect(protectedFilesIn(tree, [command]).kindOf(path)).toBe(kind);
  });

  test("from where the commands run", () => {
    const { kindOf } = protectedFilesIn(tree, ["sh check.sh"], "sub");
    expect(kindOf("sub/check.sh")).toBe("script");
  });

  test("a shell script's own parts, wherever it is called from", () => {
    const shell = {
      "ci.sh": 'cd "$(dirname "$0")"\n. ./scripts/env.sh\n"$ROOT/scripts/lint.sh"\nsh "${DIR}/two.sh"',
      "scripts/env.sh": "node ./scripts/helper.js",
      "scripts/lint.sh": "",
      "scripts/helper.js": "",
      "two.sh": "",
      "three.sh": "",
    };
    expect(kindsIn(shell, ["./ci.sh"])).toEqual({
      "ci.sh": "script",
      "scripts/env.sh": "script",
      "scripts/lint.sh": "script",
      "scripts/helper.js": "script",
      "two.sh": "script",
    });
  });

  test("in circles, and in ever new words", () => {
    const many = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`s${at}.sh`, `sh s${(at + 1) % 1000}.sh; sh s0.sh ${at}`]),
    );
    expect(Object.keys(kindsIn(many, ["sh s0.sh"]))).toHaveLength(1000);
    expect(kindsIn({ a: "" }, ["python -m ".repeat(5000), "npx ".repeat(5000)])).toEqual({});
  });
});

describe("files that runners must load", () => {
  test.each<[string, string, string, string | null]>([
    ["jest.config.js", 'setupFiles: ["<rootDir>/config/polyfill.js"]', "config/polyfill.js", "config"],
    ["jest.config.js", 'setupFiles: ["./src/setup.js"]', "src/setup.js", "config"],
    ["jest.config.js", 'map: { x: "./src/main.js" }', "src/main.js", null],
    ["vitest.config.ts", "import base from './shared.config.ts'", "shared.config.ts", "config"],
    [".mocharc.yml", "require:\n  - ./hooks.js", "hooks.js", "config"],
    ["jest.config.js", "tsconfig: 'tsconfig.jest.json'", "tsconfig.jest.json", "config"],
    ["jest.config.js", "tsconfig: 'tsconfig.jest.json'", "tsconfig.json", null],
    ["jest.config.js", "// see README.md", "README.md", null],
    ["package.json", '{"jest": {"globalSetup": "./wire.js"}}', "wire.js", "config"],
    ["package.json", '{"other": {"globalSetup": "./wire.js"}}', "wire.js", null],
    ["package.json", '{"nyc": {"include": ["wire.js"]}}', "wire.js", null],
  ])("%s with %s: %s", (config, text, path, kind) => {
    expect(protectedFilesIn({ [config]: text, [path]: "" }, ["npm test"]).kindOf(path)).toBe(kind);
  });

  test.each<[object, string | null]>([
    [{ "vite.config.ts": "", "package.json": { devDependencies: { vitest: "4" } } }, "config"],
    [{ "vite.config.ts": "", "package.json": { devDependencies: { vite: "4" } } }, null],
  ])("vite's configuration where vitest reads it (%#)", (tree, kind) => {
    const { kindOf } = protectedFilesIn({ ...tree, "src/a.ts": "" }, ["npm test"]);
    expect([kindOf("vite.config.ts"), kindOf("src/a.ts")]).toEqual([kind, null]);
  });

  test("nothing is read once the protected files are known", () => {
    const read: string[] = [];
    const files = ["package.json", "test/a.test.js", "jest.config.js", "x.sh", "vite.config.ts"];
    const { kindOf, kindOfNew } = protectedFilesOf({
      files,
      read: (path) => {
        read.push(path);
        return "{}";
      },
      commands: ["sh x.sh"],
      cwd: "",
    });
    expect(read).toContain("package.json");
    read.length = 0;
    for (const path of [...files, "new.sh", "jest.config.ts", "test/helper", "json.py"]) {
      kindOf(path);
      kindOfNew(path);
    }
    expect(read).toEqual([]);
  });
});
