import * as fc from "fast-check";
import { expect, test } from "vitest";
import { open, pipe, Screen } from "./rig.ts";
import { Run } from "./run.ts";

const spinning = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;
const exit1 = { kind: "exited", code: 1 } as const;

test("the screen while the second attempt is under way", async () => {
  const screen = new Screen();
  const to = open(screen);
  const run = new Run(to).rejected(1).startTurn(2);
  to.clock.advance(158_000);
  run.output("x");
  to.clock.advance(3000);
  expect(await screen.rows()).toEqual([
    "supervise 1115-k3f7  up to 6 attempts  contained: pid namespace",
    "  Add pagination",
    "✗ 1 rejected  4m27s  said DONE; fast tests failed: npm test (exit 1)",
    "    FAIL pager > keeps the last page",
    "    all output: attempt-1/fast-1.txt",
    expect.stringMatching(/^\S 2\/6 agent turn  02:41  output 3s ago$/),
    "  claude -p",
    "  total 02:41  Ctrl-C: stop after this turn",
  ]);
});

test("the same in Chinese, with a wide command cut to the window", async () => {
  const screen = new Screen(40);
  const to = open(screen, { lang: "zh" });
  new Run(to, {
    task: "为用户列表添加分页功能，并且保持最后一页可用，不得跳页",
    agentCmd: "运行 一个名字非常非常非常非常长的命令名称",
  })
    .rejected(1)
    .startTurn(2);
  to.clock.advance(300);
  expect(await screen.logicalLines()).toEqual([
    "supervise 1115-k3f7  最多 6 次尝试",
    "  隔离：pid namespace",
    "  为用户列表添加分页功能，并且保持最后",
    "    一页可用，不得跳页",
    "✗ 1 未通过  4m27s  声明 DONE；快测",
    "  失败：npm test (退出码 1)",
    "    FAIL pager > keeps the last page",
    "    完整输出：attempt-1/fast-1.txt",
    expect.stringMatching(/^\S 2\/6 agent 执行  00:00  尚无输出$/),
    "  运行 一个名字非常非常非常非常长的...",
    "  总计 00:00  Ctrl-C：本轮结束后停止",
  ]);
});

test("shows how long it has been quiet, but not for checks, whose output is not visible", async () => {
  const screen = new Screen();
  const to = open(screen);
  const run = new Run(to).startTurn(1);
  to.clock.advance(59_900);
  expect((await screen.rows())[2]).toMatch(/1\/6 agent turn {2}00:59 {2}no output yet$/);
  to.clock.advance(200_000);
  expect((await screen.rows())[2]).toMatch(/agent turn {2}04:19 {2}quiet 4m$/);
  run.endTurn().startCheck("full");
  to.clock.advance(100_000);
  expect((await screen.rows()).slice(2)).toEqual([
    expect.stringMatching(/^\S 1\/6 full tests {2}01:40$/),
    "  npm run test:all",
    "  total 05:59  Ctrl-C: stop after this test",
  ]);
});

test("Ctrl-C once says that it stops after the turn, twice that it kills", async () => {
  const screen = new Screen();
  const to = open(screen);
  new Run(to).startTurn(1);
  to.reporter.live({ type: "stopping", signal: "SIGINT" });
  to.clock.advance(100);
  expect((await screen.rows()).at(-1)).toBe("  total 00:00  stopping after this turn; Ctrl-C again kills it");
  to.reporter.live({ type: "killing" });
  to.clock.advance(100);
  expect((await screen.rows()).at(-1)).toBe("  total 00:00  ending what still runs");
});

test.each([
  ["a plain frame", {}, 25],
  ["a frame full of wide characters", { agentCmd: "运行".repeat(60) }, 33],
  ["a window that was made wider", { agentCmd: "x".repeat(200) }, 120],
])("a resized window leaves no rows behind: %s", async (_, settings, columns) => {
  const screen = new Screen();
  const to = open(screen);
  const run = new Run(to, settings).rejected(1).startTurn(2);
  to.clock.advance(500);
  await screen.resize(columns);
  to.clock.advance(100);
  const rows = await screen.logicalLines();
  expect(rows).toHaveLength(8);
  expect(rows.filter((row) => spinning.test(row))).toHaveLength(1);
  expect(rows[5]).toMatch(spinning);
  await screen.resize(80);
  run.endTurn({}, { status: "NEEDS_WORK" }).judged("agent_needs_work");
  expect((await screen.logicalLines()).filter((row) => spinning.test(row))).toEqual([]);
});

test("whatever happens, the screen ends up with the history and nothing else", async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("tick" as const), ms: fc.integer({ min: 1, max: 400 }) }),
    fc.record({ do: fc.constant("resize" as const), columns: fc.integer({ min: 20, max: 130 }) }),
    fc.record({
      do: fc.constant("output" as const),
      text: fc.constantFrom("a\nb", "一行输出\n", "x".repeat(150), "\n"),
    }),
    fc.record({ do: fc.constant("check" as const) }),
    fc.record({ do: fc.constant("pause" as const) }),
  );
  const story = fc.record({
    command: fc.constantFrom("claude -p", "运行 ".repeat(40), "→".repeat(90)),
    steps: fc.array(step),
  });
  await fc.assert(
    fc.asyncProperty(story, async ({ command, steps }) => {
      const screen = new Screen();
      const to = open(screen, { verbose: true });
      const run = new Run(to, { agentCmd: command, maxLoops: 99 });
      let attempt = 1;
      run.startTurn(attempt);
      for (const next of steps) {
        if (next.do === "tick") to.clock.advance(next.ms);
        else if (next.do === "resize") await screen.resize(next.columns);
        else if (next.do === "output") run.output(next.text);
        else if (next.do === "pause") to.reporter.pause();
        else {
          run
            .endTurn()
            .check("fast", { end: exit1 }, ["expected [1,2,3], got [1,2]"])
            .judged("fast_test_failed");
          attempt += 1;
          run.startTurn(attempt);
        }
      }
      run.endTurn({}, { status: "BLOCKED" }).judged("agent_blocked").failed();
      to.reporter.leave(run.state);
      const history = screen.stdout.text.split("\n").map((line) => line.trimEnd());
      expect(await screen.logicalLines()).toEqual(history.slice(0, -1));
    }),
    { numRuns: 60 },
  );
});

test("a frame is one synchronised write, at most ten a second, and only while a phase is under way", () => {
  const screen = new Screen();
  const to = open(screen);
  const run = new Run(to).startTurn(1);
  const before = screen.stderr.writes.length;
  to.clock.advance(1000);
  const frames = screen.stderr.writes.slice(before);
  expect(frames).toHaveLength(10);
  for (const frame of frames) {
    expect(frame.startsWith("\u001b[?2026h")).toBe(true);
    expect(frame.endsWith("\u001b[?2026l")).toBe(true);
  }
  expect(to.clock.running).toBe(1);
  run.endTurn();
  expect(to.clock.running).toBe(0);
  run.startCheck("fast");
  to.reporter.pause();
  expect(to.clock.running).toBe(0);
});

test("a window of few rows gets fewer lines, so that none scrolls away for good", async () => {
  const screen = new Screen(80, 3);
  const to = open(screen);
  new Run(to).startTurn(1);
  to.clock.advance(1000);
  expect((await screen.rows()).filter((row) => spinning.test(row))).toHaveLength(1);
});

test("verbose: the agent's lines scroll above the frame, harmless and whole", async () => {
  const screen = new Screen();
  const to = open(screen, { verbose: true });
  const run = new Run(to).startTurn(1);
  run.output("reading\r\n\u001b[2J\u001b]0;pwned\u0007half ").output("oops\n", "stderr");
  to.clock.advance(100);
  run.output("line\nno end");
  to.clock.advance(100);
  expect((await screen.rows()).slice(2, 5)).toEqual([
    "  | reading",
    "  | oops",
    String.raw`  | \x1b[2J\x1b]0;pwned\x07half line`,
  ]);
  run.endTurn({}, { status: "NEEDS_WORK" }).check("fast").judged("agent_needs_work");
  expect((await screen.rows()).slice(5)).toEqual([
    "  | no end",
    "✗ 1 rejected  2.0s  said NEEDS_WORK; fast tests passed",
  ]);
});

test("sets the title on phases and rings at a question and at the end", async () => {
  const screen = new Screen();
  const titles: string[] = [];
  screen.onTitle((title) => titles.push(title));
  const to = open(screen);
  const run = new Run(to, { maxLoops: 1 }, { interactive: true }).rejected(1);
  await screen.settled();
  expect(titles).toEqual(["1/1 agent-foreman", "1/1 agent-foreman"]);
  const count = (code: string): number => screen.stderr.text.split(code).length - 1;
  const bells = (): number => count("\u0007") - count("\u001b]0;");
  run.emit({ type: "question_asked", id: "q1" });
  expect(bells()).toBe(1);
  run.emit({
    type: "question_answered",
    id: "q1",
    answer: { kind: "mark_fail" },
    note: "no time",
    via: "terminal",
    messageId: null,
  });
  run.emit({
    type: "run_ended",
    status: "manually_failed",
    exitCode: 1,
    reason: "marked_by_person",
    messageId: null,
  });
  to.reporter.leave(run.state);
  expect(bells()).toBe(2);
  expect(screen.stderr.text.endsWith("\u001b[23;0t\u0007")).toBe(true);
});

test("other events of a run also have a line", async () => {
  const screen = new Screen();
  const to = open(screen);
  const run = new Run(to, { task: "Add pagination\nand more" }, { containment: "process_group" }).startTurn(
    1,
  );
  run.emit({ type: "run_stopped", by: "SIGTERM" });
  run.emit({
    type: "run_resumed",
    askNow: false,
    interactive: false,
    containment: "bubblewrap",
    limits: { costUsd: null, tokens: null, timeMs: null, waitMs: 0 },
    toolVersion: "0.1.0",
    ended: [{ pid: 4711, command: "npm run dev" }],
  });
  run.emit({ type: "turn_interrupted", attempt: 1, turn: 1 });
  run.emit({ type: "answer_refused", messageId: "m1", why: "no_open_question", answer: null, note: null });
  run.turn(
    1,
    { end: { kind: "timeout", afterMs: 1_800_000 }, ms: 1_800_000 },
    { status: null, evidence: null },
  );
  run.judged("timeout", "missing_or_invalid_status_marker");
  expect(await screen.rows()).toEqual([
    "supervise 1115-k3f7  up to 6 attempts  contained (best effort): process group",
    "  Add pagination ... 1 more line",
    "supervise 1115-k3f7  resumed  0 of 6 attempts used  contained: bubblewrap",
    "  Add pagination ... 1 more line",
    "! ended 1 process the earlier foreman left",
    "    4711 npm run dev",
    "! 1 interrupted; no attempt spent",
    "! an answer was refused: no question is open (no_open_question)",
    "✗ 1 rejected  30m  agent timed out after 30m; said no status",
  ]);
});

test("colour sits on top of the words", async () => {
  const screen = new Screen();
  const to = open(screen, { env: { TERM: "xterm" } });
  new Run(to).rejected(1);
  expect(screen.stdout.text).toContain("\u001b[31m✗ 1 rejected\u001b[39m  4m27s");
});

test("history to a file keeps its live lines on the terminal, and waits for a slow pipe before it draws again", async () => {
  const file = pipe();
  const screen = new Screen(80, 24, file);
  const to = open(screen);
  const run = new Run(to).startTurn(1);
  to.clock.advance(150);
  expect(await screen.rows()).toEqual([
    expect.stringMatching(/^\S 1\/6 agent turn/),
    "  claude -p",
    expect.stringContaining("Ctrl-C"),
  ]);
  to.clock.advance(30);
  run.emit({ type: "answer_refused", messageId: "m1", why: "unreadable", answer: null, note: null });
  to.clock.advance(20);
  expect(await screen.rows()).toEqual([]);
  to.clock.advance(100);
  expect(await screen.rows()).toHaveLength(3);
  run.endTurn();
  to.reporter.pause();
  expect(await screen.rows()).toEqual([]);
  expect(file.text).not.toContain("\u001b");
  expect(file.text).toContain("agent   1/6 ended: exit 0, said DONE (1.0s)\n");
});

test("a pause gives the terminal back in the middle of a phase; the next phase draws again", async () => {
  const screen = new Screen();
  const to = open(screen);
  const run = new Run(to).startTurn(1);
  to.clock.advance(200);
  to.reporter.pause();
  expect(await screen.rows()).toHaveLength(2);
  run.endTurn().startCheck("fast");
  to.clock.advance(200);
  expect(await screen.rows()).toHaveLength(5);
});

test("an attempt shows only the output of its own check", async () => {
  const screen = new Screen();
  new Run(open(screen)).rejected(1).turn(2, {}, { status: "NEEDS_WORK" }).judged("agent_needs_work");
  expect((await screen.rows()).at(-1)).toBe("✗ 2 rejected  1.0s  said NEEDS_WORK");
});
