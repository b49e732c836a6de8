import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAKE_CLOCK, until } from "../rig/rig.ts";
import { KILL_AFTER } from "../sweep/points.ts";
import { answer, AnalyzeRig, DIR, hanging } from "./rig.ts";

describe("agents, in the given order", () => {
  const QUOTA = { say: "You've hit your usage limit. Try again in 3 hours.", exit: 1 };

  test("out of quota, not logged in: asks the next one, and keeps every error", async () => {
    const rig = new AnalyzeRig();
    rig.profiles(["first", "third", "fourth"]);
    rig.script({ "first analyst": QUOTA, "third analyst": { say: answer() } });
    const env = rig.withAgents({ CLAUDE_DOES: "auth" });
    const { code, stdout, report } = await rig.analyze(["--agents", "first,claude,third,fourth"], { env });
    expect(code).toBe(0);
    expect(rig.calls().map(({ name }) => name)).toEqual(["first", "third"]);
    expect(report.agent_failures).toMatchObject([
      {
        agent: "first",
        attempt: 1,
        class: "quota",
        message: expect.stringContaining("usage limit") as string,
      },
      { agent: "claude", attempt: 1, class: "auth", message: expect.stringContaining("API key") as string },
    ]);
    expect(report.attempts).toMatchObject([{ index: 1, agent: { name: "third" } }]);
    expect(stdout).toContain("usage limit");
    expect(stdout).toContain("API key");
  });

  test("asks an agent with bad answers again, not the next one", async () => {
    const rig = new AnalyzeRig();
    rig.profiles(["first", "second"]);
    rig.script({ "first analyst 1": { say: "no" }, "first analyst 2": { say: answer() } });
    expect((await rig.analyze()).code).toBe(0);
    expect(rig.calls().map(({ name }) => name)).toEqual(["first", "first"]);
  });

  test("not installed: passed over and said so; --agents goes before the configuration", async () => {
    const rig = new AnalyzeRig(answer());
    rig.profiles(["first", "second"]);
    const { code, stdout, report } = await rig.analyze(["--agents", "claude,second"]);
    expect(code).toBe(0);
    expect(rig.calls().map(({ name }) => name)).toEqual(["second"]);
    expect(stdout).toContain("claude");
    expect(report.agents.map(({ name }) => name)).toEqual(["second"]);
  });

  test("none installed: exit 5, leaves nothing", async () => {
    const rig = new AnalyzeRig(answer());
    const { code, stderr } = await rig.analyze(["--agents", "claude,codex"]);
    expect({ code, runs: rig.runIds() }).toEqual({ code: 5, runs: [] });
    expect(stderr).toContain("claude");
  });

  test("without named agents: claude, then codex, of the usual four", async () => {
    const rig = new AnalyzeRig();
    rig.write("agent-foreman.yaml", "limits: { max_wait: 1h }\n");
    const env = rig.withAgents({ CLAUDE_DOES: "auth", CODEX_DOES: "auth" });
    const { code, report, stdout } = await rig.analyze([], { env });
    expect(code).toBe(5);
    expect(report).toMatchObject({ end_reason: "no_agent_available", resumable: true, steps_dir: null });
    expect(report.agent_failures.map(({ agent, class: kind }) => [agent, kind])).toEqual([
      ["claude", "auth"],
      ["codex", "auth"],
    ]);
    expect(stdout).toContain("claude");
    expect(stdout).toContain("codex");
    expect(rig.written()).toEqual([]);
  });

  test("all out of quota: waits, then asks again", async () => {
    const rig = new AnalyzeRig();
    rig.write(
      "agent-foreman.yaml",
      "agents: [a]\nprofiles:\n  a: { extends: command, command: sh ../agent.sh }\n",
    );
    const clock = join(rig.home, "fake-clock");
    fs.writeFileSync(
      join(rig.root, "agent.sh"),
      `if [ -e ${clock} ]; then stepper; else echo "You've hit your usage limit. Try again in 30 minutes."; exit 1; fi\n`,
    );
    rig.script({ analyst: { say: answer() } });
    const { code, report } = await rig.analyze([], { preload: FAKE_CLOCK });
    expect(code).toBe(0);
    expect(report.agent_failures).toMatchObject([{ class: "quota" }]);
  });
});

describe("limits and interruptions", () => {
  test("a budget is refused if an agent reports no usage", async () => {
    const rig = new AnalyzeRig(answer());
    const { code, stderr } = await rig.analyze(["--max-tokens", "1000"]);
    expect({ code, calls: rig.called() }).toEqual({ code: 2, calls: [] });
    expect(stderr).toContain("--max-tokens");
  });

  test("a budget of money: the run stops before the second answer, and continues with more", async () => {
    const rig = new AnalyzeRig();
    const env = rig.withAgents({ CLAUDE_DOES: "lie" });
    const { code, report, runId } = await rig.analyze(["--agents", "claude", "--max-cost-usd", "0.2"], {
      env,
    });
    expect(code).toBe(4);
    expect(report).toMatchObject({
      end_reason: "budget_reached",
      resumable: true,
      spent: { cost_usd: 0.25 },
    });
    expect(rig.written()).toEqual([]);
    const more = await rig.run(["resume", runId, "--max-cost-usd", "1"], { env });
    expect(more.code, "the second answer is no better").toBe(1);
  });

  test("a budget of time ends the agent's turn; a resume with more asks again", async () => {
    const rig = new AnalyzeRig();
    hanging(rig);
    const { code, report } = await rig.analyze(["--max-time", "1s"]);
    expect(code).toBe(4);
    expect(report).toMatchObject({ end_reason: "budget_reached", steps_dir: null });
    expect(rig.survivors()).toEqual([]);
    fs.writeFileSync(join(rig.root, "go"), "");
    const resumed = await rig.resumeAnalysis(["--max-time", "10m"]);
    expect({ code: resumed.code, files: rig.filesIn(DIR) }).toEqual({ code: 0, files: ["001-hello.json"] });
  });

  test("Ctrl-C: the answer that is on its way is waited for, and its steps are written", async () => {
    const rig = new AnalyzeRig();
    hanging(rig);
    const running = rig.start(["analyze", "requirements.md", "--lang", "en"]);
    await until(() => fs.existsSync(join(rig.root, "at-work")));
    running.child.kill("SIGINT");
    await until(() => running.output().stderr.includes("Ctrl-C again"));
    fs.writeFileSync(join(rig.root, "go"), "");
    const { code } = await running.ended;
    expect({ code, written: rig.written() }).toEqual({ code: 0, written: [DIR] });
    expect(rig.called()).toHaveLength(1);
  });

  test("Ctrl-C twice: what runs is ended, exit 130; resume asks again in the same attempt", async () => {
    const rig = new AnalyzeRig();
    hanging(rig);
    const running = rig.start(["analyze", "requirements.md", "--lang", "en"]);
    await until(() => fs.existsSync(join(rig.root, "at-work")));
    running.child.kill("SIGINT");
    await until(() => running.output().stderr.includes("Ctrl-C again"));
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    expect({ written: rig.written(), survivors: rig.survivors() }).toEqual({ written: [], survivors: [] });
    fs.writeFileSync(join(rig.root, "go"), "");
    const { code, report } = await rig.resumeAnalysis();
    expect({ code, written: rig.written() }).toEqual({ code: 0, written: [DIR] });
    expect(report).toMatchObject({
      interrupted_turns: [{ attempt: 1, turn: 1 }],
      attempts: [{ index: 1, decision: "accepted" }],
    });
  });

  test("killed once the answer was accepted: resume writes the steps without asking again", async () => {
    const rig = new AnalyzeRig(answer());
    const whole = new AnalyzeRig(answer());
    const { runId } = await whole.analyze();
    const judged = whole.events(runId).findIndex(({ type }) => type === "attempt_judged") + 1;
    const killed = await rig.analyze([], { preload: KILL_AFTER, env: { SWEEP_KILL: `after:${judged}` } });
    expect(killed.signal).toBe("SIGKILL");
    expect(rig.written()).toEqual([]);
    expect((await rig.resumeAnalysis()).code).toBe(0);
    expect(rig.read(join(DIR, "001-hello.json"))).toBe(whole.read(join(DIR, "001-hello.json")));
    expect(rig.called()).toHaveLength(1);
  });

  test("killed at work: resume does not overwrite files that appeared meanwhile", async () => {
    const rig = new AnalyzeRig(answer());
    await rig.analyze([], { preload: KILL_AFTER, env: { SWEEP_KILL: "after:2" } });
    rig.write(join(DIR, "001-hello.json"), "mine\n");
    expect((await rig.resumeAnalysis()).code).toBe(3);
    expect(rig.read(join(DIR, "001-hello.json"))).toBe("mine\n");
  });
});
