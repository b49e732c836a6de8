import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";

/** Test commands leave traces in the work tree that show which of them ran. A clean room would discard them. */
const LEAVES_TRACES = { cleanRoom: false };

describe("S20 a missing plan", () => {
  test("S20 fails at once: the agent is not started, and a failed report is written", async () => {
    const rig = new Rig();
    const { code, report, stdout } = await rig.supervise({
      agent: "touch started",
      fast: ["touch started"],
      plan: "nowhere.md",
    });
    expect(code).toBe(2);
    expect(report).toMatchObject({
      final_status: "failed",
      end_reason: "plan_file_missing",
      exit_code: 2,
      attempts: [],
    });
    expect(stdout).toContain("plan_file_missing");
    expect(rig.exists("started")).toBe(false);
  });

  test("S20 a directory is no plan either", async () => {
    const rig = new Rig();
    rig.write("plans/one.md", "");
    const { code, report, stdout, stderr } = await rig.supervise({ agent: "touch started", plan: "plans" });
    expect(code).toBe(2);
    expect(stderr).toBe(
      `error: plan file is a directory: ${rig.project}/plans\n  next    name a file with --plan-file\n`,
    );
    expect(stdout).not.toContain("next ");
    expect((await rig.run(["runs"])).stdout).toMatch(/ ✗ not started /);
    expect(report).toMatchObject({ final_status: "failed", end_reason: "plan_file_unreadable" });
    expect(rig.exists("started")).toBe(false);
  });

  test("S20 a pipe without a writer is no plan, and is not waited for", async () => {
    const rig = new Rig();
    const { code, report } = await rig.supervise({ agent: "touch started", plan: "/dev/stdin" });
    expect(code).toBe(2);
    expect(report.final_status).toBe("failed");
    expect(rig.exists("started")).toBe(false);
  });
});

describe("S22 fast tests", () => {
  test("S22 run one or more, in the order given", async () => {
    const rig = new Rig();
    const { report } = await rig.supervise(
      {
        agent: "agent done",
        fast: ["echo a >> order", "echo b >> order", "echo c >> order"],
        full: ["echo d >> order"],
      },
      LEAVES_TRACES,
    );
    expect(report.final_status).toBe("passed");
    expect(rig.read("order")).toBe("a\nb\nc\nd\n");
    expect(report.attempts[0]?.tests.map(({ phase, index }) => `${phase}${index}`)).toEqual([
      "fast1",
      "fast2",
      "fast3",
      "full1",
    ]);
  });

  test("S22 any failure fails the round, and the rest is not run", async () => {
    const rig = new Rig();
    const { code, report } = await rig.supervise(
      {
        agent: "agent done",
        fast: ["echo a >> order", "echo b >> order; exit 7", "echo c >> order"],
        loops: 1,
      },
      LEAVES_TRACES,
    );
    expect(code).toBe(1);
    expect(rig.read("order")).toBe("a\nb\n");
    expect(report.attempts[0]).toMatchObject({ fast_tests_passed: false, reasons: ["fast_test_failed"] });
    expect(report.attempts[0]?.tests[1]).toMatchObject({ exit_code: 7, passed: false });
  });

  test("S22 run in every round, whatever the agent declared or how it ended", async () => {
    const rig = new Rig();
    const rounds = "mute needs_work blocked invalid no_evidence exit3 crash";
    const { report } = await rig.supervise(
      { agent: `agent ${rounds}`, fast: ["echo . >> ran"], loops: 7 },
      LEAVES_TRACES,
    );
    expect(rig.read("ran")).toBe(".\n".repeat(7));
    expect(report.attempts.map((attempt) => attempt.fast_tests_passed)).toEqual(Array(7).fill(true));
    expect(report.final_status).toBe("failed");
  });
});

describe("S23 full tests run only after DONE and green fast tests", () => {
  test("S23 not after another status, nor after DONE and red fast tests", async () => {
    const rig = new Rig();
    const { code, report } = await rig.supervise(
      {
        agent: 'echo "$GA_LOOP_INDEX" > round; agent done needs_work blocked mute invalid done',
        fast: ['test "$(cat round)" != 1'],
        full: ["cat round >> full-rounds"],
        loops: 6,
      },
      LEAVES_TRACES,
    );
    expect(code).toBe(0);
    expect(rig.read("full-rounds")).toBe("6\n");
    expect(
      report.attempts.map((attempt) => [
        attempt.agent_status_marker,
        attempt.fast_tests_passed,
        attempt.full_test_executed,
      ]),
    ).toEqual([
      ["DONE", false, false],
      ["NEEDS_WORK", true, false],
      ["BLOCKED", true, false],
      [null, true, false],
      [null, true, false],
      ["DONE", true, true],
    ]);
    expect(report.attempts.map((attempt) => attempt.full_test_passed)).toEqual([
      null,
      null,
      null,
      null,
      null,
      true,
    ]);
  });

  test("S23 several full tests run in order, and stop at the first failure", async () => {
    const rig = new Rig();
    const full = ["echo a >> order", "echo b >> order; false", "echo c >> order"];
    const { report } = await rig.supervise({ agent: "agent done", full, loops: 1 }, LEAVES_TRACES);
    expect(rig.read("order")).toBe("a\nb\n");
    expect(report.attempts[0]).toMatchObject({ full_test_executed: true, full_test_passed: false });
  });
});

test("S24 passing full tests complete the task: no further round", async () => {
  const rig = new Rig();
  const { code, report } = await rig.supervise({ agent: "echo . >> rounds; agent done" });
  expect(code).toBe(0);
  expect(report).toMatchObject({ final_status: "passed", end_reason: "accepted" });
  expect(report.attempts).toHaveLength(1);
  expect(rig.read("rounds")).toBe(".\n");
});

test("S25 failing full tests lead to the next round", async () => {
  const rig = new Rig();
  const { code, report } = await rig.supervise({
    agent: "agent done",
    full: ["test $(wc -l < work.txt) -ge 2"],
  });
  expect(code).toBe(0);
  expect(report.attempts.map(({ decision, reasons }) => [decision, ...reasons])).toEqual([
    ["rejected", "full_test_failed"],
    ["accepted"],
  ]);
});

test("S26 NEEDS_WORK and BLOCKED lead to the next round, which gets the feedback", async () => {
  const rig = new Rig();
  const { code, report } = await rig.supervise({
    agent: 'cp "$GA_PREV_FEEDBACK_FILE" "got-$GA_LOOP_INDEX"; agent needs_work blocked done',
  });
  expect(code).toBe(0);
  expect(report.attempts.map(({ reasons }) => reasons)).toEqual([
    ["agent_needs_work"],
    ["agent_blocked"],
    [],
  ]);
  expect(rig.read("got-2")).toContain("agent_needs_work");
  expect(rig.read("got-3")).toContain("agent_blocked");
});

test("S27 a failing fast test blocks DONE: the loop continues until it passes", async () => {
  const rig = new Rig();
  const fast = "test $(wc -l < work.txt) -ge 3";
  const { code, report } = await rig.supervise({ agent: "agent done", fast: [fast] });
  expect(code).toBe(0);
  expect(report.attempts.map(({ decision, full_test_executed }) => [decision, full_test_executed])).toEqual([
    ["rejected", false],
    ["rejected", false],
    ["accepted", true],
  ]);
});

test("a ruling: DONE with a non-zero exit is rejected though all tests pass", async () => {
  const rig = new Rig();
  const { code, report } = await rig.supervise({ agent: "agent exit3 crash", loops: 2 });
  expect(code).toBe(1);
  expect(report.attempts.map(({ reasons }) => reasons)).toEqual([
    ["agent_exit_nonzero"],
    ["agent_exit_nonzero"],
  ]);
});

describe("S38 an agent that cannot be executed", () => {
  test("S38 a program that does not exist: one failed round is recorded, and the run ends with the shell's words", async () => {
    const rig = new Rig();
    const { code, report, stdout, stderr, runId } = await rig.supervise({ agent: "clade --go", loops: 6 });
    expect(code).toBe(5);
    expect(report).toMatchObject({ final_status: "failed", end_reason: "agent_cannot_start", exit_code: 5 });
    expect(report.attempts).toHaveLength(1);
    const [attempt] = report.attempts;
    expect(attempt).toMatchObject({ agent_exit_code: 127, decision: "rejected" });
    expect(attempt?.reasons).toContain("agent_exit_nonzero");
    expect(fs.readFileSync(attempt?.stderr_path ?? "", "utf8")).toContain("clade");
    expect(stdout).toMatch(/1\/6 ended: exit 127.*\n {2}\| .*clade: not found\n/);
    expect(stdout).toMatch(
      /✗ NOT STARTED: the agent command cannot start \(agent_cannot_start\).*\n {2}why {5}clade --go: exit 127\n {10}.*sh: (?:1: )?clade: not found\n/,
    );
    expect(stderr).toMatch(
      /^error: agent command not found: `clade --go` \(exit 127\)\n {2}.*clade: not found\n/,
    );
    expect(stderr).toContain("fix --agent-cmd");
    expect((await rig.run(["runs"])).stdout).toContain("not started");
    expect((await rig.run(["show", runId])).stdout).toContain("NOT STARTED: the agent command cannot start");
    expect(await rig.run(["resume", runId])).toMatchObject({ code: 5, stderr });
  });

  test.each([
    ["a file without the right to be executed", "./plan.md", "agent command cannot be executed", "126"],
    ["a script of the package that does not exist", "npm run agnet", "agent command names a script", "1"],
    [
      "a wrapper that cannot find its program",
      "sh -c 'clade'",
      "runs a program that is not installed",
      "127",
    ],
  ])("S38 %s", async (_, agent, message, exit) => {
    const rig = new Rig();
    rig.write("package.json", JSON.stringify({ name: "demo" }));
    fs.chmodSync(rig.write("plan.md", "# plan\n"), 0o644);
    const { code, report, stderr } = await rig.supervise({ agent, loops: 6 });
    expect([code, report.attempts.length]).toEqual([5, 1]);
    expect(stderr).toContain(message);
    expect(stderr).toContain(`(exit ${exit})`);
  });

  test("S38 without a clean room, and in Chinese", async () => {
    const rig = Rig.inWorkTree();
    const { code, report, stdout, stderr } = await rig.supervise({
      agent: "clade --go",
      loops: 6,
      more: ["--lang", "zh"],
    });
    expect([code, report.attempts.length]).toEqual([5, 1]);
    expect(stdout).toContain("✗ 未开始：agent 命令无法启动 (agent_cannot_start)");
    expect(stderr).toContain("错误：找不到 agent 命令：`clade --go`（退出码 127）");
  });

  test.each([
    ["that changed something", "echo 1 >> worked; clade", true],
    ["that gave its word", "claim; clade", true],
    ["of which it is unknown whether it changed something", "echo 1 >> worked; clade", false],
  ])("S38 an agent %s before it missed a program has started", async (_, agent, cleanRoom) => {
    const rig = new Rig();
    const { code, report } = await rig.supervise({ agent, loops: 2 }, { cleanRoom });
    expect([code, report.end_reason, report.attempts.length]).toEqual([1, "limit_reached", 2]);
  });

  test("S38 S39 a missing work directory: neither agent nor test can start, each is recorded as such", async () => {
    const rig = new Rig();
    rig.write("inner/here", "");
    // In a clean room, creating the room would fail instead.
    const { code, report } = await rig.supervise(
      { agent: 'rm -r "$GA_WORKDIR"; agent done', loops: 2, more: ["--cwd", "inner"] },
      { cleanRoom: false },
    );
    expect(code).toBe(1);
    const [first, second] = report.attempts;
    expect(first?.reasons).toEqual(["fast_test_failed", "test_execution_error"]);
    expect(second).toMatchObject({ agent_exit_code: null, agent: { end: { kind: "not_started" } } });
    expect(second?.reasons).toContain("agent_execution_error");
  });
});

/** On the base, a test command that cannot run is bad input instead. */
const MISSING_AFTER_WORK = "if [ -e worked ]; then no-such-test; fi";

describe("S39 a test that cannot be executed", () => {
  test.each([
    ["fast", [MISSING_AFTER_WORK], ["true"], "fast_test_failed"],
    ["full", ["true"], [MISSING_AFTER_WORK], "full_test_failed"],
  ])("S39 %s: a failure, and what stderr said is recorded", async (phase, fast, full, reason) => {
    const rig = new Rig();
    const { code, report, runId } = await rig.supervise({
      agent: "touch worked; agent done",
      fast,
      full,
      loops: 1,
    });
    expect(code).toBe(1);
    expect(report.attempts[0]?.reasons).toEqual([reason]);
    const failed = report.attempts[0]?.tests.find((check) => check.phase === phase);
    expect(failed).toMatchObject({ exit_code: 127, passed: false });
    expect(fs.readFileSync(failed?.output.path ?? "", "utf8")).toContain("no-such-test");
    expect(rig.read(`.goldagent-supervise/${runId}/feedback.md`)).toContain("no-such-test");
  });
});
