import stringWidth from "fast-string-width";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { commandTexts } from "../../src/ui/words/commands.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import { containmentText } from "../../src/ui/wording.ts";
import type { KeptFiles } from "../../src/ui/mode-view.ts";
import { storyLines } from "../../src/screens/show/run-story.ts";
import { Page } from "../../src/ui/page.ts";
import { tty } from "../reporters/rig.ts";
import {
  accepted,
  answered,
  asked,
  check,
  ended,
  failedAttempt,
  passedAttempt,
  rejected,
  started,
  moments,
  timed,
  turnEnded,
  turnStarted,
} from "./fixtures.ts";

const ID = "0301-aaaa";
const UNTOUCHED: KeptFiles = {
  conditionOf: () => "same",
  excerptOf: () => [{ leftOut: 3 }, { text: "pager > keeps the last page" }],
  firstLineOf: () => "",
};

/** The story without clock times, which depend on the time zone. */
function story(events: readonly RunEvent[], evidence = UNTOUCHED): string[] {
  const view = { texts: commandTexts.en.show, terms: terminalTexts.en };
  const lines = storyLines(moments(timed(events)), evidence, view);
  return lines.map(({ lead, text }) => `${lead ?? ""}${text}`.replace(/^\d\d:\d\d:\d\d /, "@ ")).slice(1);
}

describe("the story", () => {
  test("shows each attempt: the agent's claim, the foreman's runs, the decision", () => {
    expect(
      story([started(ID), ...failedAttempt(1), ...passedAttempt(2), ended("passed", "accepted")]),
    ).toEqual([
      "@ run     started: up to 6 attempts, contained: pid namespace",
      "@ agent   1/6 started",
      "@ agent   1/6 ended: exit 0, said DONE (4m12s)",
      "  | all tests pass",
      "@ check   1/6 fast failed: npm test, exit 1 (15s)",
      "  | ... 3 lines left out",
      "  | pager > keeps the last page",
      "  all output: /nowhere",
      "@ check   1/6 full tests not run",
      "@ verdict 1/6 rejected: fast tests failed (fast_test_failed)",
      "  feedback: /nowhere (1.2 KB)",
      "@ agent   2/6 started",
      "@ agent   2/6 ended: exit 0, said DONE (4m12s)",
      "  | all tests pass",
      "@ check   2/6 fast passed: npm test (15s)",
      "@ check   2/6 full passed: npm run test:all (15s)",
      "@ verdict 2/6 accepted",
      "@ run     ended: passed, exit 0 (accepted)",
    ]);
  });

  test("shows forced ends and leftovers", () => {
    const killed = { kind: "signaled", signal: "SIGSEGV" } as const;
    const slow = { kind: "timeout", afterMs: 90_000 } as const;
    const leaked = Array.from({ length: 7 }, (_, index) => ({ pid: index + 10, command: `sleep ${index}` }));
    const command = "claude";
    expect(
      story([
        started(ID, { testFast: ["a", "b"] }),
        turnStarted(1),
        turnEnded(1, {
          process: { command, end: killed, durationMs: 900, leaked: [] },
          claim: { status: "invalid", statusText: "FINISHED", evidence: null, orderCertain: false },
        }),
        check(1, "fast", 0, {
          process: { command: "a", end: { kind: "exited", code: 0 }, durationMs: 1, leaked },
        }),
        check(1, "fast", 1, {
          index: 2,
          process: { command: "b", end: slow, durationMs: 90_000, leaked: [] },
        }),
        rejected(1, "agent_exit_nonzero", "missing_or_invalid_status_marker", "fast_test_failed", "timeout"),
      ]).slice(1),
    ).toEqual([
      "@ agent   1/6 started",
      "@ agent   1/6 ended: killed by SIGSEGV, said an unknown status: FINISHED (0.9s)",
      "@ agent   it is not known which stream spoke last: the less favourable status counts",
      "  | ... 3 lines left out",
      "  | pager > keeps the last page",
      "  all output: /nowhere",
      "@ check   1/6 fast passed: a, leaked 7 (0.0s)",
      "  | 10 sleep 0",
      "  | 11 sleep 1",
      "  | 12 sleep 2",
      "  | 13 sleep 3",
      "  | 14 sleep 4",
      "  | 15 sleep 5",
      "  | 16 sleep 6",
      "@ check   1/6 fast failed: b, timed out after 1m30s (1m30s)",
      "  | ... 3 lines left out",
      "  | pager > keeps the last page",
      "  all output: /nowhere",
      "@ check   1/6 full tests not run",
      "@ verdict 1/6 rejected: the agent did not exit with 0 (agent_exit_nonzero); no valid status marker (missing_or_invalid_status_marker); fast tests failed (fast_test_failed); time limit reached (timeout)",
      "  feedback: /nowhere (1.2 KB)",
    ]);
  });

  test("shows stops, resumptions, interrupted turns, questions, answers and refusals", () => {
    expect(
      story([
        started(ID),
        turnStarted(1),
        { type: "run_stopped", by: "SIGINT" },
        {
          type: "run_resumed",
          askNow: false,
          interactive: true,
          containment: "process_group",
          limits: { costUsd: null, tokens: null, timeMs: null, waitMs: 0 },
          toolVersion: "1",
          ended: [{ pid: 7, command: "node server" }],
        },
        { type: "turn_interrupted", attempt: 1, turn: 1 },
        turnStarted(1, 2),
        turnEnded(1, { turn: 2 }),
        {
          type: "answer_refused",
          messageId: "m1",
          why: "no_open_question",
          answer: { kind: "mark_pass" },
          note: "trust me",
        },
        { type: "answer_refused", messageId: "m2", why: "unreadable", answer: null, note: null },
        check(1, "fast", 0),
        check(1, "full", 1),
        rejected(1, "full_test_failed"),
        asked,
        { type: "run_stopped", by: "undecided" },
        answered({ kind: "mark_pass" }, { note: "looked at it\nmyself", via: "decide" }),
        ended("manually_passed", "marked_by_person"),
      ]).filter((line) => !/fast|full|feedback|rejected/.test(line)),
    ).toEqual([
      "@ run     started: up to 6 attempts, contained: pid namespace",
      "@ agent   1/6 started",
      "@ run     stopped by SIGINT",
      `@ run     resumed: 0 of 6 attempts used, ${containmentText("process_group", terminalTexts.en)}`,
      "@ run     ended 1 process the earlier foreman left",
      "  | 7 node server",
      "@ agent   1/6 interrupted; no attempt spent",
      "@ agent   1/6 started again",
      "@ agent   1/6 ended: exit 0, said DONE (4m12s)",
      "  | all tests pass",
      "@ person  an answer was refused: mark_pass; no question is open (no_open_question)",
      "  | trust me",
      "@ person  an answer was refused: it cannot be read (unreadable)",
      "  | ... 3 lines left out",
      "  | pager > keeps the last page",
      "  all output: /nowhere",
      "@ person  1 of 6 attempts used: continue, pass or fail?",
      "@ run     waits for an answer",
      "@ person  a person decided: mark as passed (decide)",
      "  | looked at it",
      "  | myself",
      "@ run     ended: marked as passed, exit 0 (marked_by_person)",
    ]);
  });

  test("keeps the question's id to itself", () => {
    expect(story([started(ID), ...failedAttempt(1), asked]).join("\n")).not.toContain("q1-secret");
  });

  test("cuts a claim on a terminal, never a command", () => {
    const evidence = "证据".repeat(100);
    const claim = { status: "DONE", statusText: null, evidence, orderCertain: true } as const;
    const command = `npm test ${"x".repeat(100)}`;
    const process = { command, end: { kind: "exited", code: 0 }, durationMs: 1, leaked: [] } as const;
    const events = [
      started(ID, { testFast: [command] }),
      turnStarted(1),
      turnEnded(1, { claim }),
      check(1, "fast", 0, { process }),
      check(1, "full", 0),
      accepted(1),
    ];
    const { stream, writes } = tty(80);
    new Page(stream, { terminal: true, color: false }).print(
      storyLines(moments(timed(events)), UNTOUCHED, { texts: commandTexts.en.show, terms: terminalTexts.en }),
    );
    const rows = writes.join("").split("\n");
    const claimed = rows.filter((row) => row.includes("证据"));
    expect(Math.max(...claimed.map((row) => stringWidth(row)))).toBeLessThan(80);
    expect(claimed.at(-1)).toMatch(/\.\.\.$/);
    expect(rows.join("\n")).toContain("x".repeat(100));
    expect(story(events).join("\n")).toContain(evidence);
  });
});
