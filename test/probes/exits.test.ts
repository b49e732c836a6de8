import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exits, Trial } from "./trying.ts";

const TEST = `require("../src/product.cjs").act(); require("node:assert").ok(false, "a test that fails");`;
/** A runner that is known only by its name and loads the given files. */
const MOCHA = "node_modules/mocha/bin/mocha.js";
const LOADER = `require(require("node:path").resolve(process.argv[2]));`;

function of(product: string, files: Readonly<Record<string, string>> = {}): Trial {
  return new Trial({
    "src/product.cjs": `exports.act = () => { ${product} };`,
    "test/a.cjs": TEST,
    ...files,
  });
}

describe("the product ends a test process as if all were well", () => {
  test.each([
    ["exit", "process.exit(0)"],
    ["without a code", "process.exit()"],
    ["the function behind it", "process.reallyExit(0)"],
    ["made of a text", `eval("process.exit(0)")`],
    ["once the failure has happened", `process.on("exit", () => process.exit(0))`],
    ["by turning the failure's code", `process.once("exit", () => { process.exitCode = 0; })`],
    ["by hearing of the error alone", `process.on("uncaughtException", () => {})`],
    ["where errors have no trace", "Error.stackTraceLimit = 0; process.exit(0)"],
    ["where traces are made by others", `Error.prepareStackTrace = () => "none"; process.exit(0)`],
  ])("%s", (_what, product) => {
    const trial = of(product);
    const ran = trial.probed("node test/a.cjs");
    expect(ran.code).toBe(0);
    expect(exits(ran)).toEqual([{ exit: { file: join(trial.root, "src/product.cjs") } }]);
  });

  test.each([
    ["later", "node test/later.cjs"],
    ["under node --test", "node --test test/a.cjs"],
    ["under a runner of the packages", `node ${MOCHA} test/a.cjs`],
    ["when it is loaded, by a module", "node test/load.mjs"],
    ["behind npm", "npm run --silent test"],
  ])("%s", (_what, command) => {
    const trial = of("process.exit(0)", {
      [MOCHA]: LOADER,
      "src/loaded.mjs": `process.exit(0);`,
      "test/load.mjs": `import "../src/loaded.mjs"; throw new Error("a test that fails");`,
      "test/later.cjs": `setTimeout(require("../src/product.cjs").act); setTimeout(() => { throw 1; }, 1e3);`,
      "package.json": JSON.stringify({ scripts: { test: "node test/a.cjs" } }),
    });
    const ran = trial.probed(command);
    expect(ran.code).toBe(0);
    const file = command.includes("load.mjs") ? "src/loaded.mjs" : "src/product.cjs";
    expect(exits(ran)).toEqual([{ exit: { file: join(trial.root, file) } }]);
  });
});

describe("names no file if a process ends", () => {
  const SPAWN = (command: string) =>
    `const { spawnSync } = require("node:child_process");
     const { status } = spawnSync(${command}, { shell: true });
     require("node:assert").equal(status, 0);`;

  test.each([
    ["with a failure", "node test/fails.cjs", 3],
    ["by the test itself", "node test/own.cjs", 0],
    ["by a test of an unusual name", "node --test check.cjs", 0],
    ["by what belongs to the tests", "node test/helped.cjs", 0],
    ["by the program itself", "node src/program.cjs", 0],
    ["by a program that a script starts", "node scripts/build.cjs", 0],
    ["by a package", "node test/package.cjs", 0],
    ["by a program that a test starts", "node test/starts.cjs", 0],
    ["by a program that a test of node:test starts", "node --test test/starts.cjs", 0],
    ["by a program of the tests that a test starts", "node test/serves.cjs", 0],
    ["by a tool of the packages", "node node_modules/gulp/bin/gulp.js src/product.cjs", 0],
    ["by a listener of the product's, and the code stays", "node test/listens.cjs", 1],
    ["when the runner is through", "node test/through.cjs", 0],
    ["by itself", "node test/fine.cjs", 0],
  ])("%s", (_what, command, code) => {
    const trial = of("process.exit(0)", {
      "src/program.cjs": `require("./product.cjs").act();`,
      "src/listens.cjs": `process.on("exit", () => {}); exports.listening = true;`,
      "src/last.cjs": `process.on("exit", () => process.exit(0));`,
      "src/fails.cjs": `exports.act = () => process.exit(3);`,
      "scripts/build.cjs": `require("../src/product.cjs").act();`,
      "test/fails.cjs": `require("../src/fails.cjs").act();`,
      "check.cjs": `require("./src/listens.cjs"); process.exit(0);`,
      "test/helped.cjs": `require("./helper.cjs").act();`,
      "test/helper.cjs": `exports.act = () => process.exit(0);`,
      "test/own.cjs": `require("../src/listens.cjs"); process.exit(0);`,
      "test/package.cjs": `require("leaver").act();`,
      "node_modules/leaver/index.js": `exports.act = () => process.exit(0);`,
      "node_modules/gulp/bin/gulp.js": `${LOADER} require(require("node:path").resolve(process.argv[2])).act();`,
      "test/starts.cjs": SPAWN(`"node src/program.cjs"`),
      "test/serves.cjs": SPAWN(`"node test/server.cjs"`),
      "test/server.cjs": `require("../src/product.cjs").act();`,
      "test/listens.cjs": `require("../src/listens.cjs"); throw new Error("a test that fails");`,
      "test/through.cjs": `require("../src/last.cjs"); require("node:test").test("a", () => {});`,
      "test/fine.cjs": `process.exitCode = 0;`,
    });
    const ran = trial.probed(command);
    expect(ran.code).toBe(code);
    expect(exits(ran)).toEqual([]);
  });
});
