import { describe, expect, test } from "vitest";
import type { EndReason, Role, RunEvent } from "../../../src/core/event.ts";
import { ImpossibleEvent } from "../../../src/core/fold.ts";
import { ChatStory } from "../../rig/chat-story.ts";
import type { ChatSettings } from "../../../src/core/settings.ts";
import {
  after,
  answered,
  asked,
  checkEnded,
  exited,
  judged,
  NOTHING,
  profile,
  ran,
  resumed,
  rejected,
  started,
  agentRecord,
  turnEnded,
} from "../../rig/story.ts";

/** A handwritten journal, even with valid checksums, must not lead to a pass without the evidence. */

const print = (settings: Partial<ChatSettings> = {}): ChatStory => new ChatStory(settings);
const live = (settings: Partial<ChatSettings> = {}): ChatStory => ChatStory.live(settings);
const stopped = (settings: Partial<ChatSettings> = {}): ChatStory => live(settings).asks().stops();
const accepted = (): ChatStory => live().asks().attempt(true);

const opened = (role: Role, attempt: number, turn: number, agent = "claude"): RunEvent => ({
  type: "turn_started",
  role,
  attempt,
  turn,
  agent,
  resumes: null,
  tree: null,
});
const gave = (task: number): RunEvent => ({ type: "input_given", task, text: NOTHING, session: null });
const stops = (attempt: number): RunEvent => ({
  type: "live_turn_ended",
  attempt,
  session: null,
  message: null,
});
const sent = (attempt: number): RunEvent => ({ type: "feedback_sent", attempt });
const LEFT: RunEvent = { type: "live_ended", process: ran("claude", exited(0)) };
const TIMEOUT = { process: ran("claude", { kind: "timeout", afterMs: 1 }) } as const;
const CRASHED = agentRecord("claude", { failure: { class: "crashed", message: "", retryAt: null } });
const passed = (reason: EndReason = "accepted"): RunEvent => ({
  type: "run_ended",
  status: "passed",
  exitCode: 0,
  reason,
  messageId: null,
});

type Forged = readonly [what: string, telling: () => unknown, why: string];

const UNBORNE = "the evidence leads to another verdict";
const ACCEPTED: readonly Forged[] = [
  ["a check is red", () => stopped().checks(1).reviewed(true).add(judged(1)), UNBORNE],
  ["one of two checks is red", () => twoChecks().checks(0, 1).reviewed(true).add(judged(1)), UNBORNE],
  ["it is not completed", () => stopped().checks().reviewed(false).add(judged(1)), UNBORNE],
  [
    "the tree changed",
    () =>
      stopped()
        .checks()
        .reviewed(true, { changed: ["x"] })
        .add(judged(1)),
    UNBORNE,
  ],
  ["the reviewer was ended", () => stopped().checks().reviewed(true, TIMEOUT).add(judged(1)), UNBORNE],
  [
    "the reviewer failed by its own word",
    () => stopped().checks().reviewed(true, { agent: CRASHED }).add(judged(1)),
    UNBORNE,
  ],
  [
    "the reviewer wrote nothing",
    () =>
      stopped()
        .checks()
        .reviewed(true, { problem: { kind: "missing" } })
        .add(judged(1)),
    UNBORNE,
  ],
  ["there was no review", () => stopped().checks().add(judged(1)), "no attempt waits for a verdict"],
  ["the review is open", () => stopped().checks().reviews().add(judged(1)), "no attempt waits for a verdict"],
  [
    "the review was cut off at the budget",
    () =>
      stopped()
        .checks()
        .reviewed(true, { process: ran("claude", { kind: "over_budget" }) })
        .add(judged(1)),
    "no attempt waits for a verdict",
  ],
  [
    "it was rejected already",
    () => live().asks().attempt(false).add(judged(1)),
    "no attempt waits for a verdict",
  ],
  [
    "something else was asked",
    () => stopped().checks().reviewed(true).asks().add(judged(1)),
    "no attempt waits for a verdict",
  ],
  [
    "the review was skipped",
    () => stopped().checks().reviewed(true).drops("skipped").add(judged(1)),
    "no attempt waits for a verdict",
  ],
  [
    "a script's agent failed",
    () =>
      print()
        .worked({ process: ran("claude", exited(1)) })
        .add(judged(1)),
    UNBORNE,
  ],
  [
    "a rejection has other reasons",
    () => print().worked().checks().reviewed(false).add(judged(1, "check_failed")),
    UNBORNE,
  ],
];

const twoChecks = (): ChatStory => stopped({ checks: ["npm test", "npm run lint"] });

const PASSED: readonly Forged[] = [
  ["nothing was accepted", () => live().asks().attempt(false).leaves().add(passed()), "nothing was accepted"],
  ["there was no review", () => stopped().leaves().add(passed()), "nothing was accepted"],
  [
    "something else was asked afterwards",
    () => accepted().asks().leaves().add(passed()),
    "nothing was accepted",
  ],
  [
    "the agent went on afterwards",
    () => accepted().add(stops(2)).leaves().add(passed()),
    "nothing was accepted",
  ],
  ["the agent is still running", () => accepted().add(passed()), "the agent is still running"],
  [
    "nothing was asked, but it was",
    () => live().asks().leaves().add(passed("nothing_asked")),
    "something was asked",
  ],
  [
    "not even where that was accepted",
    () => accepted().leaves().add(passed("nothing_asked")),
    "something was asked",
  ],
  ["a script has always asked", () => print().add(passed("nothing_asked")), "something was asked"],
  [
    "nothing was asked, and the agent failed",
    () => live().leaves(exited(1)).add(passed("nothing_asked")),
    "the agent failed",
  ],
  [
    "the reason is a failure's",
    () => accepted().leaves().add(passed("limit_reached")),
    "the reason does not fit the status",
  ],
  ["a script's is not accepted", () => print().attempt(false).add(passed()), "nothing was accepted"],
  [
    "a person is asked who never is",
    () => print().attempt(false).add(asked()),
    "a conversation asks no questions",
  ],
  [
    "an answer without a question",
    () =>
      print()
        .attempt(false)
        .add(answered({ kind: "mark_pass" })),
    "no such question is open",
  ],
  [
    "a person decided without a question",
    () =>
      print()
        .attempt(false)
        .add({ ...passed("marked_by_person"), status: "manually_passed" } as RunEvent),
    "no person decided it",
  ],
];

const NOTHING_TO_REVIEW = "there is nothing to review";
const TURNS: readonly Forged[] = [
  ["a review before the checks", () => stopped().reviews(), "its checks have not run"],
  ["a script's before them", () => print().worked().reviews(), "its checks have not run"],
  [
    "a review of nothing",
    () =>
      live()
        .asks()
        .add(opened("reviewer", 1, 1)),
    NOTHING_TO_REVIEW,
  ],
  [
    "one of what a script's agent has not done",
    () => print().add(opened("reviewer", 1, 1)),
    NOTHING_TO_REVIEW,
  ],
  [
    "nor of what it broke off",
    () => print({ checks: [] }).works().add({ type: "turn_interrupted", attempt: 1, turn: 1 }).reviews(),
    NOTHING_TO_REVIEW,
  ],
  ["a second one", () => stopped().checks().reviewed(true).reviews(), NOTHING_TO_REVIEW],
  ["one of what is judged", () => live().asks().attempt(false).reviews(), NOTHING_TO_REVIEW],
  ["one that was dropped", () => stopped().checks().drops("skipped").reviews(), NOTHING_TO_REVIEW],
  [
    "one of another attempt",
    () =>
      stopped()
        .checks()
        .add(opened("reviewer", 2, 1)),
    NOTHING_TO_REVIEW,
  ],
  [
    "one beyond the limit",
    () => live({ maxLoops: 1, checks: [] }).asks().attempt(false).stops().reviews(),
    "no review is left",
  ],
  [
    "another agent reviews",
    () =>
      stopped({ agents: [profile("claude"), profile("codex")] })
        .checks()
        .add(opened("reviewer", 1, 1, "codex")),
    "this agent does not review",
  ],
  [
    "an unknown agent does",
    () =>
      stopped()
        .checks()
        .add(opened("reviewer", 1, 1, "gemini")),
    "the run has no such agent",
  ],
  [
    "MAIN is asked",
    () =>
      live()
        .asks()
        .add(opened("main", 1, 1)),
    "this mode has no MAIN",
  ],
  [
    "the foreman's agent works",
    () =>
      live()
        .asks()
        .add(opened("worker", 1, 1)),
    "the person works with the agent themselves",
  ],
  [
    "another agent works",
    () => print({ agents: [profile("claude"), profile("codex")] }).add(opened("worker", 1, 1, "codex")),
    "this agent does not work",
  ],
  ["an attempt beyond the limit", () => print({ maxLoops: 1 }).attempt(false).works(), "no attempt is left"],
  ["an attempt before the verdict", () => print().worked().works(), "the last attempt is not judged"],
  ["an attempt is left out", () => print().add(opened("worker", 2, 1)), "attempts are counted one by one"],
  ["a worker's turn ends as a review", () => print().works().reviewed(true), "the role is wrong"],
  ["a reviewer's ends as work", () => print().worked().checks().reviews().worked(), "the role is wrong"],
  [
    "the review is one of a step",
    () =>
      stopped()
        .checks()
        .reviewed(true, { completed: undefined as unknown as boolean }),
    "it is the review of another mode",
  ],
  [
    "the work is another mode's",
    () =>
      print()
        .works()
        .add({ ...turnEnded(1), agent: agentRecord("claude") }),
    "it is the work of another mode",
  ],
  [
    "a check before the work",
    () => print().works().add({ type: "turn_interrupted", attempt: 1, turn: 1 }).check(0),
    "no turn waits for tests",
  ],
  ["a check of what is dropped", () => stopped().asks().check(0), "no turn waits for tests"],
  ["a check that is not due", () => stopped().add(checkEnded(1, "check")), "it is not the next test"],
  ["a check of another mode", () => stopped().add(checkEnded(1, "fast")), "it is not the next test"],
];

const TALK: readonly Forged[] = [
  ["the agent is started twice", () => live().starts(), "the agent was started already"],
  ["a script's is started in a terminal", () => print().starts(), "the agent is not in a terminal"],
  ["a script says something else", () => print().add(gave(2)), "the agent is not in a terminal"],
  ["a script's review is dropped", () => print().worked().drops("skipped"), "the agent is not in a terminal"],
  ["the agent has left", () => live().leaves().asks(), "no agent is running"],
  ["nor after a resume", () => live().add(resumed()).asks(), "no agent is running"],
  ["a task is left out", () => live().add(gave(2)), "tasks are counted one by one"],
  ["an input while a review is open", () => stopped().checks().reviews().asks(), "a review is open"],
  ["the agent stops while a review is open", () => stopped().checks().reviews().stops(), "a review is open"],
  ["it leaves while a review is open", () => stopped().checks().reviews().leaves(), "a review is open"],
  ["it stops when it is gone", () => live().asks().leaves().stops(), "no agent is running"],
  ["it leaves twice", () => live().leaves().add(LEFT), "no agent is running"],
  ["an attempt is left out", () => live().asks().add(stops(2)), "attempts are counted one by one"],
  ["feedback on what is not judged", () => stopped().sends(), "there is nothing to send"],
  ["feedback on what was accepted", () => accepted().sends(), "there is nothing to send"],
  ["feedback twice", () => live().asks().attempt(false).sends().sends(), "there is nothing to send"],
  [
    "feedback on another attempt",
    () => live().asks().attempt(false).add(sent(2)),
    "there is nothing to send",
  ],
  [
    "feedback after another input",
    () => live().asks().attempt(false).asks().sends(),
    "there is nothing to send",
  ],
  [
    "feedback after the agent has left",
    () => live().asks().attempt(false).leaves().sends(),
    "there is nothing to send",
  ],
  ["an acceptance is dropped", () => accepted().drops("skipped"), "nothing is open"],
  ["nothing is dropped", () => live().asks().drops("skipped"), "nothing is open"],
  ["an open review is dropped", () => stopped().checks().reviews().drops("skipped"), "nothing is open"],
  ["given up too early", () => live().asks().attempt(false).drops("limit_reached"), "reviews are left"],
  ["reviews are wanted again", () => live().sets("stopped").sets("on"), "reviews were stopped"],
  ["another mode talks", () => after(started(), ...rejected(1), gave(1)), "it is an event of another mode"],
];

describe.each<[what: string, rows: readonly Forged[]]>([
  ["an acceptance", ACCEPTED],
  ["a pass", PASSED],
  ["a turn or a check", TURNS],
  ["what happened at the terminal", TALK],
])("%s is refused", (_, rows) => {
  test.each(rows)("%s", (__, telling, why) => {
    expect(telling).toThrow(ImpossibleEvent);
    expect(telling).toThrow(new RegExp(`: ${why}$`));
  });
});
