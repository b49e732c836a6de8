import { describe, expect, test } from "vitest";
import { put, reasonsOf, RIGHT, RoomRig, testOf, WORKS, WRONG, type Files } from "./project.ts";

const CONFIG = "agent-foreman.yaml";

/** Its test compares the product with a table that no name and no command reveals. */
const WITH_TABLE: Files = {
  "src/add.js": WRONG,
  "test/add.test.js": `const { sums } = require("../src/facts/sums.js");
for (const [a, b, sum] of sums) require("node:test").test(\`\${a} + \${b}\`, () =>
  require("node:assert").strictEqual(require("../src/add.js").add(a, b), sum));
`,
  "src/facts/sums.js": "exports.sums = [[2, 3, 5], [7, 0, 7]];\n",
};
const CHEATS = put("src/facts/sums.js", "exports.sums = [[2, 3, -1], [7, 0, 7]];\n");

describe("a file that the person declared as protected", () => {
  const protect = { ...WITH_TABLE, [CONFIG]: "tests: { protect: [src/facts/**] }\n" };

  test("is held if the checks pass only with the agent's version", async () => {
    const undeclared = await new RoomRig(WITH_TABLE).rounds([CHEATS]);
    expect([undeclared.code, reasonsOf(undeclared.report)]).toEqual([0, [[]]]);
    const { code, report, stdout } = await new RoomRig(protect).rounds([CHEATS]);
    expect([code, reasonsOf(report)]).toEqual([1, [["oracle_changed"]]]);
    expect(stdout).toContain("the agent modified protected files: src/facts/sums.js (changed)");
    expect(report.room).toMatchObject({ protect: ["src/facts/**"], product: [] });
    expect(report.attempts[0]?.candidate?.protected_changes).toEqual([
      { path: "src/facts/sums.js", kind: "declared", how: "changed", entries: [] },
    ]);
  });

  test("may change if the checks pass with the original, too", async () => {
    const tidies = `${WORKS}\necho '// Sums' >> src/facts/sums.js`;
    const { code, report } = await new RoomRig(protect).rounds([tidies]);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.attempts[0]?.candidate?.protected_changes).toHaveLength(1);
  });

  test("counts as a whole, also where otherwise only some entries count", async () => {
    const manifest = (version: string): string => `{ "version": "${version}", "scripts": { "x": "y" } }\n`;
    const rig = new RoomRig({
      "package.json": manifest("1.0.0"),
      "test/version.test.js": testOf("version", 'require("../package.json").version', '"2.0.0"'),
      [CONFIG]: "tests: { protect: [package.json] }\n",
    });
    const { code, report } = await rig.rounds([`${WORKS}\n${put("package.json", manifest("2.0.0"))}`]);
    expect([code, reasonsOf(report)]).toEqual([1, [["oracle_changed"]]]);
  });

  test("is hidden from the deciding run if the agent added it", async () => {
    const optional = `let sums = [[7, 0, 8]];
try { sums = require("../src/facts/sums.js").sums } catch {}
for (const [a, b, sum] of sums) require("node:test").test("sum", () =>
  require("node:assert").strictEqual(require("../src/add.js").add(a, b), sum));
`;
    const rig = new RoomRig({ "test/add.test.js": optional, [CONFIG]: protect[CONFIG] });
    const { code, report } = await rig.rounds([CHEATS]);
    expect([code, reasonsOf(report)]).toEqual([1, [["oracle_changed"]]]);
  });
});

describe("a file that the person declared as part of the product", () => {
  /** The product is in a folder with a name for tests. */
  const IN_TEST_FOLDER: Files = {
    "testing/test_add.js": WRONG,
    "checks/add.js": `require("node:test").test("adds", () =>
  require("node:assert").strictEqual(require("../testing/test_add.js").add(2, 3), 5));
`,
  };
  const product = { ...IN_TEST_FOLDER, [CONFIG]: "tests: { product: [testing/**] }\n" };
  const options = { full: ["node --test checks/add.js"] };

  test("may change, despite its name", async () => {
    const works = put("testing/test_add.js", RIGHT);
    const undeclared = await new RoomRig(IN_TEST_FOLDER).rounds([works], options);
    expect([undeclared.code, reasonsOf(undeclared.report)]).toEqual([1, [["oracle_changed"]]]);
    const { code, report } = await new RoomRig(product).rounds([works], options);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.attempts[0]?.candidate?.protected_changes).toEqual([]);
  });

  test("may be new, despite its name", async () => {
    const works = `${put("testing/test_sum.js", RIGHT)}\n${put("testing/test_add.js", 'module.exports = require("./test_sum.js");\n')}`;
    const { code, report } = await new RoomRig(product).rounds([works], options);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.attempts[0]?.candidate?.new_tests.count).toBe(0);
  });

  test("is protected if it is declared as protected, too", async () => {
    const config = "tests: { product: [testing/**], protect: [test_add.js] }\n";
    const rig = new RoomRig({ ...IN_TEST_FOLDER, [CONFIG]: config });
    const { code, report } = await rig.rounds([put("testing/test_add.js", RIGHT)], options);
    expect([code, reasonsOf(report)]).toEqual([1, [["oracle_changed"]]]);
  });
});

test("an agent cannot declare files to its advantage", async () => {
  const weakens = "sed -i 's/add(2, 3), 5/add(2, 3), -1/' test/add.test.js";
  const declares = put(CONFIG, `tests: { product: [test/**, ${CONFIG}] }\n`);
  const rig = new RoomRig({ [CONFIG]: `tests: { product: [${CONFIG}] }\n` });
  const { code, report, runId } = await rig.rounds([`${weakens}\n${declares}`]);
  expect([code, reasonsOf(report)]).toEqual([1, [["oracle_changed"]]]);
  expect(report.room?.product).toEqual([CONFIG]);
  expect(report.attempts[0]?.candidate?.protected_changes.map(({ path }) => path)).toEqual([
    CONFIG,
    "test/add.test.js",
  ]);
  const next = await rig.run(rig.superviseArgs({ agent: rig.agent("true") }));
  expect([next.code, rig.runIds()]).toEqual([2, [runId]]);
  expect(next.stderr).toContain(`changed ${CONFIG} and was not accepted`);
});

test("a pattern that can match nothing is refused by the name of its key", async () => {
  const rig = new RoomRig({ [CONFIG]: "tests: { protect: [src/add.js], product: [test] }\n" });
  const { code, stderr } = await rig.run(rig.superviseArgs({ agent: "true" }));
  expect(code).toBe(2);
  expect(stderr).toContain("error: tests.product: test is a folder");
});
