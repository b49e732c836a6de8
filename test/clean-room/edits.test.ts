import { describe, expect, test } from "vitest";
import { put, reasonsOf, RIGHT, RoomRig, TEST_ADDS, WEAKENS, WORKS } from "./project.ts";

const GREEN = { "src/add.js": RIGHT };
const COMMENT = "echo '// tidied' >> src/add.js";
const script = (command: string): string => `${JSON.stringify({ scripts: { test: command } })}\n`;

describe("edited tests are accepted where the original tests pass and none is lost", () => {
  const honest: readonly [what: string, edit: string][] = [
    ["a test file is tidied", "sed -i 's/^const { test }/let { test }/' test/add.test.js"],
    ["a title is renamed", "sed -i 's/adds nothing/adds zero/' test/add.test.js"],
    ["a test file is renamed", "git mv test/add.test.js test/sum.test.js"],
    [
      "a test file is split",
      `${put("test/zero.test.js", TEST_ADDS.replace(/test\("adds",.*\n/, ""))}\nsed -i '/adds nothing/d' test/add.test.js`,
    ],
    [
      "a test file is renamed, formatted, and has a test renamed",
      `git mv test/add.test.js test/sum.test.js; sed -i "s/.adds nothing./'adds zero'/; s/^test/  test/" test/sum.test.js`,
    ],
    ["an assertion is added to a test", "sed -i 's/add(7, 0), 7)/add(7, 0), 7) || 1/' test/add.test.js"],
    ["the whole file is reformatted", "sed -i 's/^/  /' test/add.test.js"],
  ];
  const LISTED = /edited +protected files edited; the original tests pass, too: test\/add\.test\.js/;
  const outcome = async (rig: RoomRig, round: string): Promise<object> => {
    const { code, report, stdout } = await rig.rounds([round]);
    const paths = report.attempts[0]?.candidate?.protected_changes.map(({ path }) => path);
    return { code, reasons: reasonsOf(report), paths, isListed: LISTED.test(stdout) };
  };
  const ACCEPTED = { code: 0, reasons: [[]], paths: ["test/add.test.js"], isListed: true };

  test.each(honest)("%s", async (_, edit) => {
    expect(await outcome(new RoomRig(), `${WORKS}\n${edit}`)).toEqual(ACCEPTED);
  });

  test("a test file is tidied where all tests passed before", async () => {
    const round = `${COMMENT}\nsed -i 's/^const { test }/let { test }/' test/add.test.js`;
    expect(await outcome(new RoomRig(GREEN), round)).toEqual(ACCEPTED);
  });

  test("configuration, scripts and CI files decide nothing if the checks pass with the originals", async () => {
    const rig = new RoomRig({
      "package.json": script("node --test"),
      ".github/workflows/ci.yml": "on: push\n",
    });
    const edit = [
      put("package.json", script("node --test --test-concurrency=1")),
      put(".github/workflows/ci.yml", "on: [push]\n"),
    ].join("\n");
    const { code, report } = await rig.rounds([`${WORKS}\n${edit}`], { full: ["npm test"] });
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
  });
});

describe("edited tests are held where the original tests fail on the new code, or tests disappeared", () => {
  const DELETES = `${COMMENT}\nsed -i '/adds nothing/d' test/add.test.js`;
  const EASY = 'require("node:test").test("easy", () => {});\n';
  const REPLACES = `${DELETES}\ncat >> test/add.test.js <<'END'\n${EASY}END`;
  const REPLACES_FILE = `${COMMENT}\ngit rm -q test/add.test.js\n${put("test/easy.test.js", EASY.repeat(2))}`;
  const NEW_RULE = `${put("src/add.js", "exports.add = (a, b) => (b === 0 ? a : -1);\n")}\n${WEAKENS}`;
  const REVIVES = `${WORKS}\n${WEAKENS.replace("-1", "add(2, 3)")}`;
  const SKIPS = `${COMMENT}\nsed -i 's/test("adds nothing"/test.skip("adds nothing"/' test/add.test.js`;

  const NPM = { "package.json": script("node --test && sh lint.sh"), "lint.sh": "! grep -rn TODO src\n" };

  test.each([
    [
      "a check beside the tests is switched off",
      `echo '// TODO' >> src/add.js\n${put("lint.sh", "exit 0\n")}`,
    ],
    ["no test runs any more", `${COMMENT}\n${put("package.json", script("exit 0"))}`],
  ])("%s", async (_, round) => {
    const rig = new RoomRig({ ...GREEN, ...NPM });
    const { code, reasons } = await rig.untilAsked([round], { full: ["npm test"] });
    expect([code, reasons]).toEqual([3, [["oracle_changed"]]]);
  });

  test("a fixture that an original test names is added: a person is asked", async () => {
    const named = `require("node:test").test("reads", () => require("../src/read.js")("test/data/sample.csv"));\n`;
    const rig = new RoomRig({ ...GREEN, "test/read.test.js": named, "test/data/other.csv": "1\n" });
    const reads = put("src/read.js", 'module.exports = (path) => require("node:fs").readFileSync(path);\n');
    const { code, reasons, stdout } = await rig.untilAsked([
      `${reads}\n${put("test/data/sample.csv", "1\n")}`,
    ]);
    expect([code, reasons]).toEqual([3, [["oracle_changed"]]]);
    expect(stdout).toContain("test/data/sample.csv (new");
  });

  const held: readonly [what: string, files: object, round: string, shown: RegExp][] = [
    ["a test is deleted", GREEN, DELETES, /no longer runs +test\/add\.test\.js: adds nothing/],
    [
      "a test is replaced by an easy one",
      GREEN,
      REPLACES,
      /no longer runs +test\/add\.test\.js: adds nothing/,
    ],
    [
      "a test file is replaced by an easy one",
      GREEN,
      REPLACES_FILE,
      /no longer runs +test\/add\.test\.js: adds/,
    ],
    ["a test is skipped", GREEN, SKIPS, /no longer runs +test\/add\.test\.js: adds nothing/],
    [
      "an expectation changes",
      GREEN,
      NEW_RULE,
      /with the original tests: exit 1[\s\S]*now failing \(passed before\) +test\/add\.test\.js: adds/,
    ],
    [
      "a failing test passes without the work",
      {},
      REVIVES,
      /passes without the work +test\/add\.test\.js: adds/,
    ],
  ];
  test.each(held)("%s: feedback first, then a question that stays open", async (_, files, round, shown) => {
    const rig = new RoomRig(files as Record<string, string>);
    const { code, reasons, runId, stdout } = await rig.untilAsked([round]);
    expect([code, reasons]).toEqual([3, [["oracle_changed"]]]);
    expect(stdout).toMatch(shown);
    const asked = await rig.run(["decide", runId]);
    expect(asked.stdout).toMatch(
      /HELD for you: the agent modified protected files[\s\S]*the agent says: [\s\S]*\| --- test\/add\.test\.js/,
    );
    const decided = await rig.run(["decide", runId, "allow"]);
    expect(decided.code).toBe(0);
    expect(rig.feedback(rig.report(runId))).toContain("keep the change and say why");
    expect(rig.report(runId)).toMatchObject({
      final_status: "passed",
      protected_decisions: [{ decision: "allow" }],
    });
  });

  test("an agent that puts the test back is accepted", async () => {
    const { code, report } = await new RoomRig(GREEN).rounds([DELETES, "git checkout -q test"]);
    expect([code, reasonsOf(report)]).toEqual([0, [["oracle_changed"], []]]);
  });

  test("a failure with the agent's tests, too, is plainly red", async () => {
    const { code, report } = await new RoomRig().rounds([
      "sed -i 's/adds nothing/adds zero/' test/add.test.js",
    ]);
    expect([code, reasonsOf(report)]).toEqual([1, [["full_test_failed", "own_tests_failed"]]]);
  });
});

describe("--test-changes hold", () => {
  const TIDIES = `${COMMENT}\nsed -i 's/adds nothing/adds zero/' test/add.test.js`;

  test("holds every edited line, by flag or configuration", async () => {
    const flag = await new RoomRig(GREEN).untilAsked([TIDIES], { more: ["--test-changes", "hold"] });
    expect([flag.code, flag.reasons]).toEqual([3, [["oracle_changed"]]]);
    const rig = new RoomRig({ ...GREEN, "agent-foreman.yaml": "tests: { changes: hold }\n" });
    const configured = await rig.rounds([TIDIES]);
    expect([configured.code, reasonsOf(configured.report)]).toEqual([1, [["oracle_changed"]]]);
  });

  test("takes no other word", async () => {
    const rig = new RoomRig(GREEN);
    const { code, stderr } = await rig.run(rig.superviseArgs({ more: ["--test-changes", "ignore"] }));
    expect([code, stderr]).toEqual([2, expect.stringContaining("judge, hold")]);
  });
});

describe("a command that reports no tests by name", () => {
  const RUNNER = 'const { add } = require("../src/add.js");\nif (add(2, 3) !== 5) process.exitCode = 1;\n';
  const PLAIN = { "test/add.js": RUNNER, "test/add.test.js": "" };
  const check = { full: ["node test/add.js"] };

  test("goes by exit codes: the originals decide, and the acceptance says so", async () => {
    const { code, report, stdout } = await new RoomRig(PLAIN).rounds(
      [`${WORKS}\nsed -i 's/ !== / != /' test/add.js`],
      check,
    );
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.room?.weak).toEqual(["tests_not_seen"]);
    expect(report.not_covered).toContain("tests_not_seen");
    expect(stdout).toMatch(/weaker +no test command reported its tests by name/);
  });

  test("is held if the agent's version passes on the original product", async () => {
    const { code, report } = await new RoomRig(PLAIN).rounds([`${WORKS}\n: > test/add.js`], check);
    expect([code, reasonsOf(report)]).toEqual([1, [["oracle_changed"]]]);
  });
});
