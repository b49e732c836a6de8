import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, RIGHT, RoomRig, TEST_ADDS, WORKS } from "./project.ts";

/** A project with passing tests. Its test command logs every run. */
function green(files: Readonly<Record<string, string>> = {}) {
  const rig = new RoomRig({ "src/add.js": RIGHT, ...files });
  const seen = rig.outside("runs-of-tests");
  const command = `echo ran >> '${seen}'; node --test`;
  const agent = rig.agent("echo '// seen' >> src/add.js");
  const supervise = async (more: readonly string[] = []) => {
    fs.rmSync(seen, { force: true });
    rig.git("checkout", "--quiet", "--", "src");
    const args = rig.superviseArgs({ agent, full: [command], loops: 1, more });
    const { code, stdout } = await rig.run(args);
    const times = fs.readFileSync(seen, "utf8").trimEnd().split("\n").length;
    const runId = /run {5}(\S+) started/.exec(stdout)?.[1] ?? "";
    return { code, stdout, times, runId };
  };
  return { rig, supervise };
}

describe("the tests of a base that an earlier run has seen", () => {
  test("are not run again", async () => {
    const { rig, supervise } = green();
    const first = await supervise();
    expect([first.code, first.times]).toEqual([0, 2]);
    const second = await supervise();
    expect([second.code, second.times]).toEqual([0, 1]);
    expect(second.stdout).toContain(`2 tests, known from run ${first.runId}`);
    expect(rig.report(second.runId).base?.tests).toMatchObject([
      { from_run: first.runId },
      { from_run: first.runId, tests: { passed: 2 } },
    ]);
  });

  test("are not run again where git ignores reports, or Python was run", async () => {
    const { rig, supervise } = green({ ".gitignore": "goldagent-*\n.goldagent-*/\n__pycache__/\n" });
    expect((await supervise()).times).toBe(2);
    rig.write("src/__pycache__/add.cpython-312.pyc", "compiled");
    expect((await supervise()).times).toBe(1);
  });

  test.each([
    ["of another tree", ({ rig }: ReturnType<typeof green>) => rig.commit({ "src/more.js": "// more\n" })],
    ["beside another installation", ({ rig }) => rig.write("node_modules/tool/index.js", "// tool\n")],
    ["where its results are not as they were", ({ rig }) => doctor(rig, ".tests")],
    ["where its output is not as it was", ({ rig }) => doctor(rig, ".log")],
  ])("are run again %s", async (_, change) => {
    const setting = green();
    const { supervise } = setting;
    expect((await supervise()).times).toBe(2);
    change(setting);
    expect((await supervise()).times).toBe(2);
  });

  test("are run again where they failed", async () => {
    const rig = new RoomRig();
    const agent = rig.agent(WORKS);
    for (let run = 0; run < 2; run++) {
      rig.git("checkout", "--quiet", "--", "src");
      const { code, stdout } = await rig.run(rig.superviseArgs({ agent, full: ["node --test"], loops: 1 }));
      expect(code).toBe(0);
      expect(stdout).not.toContain("2 tests, 1 fails already, known");
    }
  });
});

function doctor(rig: RoomRig, ending: string): void {
  for (const runId of rig.runIds())
    fs.writeFileSync(join(rig.state, "runs", runId, "base", "checks", `full-1${ending}`), "more\n");
}

/** Logs the content of a compiler's cache and of a project cache, and adds a file to both. */
const COMPILES = `mkdir -p ~/.cache/go-build ~/.cache/mine
ls ~/.cache/go-build ~/.cache/mine | sed 's/^/has /'
echo > ~/.cache/go-build/$(cat src/name); echo > ~/.cache/mine/built
node --test
`;

test("later checks see what compilers have kept on the base, and nothing of each other's", async () => {
  const rig = new RoomRig({ "compile.sh": COMPILES, "src/name": "of-base\n", "test/add.test.js": TEST_ADDS });
  const work = `${WORKS}\n${put("src/name", "of-work\n")}\n${put("test/more.test.js", 'require("node:test").test("more", () => {});\n')}`;
  const supervise = () =>
    rig.run(rig.superviseArgs({ agent: rig.agent(work), full: ["sh compile.sh"], loops: 1 }));
  const { code } = await supervise();
  expect(code).toBe(0);
  const [runId = ""] = rig.runIds();
  const logs = (id: string): string[] =>
    ["base/checks/full-1.again.log", "turns/1/full-1.log", "turns/1/full-1.own.log"].map((name) =>
      fs
        .readFileSync(join(rig.state, "runs", id, name), "utf8")
        .split("\n")
        .filter((line) => line.startsWith("has of-") || line === "has built")
        .join(),
    );
  // The base fails, so it runs twice, the second time with the caches of the first.
  expect(logs(runId)).toEqual(["has of-base", "has of-base", "has of-base"]);
  rig.git("checkout", "--quiet", "--", ".");
  rig.git("clean", "--quiet", "-fd", "test");
  await supervise();
  const next = rig.runIds().find((id) => id !== runId) ?? "";
  expect(logs(next)).toEqual(["has of-base", "has of-base", "has of-base"]);
});
