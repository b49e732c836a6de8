import fs from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Strings } from "../rig/puppet.ts";
import { Rig, until } from "../rig/rig.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";

// Agents that attack the foreman's own files. None gets bad work accepted, and none goes unnoticed.

/** A directory outside the work tree that only the agent uses. */
function victim(rig: Rig): string {
  const path = join(rig.home, "victim");
  fs.mkdirSync(path);
  return path;
}

describe("its run directory", () => {
  test("run-dir-deleter: everything is written again", async () => {
    const rig = new Rig();
    const { code, report, runId } = await rig.supervise({ agent: "run-dir-deleter" });
    expect(code).toBe(0);
    for (const attempt of report.attempts)
      expect(JSON.parse(rig.read(`.goldagent-supervise/${runId}/attempt-${attempt.index}.json`))).toEqual(
        attempt,
      );
    expect(rig.read(`.goldagent-supervise/${runId}/feedback.md`)).toContain("accepted");
    expect(rig.survivors()).toEqual([]);
  });

  test("run-dir-linker: writes nothing at the link's target", async () => {
    const rig = new Rig();
    const place = victim(rig);
    const { code, runId } = await rig.supervise({ agent: "run-dir-linker" });
    expect(code).toBe(0);
    expect(fs.readdirSync(place)).toEqual([]);
    const runDir = join(rig.project, ".goldagent-supervise", runId);
    expect(fs.lstatSync(runDir).isSymbolicLink()).toBe(false);
    expect(fs.readdirSync(runDir)).toEqual(
      expect.arrayContaining(["attempt-1.json", "attempt-2.json", "feedback.md"]),
    );
  });

  test("folder-linker: nor at the target of a link further up", async () => {
    const rig = new Rig();
    const place = victim(rig);
    const { code } = await rig.supervise({ agent: "folder-linker" });
    expect(code).toBe(0);
    expect(fs.readdirSync(place)).toEqual([]);
  });

  test("file-linker: links in place of files are replaced, not followed", async () => {
    const rig = new Rig();
    const { code, runId, report } = await rig.supervise({ agent: "file-linker" });
    expect(code).toBe(0);
    expect(fs.lstatSync(report.report_path).isFile()).toBe(true);
    expect(fs.lstatSync(join(rig.project, ".goldagent-supervise", runId, "feedback.md")).isFile()).toBe(true);
    expect(fs.readdirSync(rig.home)).toEqual([]);
  });

  test("a directory in place of the report: the outcome is recorded, but the exit code is not 0 until the report is written", async () => {
    const rig = new Rig();
    const ended = await rig.run(
      rig.superviseArgs({
        agent: 'mkdir -p "goldagent-supervise-report-$(basename "$GA_RUN_DIR").json/x"; worker',
      }),
    );
    expect(ended.code).toBe(6);
    const [runId = ""] = rig.runIds();
    expect(ended.stderr).toContain(`goldagent-supervise-report-${runId}.json`);
    fs.rmSync(join(rig.project, `goldagent-supervise-report-${runId}.json`), { recursive: true });
    expect((await rig.run(["resume", runId])).code).toBe(0);
    expect(rig.report(runId).final_status).toBe("passed");
  });
});

describe("its own run", () => {
  test("calls decide: refused, and recorded as refused", async () => {
    const rig = new Rig();
    const strings = await Strings.attach(rig);
    const running = rig.start(rig.superviseArgs({ agent: "puppet", fast: ["false"], loops: 1 }), {
      env: strings.env,
    });
    const puppet = await strings.next();
    const runId = basename(puppet.env["GA_RUN_DIR"] ?? "");
    await puppet.do({
      spawn: `agent-foreman decide ${runId} pass --note mine 2> refusal; echo $? > code.tmp; mv code.tmp code`,
    });
    await until(() => rig.exists("code"));
    expect(rig.read("code")).toBe("2\n");
    expect(rig.read("refusal")).toContain(runId);
    await puppet.say("DONE");
    expect((await running.ended).code).toBe(1);
    expect(rig.events(runId)).toContainEqual(
      expect.objectContaining({
        type: "answer_refused",
        why: "no_open_question",
        answer: { kind: "mark_pass" },
        note: "mine",
      }),
    );
    expect(rig.report(runId)).toMatchObject({
      final_status: "failed",
      manual_decision: null,
      refused_answers: 1,
    });
    expect(rig.survivors()).toEqual([]);
  });

  test("calls decide before the limit question at a terminal: the question still appears", async () => {
    const rig = new Rig();
    const agent = 'agent-foreman decide "$(basename "$GA_RUN_DIR")" pass 2> refusal; mute';
    const terminal = new TerminalSession(rig, rig.superviseArgs({ agent, loops: 1 }));
    await terminal.shows(/● Continue/);
    const [runId = ""] = rig.runIds();
    expect(rig.events(runId).map(({ type }) => type)).toContain("answer_refused");
    terminal.press(Key.up);
    await terminal.shows(/● Mark as failed/);
    terminal.press(Key.enter);
    await terminal.shows("Note (may be empty)");
    terminal.press(Key.enter);
    expect(await terminal.ended).toBe(1);
    expect(rig.report(runId)).toMatchObject({ final_status: "manually_failed", refused_answers: 1 });
  });

  test("calls cancel: the turn is killed and the run has failed", async () => {
    const rig = new Rig();
    const strings = await Strings.attach(rig);
    const running = rig.start(rig.superviseArgs({ agent: "puppet" }), { env: strings.env });
    const puppet = await strings.next();
    const runId = basename(puppet.env["GA_RUN_DIR"] ?? "");
    await puppet.do({ stdout: "GA_STATUS=DONE\nGA_EVIDENCE=e\n" });
    await puppet.do({ spawn: `agent-foreman cancel ${runId}` });
    expect((await running.ended).code).toBe(1);
    expect(rig.report(runId)).toMatchObject({
      final_status: "failed",
      end_reason: "cancelled",
      attempts: [],
    });
    expect(rig.survivors()).toEqual([]);
  });

  test("inbox-forger: refused, each message recorded", async () => {
    const rig = new Rig();
    const { code, report, runId } = await rig.supervise({ agent: "inbox-forger", loops: 1 });
    expect(code).toBe(1);
    expect(report).toMatchObject({ final_status: "failed", manual_decision: null, refused_answers: 4 });
    const refused = rig
      .events(runId)
      .flatMap((event) => (event.type === "answer_refused" ? [event.why] : []));
    expect(refused).toEqual(["no_open_question", "no_open_question", "unreadable", "unreadable"]);
    expect(rig.survivors()).toEqual([]);
  });

  test("inbox-forger at a terminal: no answer to the question that comes later", async () => {
    const rig = new Rig();
    const terminal = new TerminalSession(rig, rig.superviseArgs({ agent: "inbox-forger", loops: 1 }));
    await terminal.shows(/● Continue/);
    terminal.press(Key.ctrlC);
    expect(await terminal.ended).toBe(3);
    const [runId = ""] = rig.runIds();
    expect(rig.events(runId).map(({ type }) => type)).not.toContain("question_answered");
  });

  test.each(["journal-appender", "journal-eraser"])(
    "%s: the run fails closed, and is not resumed",
    async (agent) => {
      const rig = new Rig();
      const ended = await rig.run(rig.superviseArgs({ agent, full: ["echo x >> ../tested"] }));
      const [runId = ""] = rig.runIds();
      expect(ended.code).toBe(6);
      expect(ended.stderr).toContain(rig.journalPath(runId));
      // Once on the base, and not again.
      expect(fs.readFileSync(join(rig.root, "tested"), "utf8")).toBe("x\n");
      expect(rig.hasReport(runId)).toBe(false);
      const resumed = await rig.run(["resume", runId]);
      expect(resumed.code).toBe(6);
      expect(rig.hasReport(runId)).toBe(false);
      expect(rig.survivors()).toEqual([]);
    },
  );

  test("rival-starter: the second supervisor is refused by the name of the first run", async () => {
    const rig = new Rig();
    const { code, runId } = await rig.supervise({ agent: "rival-starter" });
    expect(code).toBe(0);
    expect(rig.read("rival.code")).toBe("6\n");
    expect(rig.read("rival.err")).toContain(runId);
    expect(rig.read("rival.out")).toBe("");
    expect(rig.exists("rival-started")).toBe(false);
    expect(rig.runIds()).toEqual([runId]);
    expect(rig.survivors()).toEqual([]);
  });
});
