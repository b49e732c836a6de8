import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { journalRecordSchema } from "../../src/core/events/journal-schema.ts";
import { superviseReportSchema } from "../../src/modes/supervise/schema-report.ts";
import { put, reasonsOf, RIGHT, RoomRig, testOf, WEAKENS, WORKS } from "./project.ts";

const NEW_TEST = put("test/more.test.js", testOf("adds one", "add(1, 1)", "2"));

describe("honest work", () => {
  test("is accepted with new tests, which run next to the existing ones", async () => {
    const rig = new RoomRig();
    const { code, report, runId, stdout } = await rig.rounds([`${WORKS}\n${NEW_TEST}`]);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.room).toEqual({
      kind: "overlay",
      ...{ weak: [], setup: null, allow: [], pass_env: [], prove_tests: false, accept_tree: false },
      ...{ test_changes: "judge", allow_no_change: false, protect: [], product: [] },
    });
    expect(report.base?.tests.map(({ command, tests }) => [command, tests?.passed, tests?.failed])).toEqual([
      ["true", undefined, undefined],
      ["node --test", 1, 1],
    ]);
    const [attempt] = report.attempts;
    expect(attempt?.candidate).toMatchObject({ confirmed: true, new_tests: { some: ["test/more.test.js"] } });
    expect(attempt?.candidate?.tree).not.toBe(report.base?.tree);
    const full = attempt?.tests[1];
    expect([full?.tests?.passed, full?.own?.tests?.passed, full?.own?.tests?.added]).toEqual([2, 3, 1]);
    expect(report.not_covered).toEqual(["special_casing"]);

    expect(superviseReportSchema.safeParse(report).error).toBeUndefined();
    for (const record of rig.records(runId))
      expect(journalRecordSchema.safeParse(record).error).toBeUndefined();

    const shown = await rig.run(["show", runId]);
    for (const text of [stdout, shown.stdout]) {
      expect(text).toMatch(/base [^\n]*node --test: 2 tests, 1 fails already/);
      expect(text).toContain("3 passed (1 new), 0 skipped");
    }
    // The foreman removed its own copy of the base.
    expect(shown.stdout).not.toContain("  ! ");
    expect(rig.survivors()).toEqual([]);
  });

  test("may put functions in the place of assertions in its own tests", async () => {
    const rig = new RoomRig();
    const replaces = put(
      "test/mocks.test.js",
      `const assert = require("node:assert");\nrequire("node:test").test("mocks", () => { assert.ok = () => {}; });\n`,
    );
    const { code, report } = await rig.rounds([`${WORKS}\n${replaces}`]);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.attempts[0]?.tests[1]?.own?.tests).toMatchObject({ added: 1, exited_by: [] });
  });

  test("may add tests to an existing file, which notice missing work", async () => {
    const rig = new RoomRig();
    const added = `cat >> test/add.test.js <<'END'\ntest("adds one", () => assert.strictEqual(add(1, 1), 2));\nEND`;
    const { code, report } = await rig.rounds([`${WORKS}\n${added}`]);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    const [attempt] = report.attempts;
    expect(attempt?.candidate?.protected_changes).toEqual([
      { path: "test/add.test.js", kind: "test", how: "extended", entries: [] },
    ]);
    const full = attempt?.tests[1];
    expect([full?.tests?.passed, full?.own?.tests?.passed]).toEqual([2, 3]);
    expect(full?.without).toMatchObject({ tests: { failed: 2 }, revived: { count: 0 } });
  });

  test("may change approved tests, and then the changed test decides", async () => {
    const rig = new RoomRig();
    const { code, report, stdout } = await rig.rounds([WEAKENS], {
      more: ["--allow-oracle-change", "test/**"],
    });
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.room?.allow).toEqual(["test/**"]);
    expect(report.attempts[0]?.candidate).toMatchObject({
      confirmed: true,
      protected_changes: [{ path: "test/add.test.js", how: "changed" }],
      allowed: ["test/add.test.js"],
    });
    expect(stdout).toContain("changed as allowed: test/add.test.js");
  });

  test("is checked with the result of --setup, a fresh HOME and only named variables", async () => {
    const rig = new RoomRig();
    const { code, report } = await rig.rounds(
      [`${WORKS}\necho 'script-shell=/bin/true' > "$HOME/.npmrc"; export LEFT_BEHIND=1`],
      {
        full: ["env | sort; ls -A \"$HOME\" | sed 's/^/in-home /'; cat built.txt"],
        more: ["--setup", "echo 'made by --setup' > built.txt", "--pass-env", "TOKEN"],
      },
      { env: { TOKEN: "t0ken-for-tests", OTHER: "not for tests", npm_config_script_shell: "/bin/false" } },
    );
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    const lines = fs.readFileSync(report.attempts[0]?.tests[1]?.output.path ?? "", "utf8").split("\n");
    const names = lines.map((line) => line.split("=")[0]);
    expect(names).toEqual(expect.arrayContaining(["HOME", "PATH", "TOKEN", "TMPDIR"]));
    expect(
      names.filter((name) =>
        /^(?:OTHER|npm_config_script_shell|LEFT_BEHIND|AGENT_FOREMAN_HOME|GA_)/.test(name ?? ""),
      ),
    ).toEqual([]);
    expect(lines).not.toContain(`HOME=${rig.home}`);
    expect(lines).not.toContain("in-home .npmrc");
    expect(lines).toContain("made by --setup");
    expect(rig.exists("built.txt")).toBe(false);
    expect(report.room).toMatchObject({ pass_env: ["TOKEN"] });
    expect(JSON.stringify(rig.records(rig.runIds()[0] ?? ""))).not.toContain("t0ken-for-tests");
  });

  test("pays nothing for a flaky test, which runs again on the same files and is named", async () => {
    const rig = new RoomRig();
    const count = rig.outside("count");
    const flaky = `const fs = require("node:fs");
require("node:test").test("fails the third time", () => {
  fs.appendFileSync("${count}", ".");
  if (fs.readFileSync("${count}", "utf8").length === 3) throw new Error("by chance");
});
`;
    rig.commit({ "test/flaky.test.js": flaky });
    const { code, report, stdout } = await rig.rounds([WORKS]);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    // Twice on the base, twice on the work, and once more on the base.
    expect(fs.readFileSync(count, "utf8")).toBe(".....");
    const full = report.attempts[0]?.tests[1];
    expect(full).toMatchObject({ passed: true, tests: { passed: 3, failed: 0 } });
    expect(full?.flaky).toEqual({ count: 1, some: ["test/flaky.test.js: fails the third time"] });
    expect(stdout).toMatch(/flaky +test\/flaky\.test\.js: fails the third time/);
  });

  test("must be noticed by its new tests, if configured", async () => {
    const rig = new RoomRig();
    const empty = put("test/more.test.js", testOf("is a function", "typeof add", '"function"'));
    const { code, report } = await rig.rounds([`${WORKS}\n${empty}`, NEW_TEST], { more: ["--prove-tests"] });
    expect([code, reasonsOf(report)]).toEqual([0, [["full_test_failed", "tests_prove_nothing"], []]]);
    const [first, second] = report.attempts.map(({ tests }) => tests[1]?.without);
    expect(first?.unproven).toEqual({ count: 1, some: ["test/more.test.js: is a function"] });
    expect(second).toMatchObject({ unproven: { count: 0 }, tests: { failed: 2 } });
    expect(rig.feedback(report)).toContain("| test/more.test.js: is a function");
  });
});

test("files that tests write disappear with the room", async () => {
  const rig = new RoomRig();
  const { code } = await rig.rounds([WORKS], { fast: ["echo left > left.txt; echo x >> src/add.js"] });
  expect(code).toBe(0);
  expect(rig.exists("left.txt")).toBe(false);
  expect(rig.read("src/add.js")).toBe(RIGHT);
});
