import { describe, expect, test } from "vitest";
import type { AgentRecord } from "../../src/core/event.ts";
import type { Lang, Limits, Settings } from "../../src/core/settings.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import { dollars, tokenCount } from "../../src/ui/money.ts";
import type { Parting } from "../../src/engine/reporter.ts";
import { summaryLines } from "../../src/screens/summary.ts";
import { profile, agentRecord } from "../rig/story.ts";
import { open, pipe, Screen } from "./rig.ts";
import { Run } from "./run.ts";

const NONE: Limits = { costUsd: null, tokens: null, timeMs: null, waitMs: 3 * 3_600_000 };
const NAMED: Partial<Settings> = {
  agentCmd: null,
  agents: [profile("claude"), profile("codex")],
  limits: NONE,
};
const MINUTE = 60_000;
const used = (costUsd: number | null): Partial<AgentRecord> => ({
  usage: { input: 1000, cached: 200_000, output: 345, costUsd },
});

function summary(run: Run, parting: Parting = {}, lang: Lang = "en"): string[] {
  return summaryLines(run.state, parting, terminalTexts[lang]).map((line) => line.text);
}

test("the status line shows the run's time: with the base, waiting apart, and the limited time", async () => {
  const screen = new Screen();
  const to = open(screen);
  const run = new Run(to, { ...NAMED, limits: { ...NONE, timeMs: 120 * MINUTE } });
  to.clock.advance(60_000);
  run.startTurn(1).failTurn("overloaded").wait("claude", "overloaded", 120_000);
  to.clock.advance(120_000);
  run.emit({ type: "wait_ended" }).startTurn(1);
  to.clock.advance(3000);
  expect((await screen.rows()).at(-1)).toBe(
    "  total 01:03, waited 02:00  03:03 of 2h  Ctrl-C: stop after this turn",
  );
});

describe("on a terminal", () => {
  test("the agent, its current action, and the used budget", async () => {
    const screen = new Screen();
    const to = open(screen);
    const run = new Run(to, { ...NAMED, limits: { ...NONE, costUsd: 5, timeMs: 120 * MINUTE } });
    run
      .startTurn(1)
      .endTurn({ ms: 1000 }, { status: "NEEDS_WORK" }, { agent: agentRecord("claude", used(1.84)) });
    run.check("fast").judged("agent_needs_work").startTurn(2).doing("edit src/api/users.ts");
    to.clock.advance(2000);
    const rows = await screen.rows();
    expect(rows[0]).toBe("supervise 1115-k3f7  claude, codex  up to 6 attempts  contained: pid namespace");
    expect(rows.slice(-2)).toEqual([
      "  edit src/api/users.ts",
      expect.stringMatching(/^ {2}00:0\d of 2h {2}\$1\.84 of \$5\.00 {2}Ctrl-C: stop after this turn$/),
    ]);
  });

  test("out of quota: a countdown, and that nothing is lost", async () => {
    const screen = new Screen();
    const to = open(screen);
    new Run(to, NAMED)
      .startTurn(1)
      .failTurn("quota", 95 * MINUTE, "limit reached")
      .wait("claude", "quota", 95 * MINUTE);
    to.clock.advance(12_000);
    expect((await screen.rows()).slice(2)).toEqual([
      expect.stringMatching(/^~ 1 claude is out of quota until \d\d:\d\d; no attempt spent$/),
      "  | limit reached",
      expect.stringMatching(/^~ claude is out of quota until \d\d:\d\d, 1:34:48 left \(--max-wait 3h\)$/),
      "  no attempt spent; Ctrl-C is safe",
    ]);
  });

  test.each([
    ["en", /^~ claude is out of quota, tries again at \d\d:\d\d:\d\d, 04:48 left \(--max-wait 3h\)$/],
    ["zh", /^~ claude 额度已用完，将在 \d\d:\d\d:\d\d 再试，剩余 04:48 \(--max-wait 3h\)$/],
  ] as const)("out of quota without a reset time: when it is tried again (%s)", async (lang, line) => {
    const screen = new Screen();
    const to = open(screen, { lang });
    new Run(to, NAMED)
      .startTurn(1)
      .failTurn("quota")
      .wait("claude", "quota", 5 * MINUTE);
    to.clock.advance(12_000);
    expect(await screen.rows()).toContainEqual(expect.stringMatching(line));
  });

  test("a quiet agent is not stuck: shows what still moves", async () => {
    const screen = new Screen();
    const to = open(screen);
    new Run(to, NAMED).startTurn(1);
    to.clock.advance(240_000);
    to.reporter.live({ type: "life", sign: "cpu" });
    to.clock.advance(10_000);
    expect((await screen.rows())[2]).toMatch(/ 1\/6 agent turn {2}04:10 {2}quiet 4m, CPU busy$/);
    to.reporter.live({ type: "life", sign: "tree" });
    to.clock.advance(10_000);
    expect((await screen.rows())[2]).toMatch(/quiet 4m, files change$/);
    to.clock.advance(100_000);
    expect((await screen.rows())[2]).toMatch(/quiet 6m$/);
  });

  test("another agent takes over", async () => {
    const screen = new Screen();
    new Run(open(screen), NAMED).startTurn(1).failTurn("auth").startTurn(1, "codex");
    expect((await screen.rows()).slice(2)).toEqual([
      "~ 1 claude is not logged in; no attempt spent",
      "  | not now",
      "~ 1 codex takes over",
    ]);
  });

  test("the agent's own protocol is not shown, its actions are", async () => {
    const screen = new Screen();
    const to = open(screen, { verbose: true });
    new Run(to, NAMED).startTurn(1).output('{"type":"assistant"}\n').doing("run npm test\u001b[2J");
    to.clock.advance(100);
    const rows = await screen.rows();
    expect(rows.join("\n")).not.toContain("assistant");
    expect(rows).toContain(String.raw`  | run npm test\x1b[2J`);
  });
});

test("no line shows a private key of the output", () => {
  const [stdout, stderr] = [pipe(), pipe()];
  const to = open({ stdout, stderr }, { verbose: true });
  new Run(to)
    .startTurn(1)
    .output("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\nafter\n");
  expect(stdout.text).not.toMatch(/MIIEow|PRIVATE/);
  expect(stdout.text).toContain("  | after");
});

describe("in a pipe", () => {
  test("prints a line for the failure, the wait, the next agent, and the cost of a turn", () => {
    const [stdout, stderr] = [pipe(), pipe()];
    const to = open({ stdout, stderr });
    const run = new Run(to, NAMED).startTurn(1).failTurn("overloaded").wait("claude", "overloaded", 10_000);
    to.clock.advance(10_000);
    run
      .emit({ type: "wait_ended" })
      .startTurn(1)
      .failTurn("quota", 20 * MINUTE);
    run
      .startTurn(1, "codex")
      .endTurn(
        { ms: 5000 },
        {},
        { agent: agentRecord("codex", used(null)), changedInputs: ["/repo/PLAN.md"] },
      );
    const lines = stdout.text.split("\n").map((line) => line.replace(/\d\d:\d\d(:\d\d)?/g, "T"));
    expect(lines.slice(2, -1)).toEqual([
      "T agent   1/6 claude started",
      "T agent   1/6 claude is overloaded or has server errors; no attempt spent",
      "  | not now",
      "T agent   claude: tries again at T",
      "T agent   goes on after waiting",
      "T agent   1/6 claude started again",
      "T agent   1/6 claude is out of quota until T; no attempt spent",
      "  | not now",
      "T agent   1/6 codex takes over",
      "T agent   1/6 ended: exit 0, said DONE, 201k tokens (5.0s)",
      "  | all tests pass",
      "T agent   changed during the run, without effect on it: /repo/PLAN.md",
    ]);
  });
});

describe("at the end", () => {
  const stopped = (by: "budget_reached" | "wait_limit_reached" | "no_agent_available") =>
    ({ type: "run_stopped", by }) as const;

  test("a budget", () => {
    const run = new Run(undefined, { ...NAMED, limits: { ...NONE, costUsd: 5 } });
    run
      .startTurn(1)
      .endTurn({ ms: 61_000 }, {}, { agent: agentRecord("claude", used(5)) })
      .emit(stopped("budget_reached"));
    expect(summary(run)).toEqual([
      "! BUDGET reached: $5.00 of $5.00; attempt 1 not judged  1m01s  $5.00",
      "  report  goldagent-supervise-report-1115-k3f7.json",
      "  next    agent-foreman resume 1115-k3f7 --max-cost-usd 10",
    ]);
    expect(summary(run, {}, "zh")[0]).toBe("! 预算已用完：$5.00 / $5.00；第 1 次尝试未判定  1m01s  $5.00");
  });

  test("no agent left: each agent's error, and possible actions", () => {
    const run = new Run(undefined, NAMED)
      .startTurn(1)
      .failTurn("auth")
      .startTurn(1, "codex")
      .failTurn("missing");
    run.emit(stopped("no_agent_available"));
    const help = new Map([
      ["claude", { login: "claude /login", install: "npm i claude" }],
      ["codex", { login: "codex login", install: "npm i codex" }],
    ]);
    expect(summary(run, { help })).toEqual([
      "! NO AGENT available  2.0s",
      "  agent   claude is not logged in: not now",
      "          claude /login",
      "  agent   codex was not found: not now",
      "          npm i codex",
      "  report  goldagent-supervise-report-1115-k3f7.json",
      "  next    agent-foreman resume 1115-k3f7",
    ]);
  });

  test("a wait that would be too long", () => {
    const run = new Run(undefined, NAMED).startTurn(1).failTurn("quota", 5 * 24 * 60 * MINUTE);
    const [head] = summary(run.emit(stopped("wait_limit_reached")));
    expect(head).toMatch(
      /^! WAIT LIMIT reached \(--max-wait 3h\): claude is out of quota until 11-20 \d\d:\d\d {2}1\.0s$/,
    );
  });

  test("the cost is a lower bound if an agent did not report", () => {
    const run = new Run(undefined, NAMED)
      .startTurn(1)
      .endTurn({}, {}, { agent: agentRecord("claude", used(2.31)) });
    run.check("fast", { end: { kind: "exited", code: 1 } }).judged("fast_test_failed");
    run.startTurn(2, "codex").endTurn({}, {}, { agent: agentRecord("codex", used(null)) });
    run.check("fast").check("full").judged().passed();
    expect(summary(run)[0]).toMatch(/ at least \$2\.31$/);
  });
});

test("money and tokens in their shortest form", () => {
  expect([0, 0.0013, 0.25, 2.314, 40].map(dollars)).toEqual(["$0.00", "$0.0013", "$0.25", "$2.31", "$40.00"]);
  expect([0, 941, 1120, 12_345, 999_999, 3_400_000].map(tokenCount)).toEqual([
    "0",
    "941",
    "1.1k",
    "12k",
    "1000k",
    "3.4M",
  ]);
});
