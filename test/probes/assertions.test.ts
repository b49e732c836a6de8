import { describe, expect, test } from "vitest";
import { exits, Trial } from "./trying.ts";

const CJS = `const assert = require("node:assert"); const { test } = require("node:test"); require("../product.cjs");
test("a", () => assert.strictEqual(1, 2)); test("b", () => {});`;
const MODULE = `import assert from "node:assert/strict"; import { test } from "node:test"; import "../product.mjs";
test("a", () => assert.equal(1, 2));`;
const PLAIN = `const assert = require("node:assert"); require("../product.cjs"); assert.ok(false);`;

const TESTS = { "test/a.test.cjs": CJS, "test/a.test.mjs": MODULE, "test/plain.cjs": PLAIN };

describe("assertions that the product took the place of", () => {
  test.each([
    [
      "one of them",
      "node --test test/a.test.cjs",
      "assert.strictEqual = () => {};",
      /^node:assert strictEqual$/,
    ],
    [
      "all of them",
      "node --test test/a.test.cjs",
      "for (const name in assert) assert[name] = () => {};",
      /^node:assert \w+$/,
    ],
    [
      "by a property",
      "node test/a.test.cjs",
      'Object.defineProperty(assert, "strictEqual", { get: () => () => {} });',
      /^node:assert strictEqual$/,
    ],
    ["in a module", "node --test test/a.test.mjs", "assert.equal = () => {};", /^node:assert\/strict equal$/],
    ["in a plain script", "node test/plain.cjs", "assert.ok = () => {};", /^node:assert ok$/],
    [
      "while the tests run alone",
      "node --test test/a.test.cjs",
      "const { strictEqual } = assert; assert.strictEqual = () => { setImmediate(() => { assert.strictEqual = strictEqual; }); };",
      /^node:assert strictEqual$/,
    ],
  ])("are reported: %s", (_what, command, replace, file) => {
    const trial = new Trial({
      ...TESTS,
      "product.cjs": `const assert = require("node:assert"); ${replace}\n`,
      "product.mjs": `import assert from "node:assert/strict"; ${replace}\n`,
    });
    const ran = trial.probed(command);
    expect(ran.code).toBe(0);
    expect(exits(ran)).toEqual([{ exit: { file: expect.stringMatching(file) as string } }]);
  });

  test.each(["assert", "node:assert", "node:assert/strict"])(
    "are reported if they interfere when loaded as %s",
    (asked) => {
      const product = `const { Module } = process.mainModule.constructor; const load = Module._load;
Module._load = (name, ...rest) => (name === "${asked}" ? { ok() {} } : load(name, ...rest));`;
      const trial = new Trial({
        "product.cjs": product,
        "test/plain.cjs": `require("../product.cjs"); require("${asked}").ok(false);`,
      });
      const ran = trial.probed("node test/plain.cjs");
      expect(ran.code).toBe(0);
      expect(exits(ran)).toEqual([{ exit: { file: "node:assert" } }]);
    },
  );

  test.each(["node --test test/a.test.cjs", "node --test test/a.test.mjs", "node test/plain.cjs"])(
    "are not reported if they are unchanged: %s",
    (command) => {
      const trial = new Trial({ ...TESTS, "product.cjs": "", "product.mjs": "" });
      const ran = trial.probed(command);
      expect(ran.code).toBe(1);
      expect(exits(ran)).toEqual([]);
    },
  );
});
