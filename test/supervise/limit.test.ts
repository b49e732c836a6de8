import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";

/** A run with an open question whose process has exited. */
async function waiting(rig: Rig, agent = "agent mute"): Promise<string> {
  const terminal = new TerminalSession(rig, rig.superviseArgs({ agent, loops: 1 }));
  await terminal.shows(/● Continue/);
  terminal.press(Key.ctrlC);
  expect(await terminal.ended).toBe(3);
  return rig.runIds()[0] ?? "";
}

describe("S31 the limit without a terminal", () => {
  test("S31 is a failure: non-zero exit, report, no question", async () => {
    const rig = Rig.inWorkTree();
    const { code, report, runId } = await rig.supervise({ agent: "agent needs_work", loops: 2 });
    expect(code).toBe(1);
    expect(report).toMatchObject({
      final_status: "failed",
      end_reason: "limit_reached",
      exit_code: 1,
      manual_decision: null,
    });
    expect(report.attempts).toHaveLength(2);
    expect(rig.events(runId).map(({ type }) => type)).not.toContain("question_asked");
  });

  test("S31 also applies to --json and --quiet", async () => {
    for (const flag of ["--json", "--quiet"]) {
      const rig = Rig.inWorkTree();
      const { code, report } = await rig.supervise({ agent: "agent mute", loops: 1, more: [flag] });
      expect([code, report.final_status]).toEqual([1, "failed"]);
    }
  });

  test("S31 a run that waits for a person stays so when it is resumed without a terminal", async () => {
    const rig = Rig.inWorkTree();
    const runId = await waiting(rig);
    const resumed = await rig.run(["resume", runId]);
    expect(resumed.code).toBe(3);
    expect(resumed.stdout).toContain(`agent-foreman decide ${runId}`);
    expect(rig.hasReport(runId)).toBe(false);
  });
});

describe("S36 decide after the process has left", () => {
  test("S36 continue 1 is recorded, starts nothing, and resume continues", async () => {
    const rig = Rig.inWorkTree();
    const runId = await waiting(rig, 'echo "$GA_LOOP_INDEX/$GA_MAX_LOOPS" >> rounds; agent mute done');
    const decided = await rig.run(["decide", runId, "continue", "1", "--note", "try again"]);
    expect(decided).toMatchObject({ code: 0, stderr: "" });
    expect(decided.stdout).toContain(`agent-foreman resume ${runId}`);
    expect(rig.read("rounds")).toBe("1/1\n");
    expect((await rig.run(["resume", runId])).code).toBe(0);
    expect(rig.read("rounds")).toBe("1/1\n2/2\n");
    expect(rig.report(runId)).toMatchObject({
      final_status: "passed",
      manual_decision: { decision: "continue_n", n: 1, note: "try again", via: "decide" },
    });
  });

  test("S36 the agent reads the person's note in its feedback, and the attempt after does not", async () => {
    const rig = Rig.inWorkTree();
    const runId = await waiting(rig, 'cat "$GA_PREV_FEEDBACK_FILE" > "feedback-$GA_LOOP_INDEX"; agent mute');
    await rig.run(["decide", runId, "continue", "2", "--note", "keep the\nold API"]);
    await rig.run(["resume", runId]);
    expect(rig.read("feedback-2")).toMatch(/\n## Note from a person\n\n\| keep the\n\| old API\n$/);
    expect(rig.read("feedback-3")).not.toContain("Note from a person");
  });

  test("S36 after continue N is used up without a terminal, the run has failed", async () => {
    const rig = Rig.inWorkTree();
    const runId = await waiting(rig);
    await rig.run(["decide", runId, "continue", "2"]);
    expect((await rig.run(["resume", runId])).code).toBe(1);
    expect(rig.report(runId)).toMatchObject({
      final_status: "failed",
      end_reason: "limit_reached",
      allowed_loops: 3,
    });
    expect(rig.report(runId).attempts).toHaveLength(3);
  });

  test.each([
    ["pass", 0, "manually_passed", "mark_pass"],
    ["fail", 1, "manually_failed", "mark_fail"],
  ])(
    "S36 S37 %s ends the run and writes the report; resume says the same",
    async (answer, code, status, decision) => {
      const rig = Rig.inWorkTree();
      const runId = await waiting(rig);
      expect((await rig.run(["decide", runId, answer, "--note", "why not"])).code).toBe(code);
      expect(rig.report(runId)).toMatchObject({
        final_status: status,
        exit_code: code,
        manual_decision: { decision, note: "why not", via: "decide" },
      });
      expect((await rig.run(["resume", runId])).code).toBe(code);
      expect(rig.events(runId).filter(({ type }) => type === "run_ended")).toHaveLength(1);
    },
  );

  test("S36 several continues: manual_decision is the last one, the history has all", async () => {
    const rig = Rig.inWorkTree();
    const runId = await waiting(rig);
    await rig.run(["decide", runId, "continue", "1"]);
    const terminal = new TerminalSession(rig, ["resume", runId]);
    await terminal.shows(/2 of 2 attempts used[\s\S]*● Continue/);
    expect((await rig.run(["decide", runId, "continue", "2", "--note", "two"])).code).toBe(0);
    await terminal.shows(/4 of 4 attempts used[\s\S]*● Continue/);
    expect((await rig.run(["decide", runId, "pass"])).code).toBe(0);
    expect(await terminal.ended).toBe(0);
    const { manual_decision, manual_decision_history, final_status } = rig.report(runId);
    expect(final_status).toBe("manually_passed");
    expect(manual_decision).toMatchObject({ decision: "mark_pass", note: null });
    expect(manual_decision_history.map(({ decision, n, note }) => [decision, n, note])).toEqual([
      ["continue_n", 1, null],
      ["continue_n", 2, "two"],
      ["mark_pass", null, null],
    ]);
  });

  test("S36 decide without an answer asks at the terminal", async () => {
    const rig = Rig.inWorkTree();
    const runId = await waiting(rig);
    const terminal = new TerminalSession(rig, ["decide", runId]);
    await terminal.shows(/● Continue/);
    terminal.press(Key.down);
    await terminal.shows(/● Mark as passed/);
    terminal.press(Key.enter);
    await terminal.shows("Note (may be empty)");
    terminal.press(Key.enter);
    expect(await terminal.ended).toBe(0);
    expect(rig.report(runId).final_status).toBe("manually_passed");
  });

  test("S36 an answer is given once: the second decide is refused", async () => {
    const rig = Rig.inWorkTree();
    const runId = await waiting(rig);
    await rig.run(["decide", runId, "continue", "1"]);
    const second = await rig.run(["decide", runId, "pass"]);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(runId);
    expect(rig.hasReport(runId)).toBe(false);
  });

  test("cancel ends a waiting run as failed", async () => {
    const rig = Rig.inWorkTree();
    const runId = await waiting(rig);
    expect((await rig.run(["cancel", runId])).code).toBe(0);
    expect(rig.report(runId)).toMatchObject({
      final_status: "failed",
      end_reason: "cancelled",
      exit_code: 1,
    });
    expect((await rig.run(["resume", runId])).code).toBe(1);
  });
});
