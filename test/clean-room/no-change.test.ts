import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { NODE_TESTS, reasonsOf, RIGHT, RoomRig, WORKS } from "./project.ts";

const GREEN = { "src/add.js": RIGHT };
const IDLE = ":";
const WORDS = "the agent changed no file; if that is right, start the run with --allow-no-change";

describe("S24 an agent that changes nothing", () => {
  test("is rejected although every test passes, and learns why", async () => {
    const rig = new RoomRig(GREEN);
    const { code, report } = await rig.rounds([IDLE, "echo '// done' >> src/add.js"]);
    expect(code).toBe(0);
    expect(reasonsOf(report)).toEqual([["nothing_changed"], []]);
    expect(rig.feedback(report)).toContain("you changed no file");
    expect(rig.feedback(report)).not.toContain("--allow-no-change");
  });

  test("stops the run with a question the second time in a row, without spending the other attempts", async () => {
    const rig = new RoomRig(GREEN);
    const { code, reasons, runId, stdout } = await rig.untilAsked([IDLE]);
    expect(code).toBe(3);
    expect(reasons).toEqual([["nothing_changed"], ["nothing_changed"]]);
    expect(stdout).toContain(`${WORDS} (nothing_changed)`);
    const decided = await rig.run(["decide", runId, "pass"]);
    expect(decided.code).toBe(0);
    expect(rig.report(runId).final_status).toBe("manually_passed");
  });

  test("is asked about at a terminal, and continues if the person agrees", async () => {
    const rig = new RoomRig(GREEN);
    const agent = rig.agent(IDLE, IDLE, "echo '// done' >> src/add.js");
    const terminal = new TerminalSession(rig, rig.superviseArgs({ agent, full: [NODE_TESTS] }), {}, true);
    await terminal.shows(/● /);
    expect(terminal.text().replaceAll(/[\s│]+/g, " ")).toContain(
      `2 of 6 attempts used, not accepted: ${WORDS} (nothing_changed)`,
    );
    terminal.press(Key.enter);
    await terminal.shows("How many more");
    terminal.press(Key.enter);
    await terminal.shows("Note (may be empty)");
    terminal.press(Key.enter);
    expect(await terminal.ended).toBe(0);
    expect(reasonsOf(rig.report(rig.runIds()[0] ?? ""))).toEqual([
      ["nothing_changed"],
      ["nothing_changed"],
      [],
    ]);
  });

  test.each([1, 2, 3])("gets as many more attempts as a person grants: %i", async (n) => {
    const rig = new RoomRig(GREEN);
    const { runId } = await rig.untilAsked([IDLE]);
    expect((await rig.run(["decide", runId, "continue", String(n)])).code).toBe(0);
    expect((await rig.run(["resume", runId])).code).toBe(3);
    const judged = rig.events(runId).filter(({ type }) => type === "attempt_judged");
    expect(judged).toHaveLength(2 + n);
    expect(rig.events(runId).filter(({ type }) => type === "question_asked")).toHaveLength(2);
  });

  test("may be accepted with --allow-no-change, or by configuration", async () => {
    const flag = await new RoomRig(GREEN).rounds([IDLE], { more: ["--allow-no-change"] });
    expect([flag.code, reasonsOf(flag.report)]).toEqual([0, [[]]]);
    const rig = new RoomRig({ ...GREEN, "agent-foreman.yaml": "tests: { allow_no_change: true }\n" });
    const configured = await rig.rounds([IDLE]);
    expect([configured.code, reasonsOf(configured.report)]).toEqual([0, [[]]]);
  });

  test("has not changed anything by writing ignored files", async () => {
    const { report } = await new RoomRig(GREEN).rounds(["mkdir dist; echo x > dist/out.js"]);
    expect(reasonsOf(report)).toEqual([["nothing_changed"]]);
  });

  test("is rejected for its red tests alone where they are red", async () => {
    const { report } = await new RoomRig().rounds([IDLE]);
    expect(reasonsOf(report)).toEqual([["full_test_failed"]]);
  });

  test("counts the changes of earlier attempts of the run as its work", async () => {
    const rig = new RoomRig();
    const { code, report } = await rig.rounds([`${WORKS}\nchmod +x src/add.js\nexit 3`, IDLE]);
    expect([code, reasonsOf(report).at(-1)]).toEqual([0, []]);
  });

  test("is not noticed without a base: outside a repository", async () => {
    const rig = new RoomRig(GREEN);
    fs.rmSync(join(rig.project, ".git"), { recursive: true });
    const { code, report } = await rig.rounds([IDLE]);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
  });
});
