import { describe, expect, test } from "vitest";
import type { SuperviseOptions } from "../rig/rig.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { NODE_TESTS, put, reasonsOf, RIGHT, RoomRig, WORKS } from "./project.ts";

const IDLE = ":";
const WRONG = put("src/add.js", "exports.add = (a, b) => a * b;\n");
const OTHER = put("src/add.js", "exports.add = (a, b) => a / b;\n");
const LOOPS = { loops: 6 };
const SAID = "stuck: failed as attempt 1 did, and the work tree has not changed since";

describe("S25 two attempts in a row that fail in the same way with the same tree", () => {
  test("end the run before the other attempts are paid for, and every place says why", async () => {
    const rig = new RoomRig();
    const { code, report, stdout, runId } = await rig.rounds([WRONG], LOOPS);
    expect(code).toBe(1);
    expect(reasonsOf(report)).toEqual([["full_test_failed"], ["full_test_failed"]]);
    expect(report).toMatchObject({
      final_status: "failed",
      end_reason: "stuck",
      on_stuck: "next-agent",
      attempts: [{ stuck: null }, { stuck: { kind: "same_failure", like: 1 } }],
    });
    expect(stdout).toContain(`2/6 ${SAID}`);
    expect(stdout).toContain("✗ STUCK after 2 of 6 attempts: they go in circles");
    expect(rig.feedback(report, 2)).toContain("You are going in circles");
    expect((await rig.run(["show", runId])).stdout).toContain(SAID);
  });

  test("name what can help, and each of it works in a new run", async () => {
    const rig = new RoomRig();
    const wrongUnlessHinted = `if grep -q HINT plan.md; then\n${WORKS}\nelse\n${WRONG}\nfi`;
    const { stdout } = await rig.rounds([wrongUnlessHinted], LOOPS);
    expect(stdout).toContain(`
  go on   start again; the new run works on the files as they are now. What can help:
          a hint for the agent in plan.md
          another agent: --agent <name> (agent-foreman doctor lists them)
          all attempts, stuck or not: --on-stuck continue
`);
    const again = async (call: SuperviseOptions, env = {}): Promise<number | null> =>
      (await rig.run(rig.superviseArgs({ full: [NODE_TESTS], ...LOOPS, ...call }), { env })).code;

    const late = rig.agent(":", ":", ":", WORKS);
    expect(await again({ agent: late })).toBe(1);
    expect(await again({ agent: late, more: ["--on-stuck", "continue"] })).toBe(0);

    rig.git("checkout", "--quiet", "src");
    const work = { agents: "claude", fast: ["test -f work.txt"], full: ["true"] };
    expect(await again(work, rig.withAgents({ CLAUDE_DOES: "work" }))).toBe(0);

    rig.write("plan.md", "HINT: add, do not multiply\n");
    expect(await again({ agent: rig.agent(wrongUnlessHinted) })).toBe(0);
  });

  test("the same in Chinese", async () => {
    const { stdout } = await new RoomRig().rounds([WRONG], { ...LOOPS, more: ["--lang", "zh"] });
    expect(stdout).toContain("2/6 陷入循环：与第 1 次尝试的失败相同，且工作区没有变化");
    expect(stdout).toContain("✗ 陷入循环，已停止：已用 2/6 次尝试");
    expect(stdout).toContain("在 plan.md 中给 agent 写下提示");
  });

  test("an agent that does nothing and reports that", async () => {
    const rig = new RoomRig();
    const { report } = await rig.supervise({ agent: "agent needs_work", full: [NODE_TESTS], ...LOOPS });
    expect([report.end_reason, report.attempts.length]).toEqual(["stuck", 2]);
  });

  test("S30 at a terminal the person is asked, and the granted attempts are made", async () => {
    const rig = new RoomRig();
    const agent = rig.agent(WRONG, IDLE, IDLE, WORKS);
    const terminal = new TerminalSession(rig, rig.superviseArgs({ agent, full: [NODE_TESTS] }), {}, true);
    await terminal.shows(/● Continue/);
    expect(terminal.text().replaceAll(/[\s│]+/g, " ")).toMatch(
      /2 of 6 attempts used, not accepted: .*; stuck: /,
    );
    terminal.press(Key.enter);
    await terminal.shows("How many more");
    terminal.press(Key.enter);
    await terminal.shows("Note (may be empty)");
    terminal.press(Key.enter);
    expect(await terminal.ended).toBe(0);
    expect(rig.report(rig.runIds()[0] ?? "").attempts).toHaveLength(4);
  });

  test.each([
    ["the tree changes each time", [WRONG, OTHER, WRONG, WORKS]],
    ["the failure is another one", [`${WRONG}\nexit 3`, IDLE, WORKS]],
  ])("continue if %s", async (_, rounds) => {
    const { code, report } = await new RoomRig().rounds(rounds, LOOPS);
    expect([code, report.attempts.length]).toEqual([0, rounds.length]);
  });
});

describe("--on-stuck", () => {
  test("S31 continue: all attempts are made", async () => {
    const { code, report } = await new RoomRig().rounds([WRONG], {
      loops: 3,
      more: ["--on-stuck", "continue"],
    });
    expect([code, report.end_reason, report.attempts.length]).toEqual([1, "limit_reached", 3]);
  });

  test("S31 at the limit it is the limit that ends the run", async () => {
    const { report } = await new RoomRig().rounds([WRONG], { loops: 2 });
    expect(report.end_reason).toBe("limit_reached");
  });

  test("by default another agent takes over and succeeds", async () => {
    const rig = new RoomRig({ "src/add.js": RIGHT });
    const env = rig.withAgents({ CLAUDE_DOES: "lie", CODEX_DOES: "work" });
    const options = { agents: "claude,codex", fast: ["test -f work.txt"], full: ["true"] };
    const { code, report, stdout } = await rig.supervise(options, { env });
    expect(code).toBe(0);
    expect(report.attempts.map(({ agent }) => agent.name)).toEqual(["claude", "claude", "codex"]);
    expect(stdout).toContain("codex takes over");
  });

  test("by default the run ends when every agent has failed in the same way", async () => {
    const rig = new RoomRig({ "src/add.js": RIGHT });
    const env = rig.withAgents({ CLAUDE_DOES: "lie", CODEX_DOES: "says_nothing" });
    const options = { agents: "claude,codex", fast: ["test -f work.txt"], full: ["true"] };
    const { code, report } = await rig.supervise(options, { env });
    expect([code, report.end_reason]).toEqual([1, "stuck"]);
    expect(report.attempts.map(({ agent }) => agent.name)).toEqual(["claude", "claude", "codex", "claude"]);
  });

  test("stop: no other agent is asked; also by configuration", async () => {
    const rig = new RoomRig({ "src/add.js": RIGHT, "agent-foreman.yaml": "on_stuck: stop\n" });
    const env = rig.withAgents({ CLAUDE_DOES: "lie", CODEX_DOES: "work" });
    const options = { agents: "claude,codex", fast: ["test -f work.txt"], full: ["true"] };
    const { report } = await rig.supervise(options, { env });
    expect([report.end_reason, report.attempts.length, report.on_stuck]).toEqual(["stuck", 2, "stop"]);
  });
});
