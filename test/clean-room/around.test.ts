import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withoutNamespaces } from "../rig/no-namespaces.ts";
import { until } from "../rig/rig.ts";
import { NODE_TESTS, put, reasonsOf, RIGHT, RoomRig, testOf, WORKS, WRONG } from "./project.ts";

describe("accepts only the tree that was checked", () => {
  test("a person's changes during the tests are looked at again", async () => {
    const rig = new RoomRig();
    const [count, go] = [rig.outside("count"), rig.outside("go")];
    // Runs on the base, then on the candidate, where it has passed when the person comes.
    const slow = `${NODE_TESTS} && echo >> '${count}'; code=$?
[ "$(wc -l < '${count}')" != 1 ] || until [ -e '${go}' ]; do sleep 0.02; done
exit $code\n`;
    fs.writeFileSync(rig.outside("check.sh"), slow);
    fs.writeFileSync(count, "");
    const run = rig.start(
      rig.superviseArgs({
        agent: rig.agent(WORKS),
        full: [`sh '${rig.outside("check.sh")}'`],
        loops: 1,
      }),
    );
    await until(() => fs.readFileSync(count, "utf8") === "\n");
    rig.write("src/add.js", WRONG);
    fs.writeFileSync(go, "");
    expect((await run.ended).code).toBe(1);
    const runId = rig.runIds()[0] ?? "";
    const report = rig.report(runId);
    expect(reasonsOf(report)).toEqual([["full_test_failed"]]);
    const taken = rig.events(runId).filter((event) => event.type === "candidate_taken");
    expect(new Set(taken.map(({ tree }) => tree)).size).toBe(2);
    expect(report.attempts[0]?.candidate).toMatchObject({ confirmed: false, tree: taken.at(-1)?.tree });
    expect(rig.events(runId).map(({ type }) => type)).not.toContain("candidate_confirmed");
  });
});

describe("weaker guarantees", () => {
  test("tests that hang on the base do not block the run", async () => {
    const rig = new RoomRig();
    const { code, report, stdout } = await rig.rounds([`${WORKS}\ntouch src/ready`], {
      fast: ["test -e src/ready || exec sleep 1000"],
      full: ["true"],
      more: ["--test-timeout-sec", "2"],
    });
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.base?.tests[0]?.end.kind).toBe("timeout");
    expect(stdout).toMatch(/base [^\n]*timed out/);
    expect(rig.survivors()).toEqual([]);
  });

  test("a folder that is no repository is said to be one less sure, and work in it is accepted", async () => {
    const rig = new RoomRig();
    fs.rmSync(join(rig.project, ".git"), { recursive: true });
    const { code, report, stdout } = await rig.rounds(["echo >> test/add.test.js; rm plan.md", WORKS]);
    expect([code, reasonsOf(report)]).toEqual([0, [["full_test_failed"], []]]);
    expect(report.room?.weak).toEqual(["no_git"]);
    expect(report.not_covered).toEqual(["special_casing", "no_git"]);
    expect(stdout).toContain("not a git repository");
  });

  test("so is a repository without a commit", async () => {
    const rig = new RoomRig();
    fs.rmSync(join(rig.project, ".git"), { recursive: true });
    rig.git("init", "--quiet");
    const { code, report, stdout } = await rig.rounds([
      `${WORKS}\n${put("test/more.test.js", testOf("adds one", "add(1, 1)", "2"))}`,
    ]);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.base).toMatchObject({ commit: null, files: 4 });
    expect(report.room?.weak).toEqual(["no_commit"]);
    expect(stdout).toContain("no commit yet");
  });

  test("without namespaces checks run in a copy, which is reported; their files disappear with it", async () => {
    const rig = new RoomRig();
    const { code, report, stdout } = await rig.rounds(
      [WORKS],
      { fast: ["pwd; echo x >> src/add.js"] },
      { env: withoutNamespaces(rig) },
    );
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(report.room).toMatchObject({ kind: "copy", weak: ["no_overlay", "best_effort"] });
    expect(stdout).toContain("checks run in a copy of the files");
    const [fast] = report.attempts[0]?.tests ?? [];
    expect(fs.readFileSync(fast?.output.path ?? "", "utf8").trim()).not.toBe(rig.project);
    expect(rig.read("src/add.js")).toBe(RIGHT);
    expect(fs.existsSync(join(rig.journalPath(report.run_id), "..", "room"))).toBe(false);
  });
});
