import { describe, expect, test } from "vitest";
import { exits, seen, reportedTest, Trial } from "./trying.ts";

const A = "test/a.test.js";
const PRINT = "console.log(JSON.stringify(process.argv.slice(2)));";

describe("vitest", () => {
  test("reports all tests and prints its normal output", () => {
    const trial = new Trial({
      "package.json": `{ "type": "module" }`,
      [A]: `import { describe, expect, test } from "vitest";
        describe("outer", () => {
          test("inner", () => {});
          describe("deep", () => { test("er", () => {}); });
          test.skip("left out", () => {});
          test.todo("to be done");
        });
        test("wrong", () => { expect(1).toBe(2); });`,
      "test/b.test.js": `import "./none.js";`,
    }).withVitest();
    // In the order of vitest's cached timings, if there are any.
    const command = "rm -rf node_modules/.vite && node_modules/.bin/vitest run --no-file-parallelism";
    const ran = trial.probed(command);
    expect(ran.reported).toEqual([
      { begin: "vitest" },
      reportedTest(A, "outer > inner", "passed"),
      reportedTest(A, "outer > deep > er", "passed"),
      reportedTest(A, "outer > left out", "skipped"),
      reportedTest(A, "outer > to be done", "skipped"),
      reportedTest(A, "wrong", "failed"),
      reportedTest("test/b.test.js", "test/b.test.js", "failed"),
      { end: "vitest" },
    ]);
    expect(seen(ran)).toEqual(seen(trial.bare(command)));
  });

  test("reports tests next to the command's own reporter, and the file that ended a worker", () => {
    const trial = new Trial({
      "package.json": `{ "type": "module" }`,
      "src/product.js": "export const act = () => process.reallyExit(0);",
      [A]: `import { test } from "vitest"; import { act } from "../src/product.js"; test("wrong", act);`,
      "test/b.test.js": `import { test } from "vitest"; test("right", () => {});`,
    }).withVitest();
    const ran = trial.probed("node_modules/.bin/vitest run --reporter=dot");
    expect(ran.reported).toContainEqual(reportedTest("test/b.test.js", "right", "passed"));
    expect(exits(ran)).toEqual([{ exit: { file: `${trial.root}/src/product.js` } }]);
  });

  const OURS = expect.stringMatching(/^--reporter=.*vitest-reporter\.mjs$/);
  const VERBOSE = `export default { test: { coverage: { reporter: ["text"] }, reporters: ["verbose", 'dot'] } };`;
  test.each([
    ["no configuration", {}, "run", ["--reporter=default", OURS, "run"]],
    [
      "names in it",
      { "vitest.config.ts": VERBOSE },
      "run",
      ["--reporter=verbose", "--reporter=dot", OURS, "run"],
    ],
    [
      "one name",
      { "vite.config.mjs": `export default { test: { reporters: "tap" } };` },
      "",
      ["--reporter=tap", OURS],
    ],
    [
      "a comment",
      { "vite.config.js": "// reporters: []\nexport default {}" },
      "",
      ["--reporter=default", OURS],
    ],
    [
      "more than names",
      { "vitest.config.ts": `const x = { reporters: [["junit", { outputFile: "x" }]] };` },
      "run",
      ["run"],
    ],
    [
      "more than one list",
      { "vitest.config.ts": `const x = { reporters: ["tap"] }, y = { reporters: ["dot"] };` },
      "run",
      ["run"],
    ],
    [
      "a choice",
      { "vitest.config.ts": `const x = { reporters: process.env.CI ? ["tap"] : [] };` },
      "run",
      ["run"],
    ],
    [
      "another file",
      { "x.ts": VERBOSE },
      "-c x.ts",
      ["--reporter=verbose", "--reporter=dot", OURS, "-c", "x.ts"],
    ],
    ["its own", { "vitest.config.ts": VERBOSE }, "--reporter tap", [OURS, "--reporter", "tap"]],
    ["another command", {}, "list", ["list"]],
    ["what is not vitest's", {}, "run -- --version", ["--reporter=default", OURS, "run", "--", "--version"]],
  ])("keeps its own reporters: %s", (_what, files, args, expected) => {
    const trial = new Trial({ ...files, "node_modules/vitest/vitest.mjs": PRINT });
    expect(JSON.parse(trial.probed(`node node_modules/vitest/vitest.mjs ${args}`).stdout)).toEqual(expected);
  });

  test("is left alone where it cannot read a reporter from the probes' directory", () => {
    const trial = new Trial({ "node_modules/vitest/vitest.mjs": PRINT }, "a#b");
    expect(JSON.parse(trial.probed("node node_modules/vitest/vitest.mjs run").stdout)).toEqual(["run"]);
  });
});

describe("jest", () => {
  const OURS = expect.stringMatching(/^--testResultsProcessor=.*jest-results\.cjs$/);
  const MAIN = "node_modules/jest/bin/jest.js";

  test.each([
    ["as usual", {}, "-i", [OURS, "-i"], [{ begin: "jest" }]],
    ["to list tests", {}, "--listTests", ["--listTests"], []],
    ["to whom results are handed already", { "jest.config.js": "testResultsProcessor: 1" }, "", [], []],
    [
      "in its own file",
      { "x.json": `{"testResultsProcessor":1}` },
      "--config=x.json",
      ["--config=x.json"],
      [],
    ],
  ])("is asked for its results: %s", (_what, files, args, expected, lines) => {
    const ran = new Trial({ ...files, [MAIN]: PRINT }).probed(`node ${MAIN} ${args}`);
    expect(JSON.parse(ran.stdout)).toEqual(expected);
    expect(ran.reported).toEqual(lines);
  });

  // The format of jest 30.5, without unused parts.
  const RESULTS = {
    numTotalTests: 4,
    wasInterrupted: false,
    testResults: [
      {
        testFilePath: "ROOT/test/a.test.js",
        testExecError: undefined,
        testResults: [
          { ancestorTitles: ["outer", "deep"], title: "n 1", fullName: "outer deep n 1", status: "passed" },
          { ancestorTitles: ["outer"], title: "sk", fullName: "outer sk", status: "pending" },
          { ancestorTitles: ["outer"], title: "td", fullName: "outer td", status: "todo" },
          { ancestorTitles: [], title: "fails", fullName: "fails", status: "failed" },
        ],
      },
      {
        testFilePath: "ROOT/test/c.test.js",
        testExecError: { code: "MODULE_NOT_FOUND", message: "", stack: "", type: "Error" },
        testResults: [],
      },
    ],
  };
  const RUN = (results: unknown) => `
    const results = JSON.parse(${JSON.stringify(JSON.stringify(results))}.replaceAll("ROOT", process.cwd()));
    const flag = process.argv.slice(2).find((arg) => arg.startsWith("--testResultsProcessor="));
    if (require(flag.slice(flag.indexOf("=") + 1))(results) !== results) process.exitCode = 1;`;

  test("reports its results, and gets them back", () => {
    const ran = new Trial({ [MAIN]: RUN(RESULTS) }).probed(`node ${MAIN}`);
    expect(ran.code).toBe(0);
    expect(ran.reported).toEqual([
      { begin: "jest" },
      reportedTest(A, "outer > deep > n 1", "passed"),
      reportedTest(A, "outer > sk", "skipped"),
      reportedTest(A, "outer > td", "skipped"),
      reportedTest(A, "fails", "failed"),
      reportedTest("test/c.test.js", "test/c.test.js", "failed"),
      { end: "jest" },
    ]);
  });

  test("has no end where it was interrupted", () => {
    const ran = new Trial({ [MAIN]: RUN({ wasInterrupted: true, testResults: [] }) }).probed(`node ${MAIN}`);
    expect(ran.reported).toEqual([{ begin: "jest" }]);
  });

  test("does not hide the file that ended it", () => {
    const trial = new Trial({
      [MAIN]: `const exit = process.exit; process.exit = require("jest-runner").wrap(exit); require(process.cwd() + "/test/a.test.js");`,
      "node_modules/jest-runner/index.js": "exports.wrap = (exit) => (...args) => exit(...args);",
      "src/product.js": "exports.act = () => process.exit(0);",
      [A]: `require("../src/product.js").act();`,
    });
    const ran = trial.probed(`node ${MAIN}`);
    expect(exits(ran)).toEqual([{ exit: { file: `${trial.root}/src/product.js` } }]);
  });
});
