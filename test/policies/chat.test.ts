import { expect, test } from "vitest";
import type { ChatSettings } from "../../src/core/settings.ts";
import { next } from "../../src/engine/next.ts";
import { ChatStory, SESSION } from "../rig/chat-story.ts";
import { exited, later, ran, resumed, agentRecord } from "../rig/story.ts";
import { check, end, failed, interrupted, ONCE, opened, type Row } from "./chat-rows.ts";

const print = (settings: Partial<ChatSettings> = {}): ChatStory =>
  new ChatStory({ session: "continue", ...settings });
const FAILED = { class: "crashed", message: "", retryAt: null } as const;
const CUT_OFF = { process: ran("claude", { kind: "over_budget" }) } as const;
const TWO = { checks: ["npm test", "npm run lint"] };

const PRINT: Row[] = [
  ["the agent is asked", print(), opened("worker", 1, 1, null)],
  ["and works", print().works(), { do: "take_turn", attempt: 1, turn: 1 }],
  ["it worked: the checks", print().worked(), check(1)],
  ["one after the other", print(TWO).worked().check(0), check(1, 2, "npm run lint")],
  [
    "a red one does not keep the others from running",
    print(TWO).worked().check(1),
    check(1, 2, "npm run lint"),
  ],
  ["C9 all checks ran: a review, in a fork", print().worked().checks(), opened("reviewer", 1, 2, SESSION)],
  [
    "also where one is red: its words are wanted",
    print().worked().checks(1),
    opened("reviewer", 1, 2, SESSION),
  ],
  ["no checks: the review at once", print({ checks: [] }).worked(), opened("reviewer", 1, 2, SESSION)],
  [
    "a reviewer that cannot fork sees for itself",
    print({ forks: false }).worked().checks(),
    opened("reviewer", 1, 2, null),
  ],
  ["it spoke: the verdict", print().worked().checks().reviewed(true), { do: "judge", attempt: 1 }],
  ["C14 accepted: the run has passed", print().attempt(true), end("passed", 0, "accepted")],
  ["C13 rejected: the same session gets feedback", print().attempt(false), opened("worker", 2, 3, SESSION)],
  ["rejected as often as may be", print(ONCE).attempt(false), end("failed", 1, "limit_reached")],
  [
    "accepted by the reviewer, not by a check",
    print(ONCE).worked().checks(1).reviewed(true).judge(),
    end("failed", 1, "limit_reached"),
  ],
  [
    "C19 a reviewer that breaks off ends it",
    print()
      .worked()
      .checks()
      .reviewed(true, { process: ran("claude", exited(1)) })
      .judge(),
    end("failed", 1, "review_failed"),
  ],
  [
    "C19 so does one that says nothing",
    print()
      .worked()
      .checks()
      .reviewed(false, { problem: { kind: "missing" } })
      .judge(),
    end("failed", 1, "review_failed"),
  ],
  [
    "a turn that failed is not reviewed",
    print().worked({ process: ran("claude", exited(1)) }),
    { do: "judge", attempt: 1 },
  ],
  [
    "nor is one that failed by the agent's own word",
    print().worked({ agent: agentRecord("claude", { failure: FAILED }) }),
    { do: "judge", attempt: 1 },
  ],
  [
    "a turn that failed: the next one",
    print()
      .worked({ process: ran("claude", exited(1)), agent: agentRecord("claude", { sessionId: SESSION }) })
      .judge(),
    opened("worker", 2, 2, SESSION),
  ],
  [
    "an agent that is not available is waited for",
    print()
      .works()
      .add(failed(1, 1, "quota")),
    { do: "start_wait", agent: "claude", class: "quota", until: later(300) },
  ],
  [
    "so is a reviewer",
    print()
      .worked()
      .checks()
      .reviews()
      .add(failed(1, 2, "quota")),
    { do: "start_wait", agent: "claude", class: "quota", until: later(300) },
  ],
  [
    "no reviewer is available: the run stops, and can be resumed",
    print()
      .worked()
      .checks()
      .reviews()
      .add(failed(1, 2, "auth")),
    { do: "stop", by: "no_agent_available" },
  ],
  [
    "the session cannot be forked: the reviewer sees for itself",
    print()
      .worked()
      .checks()
      .reviews()
      .add(failed(1, 2, "session_lost")),
    opened("reviewer", 1, 3, null),
  ],
  [
    "a session of the agent's that was lost before says nothing about the fork",
    print()
      .works()
      .add(failed(1, 1, "session_lost"))
      .worked()
      .checks(),
    opened("reviewer", 1, 3, SESSION),
  ],
  [
    "a review that was cut off at the budget is made again, also the last one",
    print(ONCE).worked().checks().reviewed(true, CUT_OFF),
    opened("reviewer", 1, 3, SESSION),
  ],
  [
    "killed at work: that turn is recorded",
    print().works().add(resumed()),
    { do: "record_interrupted", attempt: 1, turn: 1 },
  ],
  ["and is taken again", print().works().add(resumed(), interrupted(1, 1)), opened("worker", 1, 2, null)],
  [
    "killed in a review: first the checks are made again, for anybody may have changed the files",
    print().worked().checks().reviews().add(resumed(), interrupted(1, 2)),
    { do: "run_check", attempt: 1, phase: "check", index: 1, command: "npm test" },
  ],
  [
    "then the review",
    print().worked().checks().reviews().add(resumed(), interrupted(1, 2)).checks(),
    opened("reviewer", 1, 3, SESSION),
  ],
  ["it ended: nothing", print().attempt(true).ends("passed", "accepted"), null],
];

test.each(PRINT)("a script asks: %s", (_, { state }, decision) => {
  expect(next(state)).toEqual(decision);
});
