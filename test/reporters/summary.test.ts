import { expect, test } from "vitest";
import type { Lang } from "../../src/core/settings.ts";
import type { RunState } from "../../src/core/state.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import { summaryLines } from "../../src/screens/summary.ts";
import { CHANGES, Run } from "./run.ts";

const exit1 = { kind: "exited", code: 1 } as const;
const marked = (status: "manually_passed" | "manually_failed") =>
  ({
    type: "run_ended",
    status,
    exitCode: status === "manually_passed" ? 0 : 1,
    reason: "marked_by_person",
    messageId: null,
  }) as const;

function summary(state: RunState, lang: Lang = "en"): string[] {
  return summaryLines({ ...state, changes: CHANGES }, {}, terminalTexts[lang]).map((line) => line.text);
}

test("accepted", () => {
  expect(summary(new Run().rejected(1).accepted(2).passed().state)).toEqual([
    "✓ ACCEPTED at attempt 2 of 6  10m57s",
    "  full    npm run test:all: passed (1m01s)",
    "  weaker  checks ran in the work tree itself (--no-clean-room)",
    "  change  1 file +2 -0",
    "  report  goldagent-supervise-report-1115-k3f7.json",
    "  next    agent-foreman diff 1115-k3f7",
  ]);
});

test("accepted without a base names another command", () => {
  const { state } = new Run().accepted(1).passed();
  const lines = summaryLines(state, {}, terminalTexts.en).map((line) => line.text);
  expect(lines.at(-1)).toBe("  next    agent-foreman show 1115-k3f7");
  expect(lines.join("\n")).not.toContain("change");
});

test("the person's lost files and changes outside the tree, and the first names of many", () => {
  const { state } = new Run().accepted(1).passed();
  const lost = [
    { path: "src/notes.js", was: "modified", kept: true },
    { path: "todo.txt", was: "untracked", kept: true },
    ...["a", "b", "c", "d"].map((path) => ({ path, was: "ignored", kept: true }) as const),
  ] as const;
  const changes = {
    ...CHANGES,
    added: 1,
    lost: { count: 9, some: lost },
    outside: [".git/config core.fsmonitor", ".git/hooks/pre-push"],
  };
  const lines = (lang: Lang): string[] =>
    summaryLines({ ...state, changes }, {}, terminalTexts[lang]).map((line) => line.text);
  expect(lines("en").slice(3, 8)).toEqual([
    "  change  1 file +2 -0 (1 new)",
    "  lost    src/notes.js (your uncommitted changes), todo.txt (never committed), a (ignored by git), b (ignored by git), c (ignored by git), d (ignored by git) and 3 more",
    "          to bring them back: agent-foreman restore 1115-k3f7",
    "  outside .git/config core.fsmonitor, .git/hooks/pre-push",
    "          changed during the run; look at these before you use git or run programs here",
  ]);
  expect(lines("zh").slice(3, 6)).toEqual([
    "  变更    1 个文件 +2 -0（新增 1）",
    `  丢失    src/notes.js（你未提交的改动），todo.txt（从未提交），a（git 忽略的文件），b（git 忽略的文件），c（git 忽略的文件），d（git 忽略的文件） 等另外 3 项`,
    "          恢复：agent-foreman restore 1115-k3f7",
  ]);
});

test("rejected: why, and since when it fails in the same way", () => {
  const run = new Run(undefined, { maxLoops: 3 }).turn(1, {}, { status: "BLOCKED" }).judged("agent_blocked");
  expect(summary(run.rejected(2).rejected(3).failed().state)).toEqual([
    "✗ REJECTED after 3 of 3 attempts  8m55s",
    "  why     fast tests failed: npm test, exit 1 (fast_test_failed)",
    "          same in attempts 2, 3",
    "  output  attempt-3/fast-1.txt",
    "  change  1 file +2 -0",
    "  report  goldagent-supervise-report-1115-k3f7.json",
    "  next    agent-foreman show 1115-k3f7",
  ]);
});

test("every reason has its line", () => {
  const run = new Run(undefined, { maxLoops: 1 }).turn(1, { end: { kind: "signaled", signal: "SIGKILL" } });
  run.check("fast", { end: { kind: "timeout", afterMs: 60_000 } });
  run.judged("agent_exit_nonzero", "fast_test_failed", "timeout").failed();
  expect(summary(run.state).slice(1, 4)).toEqual([
    "  why     the agent did not exit with 0: killed by SIGKILL (agent_exit_nonzero)",
    "          fast tests failed: npm test, timed out after 1m (fast_test_failed)",
    "          time limit reached (timeout)",
  ]);
});

test("a person's word never appears as evidence", () => {
  const asked = (): Run =>
    new Run(undefined, { maxLoops: 1 }).rejected(1).emit({ type: "question_asked", id: "q" });
  const answered = (kind: "mark_pass" | "mark_fail"): Run =>
    asked().emit({
      type: "question_answered",
      id: "q",
      answer: { kind },
      note: "flaky\nhere",
      via: "decide",
      messageId: null,
    });
  expect(summary(answered("mark_pass").emit(marked("manually_passed")).state)).toEqual([
    "✓ MARKED AS PASSED by a person, not by evidence  4m27s",
    String.raw`  note    flaky\x0ahere`,
    "  found   fast tests failed: npm test, exit 1 (fast_test_failed)",
    "  output  attempt-1/fast-1.txt",
    "  change  1 file +2 -0",
    "  report  goldagent-supervise-report-1115-k3f7.json",
    "  next    agent-foreman diff 1115-k3f7",
  ]);
  const failed = summary(answered("mark_fail").emit(marked("manually_failed")).state);
  expect(failed[0]).toBe("✗ MARKED AS FAILED by a person  4m27s");
  expect(failed.at(-1)).toBe("  next    agent-foreman show 1115-k3f7");
});

test("the plan cannot be used", () => {
  const run = new Run(undefined, {}, { planMissing: true });
  run.emit({
    type: "run_ended",
    status: "failed",
    exitCode: 2,
    reason: "plan_file_missing",
    messageId: null,
  });
  expect(summaryLines(run.state, {}, terminalTexts.en).map((line) => line.text)).toEqual([
    "✗ NOT STARTED: the plan file is missing (plan_file_missing)",
    "  plan    /repo/PLAN.md",
    "  report  goldagent-supervise-report-1115-k3f7.json",
  ]);
});

test("cancelled", () => {
  const cancel = {
    type: "run_ended",
    status: "failed",
    exitCode: 1,
    reason: "cancelled",
    messageId: "m",
  } as const;
  expect(summary(new Run().emit(cancel).state)[0]).toBe("✗ CANCELLED before the first attempt");
  expect(summary(new Run().startTurn(1).emit(cancel).state)[0]).toBe("✗ CANCELLED in attempt 1");
});

test("interrupted: the way on", () => {
  expect(
    summary(new Run().rejected(1).startTurn(2).emit({ type: "run_stopped", by: "SIGINT" }).state),
  ).toEqual([
    "! INTERRUPTED by SIGINT in attempt 2; it can go on  4m27s",
    "  change  1 file +2 -0",
    "  next    agent-foreman resume 1115-k3f7",
  ]);
});

test("waits for a person, even when a signal stopped the waiting", () => {
  const run = new Run(undefined, { maxLoops: 1 }).rejected(1).emit({ type: "question_asked", id: "q" });
  const lines = summary(run.emit({ type: "run_stopped", by: "SIGINT" }).state);
  expect(lines[0]).toBe("? WAITING for you: 1 of 1 attempts used  4m27s");
  expect(lines.at(-1)).toBe("  next    agent-foreman decide 1115-k3f7 continue 3");
});

test("irregularities are shown", () => {
  const run = new Run().startTurn(1).emit({ type: "turn_interrupted", attempt: 1, turn: 1 });
  run.emit({ type: "answer_refused", messageId: "m", why: "unreadable", answer: null, note: null });
  const leaked = [{ pid: 1, command: "a" }];
  run.turn(1, { leaked }).check("fast", { leaked }).check("full").judged().passed();
  expect(summary(run.state).slice(4, 7)).toEqual([
    "  leaked  2 processes outlived their command and were ended",
    "  turns   1 interrupted; no attempt spent",
    "  answers 1 refused: no open question was answered",
  ]);
});

test("Chinese", () => {
  const run = new Run(undefined, { maxLoops: 2 }).rejected(1);
  run.turn(2).check("fast").check("full", { end: exit1 }).judged("full_test_failed").failed();
  expect(summary(run.state, "zh")).toEqual([
    "✗ 未通过：2 次尝试已用完  4m30s",
    "  原因    全量测试失败：npm run test:all，退出码 1 (full_test_failed)",
    "  输出    attempt-2/full-1.txt",
    "  变更    1 个文件 +2 -0",
    "  报告    goldagent-supervise-report-1115-k3f7.json",
    "  下一步  agent-foreman show 1115-k3f7",
  ]);
});
