import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exits, seen, Trial } from "./trying.ts";

const FAILS = `require("./product.cjs"); require("node:assert").ok(false, "a test that fails");`;
const EXITS = `require("./product.cjs"); const failed = 1; if (failed) process.exit(1); console.log("fine");`;
const CODE = `require("./product.cjs"); process.exitCode = 1;`;
const HELPED = `require("./product.cjs"); require("./test/helper.cjs").check(false);`;
const HELPER = `exports.check = (fine) => { if (!fine) throw new Error("a test that fails"); };`;
const LATER = `require("./product.cjs"); setTimeout(() => { process.exit(1); }, 1e3);`;

function of(product: string, code: string, files: Readonly<Record<string, string>> = {}): Trial {
  return new Trial({ "product.cjs": product, "check.cjs": code, "test/helper.cjs": HELPER, ...files });
}

describe("the product makes a success of a failure", () => {
  test.each([
    ["by an exit that does nothing", "process.exit = () => {};", EXITS],
    [
      "by an exit that is another property",
      `const { exit } = process; Object.defineProperty(process, "exit", { get: () => () => exit.call(process, 0) });`,
      EXITS,
    ],
    [
      "by what exit calls",
      "const { reallyExit } = process; process.reallyExit = () => reallyExit.call(process, 0);",
      EXITS,
    ],
    [
      "by hearing all events",
      `const { emit } = process; process.emit = function (n) { return n === "uncaughtException" || emit.apply(this, arguments); };`,
      FAILS,
    ],
    [
      "by the code, when nothing is left to do",
      `process.on("beforeExit", () => { process.exitCode = 0; });`,
      CODE,
    ],
    [
      "by the code, at the end",
      `process.on("exit", () => { delete process.argv; process.exitCode = undefined; });`,
      CODE,
    ],
    ["by the code, later", `setTimeout(() => { process.exitCode = 0; });`, CODE],
    [
      "by a process for all, in front of the other",
      `globalThis.process = new Proxy(process, { get: (of, name) => (name === "exit" ? () => {} : of[name]) });`,
      EXITS,
    ],
    ["by a process for all, which is another", "process = { ...process, exitCode: 0 };", CODE],
    [
      "by another helper of the tests",
      `require.cache[require.resolve("./test/helper.cjs")] = { loaded: true, exports: { check() {} } };`,
      HELPED,
    ],
    ["by an exit that a timer was given", "setTimeout(process.exit, 0, 0);", LATER],
    ["by an exit that a promise was given", "Promise.resolve(0).then(process.exit);", LATER],
    ["by an exit that was bound", `process.on("exit", process.reallyExit.bind(process, 0));`, CODE],
    ["in a text of its own", `require("node:vm").runInThisContext("process.exit(0)");`, FAILS],
    [
      "with stack traces turned off",
      `Object.defineProperty(Error, "stackTraceLimit", { value: 0, writable: false }); process.exit(0);`,
      FAILS,
    ],
    ["where it is asked for a trace", "Error.prepareStackTrace = () => process.exit(0);", FAILS],
    ["as if it were the program", "process.argv[1] = __filename; process.exit(0);", FAILS],
  ])("%s", (_what, product, code) => {
    const trial = of(product, code);
    const ran = trial.probed("node check.cjs");
    // Each trick works only in some versions of Node.
    expect(ran.code).toBe(trial.bare("node check.cjs").code);
    expect(new Set(exits(ran).map((line) => JSON.stringify(line)))).toEqual(
      new Set([JSON.stringify({ exit: { file: join(trial.root, "product.cjs") } })]),
    );
  });

  test.each([
    ["a script", "node scripts/all.cjs"],
    ["a name without an ending", "node test"],
    ["a folder", "node checks"],
    ["a text", `node -e 'require("./test.js")'`],
    ["what is read", "node < test.js"],
    ["a part of the tests", "node test/support/run.cjs"],
    ["a test that a script starts", "node scripts/starts.cjs"],
  ])("in %s", (_what, command) => {
    const trial = of("process.exit(0);", FAILS, {
      "scripts/all.cjs": `require("../product.cjs"); throw 1;`,
      "scripts/starts.cjs": `require("node:child_process").spawnSync("node", ["test.js"]);`,
      "test.js": `require("./product.cjs"); throw 1;`,
      "checks/index.js": `require("../product.cjs"); throw 1;`,
      "test/support/run.cjs": `require("../../product.cjs"); throw 1;`,
    });
    const ran = trial.probed(command);
    expect(ran.code).toBe(0);
    expect(exits(ran)).toEqual([{ exit: { file: join(trial.root, "product.cjs") } }]);
  });

  test.each(["harness.js", "src/testing.js", "scripts/end.js", "end.config.js", ".end/end.js"])(
    "by a file that it calls %s",
    (file) => {
      const trial = of(`require("./${file}");`, FAILS, { [file]: "process.exit(0);" });
      expect(exits(trial.probed("node check.cjs"))).toEqual([{ exit: { file: join(trial.root, file) } }]);
    },
  );
});

test("the product makes a success of a failure in a module, by another process for all", () => {
  const trial = new Trial({
    "product.mjs": "globalThis.process = { ...process, exit() {} };",
    "check.mjs": `import "./product.mjs"; process.exit(1);`,
  });
  const ran = trial.probed("node check.mjs");
  expect(ran.code).toBe(0);
  expect(exits(ran)).toEqual([{ exit: { file: join(trial.root, "product.mjs") } }]);
});

describe("names no file if", () => {
  test.each([
    ["the program puts an exit of its own in", "", `process.exit = () => {}; require("./product.cjs");`],
    ["it has a timer exit", "exports.exit = 1;", `require("./product.cjs"); setTimeout(process.exit, 0, 0);`],
    ["it takes its code back", "", `process.exitCode = 1; setTimeout(() => { process.exitCode = 0; });`],
    [
      "it has a process of its own",
      "exports.process = { exit() {} };",
      `global.process = { ...process, ...require("./product.cjs").process }; process.exit(1);`,
    ],
    ["a package has", "", `require("own");`],
    [
      "the product has it for a while",
      "const kept = process; process = { ...process, exit() {} }; process.exit(1); process = kept;",
      `require("./product.cjs");`,
    ],
    [
      "the product sees to it that there is one",
      "globalThis.process = globalThis.process || { env: {} };",
      `require("./product.cjs");`,
    ],
    [
      "it has another helper itself",
      `exports.forget = () => { for (const file of Object.keys(require.cache)) if (/data/.test(file)) delete require.cache[file]; };`,
      `require.cache[require.resolve("./test/helper.cjs")] = { loaded: true, exports: { check() {} } }; ${HELPED}`,
    ],
    [
      "the product has another file of its own",
      `require.cache[require.resolve("./other.cjs")] = { loaded: true, exports: {} };`,
      `require("./product.cjs"); require("./other.cjs");`,
    ],
    ["a package takes the place of events", "", `require("taker"); process.exitCode = 0;`],
    [
      "the product puts back what it replaced",
      "const { exit } = process; process.exit = () => {}; process.exit = exit;",
      `require("./product.cjs");`,
    ],
    [
      "what a script starts is another script",
      "process.exit(0);",
      `require("node:child_process").spawnSync("node", ["other.cjs"]);`,
    ],
  ])("%s", (_what, product, code) => {
    const trial = of(product, code, {
      "other.cjs": `require("./product.cjs");`,
      "node_modules/own/index.js": "global.process = { ...process };",
      "node_modules/taker/index.js": `const { emit } = process; process.emit = function () { return emit.apply(this, arguments); };`,
    });
    const ran = trial.probed("node check.cjs");
    expect(ran.code).toBe(0);
    expect(ran.reported).toEqual([]);
    expect(seen(ran)).toEqual(seen(trial.bare("node check.cjs")));
  });
});
