import { describe, expect, test } from "vitest";
import { seen, told, Trial } from "./trying.ts";

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
  told(A, "outer > inner", "passed"),
  told(A, "outer > deep > er", "passed"),
  told(A, "outer > left out", "skipped"),
  told(A, "outer > to be done", "skipped"),
  told(A, "parent > child", "passed"),
  told(A, "parent", "passed"),
  told(A, "wrong", "failed"),
  told(A, "group > wrong", "failed"),
  told(A, "wrong and to be done", "skipped"),
  told(A, "left out as a whole", "skipped"),
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
  ])("tells all tests and prints what it printed: %s", (_what, command) => {
    const trial = new Trial({
      [A]: SUITES.replace(/.*not set up.*\n/, ""),
      "run.mjs": `import { run } from "node:test";
        import { tap } from "node:test/reporters";
        run({ files: [process.cwd() + "/${A}"] }).compose(tap).pipe(process.stdout);`,
    });
    const ran = trial.probed(command);
    expect(ran.told).toEqual([BEGIN, ...RESULTS, END]);
    expect(seen(ran)).toEqual(seen(trial.bare(command)));
  });

  test("tells a group that fails without its tests", () => {
    const { told: lines } = new Trial({ [A]: SUITES }).probed("node --test test/a.test.mjs");
    expect(lines).toContainEqual(told(A, "not set up", "failed"));
  });

  test("tells files without tests beside the suites, so that they count for none of their tests", () => {
    const trial = new Trial({
      "test/leave.cjs": "exports.leave = () => setImmediate(process.exit);",
      "test/plain.test.cjs": "require('node:assert').ok(true);",
      "test/left.test.cjs": `require("node:test").test("never", () => new Promise(require("./leave.cjs").leave));`,
    });
    const { told: lines } = trial.probed("node --test test/left.test.cjs test/plain.test.cjs");
    expect(lines).toEqual([
      BEGIN,
      told("", "test/left.test.cjs", "passed"),
      told("", "test/plain.test.cjs", "passed"),
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
    expect(ran.told).toEqual([BEGIN, told("test/left.cjs", "first", "passed")]);
  });

  test("is told by the outermost runner alone", () => {
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
    const { told: lines } = trial.probed("node --test test/tool.test.mjs");
    expect(lines).toEqual([BEGIN, told("test/tool.test.mjs", "sees a failure", "passed"), END]);
  });

  test("leaves out what a name pattern leaves out of the stream, or tells it as left out", () => {
    const trial = new Trial({
      [A]: `import { test } from "node:test"; test("one", () => {}); test("two", () => {});`,
    });
    const { told: lines } = trial.probed("node --test-name-pattern=one test/a.test.mjs");
    expect(lines.filter((line) => JSON.stringify(line).includes('"passed"'))).toEqual([
      told(A, "one", "passed"),
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

  test("tells nothing of threads", () => {
    const trial = new Trial({ "thread.mjs": `import { test } from "node:test"; test("a", () => {});` });
    const ran = trial.probed(`node -e 'new (require("worker_threads").Worker)("./thread.mjs")'`);
    expect(ran.stdout).toContain("a");
    expect(ran.told).toEqual([]);
  });

  /** The process's number is in them. */
  function steadyWarnings(ran: unknown): unknown {
    return JSON.parse(JSON.stringify(ran).replaceAll(/\(node:\d+\)/g, "(node)"));
  }
});
