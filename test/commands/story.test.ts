import stringWidth from "fast-string-width";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { commandTexts } from "../../src/ui/words/commands.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import { containmentText } from "../../src/ui/wording.ts";
import type { Evidence } from "../../src/screens/show/attempt-story.ts";
import { storyLines } from "../../src/screens/show/run-story.ts";
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
  stateOf,
  timed,
  turnEnded,
  turnStarted,
} from "./fixtures.ts";

const ID = "0301-aaaa";
const UNTOUCHED: Evidence = {
  conditionOf: () => "same",
  excerptOf: () => [{ leftOut: 3 }, { text: "pager > keeps the last page" }],
  firstLineOf: () => "",
};

/** The story without clock times, which depend on the time zone. */
function story(events: readonly RunEvent[], evidence = UNTOUCHED, columns: number | null = null): string[] {
  const view = { texts: commandTexts.en.show, terms: terminalTexts.en, columns };
  const lines = storyLines(timed(events), stateOf(events), evidence, view);
  return lines.map(({ lead, text }) => `${lead ?? ""}${text}`.replace(/^\d\d:\d\d /, "@ ")).slice(1);
}

describe("the story", () => {
  test("shows each attempt: the agent's claim, the foreman's runs, the decision", () => {
    expect(
      story([started(ID), ...failedAttempt(1), ...passedAttempt(2), ended("passed", "accepted")]),
    ).toEqual([
      "@    started: up to 6 attempts, contained: pid namespace",
      '@  1 ✗ agent  4m12s  exit 0  said DONE "all tests pass"',
      "         fast ✗ npm test  exit 1  15s",
      "           | ... 3 lines left out",
      "           | pager > keeps the last page",
      "           all output: /nowhere",
      "         full - not run",
      "         ✗ rejected: fast tests failed (fast_test_failed)  feedback 1.2 KB",
      '@  2 ✓ agent  4m12s  exit 0  said DONE "all tests pass"',
      "         fast ✓ npm test  exit 0  15s",
      "         full ✓ npm run test:all  exit 0  15s",
      "         ✓ accepted",
      "@    ended: passed, exit 0 (accepted)",
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
      "@  1 ✗ agent  0.9s  killed by SIGSEGV  said an unknown status: FINISHED",
      "         ! it is not known which stream spoke last: the less favourable status counts",
      "           | ... 3 lines left out",
      "           | pager > keeps the last page",
      "           all output: /nowhere",
      "         fast 1 ✓ a  exit 0  0.0s",
      "         ! 7 processes outlived their command and were ended",
      "           | 10 sleep 0",
      "           | 11 sleep 1",
      "           | 12 sleep 2",
      "           | 13 sleep 3",
      "           | 14 sleep 4",
      "           | ... 2 more lines",
      "         fast 2 ✗ b  timed out after 1m30s  1m30s",
      "           | ... 3 lines left out",
      "           | pager > keeps the last page",
      "           all output: /nowhere",
      "         full   - not run",
      "         ✗ rejected: the agent did not exit with 0 (agent_exit_nonzero); no valid status marker (missing_or_invalid_status_marker); fast tests failed (fast_test_failed); time limit reached (timeout)  feedback 1.2 KB",
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
      "@    started: up to 6 attempts, contained: pid namespace",
      "@    ! stopped by SIGINT",
      `@    resumed: ${containmentText("process_group", terminalTexts.en)}`,
      "         ! ended 1 process the earlier foreman left",
      "           | 7 node server",
      "@  1 ! agent  interrupted; no attempt spent",
      '@  1 ✗ agent  4m12s  exit 0  said DONE "all tests pass"',
      "@    ! an answer was refused: mark_pass; no question is open (no_open_question)",
      "           | trust me",
      "@    ! an answer was refused; it cannot be read (unreadable)",
      "           | ... 3 lines left out",
      "           | pager > keeps the last page",
      "           all output: /nowhere",
      "@    ? asked: continue, pass or fail?",
      "@    waits: nobody answered",
      "@    ? a person decided: mark as passed (decide)",
      "           | looked at it",
      "           | myself",
      "@    ended: marked as passed, exit 0 (marked_by_person)",
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
    const [, turn = "", ran = ""] = story(events, UNTOUCHED, 80);
    expect(stringWidth(turn)).toBeLessThan(80);
    expect(turn).toMatch(/\.\.\."$/);
    expect(ran).toContain(command);
    expect(story(events)[1]).toContain(evidence);
  });
});
