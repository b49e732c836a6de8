import { spawn } from "node:child_process";
import fs from "node:fs";
import { delimiter } from "node:path";
import { describe, expect, test } from "vitest";
import { isRunnable } from "../../src/platform/files/tools.ts";
import { withoutNamespaces } from "../rig/no-namespaces.ts";
import { Registry, type Packages } from "../rig/registry.ts";
import { put, reasonsOf, RIGHT, RoomRig, WORKS, type Files } from "./project.ts";

/** A test runner with these flags. */
const runner = (flags: string): Files => ({
  "package.json": '{"bin":{"runner":"bin/run.js"}}',
  "bin/run.js": `#!/usr/bin/env node
if (process.argv[2] && ![${flags}].includes(process.argv[2])) process.exit(64);
process.exit(require("node:child_process").spawnSync(process.execPath, ["--test"], { stdio: "inherit" }).status);
`,
});
const PACKAGES: Packages = {
  plus: { "1.0.0": { "index.js": "module.exports = (a, b) => a + b;\n" } },
  minus: { "1.0.0": { "index.js": "module.exports = (a, b) => a - b;\n" } },
  runner: { "1.0.0": runner(""), "2.0.0": runner('"--all"') },
};

const INSTALL = "npm install --no-audit --no-fund";
const USES_PLUS = put("src/add.js", 'exports.add = (a, b) => require("plus")(a, b);\n');
const ADDS_PLUS = `${USES_PLUS}\n${INSTALL} plus@1 >&2`;
/** Runs the same as `npm test` without the overhead of npm. */
const NPM_TEST = { full: ["node_modules/.bin/runner"] };

interface Setting {
  readonly files?: Files;
  readonly install?: string;
  readonly manifest?: object;
}

/** A project whose test runner comes from a package registry and is installed like a user does it. */
async function project({ files = {}, install = INSTALL, manifest = {} }: Setting = {}) {
  const registry = await Registry.with(PACKAGES);
  const rig = new RoomRig({
    "package.json": JSON.stringify({
      scripts: { test: "runner" },
      devDependencies: { runner: "^1.0.0" },
      ...manifest,
    }),
    ".npmrc": `registry=${registry.url}\n`,
    ...files,
  });
  // Records its caller; otherwise it is npm.
  const bin = rig.outside("bin");
  fs.mkdirSync(bin);
  fs.writeFileSync(
    `${bin}/npm`,
    `#!/bin/sh\necho "$1" >>'${rig.outside("npm-calls")}'\nexec /usr/bin/npm "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const env = { PATH: `${bin}${delimiter}${rig.env()["PATH"] ?? ""}` };
  rig.alwaysWith({ cleanRoom: true, env });
  // Asynchronous, because the registry answers from this process.
  const child = spawn("sh", ["-c", install], { cwd: rig.project, env: rig.env(env), stdio: "ignore" });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(0);
  if (rig.git("status", "--porcelain") !== "") rig.commit({});
  fs.rmSync(rig.outside("npm-calls"), { force: true });
  const calls = (name: string): number =>
    fs
      .readFileSync(rig.outside("npm-calls"), "utf8")
      .split("\n")
      .filter((line) => line === name).length;
  return { rig, registry, calls };
}

describe("dependencies that an agent changed are installed for the checks", () => {
  test("a new one, by its lock file and once for all checks", async () => {
    const { rig, calls } = await project();
    const { code, report, stdout } = await rig.rounds(
      [
        `${ADDS_PLUS}\n${put("test/more.test.js", 'require("node:test").test("more", () => require("plus"));\n')}`,
      ],
      NPM_TEST,
    );
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.attempts[0]?.tests[1]).toMatchObject({
      own: { exit_code: 0 },
      set_ups: [{ folder: "", command: "npm ci", problem: null }],
    });
    expect(calls("ci")).toBe(1);
    expect(stdout).toContain("dependencies changed; installed for the checks by npm ci");
  });

  test("with the original install scripts, not with those of the agent", async () => {
    const { rig } = await project({
      manifest: { scripts: { test: "runner", postinstall: "node -e 0 # original" } },
    });
    const mark = rig.outside("marked");
    const plants = `npm pkg set scripts.postinstall="touch '${mark}'"`;
    const { code, report } = await rig.rounds([`${ADDS_PLUS}\n${plants}`], NPM_TEST);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(fs.existsSync(mark)).toBe(false);
  });

  test("a new one, without a lock file", async () => {
    const none = `${INSTALL} --no-package-lock`;
    const { rig } = await project({ install: none });
    const { code, report } = await rig.rounds([`${USES_PLUS}\n${none} plus@1 >&2`], NPM_TEST);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.attempts[0]?.tests[1]?.set_ups).toMatchObject([{ command: "npm install" }]);
  });

  test("one of a package of a workspace", async () => {
    const { rig } = await project({
      manifest: { workspaces: ["packages/*"] },
      files: {
        "packages/sum/package.json": '{"name":"sum","version":"1.0.0"}',
        "packages/sum/index.js": "module.exports = (a, b) => a - b;\n",
        "src/add.js": 'exports.add = require("sum");\n',
      },
    });
    const work = `${INSTALL} -w sum plus@1 >&2\n${put("packages/sum/index.js", 'module.exports = require("plus");\n')}`;
    const { code, report } = await rig.rounds([work], NPM_TEST);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
  });

  test("in a copy of the tree without namespaces", async () => {
    const { rig } = await project();
    rig.alwaysWith({ cleanRoom: true, env: withoutNamespaces(rig, "no-namespaces") });
    const { code, report } = await rig.rounds([ADDS_PLUS], NPM_TEST);
    expect([code, report.room?.kind, reasonsOf(report)]).toEqual([0, "copy", [[]]]);
  });

  test("a newer runner of tests", async () => {
    const { rig } = await project();
    const upgrade = `${INSTALL} runner@2 >&2`;
    const { code, report } = await rig.rounds([`${WORKS}\n${upgrade}`], NPM_TEST);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    // Without the agent's work, with the runner of the base.
    expect(report.attempts[0]?.tests[1]?.control).toMatchObject({ exit_code: 1, tests: { failed: 1 } });
  });

  test("removes a removed one", async () => {
    const { rig } = await project({
      manifest: { dependencies: { minus: "1.0.0" } },
      files: { "src/add.js": 'exports.add = (a, b) => require("minus")(a, b);\n' },
    });
    const { code, report } = await rig.rounds(
      ["npm uninstall --no-audit --no-fund minus >&2", WORKS],
      NPM_TEST,
    );
    expect([code, reasonsOf(report)]).toEqual([0, [["full_test_failed"], []]]);
    expect(rig.feedback(report)).toContain("Cannot find module 'minus'");
  });

  test("from the package manager's cache, if the registry cannot be reached", async () => {
    const keep = (name: string): string => `mkdir ../${name}; cp package*.json ../${name}`;
    const install = [INSTALL, keep("old"), `${INSTALL} plus@1`, keep("new"), "cp ../old/* .; npm ci"];
    const { rig, registry } = await project({ install: install.join(" && ") });
    registry.close();
    const { code, report } = await rig.rounds([`${USES_PLUS}\ncp ../new/* .`], NPM_TEST);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
  });
});

test("hides the agent's files among the dependencies", async () => {
  const { rig } = await project();
  const doctored = `${ADDS_PLUS}\n${put("node_modules/plus/index.js", "module.exports = () => 5;\n")}`;
  const { report } = await rig.rounds([doctored], NPM_TEST);
  expect(report.attempts[0]?.tests[1]?.tests).toMatchObject({ passed: 2, failed: 0 });
});

test("scripts and the version of a manifest install nothing", async () => {
  const { rig, calls } = await project();
  const { code, report } = await rig.rounds(
    [`${WORKS}\nnpm version --no-git-tag-version 2.0.0 >&2; npm pkg set scripts.lint=true`],
    NPM_TEST,
  );
  expect([code, report.attempts[0]?.tests[1]?.set_ups, calls("ci")]).toEqual([0, [], 0]);
});

describe("dependencies that cannot be installed", () => {
  test("go to the agent once, then to a person", async () => {
    const { rig } = await project();
    const names = `${USES_PLUS}\nnpm pkg set dependencies.plus=9.9.9`;
    const { code, report, stdout } = await rig.supervise({ agent: rig.agent(names), ...NPM_TEST, loops: 6 });
    expect([code, report.final_status]).toEqual([3, "failed"]);
    expect(reasonsOf(report)).toEqual([["full_test_failed", "dependencies_missing"]]);
    expect(rig.feedback(report)).toContain("`npm ci` failed");
    expect(rig.feedback(report)).toContain("No matching version found for plus@9.9.9");
    expect(stdout).toContain("--setup 'npm ci'");
  });

  test("are a person's at once if the registry cannot be reached, and resume tries again", async () => {
    const { rig, registry } = await project();
    const lock = rig.read("package-lock.json");
    registry.close();
    const names = `${USES_PLUS}\nnpm pkg set dependencies.plus=1.0.0; ${put("package-lock.json", withPlus(lock, registry.url))}`;
    const { code, stdout, runId } = await rig.supervise({ agent: rig.agent(names), ...NPM_TEST, loops: 6 });
    expect(code).toBe(3);
    expect(stdout).toContain("could not reach the registry");
    rig.git("checkout", "package.json", "package-lock.json");
    rig.write("src/add.js", RIGHT);
    const resumed = await rig.run(["resume", runId]);
    expect(resumed.code).toBe(0);
  });

  test("do not matter to a check that passes without them", async () => {
    const { rig } = await project();
    const { code } = await rig.rounds([`${WORKS}\nnpm pkg set dependencies.plus=9.9.9`]);
    expect(code).toBe(0);
  });

  test.skipIf(isRunnable("uv", process.env))("by a missing tool", async () => {
    const rig = new RoomRig({ "uv.lock": "version = 1\n" });
    const agent = rig.agent("echo '# more' >> uv.lock");
    const { code, stdout } = await rig.supervise({ agent, full: ["node --test"], loops: 6 });
    expect(code).toBe(3);
    expect(stdout).toContain("uv is not on the PATH");
  });
});

test("a package of the registry is not replaced by one of the tree", async () => {
  const { rig } = await project();
  const fake = put(
    "vendor/runner/package.json",
    '{"name":"runner","version":"1.0.0","bin":{"runner":"run.js"}}\n',
  );
  const { code, report } = await rig.rounds(
    [`${fake}\n${put("vendor/runner/run.js", "#!/usr/bin/env node\n")}\n${INSTALL} -D ./vendor/runner >&2`],
    NPM_TEST,
  );
  expect(code).toBe(1);
  expect(report.attempts[0]?.reasons).toContain("dependencies_missing");
  expect(rig.feedback(report)).toContain("`runner`: it came from a registry");
});

/** A lock file with a package that is in no cache. */
function withPlus(lock: string, url: string): string {
  const value = JSON.parse(lock) as { packages: Record<string, object> };
  value.packages[""] = { ...value.packages[""], dependencies: { plus: "1.0.0" } };
  value.packages["node_modules/plus"] = { version: "1.0.0", resolved: `${url}plus/-/plus-1.0.0.tgz` };
  return `${JSON.stringify(value, null, 2)}\n`;
}
