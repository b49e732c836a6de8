import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, reasonsOf, RIGHT, RoomRig, TEST_ADDS, WEAKENS, WORKS, WRONG } from "./project.ts";

describe("an edited test", () => {
  test("the original is restored in the room, the work is judged by it, and the agent gets instructions", async () => {
    const rig = new RoomRig();
    const { code, report, stdout } = await rig.rounds([
      `${WEAKENS}\ngit -c user.name=a -c user.email=a@localhost commit -qam 'my work'`,
      `${WORKS}\ngit checkout -q "$(git rev-parse HEAD~1)" -- test`,
    ]);
    expect([code, reasonsOf(report)]).toEqual([0, [["oracle_changed"], []]]);
    const [first, second] = report.attempts;
    expect(first?.candidate).toMatchObject({
      confirmed: false,
      protected_changes: [{ path: "test/add.test.js", kind: "test", how: "changed" }],
    });
    // Passes only with the agent's version of the test.
    expect(first?.tests[1]).toMatchObject({
      passed: true,
      tests: { passed: 2 },
      frozen: { exit_code: 1, tests: { passed: 1, failed: 1 } },
    });
    expect(second?.candidate).toMatchObject({ confirmed: true, protected_changes: [] });
    expect(stdout).toContain("test/add.test.js (changed)");
    const feedback = rig.feedback(report);
    expect(feedback).toContain("| test/add.test.js (changed)");
    expect(feedback).toContain(`git checkout ${report.base?.commit?.slice(0, 12)} -- <path>`);
    expect(feedback).toContain("You may edit tests as long as the original tests still pass on your code");
    expect(feedback).toContain("With the original tests it failed: exit code 1");
  });

  test("does not make wrong work right, with a Chinese message for Chinese users", async () => {
    const rig = new RoomRig();
    const { code, report, stdout } = await rig.rounds([WEAKENS], { more: ["--lang", "zh"] });
    expect(code).toBe(1);
    expect(reasonsOf(report)).toEqual([["oracle_changed"]]);
    expect(stdout).toContain("基线");
    expect(stdout).toContain("1 个原本就失败");
    expect(rig.feedback(report)).toContain("| test/add.test.js (已改动)");
    const shown = await rig.run(["show", rig.runIds()[0] ?? "", "--lang", "zh"]);
    expect(shown.stdout).toContain("agent 修改了受保护的文件：test/add.test.js (已改动)");
  });
});

describe("an exit code of 0 is not enough", () => {
  const product = (add: string, cases: string, ready: boolean): string =>
    `exports.add = (a, b) => ${add};\nexports.cases = ${cases};\nexports.ready = ${ready};\n`;
  const CASES = "[[2, 3, 5], [7, 0, 7]]";
  const ASKING = `const assert = require("node:assert");
const { test } = require("node:test");
const { add, cases, ready } = require("../src/add.js");
for (const [a, b, sum] of cases) test(\`\${a} and \${b}\`, () => assert.strictEqual(add(a, b), sum));
test("when ready", { skip: !ready }, () => assert.strictEqual(add(0, 0), 0));
`;

  test("if tests are gone, skipped or ended by the product; earlier failures are marked", async () => {
    const rig = new RoomRig({ "src/add.js": product("a - b", CASES, true), "test/add.test.js": ASKING });
    const rounds = [
      "process.exit(0);\n",
      product("a + b", CASES, false),
      product("a + b", "[]", true),
      product("a + b", "[]", false),
      product("a * b", CASES, true),
      product("a + b", CASES, true),
    ];
    const { code, report } = await rig.rounds(rounds.map((text) => put("src/add.js", text)));
    expect([code, reasonsOf(report)]).toEqual([
      0,
      [
        ["full_test_failed", "exited_by_product", "tests_vanished"],
        ["full_test_failed", "tests_skipped"],
        ["full_test_failed", "tests_vanished"],
        ["full_test_failed", "no_tests", "tests_vanished", "tests_skipped"],
        ["full_test_failed"],
        [],
      ],
    ]);
    const told = report.attempts.map(({ tests }) => tests[1]);
    expect(told.map((check) => check?.exit_code)).toEqual([0, 0, 0, 0, 1, 0]);
    expect(told[0]?.tests?.exited_by).toEqual(["src/add.js"]);
    expect(told[1]?.tests?.skipped_now.some).toEqual(["test/add.test.js: when ready"]);
    expect(told[2]?.tests?.vanished.some).toEqual(["test/add.test.js: 2 and 3", "test/add.test.js: 7 and 0"]);
    expect(told[4]?.tests).toMatchObject({
      regressed: { count: 1, some: ["test/add.test.js: 7 and 0"] },
      already_failing: { count: 1, some: ["test/add.test.js: 2 and 3"] },
    });
    const feedback = rig.feedback(report, 5);
    expect(feedback).toMatch(/now failing \(passed before\): 1\n\n\| test\/add\.test\.js: 7 and 0/);
    expect(feedback).toMatch(/still failing \(failed before[^\n]*: 1\n\n\| test\/add\.test\.js: 2 and 3/);
    expect(rig.feedback(report, 1)).toContain("src/add.js");
  });
});

describe("changes hidden from git", () => {
  test("have no effect: ignored files of the agent are not in the room", async () => {
    const rig = new RoomRig();
    rig.commit({
      "test/add.test.js": TEST_ADDS.replace(
        'require("../src/add.js")',
        'require(require("node:fs").existsSync("dist/add.js") ? "../dist/add.js" : "../src/add.js")',
      ),
    });
    rig.write("dist/old.js", WRONG);
    const { code, report } = await rig.rounds([put("dist/add.js", RIGHT), WORKS]);
    expect([code, reasonsOf(report)]).toEqual([0, [["full_test_failed"], []]]);
    expect(report.attempts[0]?.candidate?.hidden).toEqual({ count: 1, some: ["dist/add.js"] });
    expect(rig.feedback(report)).toContain("that you made or changed: dist/add.js");
    expect(rig.exists("dist/add.js")).toBe(true);
  });

  test("nor has a runner that replaces the one in node_modules", async () => {
    const rig = new RoomRig({ "package.json": '{ "private": true, "scripts": { "test": "check" } }\n' });
    const bin = rig.write("node_modules/.bin/check", "#!/bin/sh\nexec node --test\n");
    fs.chmodSync(bin, 0o755);
    const { code, report } = await rig.rounds(["printf '#!/bin/sh\\n' > node_modules/.bin/check"], {
      full: ["npm test"],
    });
    expect(code).toBe(1);
    expect(report.base?.tests[1]?.tests).toMatchObject({ passed: 1, failed: 1 });
    const [attempt] = report.attempts;
    expect(attempt?.candidate?.hidden.some).toEqual(["node_modules/.bin/check"]);
    expect(attempt?.reasons).toContain("full_test_failed");
    expect(attempt?.tests[1]?.exit_code).toBe(127);
  });

  test("but a resumed run with another PATH blames no agent for it", async () => {
    const rig = new RoomRig();
    const bin = rig.outside("bin");
    fs.mkdirSync(bin);
    fs.writeFileSync(join(bin, "tool"), "#!/bin/sh\n", { mode: 0o755 });
    const env = rig.withAgents({ CLAUDE_DOES: "quota work" });
    const { code, runId } = await rig.supervise(
      { agents: "claude", full: ["true"], loops: 1, more: ["--max-wait", "0"] },
      { env: { ...env, PATH: `${bin}:${env["PATH"]}` } },
    );
    expect(code).toBe(4);
    const resumed = await rig.run(["resume", runId, "--now"], { env });
    const { attempts } = rig.report(runId);
    expect(attempts[0]?.candidate?.programs).toEqual([]);
    expect(attempts[0]?.reasons).toEqual([]);
    expect(resumed.code).toBe(0);
  });

  test("nor has a changed program on the PATH", async () => {
    const rig = new RoomRig();
    const bin = rig.outside("bin");
    fs.mkdirSync(bin);
    fs.writeFileSync(join(bin, "check"), "#!/bin/sh\nexec node --test\n", { mode: 0o755 });
    const { code, report, stdout } = await rig.rounds(
      [`printf '#!/bin/sh\\n' > '${bin}/check'`],
      { full: ["check"] },
      { env: { PATH: `${bin}:${rig.env()["PATH"]}` } },
    );
    expect(code).toBe(1);
    expect(report.attempts[0]?.candidate?.programs).toEqual([join(bin, "check")]);
    expect(report.attempts[0]?.reasons).toContain("programs_changed");
    expect(stdout).toContain("programs or settings outside the work tree were changed");
    expect(rig.feedback(report)).toContain(join(bin, "check"));
  });
});
