import { describe, expect, test } from "vitest";
import { PRODUCT, PYTHON, without } from "./a-python.ts";
import { MOCHA } from "./mocha-stand-in.ts";
import { Trial } from "./trying.ts";

describe("a failure's reason has a few lines", () => {
  test("by node:test: the message, then expected and actual values if it lacks them", () => {
    const trial = new Trial({
      "a.test.js": `const assert = require("assert"), { test } = require("node:test");
        test("one line", () => assert.strictEqual(4, 3));
        test("a list", () => assert.deepStrictEqual([12], [6]));
        test("own words", () => assert.strictEqual(4, 3, "the sum"));
        test("an error", () => { throw new TypeError("x is not a function"); });
        test("no error", () => { throw "just a text"; });
        test("passes", () => {});`,
    });
    expect(trial.probed("node --test").messages).toEqual({
      "one line": "Expected values to be strictly equal: 4 !== 3",
      "a list": "Expected values to be strictly deep-equal:\nexpected: [ 6 ]\nactual: [ 12 ]",
      "own words": "the sum\n4 !== 3",
      "an error": "x is not a function",
      "no error": "just a text",
    });
  });

  test("by vitest", () => {
    const trial = new Trial({
      "package.json": `{ "type": "module" }`,
      "a.test.js": `import { expect, test } from "vitest";
        test("a number", () => expect(4).toBe(3));
        test("a list", () => expect([12]).toEqual([6]));`,
    }).withVitest();
    expect(trial.probed("node_modules/.bin/vitest run").messages).toEqual({
      "a number": "expected 4 to be 3 // Object.is equality",
      "a list": expect.stringMatching(/^expected \[ 12 \] to deeply equal \[ 6 \]/),
    });
  });

  test("by mocha", () => {
    const trial = new Trial({
      ...MOCHA,
      "test/a.js": `it("fails", () => false);`,
    });
    const { messages } = trial.probed("node node_modules/mocha/bin/mocha.js test/a.js");
    expect(messages).toEqual({ fails: "failed" });
  });

  test.skipIf(without("pytest"))("by Python's runners", () => {
    const trial = new Trial({
      ...PRODUCT,
      "tests/test_a.py": `import unittest
class A(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(4, 3)
`,
      "tests/test_b.py": "def test_sum():\n    assert 2 + 2 == 3\n",
    });
    const unittest = trial.probed(`${PYTHON} -m unittest tests.test_a`).messages;
    expect(unittest).toEqual({ "A > test_adds": "AssertionError: 4 != 3" });
    const pytest = trial.probed(`${PYTHON} -m pytest -p no:cacheprovider tests/test_b.py`).messages;
    expect(pytest["test_sum"]).toMatch(/^assert \(2 \+ 2\) == 3/);
  });

  test("by Go, with long logs whole", () => {
    const long = "x".repeat(3000);
    const trial = new Trial(
      {
        fake: `#!/bin/sh\nprintf '=== RUN   TestLong\\n    a_test.go:1: ${long} end\\n--- FAIL: TestLong (0.00s)\\n'\nexit 1\n`,
      },
      "probe",
    );
    const ran = trial.probed(`node '${trial.base}/probe/go-test.cjs' ./fake`);
    expect(ran.failures).toEqual([expect.objectContaining({ message: `a_test.go:1: ${long} end` })]);
  });

  test("never by code of the product", () => {
    const trial = new Trial({
      "a.test.js": `const { test } = require("node:test");
        const shown = () => { console.log("CALLED"); return "x"; };
        const value = new Proxy({}, { get: shown, ownKeys: () => { console.log("CALLED"); return []; } });
        const error = Object.assign(new Error("odd"), { expected: value, actual: { get a() { return shown(); } } });
        test("odd", () => { throw error; });`,
    });
    const ran = trial.probed("node a.test.js");
    expect(ran.messages["odd"]).toMatch(/^odd\nexpected: Proxy/);
    expect(ran.stdout.split("CALLED")).toHaveLength(
      trial.bare("node a.test.js").stdout.split("CALLED").length,
    );
  });
});

describe("secrets", () => {
  const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
  const pem = `-----BEGIN PRIVATE KEY-----\n${`${line}\n`.repeat(20)}-----END PRIVATE KEY-----\n`;

  test.each([
    ["a key of several lines", JSON.stringify(pem)],
    ["a key in a long object", `{ note: "n".repeat(400), key: ${JSON.stringify(pem)} }`],
    ["a token where a value is cut", `"v".repeat(190) + "ghp_abcdefghijklmnopqrstuvwxyz0123456789"`],
    ["a token within a list", `["v".repeat(190) + "ghp_abcdefghijklmnopqrstuvwxyz0123456789"]`],
  ])("are not in the message, nor are parts of them: %s", (_, value) => {
    const trial = new Trial({
      "a.test.js": `const assert = require("assert"), { test } = require("node:test");
        test("compares", () => assert.deepStrictEqual(${value}, { other: 1 }));`,
    });
    const message = trial.probed("node --test").messages["compares"];
    expect(message).toMatch(/^expected: \{ other: 1 \}$/m);
    expect(message).not.toMatch(/ghp_|MIIE/);
  });
});
