import { describe, expect, test } from "vitest";
import { DOING, DONE, TODO, type StepsRig } from "../rig/steps.ts";
import { FAKE_CLOCK } from "../rig/rig.ts";
import { linesOf, rowOf, stepsRig, verdict } from "./scene.ts";

const QUOTA = "You've hit your usage limit.";
const OVERLOADED =
  'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
const LOGIN = "Invalid API key · Please run /login";
/** From now on everything succeeds. */
const RECOVERS = "echo '{}' > ../script.json";
const who = (rig: StepsRig): string[] =>
  rig.calls().map(({ name, role, round }) => `${name} ${role} ${round}`);

describe("an unavailable agent costs no attempt", () => {
  test("R19 out of quota: the next agent takes the same round; every error is kept", async () => {
    const rig = stepsRig(["a", "b", "c"]);
    rig.step(1);
    rig.script({
      "a worker": { say: QUOTA, exit: 1 },
      "b worker": { say: `${QUOTA} Try again in 3 hours.` },
    });
    const { code, report, runId, progress, ...ended } = await rig.steps();
    expect(code).toBe(0);
    expect(who(rig).slice(0, 3)).toEqual(["a worker 1", "b worker 1", "c worker 1"]);
    expect(report.agent_failures).toMatchObject([
      { agent: "a", attempt: 1, class: "quota", message: QUOTA },
      { agent: "b", attempt: 1, class: "quota" },
    ]);
    expect(report.agent_failures[1]?.message).toContain("Try again in 3 hours");
    expect(report.steps[0]?.attempts).toHaveLength(1);
    expect(rig.events(runId).map(({ type }) => type)).not.toContain("wait_started");
    const lines = linesOf(ended).join("\n");
    expect(lines).toContain(QUOTA);
    expect(lines).not.toContain("第 2/5 次尝试");
    expect(rowOf(progress, "001")).toMatchObject({ result: "成功", remark: "" });
  });

  test("R19 all out of quota: waited for the first that comes back", async () => {
    const rig = stepsRig(["a", "b"]);
    rig.step(1);
    rig.script({
      "a worker": { say: `${QUOTA} Try again in 2 hours.` },
      "b worker": { say: QUOTA, run: RECOVERS },
    });
    const { code, report, runId } = await rig.steps([], { preload: FAKE_CLOCK });
    expect(code).toBe(0);
    // The other agent returns in two hours, but an available agent can verify, so the run does not wait.
    expect(who(rig)).toEqual(["a worker 1", "b worker 1", "b worker 1", "b reviewer 1"]);
    expect(report.agent_failures.map(({ agent }) => agent)).toEqual(["a", "b"]);
    expect(rig.events(runId).filter(({ type }) => type === "wait_ended")).toHaveLength(1);
  });

  test("R19 overloaded: the same agent after a pause", async () => {
    const rig = stepsRig(["a", "b"]);
    rig.step(1);
    rig.script({ "a worker": { say: OVERLOADED, run: RECOVERS, exit: 1 } });
    const { code, report, runId, ...ended } = await rig.steps([], { preload: FAKE_CLOCK });
    expect(code).toBe(0);
    expect(who(rig)).toEqual(["a worker 1", "a worker 1", "b reviewer 1"]);
    expect(report.agent_failures).toMatchObject([{ agent: "a", class: "overloaded" }]);
    expect(report.steps[0]?.attempts).toHaveLength(1);
    expect(linesOf(ended).some((line) => line.startsWith("~ ") && line.includes("a"))).toBe(true);
    expect(rig.events(runId).map(({ type }) => type)).toContain("wait_started");
  });

  test("R19 waiting is limited: exit 4, the step stays 🟡, and resume continues with the same attempt", async () => {
    const rig = stepsRig(["a"]);
    rig.step(1);
    rig.script({ worker: { say: `${QUOTA} Try again in 9 hours.` } });
    const { code, report, runId, progress, stdout } = await rig.steps(["--max-wait", "1h"], {
      preload: FAKE_CLOCK,
    });
    expect(code).toBe(4);
    expect(report).toMatchObject({
      end_reason: "wait_limit_reached",
      resumable: true,
      final_status: "failed",
    });
    expect(stdout).toContain(`agent-foreman resume ${runId}`);
    expect(rig.stepNow("001-step.json")["status"]).toBe(DOING);
    expect(rowOf(progress, "001")).toMatchObject({ before: TODO, after: DOING, remark: "进行中" });
    expect(progress).toContain(`agent-foreman resume ${runId}`);
    rig.script({});
    const resumed = await rig.run(["resume", runId, "--now"], { preload: FAKE_CLOCK });
    expect(resumed.code).toBe(0);
    expect(who(rig)).toEqual(["a worker 1", "a worker 1", "a reviewer 1"]);
  });

  test("R19 an agent that gave its answer has worked, whatever it says about a limit", async () => {
    const rig = stepsRig(["a", "b"]);
    rig.step(1);
    rig.script({
      worker: { say: `{"unit_test":{"command":"true"}}\n${QUOTA}` },
      reviewer: { say: `${QUOTA}\n${verdict("pass")}` },
    });
    const { code, report } = await rig.steps();
    expect(code).toBe(0);
    expect(report.agent_failures).toEqual([]);
    expect(who(rig)).toEqual(["a worker 1", "b reviewer 1"]);
  });
});

describe("an agent that only a person can help", () => {
  test("R19 not logged in: the next one works; the error is kept", async () => {
    const rig = stepsRig(["a", "b"]);
    rig.step(1);
    rig.script({ "a worker": { say: LOGIN, exit: 1 }, "a reviewer": { say: LOGIN, exit: 1 } });
    const { code, report } = await rig.steps();
    expect(code).toBe(0);
    expect(who(rig)).toEqual(["a worker 1", "b worker 1", "b reviewer 1"]);
    expect(report.agent_failures).toMatchObject([{ agent: "a", class: "auth" }]);
  });

  test("R19 none is logged in: exit 5 with what to do, a correct progress file, and a resumable run", async () => {
    const rig = stepsRig([]);
    rig.write("agent-foreman.yaml", "agents: [claude, codex]\n");
    rig.step(1);
    rig.step(2);
    const env = rig.withAgents({ CLAUDE_DOES: "auth", CODEX_DOES: "auth" });
    const { code, report, runId, progress, stdout } = await rig.steps([], { env });
    expect(code).toBe(5);
    expect(report).toMatchObject({ end_reason: "no_agent_available", resumable: true, exit_code: 5 });
    expect(report.agent_failures.map(({ agent, class: kind }) => [agent, kind])).toEqual([
      ["claude", "auth"],
      ["codex", "auth"],
    ]);
    for (const what of [
      "Invalid API key",
      "bad key",
      "claude /login",
      "codex login",
      `agent-foreman resume ${runId}`,
    ])
      expect(stdout).toContain(what);
    expect(rowOf(progress, "001")).toMatchObject({ after: DOING, result: "未执行", remark: "进行中" });
    expect(rig.stepNow("001-step.json")["status"]).toBe(DOING);

    const repaired = rig.withAgents({ CLAUDE_DOES: "auth review", CODEX_DOES: "auth work" });
    const resumed = await rig.run(["resume", runId], { env: repaired });
    expect(resumed.code).toBe(0);
    expect(rowOf(rig.progress(), "002")).toMatchObject({ after: DONE, result: "成功" });
    expect(rig.stepsReport(runId).steps[0]?.attempts.map(({ index }) => index)).toEqual([1]);
  });

  test("R19 named agents that are not installed are skipped, and reported; none at all is exit 5", async () => {
    const rig = stepsRig(["a"]);
    rig.step(1);
    const { code, stdout } = await rig.steps(["--agents", "gemini,a"]);
    expect(code).toBe(0);
    expect(linesOf({ stdout }).some((line) => line.startsWith("! ") && line.includes("gemini"))).toBe(true);
    const none = await rig.steps(["--agents", "gemini", "--full-verify"]);
    expect(none.code).toBe(5);
    expect(none.stderr).toContain("gemini");
    expect(none.runId).toBe("");
  });
});
