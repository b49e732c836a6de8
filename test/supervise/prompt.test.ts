import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Strings } from "../rig/puppet.ts";
import { Rig, until } from "../rig/rig.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";

const CONTINUE = /● Continue/;
const PASS = /● Mark as passed/;
const FAIL = /● Mark as failed/;

/** A run in a terminal whose only attempt was rejected. The question is on the screen. */
async function asked(
  rig: Rig,
  agent = "agent mute",
  env = {},
): Promise<{ terminal: TerminalSession; runId: string }> {
  const terminal = new TerminalSession(rig, rig.superviseArgs({ agent, loops: 1 }), env);
  await terminal.shows(CONTINUE);
  return { terminal, runId: rig.runIds()[0] ?? "" };
}

function openQuestion(rig: Rig, runId: string): string | undefined {
  const last = rig
    .events(runId)
    .findLast(({ type }) => type === "question_asked" || type === "question_answered");
  return last?.type === "question_asked" ? last.id : undefined;
}

describe("S30 the limit on a terminal", () => {
  test("S30 asks: continue N, mark as passed, mark as failed; fits 80 columns and says how to answer later", async () => {
    const rig = Rig.inWorkTree();
    const { terminal, runId } = await asked(rig);
    const text = terminal.text();
    expect(text).toContain("1 of 1 attempts used");
    expect(text).toContain("missing_or_invalid_status_marker");
    expect(text).toMatch(/Continue[\s\S]*Mark as passed[\s\S]*Mark as failed/);
    expect(text).toContain(`agent-foreman decide ${runId}`);
    expect(rig.survivors().filter((line) => !line.includes("cli.cjs supervise"))).toEqual([]);
    terminal.press(Key.ctrlC);
    expect(await terminal.ended).toBe(3);
  });

  test("S30 uses one language, also for its keys", async () => {
    const rig = Rig.inWorkTree();
    const args = rig.superviseArgs({ agent: "agent mute", loops: 1, more: ["--lang", "zh"] });
    const terminal = new TerminalSession(rig, args, {});
    await terminal.shows(/● 继续/);
    expect(terminal.text()).toContain("↑/↓ 选择，回车确认");
    expect(terminal.text()).not.toContain("navigate");
    terminal.press(Key.ctrlC);
    expect(await terminal.ended).toBe(3);
  });

  test("S30 continue N runs N more rounds and then asks again; S14 the agent sees the new limit", async () => {
    const rig = Rig.inWorkTree();
    const agent = 'echo "$GA_LOOP_INDEX/$GA_MAX_LOOPS" >> rounds; agent mute mute done';
    const { terminal, runId } = await asked(rig, agent);
    terminal.press(Key.enter);
    await terminal.shows("How many more attempts?");
    terminal.press("\u007f", "1", Key.enter);
    await terminal.shows("Note (may be empty)");
    terminal.press("almost: 4 of 14", Key.enter);
    await terminal.shows("2 of 2 attempts used");
    expect(rig.read("rounds")).toBe("1/1\n2/2\n");
    terminal.press(Key.enter);
    await until(() => terminal.text().match(/How many more/g)?.length === 2);
    terminal.press(Key.enter);
    await until(() => terminal.text().match(/Note \(may be empty\)/g)?.length === 2);
    terminal.press(Key.enter);
    expect(await terminal.ended).toBe(0);
    expect(rig.read("rounds")).toBe("1/1\n2/2\n3/5\n");
    const report = rig.report(runId);
    expect(report).toMatchObject({ final_status: "passed", max_loops: 1, allowed_loops: 5 });
    expect(report.manual_decision).toMatchObject({
      decision: "continue_n",
      n: 3,
      note: null,
      via: "terminal",
    });
    expect(report.manual_decision_history).toMatchObject([
      { decision: "continue_n", n: 1, note: "almost: 4 of 14" },
      { n: 3 },
    ]);
  });

  test("S30 S36 S37 mark as passed, with a note", async () => {
    const rig = Rig.inWorkTree();
    const { terminal, runId } = await asked(rig);
    terminal.press(Key.down);
    await terminal.shows(PASS);
    terminal.press(Key.enter);
    await terminal.shows("Note (may be empty)");
    terminal.press("我看过了", Key.enter);
    expect(await terminal.ended).toBe(0);
    const report = rig.report(runId);
    expect(report).toMatchObject({ final_status: "manually_passed", exit_code: 0 });
    expect(report.manual_decision).toMatchObject({
      decision: "mark_pass",
      n: null,
      note: "我看过了",
      via: "terminal",
    });
    expect(report.attempts[0]?.decision).toBe("rejected");
  });

  test("S30 S36 S37 mark as failed, without one", async () => {
    const rig = Rig.inWorkTree();
    const { terminal, runId } = await asked(rig);
    terminal.press(Key.up);
    await terminal.shows(FAIL);
    terminal.press(Key.enter);
    await terminal.shows("Note (may be empty)");
    terminal.press(Key.enter);
    expect(await terminal.ended).toBe(1);
    expect(rig.report(runId)).toMatchObject({ final_status: "manually_failed", exit_code: 1 });
    expect(rig.report(runId).manual_decision).toMatchObject({ decision: "mark_fail", note: null });
  });

  test("S30 asks again for an invalid number", async () => {
    const rig = Rig.inWorkTree();
    const { terminal } = await asked(rig);
    terminal.press(Key.enter);
    await terminal.shows("How many more attempts?");
    terminal.press("\u007f", "0", Key.enter);
    await terminal.shows("a whole number from 1 to 1000");
    terminal.press(Key.ctrlC);
    expect(await terminal.ended).toBe(3);
  });
});

describe("S30 leaving the prompt decides nothing and loses nothing", () => {
  /** Each step of the prompt, by the actions that lead to it. */
  const steps: Readonly<Record<string, (terminal: TerminalSession) => Promise<unknown>>> = {
    "at the question": async () => undefined,
    "at the number": async (terminal) => {
      terminal.press(Key.enter);
      return terminal.shows("How many more attempts?");
    },
    "at the note": async (terminal) => {
      terminal.press(Key.down);
      await terminal.shows(PASS);
      terminal.press(Key.enter);
      return terminal.shows("Note (may be empty)");
    },
  };
  const cases = Object.keys(steps).flatMap((step) => [
    { key: "ctrlC" as const, step },
    { key: "ctrlD" as const, step },
  ]);

  test.each(cases)(
    "S30 by $key $step: exit 3, the question stays open, resume asks it again",
    async ({ key, step }) => {
      const rig = Rig.inWorkTree();
      const { terminal, runId } = await asked(rig);
      const question = openQuestion(rig, runId);
      await steps[step]?.(terminal);
      terminal.press(Key[key]);
      expect(await terminal.ended).toBe(3);
      expect(rig.events(runId).at(-1)).toMatchObject({ type: "run_stopped", by: "undecided" });
      expect(openQuestion(rig, runId)).toBe(question);
      expect(rig.hasReport(runId)).toBe(false);

      const again = new TerminalSession(rig, ["resume", runId]);
      await again.shows(CONTINUE);
      expect(openQuestion(rig, runId)).toBe(question);
      again.press(Key.up);
      await again.shows(FAIL);
      again.press(Key.enter);
      await again.shows("Note (may be empty)");
      again.press(Key.enter);
      expect(await again.ended).toBe(1);
      expect(rig.events(runId).filter(({ type }) => type === "turn_started")).toHaveLength(1);
    },
  );

  test("S30 closing the terminal at the question decides nothing either", async () => {
    const rig = Rig.inWorkTree();
    const { terminal, runId } = await asked(rig);
    terminal.pty.kill("SIGHUP");
    expect(await terminal.ended).toBe(129);
    expect(openQuestion(rig, runId)).toBeDefined();
    expect(rig.hasReport(runId)).toBe(false);
  });
});

describe("S36 decide while the prompt is open", () => {
  test("S36 the live run takes continue, and continues", async () => {
    const rig = Rig.inWorkTree();
    const strings = await Strings.attach(rig);
    const terminal = new TerminalSession(rig, rig.superviseArgs({ agent: "puppet", loops: 1 }), strings.env);
    await (await strings.next()).say("BLOCKED");
    await terminal.shows(CONTINUE);
    const [runId = ""] = rig.runIds();
    const decided = await rig.run(["decide", runId, "continue", "1", "--note", "from outside"]);
    expect(decided).toMatchObject({ code: 0, stderr: "" });
    const puppet = await strings.next();
    expect(puppet.env).toMatchObject({ GA_LOOP_INDEX: "2", GA_MAX_LOOPS: "2" });
    await puppet.say("DONE");
    expect(await terminal.ended).toBe(0);
    expect(rig.report(runId).manual_decision).toMatchObject({
      decision: "continue_n",
      n: 1,
      note: "from outside",
      via: "decide",
    });
  });

  test.each([
    ["pass", 0, "manually_passed", "mark_pass"],
    ["fail", 1, "manually_failed", "mark_fail"],
  ])("S36 %s ends it", async (answer, code, status, decision) => {
    const rig = Rig.inWorkTree();
    const { terminal, runId } = await asked(rig);
    expect((await rig.run(["decide", runId, answer, "--note", "n"])).code).toBe(0);
    expect(await terminal.ended).toBe(code);
    expect(rig.report(runId)).toMatchObject({
      final_status: status,
      manual_decision: { decision, note: "n", via: "decide" },
    });
  });

  test("S36 a message that does not name the open question is refused, and the question stays", async () => {
    const rig = Rig.inWorkTree();
    const { terminal, runId } = await asked(rig);
    const question = openQuestion(rig, runId);
    const inbox = join(rig.journalPath(runId), "..", "inbox");
    for (const [id, questionId] of [
      ["1-answer-a", null],
      ["2-answer-b", "q1"],
      ["3-answer-c", `${question}x`],
    ]) {
      const message = { v: 1, id, kind: "answer", questionId, answer: { kind: "mark_pass" }, note: null };
      fs.writeFileSync(join(inbox, `${id}.tmp`), JSON.stringify(message));
      fs.renameSync(join(inbox, `${id}.tmp`), join(inbox, `${id}.json`));
    }
    const refusals = (): string[] =>
      rig.events(runId).flatMap((event) => (event.type === "answer_refused" ? [event.why] : []));
    await until(() => refusals().length === 3);
    expect(refusals()).toEqual(Array(3).fill("wrong_question_id"));
    expect(openQuestion(rig, runId)).toBe(question);
    expect((await rig.run(["decide", runId, "fail"])).code).toBe(0);
    expect(await terminal.ended).toBe(1);
    expect(rig.report(runId)).toMatchObject({ final_status: "manually_failed", refused_answers: 3 });
  });

  test("S36 cancel ends it as failed", async () => {
    const rig = Rig.inWorkTree();
    const { terminal, runId } = await asked(rig);
    expect((await rig.run(["cancel", runId])).code).toBe(0);
    expect(await terminal.ended).toBe(1);
    expect(rig.report(runId)).toMatchObject({
      final_status: "failed",
      end_reason: "cancelled",
      manual_decision: null,
    });
  });
});
