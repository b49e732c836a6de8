import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PYTHON, without as lacks } from "./a-python.ts";
import { MOCHA } from "./mocha-stand-in.ts";
import { Trial } from "./trying.ts";

/** Everything that code can inspect in its own process. Functions are called, so their source does not matter. */
const LOOK = `const assert = require("assert");
const { writeFileSync } = require("fs");
const counts = () => process.eventNames().map((name) => [String(name), process.listenerCount(name), process.listeners(name).length]);
module.exports = (name) => writeFileSync(process.env.TMPDIR + "/" + name + ".json", JSON.stringify({
  argv: process.argv,
  execArgv: process.execArgv,
  env: Object.entries(process.env).filter(([name]) => !/^(?:npm_|VITEST_POOL_ID|VITEST_WORKER_ID)/.test(name)),
  globals: Object.getOwnPropertyNames(globalThis),
  process: Object.keys(process),
  modules: Object.keys(require.cache),
  listeners: counts(),
  resources: process.getActiveResourcesInfo(),
  console: Object.keys(console),
  emitter: String(require("events").prototype.emit),
  limit: Error.stackTraceLimit,
  spawned: require("child_process").execFileSync(process.execPath, ["-p", "JSON.stringify([process.env.NODE_OPTIONS, Object.keys(process.env).filter((name) => /FOREMAN/.test(name))])"], { encoding: "utf8" }),
}));
`;

const A = "test/a.test.cjs";
const GLOBAL = `const look = require("./look.cjs"); look("loaded"); it("a", () => look("tested"));`;
/** Like a jest process: takes its arguments, loads the reporters, then the tests. */
const JEST = `const words = require("../../jest-cli/args.js");
const processor = words.find((word) => word.startsWith("--testResultsProcessor="));
require(require("path").resolve(words.at(-1)));
if (processor) require(processor.slice(processor.indexOf("=") + 1))({ testResults: [] });`;

describe("tests cannot see the probes", () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      "node --test",
      {
        [A]: `const look = require("./look.cjs"); look("loaded"); require("node:test").test("a", () => look("tested"));`,
      },
      `node --test ${A}`,
    ],
    [
      "node:test in a program",
      { [A]: `const { test } = require("node:test"); test("a", () => require("./look.cjs")("tested"));` },
      `node ${A}`,
    ],
    ["mocha", { ...MOCHA, [A]: GLOBAL }, `node node_modules/mocha/bin/mocha.js ${A}`],
    [
      "jest in its own process",
      {
        "node_modules/jest-cli/args.js": "module.exports = process.argv.slice(2);",
        "node_modules/jest/bin/jest.js": JEST,
        [A]: `require("./look.cjs")("tested");`,
      },
      `node node_modules/jest/bin/jest.js -i ${A}`,
    ],
  ])("%s", (_what, files, command) => {
    const trial = new Trial({ ...files, "test/look.cjs": LOOK });
    const [without, withThem] = both(trial, command);
    expect(withThem).toEqual(without);
  });

  test.each(["forks", "threads"])("vitest, in %s", (pool) => {
    const trial = new Trial({
      "test/look.cjs": LOOK,
      "test/a.test.mjs": `import { test } from "vitest"; import look from "./look.cjs";
        look("loaded"); test("a", () => look("tested"));`,
    }).withVitest();
    const [without, withThem] = both(trial, `node_modules/.bin/vitest run --pool=${pool}`);
    expect(withThem).toEqual(without);
  });

  const LOOKS = `import atexit, builtins, json, os, re, subprocess, sys, threading
def look(name):
    with open(os.path.join(os.environ["TMPDIR"], name + ".json"), "w") as file:
        json.dump({
            "argv": sys.argv,
            "env": dict(os.environ),
            "path": sys.path,
            "cached": sorted(sys.path_importer_cache),
            "modules": sorted(sys.modules),
            "builtins": dir(builtins),
            "threads": [it.name for it in threading.enumerate()],
            "spawned": subprocess.check_output([sys.executable, "-c", "import os, sys; print(sys.path, sorted(os.environ), sorted(sys.modules))"], text=True),
        }, file)
`;

  test.skipIf(lacks("python"))("unittest", () => {
    const trial = new Trial({
      "looks.py": LOOKS,
      "test_a.py": `import unittest, looks
looks.look("loaded")
class A(unittest.TestCase):
    def test_a(self): looks.look("tested")
`,
    });
    const [without, withThem] = both(trial, `${PYTHON} -B -m unittest -q`);
    expect(withThem).toEqual(without);
  });

  test.skipIf(lacks("pytest"))("pytest", () => {
    const trial = new Trial({
      "looks.py": LOOKS,
      "test_a.py": `import looks
looks.look("loaded")
def test_a(): looks.look("tested")
`,
    });
    const [without, withThem] = both(trial, `${PYTHON} -B -m pytest -q -p no:cacheprovider`);
    expect(withThem).toEqual(without);
  });
});

/** The values that tests saw without and with the probes. */
function both(trial: Trial, command: string): readonly [without: unknown, withThem: unknown] {
  const bare = trial.bare(command);
  const without = seenIn(trial);
  const probed = trial.probed(command);
  expect([bare.code, probed.code, bare.reported.length > 0, probed.reported.length > 0]).toEqual([
    0,
    0,
    false,
    true,
  ]);
  expect(Object.keys(without)).toContain("tested");
  return [without, seenIn(trial)];
}

/** The inspected values by moment; reading removes them. */
function seenIn({ base }: Trial): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const moment of ["loaded", "tested"]) {
    const file = join(base, `${moment}.json`);
    if (!fs.existsSync(file)) continue;
    found[moment] = JSON.parse(fs.readFileSync(file, "utf8"));
    fs.rmSync(file);
  }
  return found;
}
