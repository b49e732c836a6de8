import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";

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
    const { code, report } = await rig.supervise({ agent: "touch started", plan: "plans" });
    expect(code).toBe(2);
    expect(report).toMatchObject({ final_status: "failed", end_reason: "plan_file_unreadable" });
    expect(rig.exists("started")).toBe(false);
  });

  test("S20 a pipe nobody writes to is no plan, and is not waited for", async () => {
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
    const { report } = await rig.supervise({
      agent: "agent done",
      fast: ["echo a >> order", "echo b >> order", "echo c >> order"],
      full: ["echo d >> order"],
    });
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
    const { code, report } = await rig.supervise({
      agent: "agent done",
      fast: ["echo a >> order", "echo b >> order; exit 7", "echo c >> order"],
      loops: 1,
    });
    expect(code).toBe(1);
    expect(rig.read("order")).toBe("a\nb\n");
    expect(report.attempts[0]).toMatchObject({ fast_tests_passed: false, reasons: ["fast_test_failed"] });
    expect(report.attempts[0]?.tests[1]).toMatchObject({ exit_code: 7, passed: false });
  });

  test.each(["mute", "needs_work", "blocked", "invalid", "no_evidence", "exit3"])(
    "S22 run in a round that ends with %s as well",
    async (what) => {
      const rig = new Rig();
      const { report } = await rig.supervise({ agent: `agent ${what}`, fast: ["touch ran"], loops: 1 });
      expect(rig.exists("ran")).toBe(true);
      expect(report.attempts[0]?.fast_tests_passed).toBe(true);
    },
  );
});

describe("S23 full tests run only after DONE and green fast tests", () => {
  test.each([
    ["DONE and green", "done", "true", true],
    ["DONE and red", "done", "false", false],
    ["NEEDS_WORK and green", "needs_work", "true", false],
    ["BLOCKED and green", "blocked", "true", false],
    ["no marker and green", "mute", "true", false],
    ["an invalid marker and green", "invalid", "true", false],
  ])("S23 %s", async (_, what, fast, runs) => {
    const rig = new Rig();
    const { report } = await rig.supervise({
      agent: `agent ${what}`,
      fast: [fast],
      full: ["touch full-ran"],
      loops: 1,
    });
    expect(rig.exists("full-ran")).toBe(runs);
    expect(report.attempts[0]).toMatchObject({
      full_test_executed: runs,
      full_test_passed: runs ? true : null,
    });
  });

  test("S23 full tests too are several, in order, and stop at the first failure", async () => {
    const rig = new Rig();
    const full = ["echo a >> order", "echo b >> order; false", "echo c >> order"];
    const { report } = await rig.supervise({ agent: "agent done", full, loops: 1 });
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
    full: ["test -e again || { touch again; exit 1; }"],
  });
  expect(code).toBe(0);
  expect(report.attempts.map(({ decision, reasons }) => [decision, ...reasons])).toEqual([
    ["rejected", "full_test_failed"],
    ["accepted"],
  ]);
});

test.each([
  ["needs_work", "agent_needs_work"],
  ["blocked", "agent_blocked"],
])("S26 %s leads to the next round, which gets the feedback", async (what, reason) => {
  const rig = new Rig();
  const { code, report } = await rig.supervise({
    agent: `cp "$GA_PREV_FEEDBACK_FILE" got; agent ${what} done`,
  });
  expect(code).toBe(0);
  expect(report.attempts.map(({ reasons }) => reasons)).toEqual([[reason], []]);
  expect(rig.read("got")).toContain(reason);
});

test("S27 a failing fast test blocks DONE: the loop goes on until it passes", async () => {
  const rig = new Rig();
  rig.write("count", "");
  const fast = "echo . >> count; test $(wc -l < count) -ge 3";
  const { code, report } = await rig.supervise({ agent: "agent done", fast: [fast] });
  expect(code).toBe(0);
  expect(report.attempts.map(({ decision, full_test_executed }) => [decision, full_test_executed])).toEqual([
    ["rejected", false],
    ["rejected", false],
    ["accepted", true],
  ]);
});

describe("rulings on the agent's end", () => {
  test.each(["exit3", "crash"])("DONE with %s is rejected though all tests pass", async (what) => {
    const rig = new Rig();
    const { code, report } = await rig.supervise({ agent: `agent ${what}`, loops: 1 });
    expect(code).toBe(1);
    expect(report.attempts[0]?.reasons).toEqual(["agent_exit_nonzero"]);
  });
});

describe("S38 an agent that cannot be executed", () => {
  test("S38 a command that does not exist is recorded with its words, and fails the round", async () => {
    const rig = new Rig();
    const { code, report } = await rig.supervise({ agent: "no-such-agent --go", loops: 2 });
    expect(code).toBe(1);
    expect(report.attempts).toHaveLength(2);
    const [attempt] = report.attempts;
    expect(attempt).toMatchObject({ agent_exit_code: 127, decision: "rejected" });
    expect(attempt?.reasons).toContain("agent_exit_nonzero");
    expect(fs.readFileSync(attempt?.stderr_path ?? "", "utf8")).toContain("no-such-agent");
  });

  test("S38 a syntax error fails the round", async () => {
    const rig = new Rig();
    const { code, report } = await rig.supervise({ agent: "if then (", loops: 1 });
    expect(code).toBe(1);
    expect(report.attempts[0]?.reasons).toContain("agent_exit_nonzero");
  });

  test("S38 S39 a work directory that is gone: neither agent nor test can start, each is recorded as such", async () => {
    const rig = new Rig();
    rig.write("inner/here", "");
    const { code, report } = await rig.supervise({
      agent: 'rm -r "$GA_WORKDIR"; agent done',
      loops: 2,
      more: ["--cwd", "inner"],
    });
    expect(code).toBe(1);
    const [first, second] = report.attempts;
    expect(first?.reasons).toEqual(["fast_test_failed", "test_execution_error"]);
    expect(second).toMatchObject({ agent_exit_code: null, agent: { end: { kind: "not_started" } } });
    expect(second?.reasons).toContain("agent_execution_error");
  });
});

describe("S39 a test that cannot be executed", () => {
  test.each([
    ["fast", ["no-such-test"], ["true"], "fast_test_failed"],
    ["full", ["true"], ["no-such-test"], "full_test_failed"],
  ])("S39 %s: a failure, and what stderr said is recorded", async (phase, fast, full, reason) => {
    const rig = new Rig();
    const { code, report, runId } = await rig.supervise({ agent: "agent done", fast, full, loops: 1 });
    expect(code).toBe(1);
    expect(report.attempts[0]?.reasons).toEqual([reason]);
    const failed = report.attempts[0]?.tests.find((test) => test.phase === phase);
    expect(failed).toMatchObject({ exit_code: 127, passed: false });
    expect(fs.readFileSync(failed?.output.path ?? "", "utf8")).toContain("no-such-test");
    expect(rig.read(`.goldagent-supervise/${runId}/feedback.md`)).toContain("no-such-test");
  });
});
