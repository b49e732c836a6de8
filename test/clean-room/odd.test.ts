import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jsonLineSchema } from "../../src/cli/schemas/json-line-schema.ts";
import { until } from "../rig/rig.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { NODE_TESTS, put, reasonsOf, RoomRig, TEST_ADDS, WEAKENS, WORKS, WRONG } from "./project.ts";

/** The user wants to decide about every edit of a test. */
const HOLD = ["--test-changes", "hold"];
const CHANGES_TEST = put("test/add.test.js", TEST_ADDS.replace("add(7, 0), 7", "add(70, 0), 70"));

describe("a tree that keeps changing", () => {
  test("is not looked at for ever", async () => {
    const rig = new RoomRig();
    const count = rig.outside("count");
    const go = (n: number): string => rig.outside(`go-${n}`);
    const waits = `echo >> '${count}'; n=$(wc -l < '${count}'); until [ -e '${rig.outside("go-")}'"$n" ]; do sleep 0.02; done\n`;
    fs.writeFileSync(rig.outside("check.sh"), waits);
    fs.writeFileSync(count, "");
    const full = [`sh '${rig.outside("check.sh")}'`];
    const run = rig.start(rig.superviseArgs({ agent: rig.agent(WORKS), full, loops: 1 }));
    // First the base, then the same work three times, each with another comment.
    for (const n of [1, 2, 3, 4]) {
      await until(() => fs.readFileSync(count, "utf8").length === n);
      if (n > 1) rig.write("remark.txt", `${n}\n`);
      fs.writeFileSync(go(n), "");
    }
    expect((await run.ended).code).toBe(1);
    const report = rig.report(rig.runIds()[0] ?? "");
    expect(reasonsOf(report)).toEqual([["tree_changed_in_checks"]]);
    expect(rig.feedback(report)).toContain("files changed during the checks");
    expect(fs.readFileSync(count, "utf8")).toHaveLength(4);
  });

  test("a person's changes during the question are looked at again, and lead to a question if they concern it", async () => {
    const rig = new RoomRig();
    const agent = rig.agent(`${WORKS}\n${CHANGES_TEST}`);
    const args = rig.superviseArgs({ agent, full: [NODE_TESTS], loops: 1, more: HOLD });
    const terminal = new TerminalSession(rig, args, {}, true);
    const allow = async (): Promise<void> => {
      terminal.press(Key.up);
      await terminal.shows(/● allow/);
      terminal.press(Key.enter);
      await terminal.shows(/Note \(may be empty\)[^◆]*$/);
      terminal.press(Key.enter);
    };
    await terminal.shows(/● refuse/);
    rig.write("test/add.test.js", `${rig.read("test/add.test.js")}// by the person\n`);
    await allow();
    await terminal.shows(/may stay \(allow\)[\s\S]*HELD for you[\s\S]*● refuse/);
    rig.write("remark.txt", "by the person\n");
    await allow();
    expect(await terminal.ended).toBe(0);
    const events = rig.events(rig.runIds()[0] ?? "");
    const trees = events.flatMap((event) => (event.type === "candidate_taken" ? [event.tree] : []));
    expect(new Set(trees).size).toBe(3);
    expect(events.find((event) => event.type === "candidate_confirmed")?.tree).toBe(trees.at(-1));
    expect(events.filter((event) => event.type === "check_ended" && event.phase === "full")).toHaveLength(3);
  });
});

describe("a question about tests, from another terminal", () => {
  test("decide shows its subject; after a refusal the agent continues", async () => {
    const rig = new RoomRig();
    const agent = rig.agent(`${WORKS}\n${CHANGES_TEST}`, "git checkout -q -- test");
    const args = rig.superviseArgs({ agent, full: [NODE_TESTS], loops: 2, more: HOLD });
    const terminal = new TerminalSession(rig, args, {}, true);
    await terminal.shows(/● refuse/);
    terminal.press(Key.ctrlC);
    expect(await terminal.ended).toBe(3);
    const runId = rig.runIds()[0] ?? "";
    const [shown, listed, asked] = await Promise.all([
      rig.run(["show", runId]),
      rig.run(["runs"]),
      rig.run(["decide", runId]),
    ]);
    expect(shown.stdout).toContain("test/add.test.js (changed)");
    expect(listed.stdout).toContain("? held for you");
    expect(`${asked.stdout}${asked.stderr}`).toContain("add(70, 0), 70");
    expect((await rig.run(["decide", runId, "refuse", "--note", "no"])).code).toBe(0);
    expect((await rig.run(["resume", runId])).code).toBe(0);
    const report = rig.report(runId);
    expect(reasonsOf(report)).toEqual([["oracle_changed"], []]);
    expect(report.protected_decisions).toMatchObject([{ decision: "refuse", note: "no", via: "decide" }]);
  });
});

describe("unusual trees", () => {
  test("refuses one that is too large before any agent works, with a way out", async () => {
    const rig = new RoomRig();
    fs.rmSync(join(rig.project, ".git"), { recursive: true });
    for (let folder = 0; folder < 51; folder++) {
      const dir = join(rig.project, "data", String(folder));
      fs.mkdirSync(dir, { recursive: true });
      for (let file = 0; file < 1000; file++) fs.writeFileSync(join(dir, String(file)), "");
    }
    const ended = await rig.run(rig.superviseArgs({ agent: rig.agent(WORKS) }));
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(rig.project);
    expect(ended.stderr).toContain("--no-clean-room");
    expect(rig.read("src/add.js")).toBe(WRONG);
    const inTree = await rig.run([...rig.superviseArgs({ agent: rig.agent(WORKS) }), "--no-clean-room"]);
    expect(inTree.code).toBe(0);
  });
});

test("without the clean room an edited test is believed, and the report says what that is worth", async () => {
  const rig = new RoomRig();
  const { code, report, stdout } = await rig.rounds([WEAKENS], { more: ["--no-clean-room"] });
  expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
  expect(report).toMatchObject({ room: null, base: null, not_covered: ["special_casing", "no_clean_room"] });
  expect(report.attempts[0]).toMatchObject({ candidate: null, tests: [{}, { tests: null, own: null }] });
  expect(stdout).toContain("--no-clean-room");
});

test("every line of --json matches its schema", async () => {
  const rig = new RoomRig();
  const added = "echo 'test(\"more\", () => assert.strictEqual(add(1, 1), 2));' >> test/add.test.js";
  const rounds = [WEAKENS, `git checkout -q -- test\n${WORKS}\n${added}`];
  const { code, stdout } = await rig.rounds(rounds, { fast: [NODE_TESTS], more: ["--json", "--verbose"] });
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  for (const line of lines) expect(jsonLineSchema.safeParse(JSON.parse(line)).error).toBeUndefined();
  for (const type of ["base_taken", "base_checked", "candidate_taken", "candidate_confirmed"])
    expect(stdout).toContain(`"${type}"`);
});
