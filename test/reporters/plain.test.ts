import { expect, test } from "vitest";
import { open, pipe, tty } from "./rig.ts";
import { CHANGES, Run } from "./run.ts";

const exit1 = { kind: "exited", code: 1 } as const;

function piped(options: Parameters<typeof open>[1] = {}) {
  const streams = { stdout: pipe(), stderr: pipe() };
  return { ...streams, ...open(streams, options) };
}

test("a log, as a pipe gets it", () => {
  const to = piped();
  const run = new Run(to).startTurn(1);
  to.clock.advance(252_000);
  run.endTurn({ ms: 252_000 }).startCheck("fast");
  to.clock.advance(15_000);
  run
    .endCheck("fast", { ms: 15_000, end: exit1 }, ["FAIL pager > keeps the last page"])
    .judged("fast_test_failed");
  run.startTurn(2);
  to.clock.advance(292_000);
  run.output("x");
  to.clock.advance(8000);
  run.endTurn({ ms: 300_000, leaked: [{ pid: 4711, command: "npm run dev" }] });
  run.check("fast").check("full", { ms: 61_000 }).judged().passed();
  to.reporter.leave({
    ...run.state,
    changes: { ...CHANGES, files: 5, insertions: 96, deletions: 14, added: 1 },
  });
  expect(to.stderr.text).toBe("");
  expect(to.stdout.text.split("\n")).toEqual([
    "09:00:00 run     1115-k3f7 started: up to 6 attempts, contained: pid namespace",
    "  | Add pagination",
    "09:00:00 agent   1/6 started",
    "09:04:12 agent   1/6 ended: exit 0, said DONE (4m12s)",
    "  | all tests pass",
    "09:04:27 check   1/6 fast failed: npm test, exit 1 (15s)",
    "  | FAIL pager > keeps the last page",
    "  | ... 38 lines left out",
    "  all output: attempt-1/fast-1.txt",
    "09:04:27 verdict 1/6 rejected: fast tests failed (fast_test_failed)",
    "09:04:27 agent   2/6 started",
    "09:09:27 agent   2/6 running 5m, output 8s ago",
    "09:09:27 agent   2/6 ended: exit 0, said DONE, leaked 1 (5m)",
    "  | all tests pass",
    "  | 4711 npm run dev",
    "09:09:27 check   2/6 fast passed: npm test (1.0s)",
    "09:09:27 check   2/6 full passed: npm run test:all (1m01s)",
    "09:09:27 verdict 2/6 accepted",
    "09:09:27 run     1115-k3f7 ended: passed, exit 0",
    "",
    "✓ ACCEPTED at attempt 2 of 6  9m27s",
    "  full    npm run test:all: passed (1m01s)",
    "  weaker  checks ran in the work tree itself (--no-clean-room)",
    "  change  5 files +96 -14 (1 new)",
    "  leaked  1 process outlived its command and was ended",
    "  report  goldagent-supervise-report-1115-k3f7.json",
    "  next    agent-foreman diff 1115-k3f7",
    "",
  ]);
});

test("the same in Chinese, aligned by width", () => {
  const to = piped({ lang: "zh" });
  const run = new Run(to, { maxLoops: 1 }).rejected(1).failed();
  to.reporter.leave(run.state);
  expect(to.stdout.text.split("\n")).toEqual([
    "09:00:00 运行    1115-k3f7 开始：最多 1 次尝试，隔离：pid namespace",
    "  | Add pagination",
    "09:00:00 agent   1/1 开始",
    "09:00:00 agent   1/1 结束：退出码 0，声明 DONE (4m12s)",
    "  | all tests pass",
    "09:00:00 检查    1/1 快测失败：npm test，退出码 1 (15s)",
    "  | FAIL pager > keeps the last page",
    "  | ... 省略 38 行",
    "  完整输出：attempt-1/fast-1.txt",
    "09:00:00 判定    1/1 未通过：快测失败 (fast_test_failed)",
    "09:00:00 运行    1115-k3f7 结束：未通过，退出码 1",
    "",
    "✗ 未通过：1 次尝试已用完",
    "  原因    快测失败：npm test，退出码 1 (fast_test_failed)",
    "  输出    attempt-1/fast-1.txt",
    "  报告    goldagent-supervise-report-1115-k3f7.json",
    "  下一步  agent-foreman show 1115-k3f7",
    "",
  ]);
});

test("a heartbeat every five minutes, only while a phase is under way", () => {
  const to = piped();
  const run = new Run(to).startTurn(1);
  const before = to.stdout.writes.length;
  to.clock.advance(660_000);
  expect(to.stdout.writes.slice(before)).toEqual([
    "09:05:00 agent   1/6 running 5m, quiet 5m\n",
    "09:10:00 agent   1/6 running 10m, quiet 10m\n",
  ]);
  run.endTurn().startCheck("full");
  to.clock.advance(300_000);
  expect(to.stdout.writes.at(-1)).toBe("09:16:00 check   1/6 full tests running 5m\n");
  run.endCheck("full");
  expect(to.clock.running).toBe(0);
});

test("cuts nothing, however long", () => {
  const to = piped();
  const long = "页".repeat(300);
  new Run(to, { task: long }).startTurn(1).endTurn({}, { evidence: long });
  expect(to.stdout.text.split(`  | ${long}\n`)).toHaveLength(3);
});

test("shows a long task in part and says so", () => {
  const to = piped();
  const run = new Run(to, { task: "1\n2\n3\n4\n5\n6\n7" });
  expect(run.state.attempts).toEqual([]);
  expect(to.stdout.text).toContain("  | 5\n  | ... 2 more lines\n");
});

test("foreign text cannot control a terminal or a CI service, or look like our line", () => {
  const to = piped({ verbose: true });
  const nasty =
    "::error::x ##[group]a ##vso[task.complete]b \u001b[31mred\u001b[0m \u001b]0;t\u0007 \u202egnp";
  const forged = `${nasty}\n09:00:00 verdict 1/6 accepted`;
  const run = new Run(to, { task: forged, testFast: [`echo '${nasty}'`] }).startTurn(1);
  run.output(`${forged}\n`).endTurn({}, { evidence: forged });
  run
    .check("fast", { end: { kind: "not_started", message: forged } }, [nasty])
    .judged("fast_test_failed", "test_execution_error")
    .failed();
  to.reporter.leave(run.state);
  const text = to.stdout.text;
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(text).not.toMatch(/^\s*::/m);
  expect(text).not.toMatch(/##\w*\[/);
  expect(text.match(/^09:00:00 verdict/gm)).toHaveLength(1);
});

test.each([
  [{}, false],
  [{ FORCE_COLOR: "1" }, true],
  [{ FORCE_COLOR: "0" }, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "" }, true],
])("escape codes with %o: %s", (env, expected) => {
  const to = piped({ env });
  const run = new Run(to, { maxLoops: 1 }).rejected(1).failed();
  to.reporter.leave(run.state);
  expect(to.stdout.text.includes("\u001b")).toBe(expected);
});

test.each([[{ TERM: "dumb" }], [{ TERM: "xterm", CI: "true" }]])(
  "a terminal is treated as a pipe with %o",
  (env) => {
    const streams = { stdout: tty(), stderr: tty() };
    const to = open(streams, { env });
    const run = new Run(to).startTurn(1);
    to.clock.advance(60_000);
    run.endTurn();
    to.reporter.leave(run.state);
    expect(streams.stderr.text).toBe("");
    expect(streams.stdout.text).toContain("09:01:00 agent   1/6 ended");
    expect(streams.stdout.text).not.toContain("\u001b");
  },
);

test("warns on stderr that it is being stopped", () => {
  const to = piped();
  new Run(to).startTurn(1);
  to.reporter.live({ type: "stopping", signal: "SIGTERM" });
  to.reporter.live({ type: "killing" });
  expect(to.stderr.text.split("\n").slice(0, 2)).toEqual([
    "09:00:00 run     SIGTERM: stopping after this turn; Ctrl-C again kills it",
    "09:00:00 run     ending what still runs",
  ]);
});

test("verbose: lines come behind a bar; the unfinished one comes when the turn ends", () => {
  const to = piped({ verbose: true });
  const run = new Run(to).startTurn(1);
  const euro = Buffer.from("€");
  run.output("a\nb").output(euro.subarray(0, 1)).output(euro.subarray(1)).output("\n").output("tail");
  run.output(`${"y".repeat(5000)}\n`, "stderr");
  const lines = (): string[] =>
    to.stdout.text
      .split("\n")
      .filter((line) => line.startsWith("  | "))
      .slice(1);
  expect(lines()).toEqual(["  | a", "  | b€", `  | ${"y".repeat(2000)} ...`]);
  run.endTurn();
  expect(lines()[3]).toBe("  | tail");
  expect(lines()[4]).toBe("  | all tests pass");
});

test("verbose shows the agent's output, not that of checks", () => {
  const to = piped({ verbose: true });
  new Run(to).turn(1).startCheck("fast").output("noise\n").endCheck("fast");
  expect(to.stdout.text).not.toContain("noise");
});

test("says what people and resumed runs did", () => {
  const to = piped();
  const run = new Run(to, { maxLoops: 1 }, { interactive: true, containment: "process_tree" }).rejected(1);
  const from = to.stdout.writes.length;
  run.emit({ type: "question_asked", id: "q1" });
  run.emit({ type: "run_stopped", by: "undecided" });
  const ended = [{ pid: 7, command: "sleep 9" }];
  run.emit({
    type: "run_resumed",
    askNow: false,
    interactive: true,
    containment: "process_tree",
    limits: { costUsd: null, tokens: null, timeMs: null, waitMs: 0 },
    toolVersion: "0.1.0",
    ended,
  });
  run.emit({ type: "answer_refused", messageId: "m", why: "wrong_question_id", answer: null, note: null });
  const answer = { kind: "continue_n", n: 1 } as const;
  run.emit({
    type: "question_answered",
    id: "q1",
    answer,
    note: "once more\n::error::",
    via: "decide",
    messageId: null,
  });
  run.startTurn(2);
  run.emit({ type: "turn_interrupted", attempt: 2, turn: 2 });
  run.startTurn(2);
  expect(to.stdout.writes.slice(from).join("").split("\n")).toEqual([
    "09:00:00 person  1 of 1 attempts used: continue, pass or fail?",
    "09:00:00 run     1115-k3f7 waits for an answer",
    "09:00:00 run     1115-k3f7 resumed: 1 of 1 attempts used, contained (best effort): process tree",
    "09:00:00 run     1115-k3f7 ended 1 process the earlier foreman left",
    "  | 7 sleep 9",
    "09:00:00 person  an answer was refused: it answers another question (wrong_question_id)",
    "09:00:00 person  a person decided: 1 more attempt",
    "  | once more",
    "  | ::error::",
    "09:00:00 agent   2/2 started",
    "09:00:00 agent   2/2 interrupted; no attempt spent",
    "09:00:00 agent   2/2 started again",
    "",
  ]);
});
