import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exits, seen, Trial } from "./trying.ts";

const PRODUCT = "src/product.cjs";
const TEST = `require("../${PRODUCT}").act(); require("node:assert").ok(false, "a test that fails");`;
const CAPTURE = `process.setUncaughtExceptionCaptureCallback(() => {})`;
const FATAL = `process._fatalException = () => true`;
const UNSEEN = `process._events.uncaughtException = () => {}`;
const DOMAIN = `const own = require("node:domain").create(); own.on("error", () => {}); own.enter()`;

function of(product: string, code = TEST, files: Readonly<Record<string, string>> = {}): Trial {
  return new Trial({
    [PRODUCT]: `exports.act = () => { ${product} };`,
    "test/a.cjs": code,
    ...files,
  });
}

describe("the product handles an uncaught error", () => {
  test.each([
    ["by a callback", CAPTURE],
    ["in place of Node", FATAL],
    ["as a listener that was not added", UNSEEN],
    ["as one of several", `process._events.uncaughtException = [() => {}, () => {}]`],
    ["in a domain", DOMAIN],
    [
      "of what is run in a domain",
      `const d = require("domain").create(); d.on("error", () => {}); d.run(() => { throw 1; })`,
    ],
  ])("%s", (_what, product) => {
    const trial = of(product);
    const ran = trial.probed("node test/a.cjs");
    expect(ran.code).toBe(0);
    expect(new Set(exits(ran).map((line) => JSON.stringify(line)))).toEqual(
      new Set([JSON.stringify({ exit: { file: join(trial.root, PRODUCT) } })]),
    );
  });
});

describe("names no file if an uncaught error", () => {
  test.each([
    ["is the test's own to take, by a callback", `${CAPTURE}; throw 1;`, "", 0],
    ["is the test's own to take, in place of Node", `${FATAL}; throw 1;`, "", 0],
    ["is the test's own to take, by a listener that was not added", `${UNSEEN}; throw 1;`, "", 0],
    [
      "is the test's own to take, by a listener",
      `process.once("uncaughtException", () => {}); throw 1;`,
      "",
      0,
    ],
    ["is the test's own to take, in a domain", `${DOMAIN}; throw 1;`, "", 0],
    ["is a package's to take", `require("taker").act(); throw 1;`, "", 0],
    ["does not happen", `require("../${PRODUCT}").act();`, `${CAPTURE}; ${FATAL}`, 0],
    [
      "is thrown on by the product",
      TEST,
      `process.setUncaughtExceptionCaptureCallback((e) => { throw e; })`,
      7,
    ],
    [
      "is passed on and ends the process",
      TEST,
      `process.setUncaughtExceptionCaptureCallback(() => process.exit(4))`,
      4,
    ],
    [
      "is none of the product's business any more",
      TEST,
      `${CAPTURE}; process.setUncaughtExceptionCaptureCallback(null)`,
      1,
    ],
  ])("%s", (_what, code, product, status) => {
    const trial = of(product, code, { "node_modules/taker/index.js": `exports.act = () => { ${CAPTURE} };` });
    const ran = trial.probed("node test/a.cjs");
    expect(ran.code).toBe(status);
    expect(ran.reported).toEqual([]);
    expect(seen(ran)).toEqual(seen(trial.bare("node test/a.cjs")));
  });

  test("and a process reports about itself", () => {
    const code = `
      const fatal = process._fatalException;
      process._fatalException = fatal;
      const has = () => process.hasUncaughtExceptionCaptureCallback();
      const was = has();
      process.setUncaughtExceptionCaptureCallback(() => {});
      let problem = "";
      try { process.setUncaughtExceptionCaptureCallback(1); } catch (error) { problem = error.code; }
      console.log(was, has(), problem, process._fatalException === fatal, Object.keys(process).join(),
        process.setUncaughtExceptionCaptureCallback.name, process.listeners("uncaughtException"));`;
    const trial = of("", code);
    const [probed, bare] = [trial.probed("node test/a.cjs"), trial.bare("node test/a.cjs")];
    expect(probed.stdout).toContain("false true ERR_INVALID_ARG_TYPE true");
    expect(probed.stdout.split(",").toSorted()).toEqual(bare.stdout.split(",").toSorted());
  });
});
