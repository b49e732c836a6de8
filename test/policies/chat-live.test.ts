import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/core/decision.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { ChatSettings } from "../../src/core/settings.ts";
import { next } from "../../src/engine/next.ts";
import { ChatStory, SESSION } from "../rig/chat-story.ts";
import { exited, later, profile, ran, resumed, turnFailed } from "../rig/story.ts";
import { check, drop, end, failed, interrupted, ONCE, opened, type Row } from "./chat-rows.ts";

const live = (settings: Partial<ChatSettings> = {}): ChatStory => ChatStory.live(settings);
/** The agent in the terminal has stopped for the first time. */
const stopped = (settings: Partial<ChatSettings> = {}): ChatStory => live(settings).asks().stops();
const AWAIT: Decision = { do: "await_live" };

const LIVE: Row[] = [
  ["the agent is started", new ChatStory({ prompt: null }), { do: "start_live", resumes: null }],
  ["and left alone", live(), AWAIT],
  ["as long as it works", live().asks(), AWAIT],
  ["C6 it stopped: the checks", stopped(), check(1)],
  ["C9 then a review, in a fork", stopped().checks(), opened("reviewer", 1, 1, SESSION)],
  [
    "by the agent that is to review, from the beginning",
    stopped({ agents: [profile("claude"), profile("codex")], reviewer: "codex", forks: false }).checks(),
    { ...opened("reviewer", 1, 1, null), agent: "codex" } as Decision,
  ],
  [
    "without a session nothing is forked",
    live()
      .asks(undefined, null)
      .add({ type: "live_turn_ended", attempt: 1, session: null, message: null })
      .checks(),
    opened("reviewer", 1, 1, null),
  ],
  ["the verdict", stopped().checks().reviewed(true), { do: "judge", attempt: 1 }],
  ["C14 accepted: the person goes on", live().asks().attempt(true), AWAIT],
  [
    "C13 rejected: the agent gets feedback",
    live().asks().attempt(false),
    { do: "send_feedback", attempt: 1 },
  ],
  ["after the feedback: it works", live().asks().attempt(false).sends(), AWAIT],
  ["it stopped again: the checks again", live().asks().attempt(false).sends().stops(), check(2)],
  ["as many reviews as may be", live(ONCE).asks().attempt(false), drop(1, "limit_reached")],
  [
    "the limit is one for each task",
    live(ONCE).asks().attempt(false).drops("limit_reached").asks().stops().checks(),
    opened("reviewer", 2, 2, SESSION),
  ],
  [
    "the agent went on by itself after the last review: no other one",
    live(ONCE).asks().attempt(false).stops(),
    drop(2, "limit_reached"),
  ],
  [
    "also where that one was not judged yet",
    stopped(ONCE).checks().reviewed(true).stops(),
    drop(2, "limit_reached"),
  ],
  [
    "C19 the reviewer broke off: nothing is said",
    stopped()
      .checks()
      .reviewed(true, { process: ran("claude", exited(1)) })
      .judge(),
    drop(1, "review_failed"),
  ],
  [
    "files changed during the review: the agent gets no feedback, because it cannot fix that",
    stopped()
      .checks()
      .reviewed(true, { changed: ["src/a.ts"] })
      .judge(),
    drop(1, "tree_changed"),
  ],
  [
    "files changed during a review that rejects the work: the agent gets the feedback",
    stopped()
      .checks()
      .reviewed(false, { changed: ["src/a.ts"] })
      .judge(),
    { do: "send_feedback", attempt: 1 },
  ],
  [
    "the reviewer is waited for",
    stopped()
      .checks()
      .reviews()
      .add(failed(1, 1, "quota")),
    { do: "start_wait", agent: "claude", class: "quota", until: later(300) },
  ],
  [
    "no reviewer is available: there is no review, and the person continues",
    stopped()
      .checks()
      .reviews()
      .add(failed(1, 1, "auth")),
    drop(1, "unavailable"),
  ],
  [
    "the next task gets another chance: the agent may be logged in by now",
    stopped()
      .checks()
      .reviews()
      .add(failed(1, 1, "auth"))
      .drops("unavailable")
      .asks()
      .stops()
      .checks(),
    opened("reviewer", 2, 2, SESSION),
  ],
  [
    "the session cannot be forked: the reviewer sees for itself",
    stopped()
      .checks()
      .reviews()
      .add(failed(1, 1, "session_lost")),
    opened("reviewer", 1, 2, null),
  ],
  [
    "at the next stop it is tried again",
    stopped()
      .checks()
      .reviews()
      .add(failed(1, 1, "session_lost"))
      .reviewed(false)
      .judge()
      .sends()
      .stops()
      .checks(),
    opened("reviewer", 2, 3, SESSION),
  ],
  ["C7 something else is asked: the review is not made", stopped().checks().asks(), AWAIT],
  ["feedback that was not sent is not sent any more", live().asks().attempt(false).asks(), AWAIT],
  ["skipped", stopped().drops("skipped"), AWAIT],
  ["paused: no check", stopped().sets("paused"), AWAIT],
  ["no verdict", stopped().checks().reviewed(true).sets("paused"), AWAIT],
  ["no feedback", live().asks().attempt(false).sets("paused"), AWAIT],
  ["go on: where it was", stopped().checks().sets("paused").sets("on"), opened("reviewer", 1, 1, SESSION)],
  ["stopped: nothing any more", live().sets("stopped").asks().stops(), AWAIT],
];

const WAIT: RunEvent = { type: "wait_started", agent: "claude", class: "quota", until: later(300) };
const waiting = (): ChatStory =>
  stopped()
    .checks()
    .reviews()
    .add(failed(1, 1, "quota"), WAIT);

const inVain = (): ChatStory => {
  const event = turnFailed(1, 1, "claude", "overloaded");
  const process = { ...event.process, durationMs: 2 * 3_600_000 };
  return stopped()
    .checks()
    .reviews()
    .add({ ...event, process });
};

const WAITS: Row[] = [
  ["the wait is sat out", waiting(), { do: "sit_out", until: later(300) }],
  ["not if something else was asked", waiting().asks(), AWAIT],
  ["nor if it is no longer wanted", waiting().drops("skipped"), AWAIT],
  ["nor if the agent went on: what can be done meanwhile is", waiting().stops(), check(2)],
  ["longer than allowed: no review", inVain(), drop(1, "unavailable")],
  [
    "again for the next task",
    inVain().drops("unavailable").asks().stops().checks(),
    { do: "start_wait", agent: "claude", class: "overloaded", until: later(10) },
  ],
  ["nor if the person left", waiting().leaves(), end("failed", 1, "left_unaccepted")],
];

const LEFT: Row[] = [
  ["nothing was asked", live().leaves(), end("passed", 0, "nothing_asked")],
  ["the agent did not even start", live().leaves(exited(1)), end("failed", 5, "live_agent_failed")],
  ["the task was accepted", live().asks().attempt(true).leaves(exited(1)), end("passed", 0, "accepted")],
  ["it was not reviewed", live().asks().leaves(), end("failed", 1, "left_unaccepted")],
  ["it was being reviewed", stopped().checks().leaves(), end("failed", 1, "left_unaccepted")],
  [
    "the reviewer had called it completed, and there was no verdict",
    stopped().checks().reviewed(true).leaves(),
    end("failed", 1, "left_unaccepted"),
  ],
  [
    "it was not accepted as often as may be",
    live(ONCE).asks().attempt(false).drops("limit_reached").leaves(),
    end("failed", 1, "limit_reached"),
  ],
  [
    "the task before it was accepted",
    live().asks().attempt(true).asks().leaves(),
    end("failed", 1, "left_unaccepted"),
  ],
  [
    "the task before it was not",
    live(ONCE).asks().attempt(false).drops("limit_reached").asks().attempt(true).leaves(),
    end("passed", 0, "accepted"),
  ],
  [
    "no review was wanted",
    live().sets("stopped").asks().stops().leaves(),
    end("failed", 1, "left_unaccepted"),
  ],
];

const RESUMED: Row[] = [
  ["before anything was asked", live().add(resumed()), { do: "start_live", resumes: null }],
  ["with the session", live().asks().add(resumed()), { do: "start_live", resumes: SESSION }],
  [
    "killed in a review: that is recorded first",
    stopped().checks().reviews().add(resumed()),
    { do: "record_interrupted", attempt: 1, turn: 1 },
  ],
  [
    "then the agent is started",
    stopped().checks().reviews().add(resumed(), interrupted(1, 1)),
    { do: "start_live", resumes: SESSION },
  ],
  [
    "then the checks are made again, for anybody may have changed the files",
    stopped().checks().reviews().add(resumed(), interrupted(1, 1)).starts(SESSION),
    { do: "run_check", attempt: 1, phase: "check", index: 1, command: "npm test" },
  ],
  [
    "then the review",
    stopped().checks().reviews().add(resumed(), interrupted(1, 1)).starts(SESSION).checks(),
    opened("reviewer", 1, 2, SESSION),
  ],
  [
    "what was to be said is said",
    live().asks().attempt(false).add(resumed()).starts(SESSION),
    { do: "send_feedback", attempt: 1 },
  ],
  ...(["paused", "stopped"] as const).map((to): Row => [
    `reviews that were ${to} are wanted again`,
    stopped().checks().sets(to).add(resumed()).starts(SESSION).checks(),
    opened("reviewer", 1, 1, SESSION),
  ]),
  [
    "the agent had left: it is not started again",
    live().asks().attempt(true).leaves().add(resumed()),
    end("passed", 0, "accepted"),
  ],
];

describe.each<[string, Row[]]>([
  ["a person sits at the terminal", LIVE],
  ["the reviewer is waited for", WAITS],
  ["the agent is gone", LEFT],
  ["the foreman was killed, and the run is resumed", RESUMED],
])("%s", (_, rows) => {
  test.each(rows)("%s", (__, { state }, decision) => {
    expect(next(state)).toEqual(decision);
  });
});
