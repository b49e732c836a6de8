import { describe, expect, test } from "vitest";
import { seen, reportedTest, Trial } from "./trying.ts";

const SUITES = `
import { describe, it, test } from "node:test";
import assert from "node:assert";
describe("outer", () => {
  it("inner", () => {});
  describe("deep", () => { it("er", () => {}); });
  it.skip("left out", () => {});
  it.todo("to be done");
});
test("parent", async (t) => { await t.test("child", () => {}); });
test("wrong", () => assert.equal(1, 2));
describe("group", () => { it("wrong", () => assert.equal(1, 2)); });
test("wrong and to be done", { todo: true }, () => assert.equal(1, 2));
describe.skip("left out as a whole", () => { it("x", () => {}); });
describe("not set up", () => { it("y", () => {}); throw new Error("no"); });
`;
const A = "test/a.test.mjs";
const RESULTS = [
  reportedTest(A, "outer > inner", "passed"),
  reportedTest(A, "outer > deep > er", "passed"),
  reportedTest(A, "outer > left out", "skipped"),
  reportedTest(A, "outer > to be done", "skipped"),
  reportedTest(A, "parent > child", "passed"),
  reportedTest(A, "parent", "passed"),
  reportedTest(A, "wrong", "failed"),
  reportedTest(A, "group > wrong", "failed"),
  reportedTest(A, "wrong and to be done", "skipped"),
  reportedTest(A, "left out as a whole", "skipped"),
];
const BEGIN = { begin: "node:test" };
const END = { end: "node:test" };

describe("node:test", () => {
  test.each([
    ["the runner", "node --test test/a.test.mjs"],
    ["a script", "node test/a.test.mjs"],
    ["a runner that names its reporter", "node --test --test-reporter=dot test/a.test.mjs"],
    [
      "reporters and where they write",
      "node --test --test-reporter=tap --test-reporter-destination=stderr test/a.test.mjs",
    ],
    ["a runner of the person's own", "node run.mjs"],
  ])("reports all tests and prints its normal output: %s", (_what, command) => {
    const trial = new Trial({
      [A]: SUITES.replace(/.*not set up.*\n/, ""),
      "run.mjs": `import { run } from "node:test";
        import { tap } from "node:test/reporters";
        run({ files: [process.cwd() + "/${A}"] }).compose(tap).pipe(process.stdout);`,
    });
    const ran = trial.probed(command);
    expect(ran.reported).toEqual([BEGIN, ...RESULTS, END]);
    expect(seen(ran)).toEqual(seen(trial.bare(command)));
  });

  test("reports a group that fails without its tests", () => {
    const { reported: lines } = new Trial({ [A]: SUITES }).probed("node --test test/a.test.mjs");
    expect(lines).toContainEqual(reportedTest(A, "not set up", "failed"));
  });

  test("reports files without tests next to the suites, so that they do not count as tests", () => {
    const trial = new Trial({
      "test/leave.cjs": "exports.leave = () => setImmediate(process.exit);",
      "test/plain.test.cjs": "require('node:assert').ok(true);",
      "test/left.test.cjs": `require("node:test").test("never", () => new Promise(require("./leave.cjs").leave));`,
    });
    const { reported: lines } = trial.probed("node --test test/left.test.cjs test/plain.test.cjs");
    expect(lines).toEqual([
      BEGIN,
      reportedTest("", "test/left.test.cjs", "passed"),
      reportedTest("", "test/plain.test.cjs", "passed"),
      END,
    ]);
  });

  test("has no end where the process ends under it", () => {
    const trial = new Trial({
      "test/leave.cjs": "exports.leave = () => setImmediate(process.exit);",
      "test/left.cjs": `const { test } = require("node:test");
        test("first", () => {});
        test("second", () => new Promise(require("./leave.cjs").leave));`,
    });
    const ran = trial.probed("node test/left.cjs");
    expect(ran.code).toBe(0);
    expect(ran.reported).toEqual([BEGIN, reportedTest("test/left.cjs", "first", "passed")]);
  });

  test("is reported by the outermost runner alone", () => {
    const trial = new Trial({
      "test/fixtures/wrong.mjs": `import { test } from "node:test"; test("wrong", () => { throw 1; });`,
      "test/tool.test.mjs": `import { test } from "node:test";
        import { spawnSync } from "node:child_process";
        test("sees a failure", () => {
          const { NODE_TEST_CONTEXT, ...env } = process.env;
          const { status } = spawnSync("node", ["test/fixtures/wrong.mjs"], { env });
          if (status !== 1) throw new Error(status);
        });`,
    });
    const { reported: lines } = trial.probed("node --test test/tool.test.mjs");
    expect(lines).toEqual([BEGIN, reportedTest("test/tool.test.mjs", "sees a failure", "passed"), END]);
  });

  test("omits tests that a name pattern omits from the stream, or reports them as skipped", () => {
    const trial = new Trial({
      [A]: `import { test } from "node:test"; test("one", () => {}); test("two", () => {});`,
    });
    const { reported: lines } = trial.probed("node --test-name-pattern=one test/a.test.mjs");
    expect(lines.filter((line) => JSON.stringify(line).includes('"passed"'))).toEqual([
      reportedTest(A, "one", "passed"),
    ]);
  });
});

describe("the probe", () => {
  const ODD: readonly { what: string; command: string; env?: Readonly<Record<string, string>> }[] = [
    { what: "no test", command: "node -e 'console.log(1)'" },
    { what: "frozen intrinsics", command: "node --frozen-intrinsics test/a.test.mjs" },
    { what: "a thread", command: `node -e 'new (require("worker_threads").Worker)("./thread.mjs")'` },
    {
      what: "a directory that is gone",
      command: `mkdir gone && cd gone && rmdir ../gone && node -e 'console.log(2)'`,
    },
    {
      what: "no directory for results",
      command: "node test/a.test.mjs",
      env: { AGENT_FOREMAN_TESTS: "/dev/null/none" },
    },
    { what: "no root", command: "node test/a.test.mjs", env: { AGENT_FOREMAN_ROOT: "" } },
    { what: "npm", command: "npm --version" },
    {
      what: "streams of others",
      command: `node -e 'process.stdin.on("end", () => console.log("end")).resume()' < /dev/null`,
    },
  ];
  test.each(ODD)("changes nothing: $what", ({ command, env = {} }) => {
    const trial = new Trial({
      "test/a.test.mjs": `import { test } from "node:test"; test("one", () => {});`,
      "thread.mjs": `import { test } from "node:test"; test("in a thread", () => {});`,
    });
    expect(steadyWarnings(seen(trial.probed(command, env)))).toEqual(
      steadyWarnings(seen(trial.bare(command))),
    );
  });

  test("reports nothing about threads", () => {
    const trial = new Trial({ "thread.mjs": `import { test } from "node:test"; test("a", () => {});` });
    const ran = trial.probed(`node -e 'new (require("worker_threads").Worker)("./thread.mjs")'`);
    expect(ran.stdout).toContain("a");
    expect(ran.reported).toEqual([]);
  });

  /** The warnings contain the process id. */
  function steadyWarnings(ran: unknown): unknown {
    return JSON.parse(JSON.stringify(ran).replaceAll(/\(node:\d+\)/g, "(node)"));
  }
});
