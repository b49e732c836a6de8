import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { put, reasonsOf, RoomRig, WORKS, type Files } from "./project.ts";

/** The test reads its expected value from a file that git ignores. */
const BY_DATA = `const { add } = require("../src/add.js");
const wanted = Number(require("node:fs").readFileSync("data/wanted.local", "utf8"));
require("node:test").test("adds", () => require("node:assert").strictEqual(add(2, 3), wanted));
`;
const MORE: Files = { "test/add.test.js": BY_DATA, ".gitignore": "node_modules/\ndata/\n" };
/** Changes the expected data to match the wrong product. */
const DOCTORS = "echo -1 > data/wanted.local; echo '// seen' >> src/add.js";

function project(): RoomRig {
  const rig = new RoomRig(MORE);
  rig.write("data/wanted.local", "5\n");
  rig.write("node_modules/tool/index.js", "exports.tool = 1;\n");
  return rig;
}

describe("a file that git ignores", () => {
  test.each([
    ["is changed", DOCTORS],
    ["is deleted", "rm -r data; echo '// seen' >> src/add.js"],
  ])("appears unchanged in the room if it %s", async (_, agent) => {
    const rig = project();
    const { code, report } = await rig.rounds([agent, `${WORKS}\n${agent}`]);
    expect([code, reasonsOf(report)]).toEqual([0, [["full_test_failed"], []]]);
  });

  test.each([
    ["has it added all the same", "git add -f data/wanted.local"],
    ["takes it off the list", "echo node_modules/ > .gitignore"],
    ["has the list elsewhere forget it", "git rm -q --cached .gitignore; rm .gitignore"],
  ])("is no work where the agent changes it and %s", async (_, act) => {
    const lazy = await project().rounds([`${DOCTORS}\n${act}`]);
    expect([lazy.code, reasonsOf(lazy.report)]).toEqual([
      1,
      [["full_test_failed", "own_tests_failed", "oracle_changed"]],
    ]);
    // The work is good, but no check has seen it together with the agent's ignored file.
    const { code, report } = await project().rounds([`${WORKS}\n${DOCTORS}\n${act}`]);
    expect([code, reasonsOf(report)]).toEqual([1, [["oracle_changed"]]]);
    expect(report.attempts[0]?.candidate?.protected_changes).toContainEqual({
      path: "data/wanted.local",
      kind: "shadow",
      how: "changed",
      entries: [],
    });
  });

  test("may be added as it is", async () => {
    const { code } = await project().rounds([`${WORKS}\ngit add -f data/wanted.local`]);
    expect(code).toBe(0);
  });

  test("may be rewritten with the same content by an installation", async () => {
    const rig = project();
    rig.write("test/tool.test.js", 'require("node:test").test("tool", () => require("tool"));\n');
    rig.commit({});
    const anew = "cp -r node_modules kept; rm -r node_modules; mv kept node_modules";
    const { code, report } = await rig.rounds([`${WORKS}\n${anew}`]);
    expect([code, report.attempts[0]?.candidate?.hidden.count]).toEqual([0, 0]);
  });
});

describe("a removed repository is no evidence", () => {
  test.each(["rm -rf .git", "mv .git .git-old", "rm .git/HEAD"])("%s", async (act) => {
    const { code, report } = await project().rounds([`${WORKS}\n${act}`]);
    expect([code, reasonsOf(report)]).toEqual([1, [["tree_unreadable"]]]);
  });
});

test("inputs of passing tests must be in the tree", async () => {
  const rig = new RoomRig();
  const outside = rig.outside("wanted");
  fs.writeFileSync(outside, "5");
  const byOutside = BY_DATA.replace("data/wanted.local", outside);
  rig.commit({ "test/add.test.js": byOutside });
  const { code, report, stdout } = await rig.rounds([
    `printf %s -1 > '${outside}'; echo '// seen' >> src/add.js`,
  ]);
  expect([code, reasonsOf(report)]).toEqual([1, [["full_test_failed", "passes_without_work"]]]);
  expect(report.attempts[0]?.tests[1]?.control).toMatchObject({ exit_code: 0 });
  expect(stdout).toContain("so the work did not fix them");
  const honest = await new RoomRig().rounds([WORKS]);
  expect(honest.report.attempts[0]?.tests[1]?.control).toMatchObject({ exit_code: 1, tests: { failed: 1 } });
});

test("product code that rewrites tests while they run has failed them", async () => {
  const rig = new RoomRig({
    "test/z.test.js": 'require("node:test").test("z", () => require("./helper.js"));\n',
    "test/helper.js": "throw 1;\n",
  });
  const writes = 'require("node:fs").writeFileSync("test/helper.js", "");\n';
  const { code, report } = await rig.rounds(
    [`${WORKS}\n${put("src/more.js", writes)}\necho 'require("./more.js");' >> src/add.js`],
    {
      full: ["node --test test/add.test.js && node --test test/z.test.js"],
    },
  );
  expect([code, reasonsOf(report)]).toEqual([1, [["full_test_failed", "tests_rewritten"]]]);
  expect(report.attempts[0]?.tests[1]?.rewritten).toEqual({ count: 1, some: ["test/helper.js"] });
  expect(rig.feedback(report)).toContain("rewritten while the command ran: test/helper.js");
});

test("with the state directory in the work tree, our files do not count as tests", async () => {
  const rig = new RoomRig();
  rig.git("rm", "--quiet", "test/add.test.js");
  rig.commit({});
  const env = { AGENT_FOREMAN_HOME: rig.outside("project/.state") };
  const { code, stdout } = await rig.run(
    rig.superviseArgs({ agent: rig.agent(WORKS), fast: ["node --test"], full: ["node --test"], loops: 1 }),
    { env },
  );
  expect(code).toBe(1);
  expect(stdout).toContain("no_tests");
});
