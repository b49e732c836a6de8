import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { Rig, until, type SuperviseOptions } from "../rig/rig.ts";

/** Each turn of the zoo's claude costs 25 cents and uses 1,120 tokens. */
const CLAUDE: SuperviseOptions = { agents: "claude", fast: ["test -f work.txt"], full: ["true"] };
const supervised = async (rig: Rig, does: string, ...more: string[]) =>
  rig.supervise({ ...CLAUDE, more }, { env: rig.withAgents({ CLAUDE_DOES: does }) });

describe("a reached budget", () => {
  const BUDGETS: [flags: string[], amount: string, more: string[]][] = [
    [["--max-cost-usd", "0.2"], "$0.25 of $0.20", ["--max-cost-usd", "9"]],
    [["--max-tokens", "1000"], "1.1k tokens of 1k", ["--max-tokens", "0"]],
  ];
  test.each(BUDGETS)(
    "%s: its own outcome, never passed; continues when resumed with more",
    async (flags, amount, more) => {
      const rig = Rig.inWorkTree();
      const { code, report, runId, stdout } = await supervised(rig, "work", ...flags);
      expect(code).toBe(4);
      expect(report).toMatchObject({
        final_status: "failed",
        end_reason: "budget_reached",
        exit_code: 4,
        resumable: true,
        attempts: [],
        spent: { cost_usd: 0.25, total_tokens: 1120 },
      });
      expect(stdout).toContain(`BUDGET reached: ${amount}; attempt 1 not judged`);
      const env = rig.withAgents({ CLAUDE_DOES: "work" });
      const again = await rig.run(["resume", runId], { env });
      expect(again.code).toBe(4);
      const resumed = await rig.run(["resume", runId, ...more], { env });
      expect(resumed.code).toBe(0);
      // Paid work is judged, not repeated.
      expect(rig.report(runId)).toMatchObject({ final_status: "passed", spent: { cost_usd: 0.25 } });
    },
  );

  test("on the way: the turn is cut off, and costs an attempt after a resume with more", async () => {
    const rig = Rig.inWorkTree();
    // It would never end by itself, so only the budget can have ended it.
    const limits = ["--max-tokens", "1000", "--stall-sec", "0", "--agent-timeout-sec", "0"];
    const { code, report, runId } = await supervised(rig, "runaway work", ...limits);
    expect({ code, reason: report.end_reason }).toEqual({ code: 4, reason: "budget_reached" });
    const env = rig.withAgents({ CLAUDE_DOES: "runaway work" });
    expect((await rig.run(["resume", runId, "--max-tokens", "0"], { env })).code).toBe(0);
    const [first, second] = rig.report(runId).attempts;
    expect(first?.agent).toMatchObject({ end: { kind: "over_budget" }, failure: { class: "cut_off" } });
    expect(first?.reasons).toContain("budget_reached");
    expect(second?.decision).toBe("accepted");
  });

  test("the time: ends the turn under way, and the test", async () => {
    const rig = Rig.inWorkTree();
    const slow = await supervised(rig, "hang", "--max-time", "1s");
    expect(slow.code).toBe(4);
    expect(slow.report.end_reason).toBe("budget_reached");
    const other = Rig.inWorkTree();
    const testing = await other.supervise({
      fast: ["test ! -f work.txt || sleep 1000"],
      more: ["--max-time", "1s"],
    });
    expect(testing.code).toBe(4);
    expect(testing.report.attempts).toEqual([]);
  });

  test("is shown during the run: the used part, and to the agent the rest", async () => {
    const rig = Rig.inWorkTree();
    const { report } = await supervised(rig, "lie work", "--max-cost-usd", "5");
    expect(report.limits).toMatchObject({ max_cost_usd: 5, max_tokens: null, max_time_ms: null });
    expect(report.attempts.map(({ agent }) => agent.usage?.cost_usd)).toEqual([0.25, 0.25]);
    expect(report.attempts[1]?.agent.command).toContain("--max-budget-usd 4.75");
    expect(report.spent).toMatchObject({ cost_usd: 0.5, turns_without_cost: 0 });
  });
});

test("the cost of a turn that resumes a session is its own, not the session's", async () => {
  const rig = Rig.inWorkTree();
  const { report } = await supervised(rig, "needs_work needs_work work", "--session", "continue");
  expect(report.attempts.map(({ agent }) => agent.usage?.cost_usd)).toEqual([0.25, 0.25, 0.25]);
  expect(report.spent.cost_usd).toBe(0.75);
});

test("an agent that reports tokens but no cost is counted by the price of its profile", async () => {
  const rig = Rig.inWorkTree();
  rig.write(
    "agent-foreman.yaml",
    "profiles: { codex: { extends: codex, price: { input: 1000, cached: 100, output: 10000 } } }\n",
  );
  const options = { ...CLAUDE, agents: "codex", more: ["--max-cost-usd", "5"] };
  const { code, report } = await rig.supervise(options, { env: rig.withAgents() });
  expect(code).toBe(0);
  // 150 fresh input tokens, 50 from the cache, 24 output.
  expect(report.spent.cost_usd).toBeCloseTo(0.15 + 0.005 + 0.24);
});

test("a turn with an unknown price ends a run that is limited by money", async () => {
  const rig = Rig.inWorkTree();
  const { code, report, stdout } = await supervised(rig, "unpriced", "--max-cost-usd", "5");
  expect(code).toBe(4);
  expect(report.end_reason).toBe("budget_reached");
  expect(stdout).toContain("give the agent's profile a price");
});

test.each([[[]], [["--session", "continue"]]])(
  "a turn that broke off before it reported its cost does not end the run %j",
  async (more) => {
    const rig = Rig.inWorkTree();
    const { code, report } = await supervised(rig, "crash work", "--max-cost-usd", "5", ...more);
    expect(code).toBe(0);
    expect(report.spent).toMatchObject({ turns_without_cost: 1 });
    expect(report.spent.cost_usd).toBeGreaterThan(0);
  },
);

test("a run at its budget can be cancelled, also if it was killed at work", async () => {
  const rig = Rig.inWorkTree();
  const env = rig.withAgents({ CLAUDE_DOES: "lie hang" });
  const running = rig.start(rig.superviseArgs(CLAUDE), { env });
  const begun = (): string | undefined => rig.runIds().find((id) => fs.existsSync(rig.journalPath(id)));
  const turns = (id: string): number =>
    (id === "" ? [] : rig.events(id)).filter(({ type }) => type === "turn_started").length;
  const runId = await until(() => (turns(begun() ?? "") === 2 ? begun() : undefined));
  running.child.kill("SIGKILL");
  await running.ended;
  expect((await rig.run(["resume", runId, "--max-cost-usd", "0.1"], { env })).code).toBe(4);
  expect((await rig.run(["cancel", runId])).code).toBe(0);
  expect(rig.report(runId).end_reason).toBe("cancelled");
});

test("amounts that cannot be are not believed", async () => {
  const rig = Rig.inWorkTree();
  const { code, report } = await supervised(rig, "negative", "--max-cost-usd", "5");
  expect(code).toBe(4);
  expect(report.spent.cost_usd).toBeNull();
});

describe("refuses a budget if an agent reports no usage", () => {
  const REFUSED: [string, SuperviseOptions, string][] = [
    [
      "the cost of codex",
      { agents: "codex", more: ["--max-cost-usd", "5"] },
      "codex does not report its cost",
    ],
    ["the cost of a command", { more: ["--max-cost-usd", "5"] }, "--agent-cmd does not report its cost"],
    ["the tokens of a command", { more: ["--max-tokens", "5"] }, "--agent-cmd does not report its usage"],
    ["a negative one", { more: ["--max-cost-usd", "-5"] }, "must be a number, 0 or more, got -5"],
    ["no number", { more: ["--max-tokens", "many"] }, "must be a whole number"],
    ["no time", { more: ["--max-time", "soon"] }, "must be a time such as 90s, 30m, 8h, 2d, got soon"],
    ["no time to wait", { more: ["--max-wait", "-1h"] }, "must be a time"],
  ];
  test("on resume as well", async () => {
    const rig = Rig.inWorkTree();
    const { runId } = await rig.supervise({
      agent: "worker NEEDS_WORK",
      more: ["--max-time", "1s"],
      fast: ["test ! -f work.txt || sleep 1000"],
    });
    const { code, stderr } = await rig.run(["resume", runId, "--max-cost-usd", "1"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--agent-cmd does not report its cost");
    // Nothing was begun, and no lock is left.
    expect((await rig.run(["cancel", runId])).code).toBe(0);
  });

  test.each(REFUSED)("%s", async (_, options, message) => {
    const rig = Rig.inWorkTree();
    const { code, stderr } = await rig.run(rig.superviseArgs(options), { env: rig.withAgents() });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(rig.runIds()).toEqual([]);
  });
});
