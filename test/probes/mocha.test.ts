import { describe, expect, test } from "vitest";
import { MOCHA } from "./mocha-stand-in.ts";
import { exits, seen, reportedTest, Trial } from "./trying.ts";

const A = "test/a.test.js";
const B = "test/b.test.js";
const BEGIN = { begin: "mocha" };
const END = { end: "mocha" };
const RUN = "node node_modules/mocha/bin/mocha.js";

const FILES = {
  [A]: `let tries = 0;
    describe("outer", () => {
      it("inner", () => {});
      it("to be done");
      describe("deep", () => { it("er", async () => {}); });
    });
    it("wrong", () => false);
    it("at the second try", () => tries++ > 0).retries = 1;
    it("never", () => false).retries = 2;`,
  [B]: `describe("b", () => { it("one", () => {}); });`,
};
const RESULTS = [
  reportedTest(A, "wrong", "failed"),
  reportedTest(A, "at the second try", "passed"),
  reportedTest(A, "never", "failed"),
  reportedTest(A, "outer > inner", "passed"),
  reportedTest(A, "outer > to be done", "skipped"),
  reportedTest(A, "outer > deep > er", "passed"),
  reportedTest(B, "b > one", "passed"),
];

function of(files: Readonly<Record<string, string>>): Trial {
  return new Trial({ ...MOCHA, "src/product.js": "exports.leave = () => process.exit(0);", ...files });
}

describe("mocha", () => {
  test.each(["", "--parallel", "--exit", "--delay"])(
    "reports all tests once and prints its normal output: %s",
    (flag) => {
      const trial = of(FILES);
      const command = `${RUN} ${flag} ${A} ${B}`;
      const ran = trial.probed(command);
      expect(ran.code).toBe(2);
      expect(ran.reported).toEqual([BEGIN, ...RESULTS, END]);
      expect(seen(ran)).toEqual(seen(trial.bare(command)));
    },
  );

  test("has run no test where it only goes through them", () => {
    const ran = of(FILES).probed(`${RUN} --dry-run ${B}`);
    expect(ran.reported).toEqual([BEGIN, reportedTest(B, "b > one", "skipped"), END]);
  });

  test("reports a group whose hook failed", () => {
    const trial = of({
      [A]: `describe("all", () => { before(() => false); it("a", () => {}); describe("in", () => { it("b", () => {}); }); });
        describe("each", () => { describe("in", () => { beforeEach(() => false); it("a", () => {}); }); });
        describe("after", () => { afterEach(() => false); it("a", () => {}); it("b", () => {}); });`,
    });
    expect(trial.probed(`${RUN} ${A}`).reported).toEqual([
      BEGIN,
      reportedTest(A, "all", "failed"),
      reportedTest(A, "each > in", "failed"),
      reportedTest(A, "after > a", "passed"),
      reportedTest(A, "after", "failed"),
      END,
    ]);
  });

  test.each([
    ["all of them", "before", [reportedTest(B, B, "failed"), reportedTest(A, A, "failed")]],
    ["the one whose test it is", "beforeEach", [reportedTest(A, A, "failed")]],
  ])("reports the files that a global hook is for: %s", (_what, hook, expected) => {
    const trial = of({ [A]: `${hook}(() => false); it("a", () => {});`, [B]: FILES[B] ?? "" });
    const { reported: lines } = trial.probed(`${RUN} ${A} ${B}`);
    expect(lines.slice(0, expected.length + 1)).toEqual([BEGIN, ...expected]);
  });

  test("has no end if something other than a test failed, and reports nothing under its name", () => {
    const trial = of({ [A]: "process.exit(1);", [B]: FILES[B] ?? "" });
    const ran = trial.probed(`${RUN} --parallel ${A} ${B}`);
    expect(ran.code).toBe(1);
    expect(ran.reported).toEqual([BEGIN, reportedTest(B, "b > one", "passed")]);
  });

  test.each([
    ["in a test", "", [BEGIN, reportedTest(A, "first", "passed")]],
    ["in another process", "--parallel", [BEGIN]],
  ])("has no end where the product ends it, who is named: %s", (_what, flag, expected) => {
    const trial = of({
      [A]: `it("first", () => {}); it("leaves", require("../src/product.js").leave); it("wrong", () => false);`,
    });
    const ran = trial.probed(`${RUN} ${flag} ${A}`);
    const exit = { exit: { file: `${trial.root}/src/product.js` } };
    expect(exits(ran)).toEqual([exit]);
    expect(ran.reported.filter((line) => !exits(ran).includes(line))).toEqual(expected);
  });

  test("has no end where it is ended while it waits for its tests", () => {
    const trial = of({ [A]: "process.nextTick(() => process.exit(0));" });
    expect(trial.probed(`${RUN} --delay ${A}`).reported).toEqual([BEGIN]);
  });

  test("is reported by the outermost runner alone", () => {
    const trial = of({
      [B]: `it("wrong", () => false);`,
      [A]: `const { Runner, load } = require("mocha");
        it("runs one", () => new Promise((done) => new Runner(load(["${B}"]), {}).run(done)).then(() => {}));
        it("starts one", () => {
          const { status } = require("child_process").spawnSync(process.execPath, ["${RUN.slice(5)}", "${B}"]);
          return status === 1;
        });`,
    });
    expect(trial.probed(`${RUN} ${A}`).reported).toEqual([
      BEGIN,
      reportedTest(A, "runs one", "passed"),
      reportedTest(A, "starts one", "passed"),
      END,
    ]);
  });

  test("is reported as often as a program runs it", () => {
    const trial = of({
      ...FILES,
      "run.js": `const { Runner, load } = require("mocha");
        const run = (file, done) => new Runner(load([file]), {}).run(done);
        run("${A}", () => run("${B}", () => {}));`,
    });
    expect(trial.probed("node run.js").reported).toEqual([
      BEGIN,
      ...RESULTS.slice(0, -1),
      END,
      BEGIN,
      ...RESULTS.slice(-1),
      END,
    ]);
  });

  test("is reported if tests have their own environment and file system", () => {
    const trial = of({
      [A]: `const fs = require("fs"), results = process.env.TMPDIR + "/results";
        it("first", () => { process.env = {}; fs.renameSync(results, results + ".away"); });
        it("second", () => {});
        it("third", () => { fs.renameSync(results + ".away", results); });`,
    });
    const names = ["first", "second", "third"];
    expect(trial.probed(`${RUN} ${A}`).reported).toEqual([
      BEGIN,
      ...names.map((name) => reportedTest(A, name, "passed")),
      END,
    ]);
  });

  test("leaves what others emit as it is", () => {
    const trial = of({
      [A]: `const { EventEmitter } = require("events"), { emit } = EventEmitter.prototype;
        it("same", () => EventEmitter.prototype.emit === emit);
        it("others", () => new EventEmitter().on("start", () => {}).emit("start"));`,
    });
    expect(trial.probed(`${RUN} ${A}`).reported).toEqual([
      BEGIN,
      reportedTest(A, "same", "passed"),
      reportedTest(A, "others", "passed"),
      END,
    ]);
  });

  test("continues if others listen to all emitters", () => {
    const trial = of({
      [A]: `const { prototype } = require("events");
        process.nextTick(() => {
          const { emit } = prototype;
          prototype.emit = function () { return Reflect.apply(emit, this, arguments); };
        });
        it("a", () => {});`,
    });
    const ran = trial.probed(`${RUN} ${A}`);
    expect(ran.code).toBe(0);
    expect(ran.reported).toEqual([BEGIN, reportedTest(A, "a", "passed"), END]);
  });
});
