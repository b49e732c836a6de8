import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FailureClass } from "../../src/core/agent-turn.ts";
import type { Reason } from "../../src/core/reason.ts";
import { FAKE_CLOCK, Rig, until, type SuperviseOptions } from "../rig/rig.ts";

const CLAUDE: SuperviseOptions = { agents: "claude", fast: ["test -f work.txt"], full: ["true"] };

function promptOf(rig: Rig, agent: "claude" | "codex", turn: number): string {
  return fs.readFileSync(join(rig.home, `${agent}-prompt-${turn}.md`), "utf8");
}

describe("a named agent", () => {
  test("gets the task, the plan, the tests and the protocol, and is accepted on evidence", async () => {
    const rig = Rig.inWorkTree();
    const { code, report } = await rig.supervise(CLAUDE, { env: rig.withAgents() });
    expect(code).toBe(0);
    const prompt = promptOf(rig, "claude", 1);
    for (const part of ["the task", "Do the work.", "test -f work.txt", "GA_STATUS", "first attempt"])
      expect(prompt).toContain(part);
    expect(report).toMatchObject({
      agent_cmd: "claude",
      agents: [{ name: "claude", adapter: "claude" }],
      spent: { cost_usd: 0.25, input_tokens: 100, cached_input_tokens: 1000, output_tokens: 20 },
    });
    expect(report.attempts[0]).toMatchObject({
      agent_status_marker: "DONE",
      agent_evidence: "work.txt is written",
      agent: { name: "claude", model: "scripted", files_touched: ["work.txt"], failure: null },
    });
    expect(fs.readFileSync(report.attempts[0]?.agent.message?.path ?? "", "utf8")).toContain(
      "GA_STATUS=DONE",
    );
  });

  test("with false claims is found out, gets the reasons, and is accepted when it has done the work", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "lie work" });
    const { code, report } = await rig.supervise(CLAUDE, { env });
    expect(code).toBe(0);
    expect(report.attempts.map(({ reasons }) => reasons)).toEqual([["fast_test_failed"], []]);
    expect(promptOf(rig, "claude", 2)).toContain("fast_test_failed");
  });

  test("is shown in Chinese prompts where the language is Chinese", async () => {
    const rig = Rig.inWorkTree();
    await rig.supervise({ ...CLAUDE, more: ["--lang", "zh"] }, { env: rig.withAgents() });
    expect(promptOf(rig, "claude", 1)).toContain("# 任务");
  });

  test("gets a prompt of any size", async () => {
    const rig = Rig.inWorkTree();
    const line = "A plan that goes into details.\n";
    rig.write("plan.md", line.repeat(100_000));
    const { code } = await rig.supervise(CLAUDE, { env: rig.withAgents() });
    expect(code).toBe(0);
    expect(promptOf(rig, "claude", 1).length).toBeGreaterThan(line.length * 100_000);
  });

  test("that says more than its adapter knows is understood all the same", async () => {
    const rig = Rig.inWorkTree();
    const { code, report } = await rig.supervise(CLAUDE, { env: rig.withAgents({ CLAUDE_DOES: "newer" }) });
    expect(code).toBe(0);
    expect(report.attempts[0]?.agent.unknown_lines).toBeGreaterThan(0);
  });

  test("that has finished and does not exit is ended, and counts as finished", async () => {
    const rig = Rig.inWorkTree();
    const { code, report } = await rig.supervise(CLAUDE, { env: rig.withAgents({ CLAUDE_DOES: "linger" }) });
    expect(code).toBe(0);
    expect(report.attempts[0]?.agent.end).toEqual({ kind: "finished" });
  });

  test("can be a command of a profile: the prompt is its input, its output is its message", async () => {
    const rig = Rig.inWorkTree();
    rig.write(
      "agent-foreman.yaml",
      `profiles: { mine: { extends: command, command: "cat > prompt.txt; claim DONE" } }\n`,
    );
    const { code } = await rig.supervise({ agents: "mine" });
    expect(code).toBe(0);
    expect(rig.read("prompt.txt")).toContain("the task");
  });
});

describe("a failed turn costs what it should", () => {
  /** claude's first action; afterwards it works. */
  const FREE: [does: string, kind: FailureClass][] = [
    ["quota", "quota"],
    ["quota_event", "quota"],
    ["quota_text", "quota"],
    ["rate_limited", "rate_limited"],
    ["overloaded", "overloaded"],
  ];
  test.each(FREE)("%s: waited for, no attempt spent", async (does, kind) => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: `${does} work` });
    const { code, report, runId } = await rig.supervise(CLAUDE, { env, preload: FAKE_CLOCK });
    expect(code).toBe(0);
    expect(report.attempts).toHaveLength(1);
    expect(report.agent_failures).toMatchObject([{ agent: "claude", attempt: 1, class: kind }]);
    const types = rig.events(runId).map(({ type }) => type);
    expect(types.filter((type) => !type.startsWith("base_")).slice(1, 6)).toEqual([
      "turn_started",
      "turn_failed",
      "wait_started",
      "wait_ended",
      "turn_started",
    ]);
  });

  const STOPPING: [does: string, kind: FailureClass][] = [
    ["auth", "auth"],
    ["denied", "permission"],
  ];
  test.each(STOPPING)("%s: the run stops with what to do, and can be resumed", async (does, kind) => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: `${does} work` });
    const { code, report, runId, stdout } = await rig.supervise(CLAUDE, { env });
    expect(code).toBe(5);
    expect(report).toMatchObject({
      final_status: "failed",
      end_reason: "no_agent_available",
      resumable: true,
      exit_code: 5,
      attempts: [],
      agent_failures: [{ class: kind }],
    });
    expect(stdout).toContain(`agent-foreman resume ${runId}`);
    const resumed = await rig.run(["resume", runId], { env });
    expect(resumed.code).toBe(0);
    expect(rig.report(runId)).toMatchObject({ final_status: "passed", resumable: false });
  });

  const SPENDING: [does: string, reason: Reason][] = [
    ["asks", "agent_asked_person"],
    ["refuses", "agent_refused"],
    ["own_limit", "agent_own_limit"],
    ["crash", "agent_crashed"],
    ["mute", "agent_no_output"],
    ["garbage", "agent_protocol_error"],
  ];
  test.each(SPENDING)("%s: an attempt, whatever the tests show", async (does, reason) => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: `${does} work` });
    const { code, report } = await rig.supervise({ ...CLAUDE, fast: ["true"] }, { env });
    expect(code).toBe(0);
    expect(report.attempts.map(({ decision }) => decision)).toEqual(["rejected", "accepted"]);
    expect(report.attempts[0]?.reasons).toContain(reason);
    expect(report.agent_failures).toEqual([]);
    expect(promptOf(rig, "claude", 2)).toContain(reason);
  });

  test("hang: ended by the stall limit, costs an attempt", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "hang work" });
    const { code, report } = await rig.supervise({ ...CLAUDE, more: ["--stall-sec", "1"] }, { env });
    expect(code).toBe(0);
    expect(report.attempts[0]?.reasons).toContain("stalled");
    expect(report.attempts[0]?.agent).toMatchObject({
      failure: { class: "timeout" },
      end: { kind: "stalled" },
    });
  });

  test("hang: ended when its time is over, an attempt", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "hang work" });
    const { report } = await rig.supervise({ ...CLAUDE, more: ["--agent-timeout-sec", "1"] }, { env });
    expect(report.attempts[0]?.reasons).toContain("timeout");
  });

  test("a lost session: begun afresh, no attempt spent", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "needs_work lost work" });
    const { code, report } = await rig.supervise({ ...CLAUDE, more: ["--session", "continue"] }, { env });
    expect(code).toBe(0);
    expect(report.attempts).toHaveLength(2);
    expect(report.agent_failures).toMatchObject([{ class: "session_lost", attempt: 2 }]);
    const args = [1, 2, 3].map((turn) => fs.readFileSync(join(rig.home, `claude-args-${turn}`), "utf8"));
    expect(args.map((text) => text.includes("--resume"))).toEqual([false, true, false]);
  });

  test("a command that reports an exhausted quota, with exit 0, costs nothing either", async () => {
    const rig = Rig.inWorkTree();
    const agent = `test -f again && claim DONE || { touch again; echo "Claude AI usage limit reached|$(( $(date +%s) + 600 ))"; }`;
    const { code, report } = await rig.supervise({ agent }, { preload: FAKE_CLOCK });
    expect(code).toBe(0);
    expect(report.attempts).toHaveLength(1);
    expect(report.agent_failures).toMatchObject([{ agent: "command", class: "quota" }]);
  });

  test("a command of a profile that gave its answer has worked, whatever it said about its service", async () => {
    const rig = Rig.inWorkTree();
    rig.write("turn.sh", 'echo "API Error: 529 Overloaded. Retrying in 1 seconds" >&2; worker DONE\n');
    rig.write("agent-foreman.yaml", "profiles: { mine: { extends: command, command: sh turn.sh } }\n");
    const { code, report } = await rig.supervise({ agents: "mine" });
    expect({ code, failures: report.agent_failures }).toEqual({ code: 0, failures: [] });
  });

  test("a command that is ended by a signal has failed at its work", async () => {
    const rig = Rig.inWorkTree();
    const { report } = await rig.supervise({ agent: "kill -TERM $$", loops: 1 });
    expect(report.agent_failures).toEqual([]);
    expect(report.attempts).toHaveLength(1);
  });

  test("a command that merely talks about limits has worked", async () => {
    const rig = Rig.inWorkTree();
    const agent = `printf '+  // on 429 Too Many Requests we wait\\n+  throw new Error("rate limit exceeded")\\nwrote rate-limits.md\\n'`;
    const { report } = await rig.supervise({ agent, loops: 1 });
    expect(report.agent_failures).toEqual([]);
    expect(report.attempts[0]?.reasons).toEqual(["missing_or_invalid_status_marker"]);
  });
});

describe("several agents", () => {
  test("the next one takes over the same tree with the same feedback", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "lie quota" });
    const { code, report } = await rig.supervise({ ...CLAUDE, agents: "claude,codex" }, { env });
    expect(code).toBe(0);
    expect(report.attempts.map(({ agent }) => agent.name)).toEqual(["claude", "codex"]);
    expect(promptOf(rig, "codex", 1)).toContain("fast_test_failed");
    expect(report.agent_failures).toMatchObject([{ agent: "claude", class: "quota" }]);
  });

  test("no agent is left: every agent's error is kept and shown", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "auth", CODEX_DOES: "auth" });
    const { code, report, stdout } = await rig.supervise({ ...CLAUDE, agents: "claude,codex" }, { env });
    expect(code).toBe(5);
    expect(report.agent_failures.map(({ agent, class: kind }) => [agent, kind])).toEqual([
      ["claude", "auth"],
      ["codex", "auth"],
    ]);
    expect(stdout).toContain("Invalid API key");
    expect(stdout).toContain("401 Unauthorized: bad key");
  });

  test("a hiccup that must not be waited for: the next one takes over at once", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "overloaded" });
    const options = { ...CLAUDE, agents: "claude,codex", more: ["--max-wait", "0"] };
    const { code, report } = await rig.supervise(options, { env });
    expect(code).toBe(0);
    expect(report.attempts[0]?.agent.name).toBe("codex");
  });

  test("an agent named twice counts once", async () => {
    const rig = Rig.inWorkTree();
    const { report } = await rig.supervise({ ...CLAUDE, agents: "claude,claude" }, { env: rig.withAgents() });
    expect(report.agents).toHaveLength(1);
  });

  test("one that is not installed is passed over", async () => {
    const rig = Rig.inWorkTree();
    const { code, report, stdout } = await rig.supervise(
      { ...CLAUDE, agents: "gemini,claude" },
      { env: rig.withAgents() },
    );
    expect(code).toBe(0);
    expect(stdout).toContain("gemini was not found; the run goes without it");
    expect(report.agents.map(({ name }) => name)).toEqual(["claude"]);
  });

  test("their order may come from the environment", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ AGENT_FOREMAN_AGENTS: "codex,claude" });
    const args = rig
      .superviseArgs({ fast: ["test -f work.txt"] })
      .filter((word) => !["--agent-cmd", "worker"].includes(word));
    expect((await rig.run(args, { env })).code).toBe(0);
    expect(rig.report(rig.runIds()[0] ?? "").attempts[0]?.agent.name).toBe("codex");
  });
});

describe("waiting", () => {
  function waits(rig: Rig): boolean {
    const begun = rig.runIds().filter((id) => fs.existsSync(rig.journalPath(id)));
    return begun.some((id) => rig.events(id).some(({ type }) => type === "wait_started"));
  }

  test("longer than --max-wait: does not begin, and says when the run can continue", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "quota work" });
    const { code, report, runId, stdout } = await rig.supervise(
      { ...CLAUDE, more: ["--max-wait", "10m"] },
      { env },
    );
    expect(code).toBe(4);
    expect(report).toMatchObject({ end_reason: "wait_limit_reached", resumable: true, exit_code: 4 });
    expect(stdout).toContain("--max-wait 10m");
    const resumed = await rig.run(["resume", runId, "--max-wait", "1h"], { env, preload: FAKE_CLOCK });
    expect(resumed.code).toBe(0);
  });

  test("a signal ends it at once; when resumed, it continues until the same time", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "quota work" });
    const running = rig.start(rig.superviseArgs(CLAUDE), { env });
    await until(() => waits(rig));
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    const [runId = ""] = rig.runIds();
    const resumed = await rig.run(["resume", runId], { env, preload: FAKE_CLOCK });
    expect(resumed.code).toBe(0);
    const moments = rig
      .events(runId)
      .flatMap((event) => (event.type === "wait_started" ? [event.until] : []));
    expect(moments).toEqual([moments[0], moments[0]]);
    expect(rig.report(runId).attempts).toHaveLength(1);
  });

  test("does not continue a wait that is too long for a limit lowered by resume", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "quota work" });
    const running = rig.start(rig.superviseArgs(CLAUDE), { env });
    await until(() => waits(rig));
    running.child.kill("SIGINT");
    await running.ended;
    const [runId = ""] = rig.runIds();
    expect((await rig.run(["resume", runId, "--max-wait", "1m"], { env })).code).toBe(4);
    // A user who has bought more quota need not wait.
    expect((await rig.run(["resume", runId, "--now"], { env })).code).toBe(0);
  });

  test("can be cancelled", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "quota" });
    const running = rig.start(rig.superviseArgs(CLAUDE), { env });
    await until(() => waits(rig));
    const [runId = ""] = rig.runIds();
    expect((await rig.run(["cancel", runId])).code).toBe(0);
    expect((await running.ended).code).toBe(1);
    expect(rig.report(runId).end_reason).toBe("cancelled");
  });
});
