import { exitCodeOfEnd } from "../../src/core/end.ts";
import type { RunEvent } from "../../src/core/event.ts";
import { verdictOn } from "../../src/evidence/verdict.ts";
import { foldWithRuns } from "../rig/room-runs.ts";
import { lastAttempt, type RunState } from "../../src/core/state.ts";
import { DOING, DONE, TODO } from "../../src/core/step.ts";
import { begin } from "../../src/modes/registry.ts";
import type { LiveEvent } from "../../src/engine/reporter.ts";
import { aPlan, BoardStory } from "../rig/board-story.ts";
import { ChatStory } from "../rig/chat-story.ts";
import {
  BAD,
  baseChecked,
  baseTaken,
  candidateTaken,
  changed,
  checkInRoom,
  confirmed,
  names,
  ORIGINALS_FAIL,
  ROOM,
} from "../rig/room-story.ts";
import {
  analyzeStarted,
  marked,
  reviewed,
  reviewStarted,
  stepsStarted,
  stepStarted,
  worked,
} from "../rig/steps-story.ts";
import {
  answered,
  AT,
  asked,
  checkEnded,
  exited,
  NOTHING,
  profile,
  resumed,
  started,
  agentRecord,
  turnEnded,
  turnFailed,
  turnStarted,
} from "../rig/story.ts";
import { failed, isLive, STEPS, type StoryItem } from "./steps-rig.ts";

/** That many minutes after nine o'clock local time. */
const localTime = (minutes: number): string => new Date(2026, 10, 15, 9, minutes).toISOString();
const LEAKED = [{ pid: 4242, command: "node server.js" }];
const phase = (
  kind: Extract<LiveEvent, { type: "phase_started" }>["phase"],
  attempt: number,
  command: string,
): LiveEvent => ({ type: "phase_started", phase: kind, attempt, command, encoded: false });
const output = (type: "check_output" | "turn_output"): LiveEvent => ({
  type,
  path: "/runs/output.txt",
  lines: [{ text: "FAIL pager > keeps the last page" }, { leftOut: 38 }, { text: "expected 3, got 2" }],
});
const refused: StoryItem = {
  type: "answer_refused",
  why: "no_open_question",
  answer: { kind: "mark_pass" },
  note: "let me pass",
  messageId: "m1",
};
const usage = { input: 1200, cached: 0, output: 300, costUsd: 0.25 };

/** Placeholder for the verdict that the evidence supports. */
const verdict = { type: "verdict" } as const;
function verdicts(...story: readonly (StoryItem | typeof verdict)[]): readonly StoryItem[] {
  let state: RunState | undefined;
  return story.map((one): StoryItem => {
    if (typeof one === "number" || isLive(one)) return one;
    const event = one.type === "verdict" && state ? judgedIn(state) : (one as RunEvent);
    state = state ? foldWithRuns(state, event, AT) : begin(event, AT);
    return event;
  });
}

function judgedIn(state: RunState): RunEvent {
  const verdictNow = verdictOn(state);
  if (!verdictNow) throw new Error("nothing can be judged");
  const attempt = lastAttempt(state)?.index ?? 0;
  return { type: "attempt_judged", attempt, ...verdictNow, feedback: NOTHING };
}

const SUPERVISE: readonly StoryItem[] = verdicts(
  started(
    {
      task: "Add pagination\nkeep the last page",
      agentCmd: null,
      agents: [profile("claude", { model: "big" }), profile("codex")],
      room: ROOM,
    },
    { missingAgents: ["gemini"], interactive: true },
  ),
  baseTaken({ weak: ["no_overlay"] }),
  phase("base", 0, "fast"),
  1000,
  baseChecked("fast", "fast"),
  baseChecked("full", "full", { tests: null, from: "1114-aaaa" }),
  turnStarted(1, 1, "claude"),
  phase("agent", 1, "claude -p"),
  61_000,
  { ...turnFailed(1, 1, "claude", "quota", localTime(60)) },
  turnStarted(1, 2, "codex"),
  { type: "turn_interrupted", attempt: 1, turn: 2 },
  refused,
  { type: "run_stopped", by: "SIGTERM" },
  resumed({ ended: LEAKED }),
  turnStarted(1, 3, "codex"),
  output("turn_output"),
  {
    ...turnEnded(1, { status: "NEEDS_WORK", orderCertain: false }, exited(2), 3),
    process: { command: "codex", end: exited(2), durationMs: 61_000, leaked: LEAKED },
    changedInputs: ["/project/plan.md"],
    agent: agentRecord("codex", { usage, denials: [{ tool: "Bash", about: "rm -rf /" }] }),
  },
  candidateTaken(1, {
    protected: [changed("test/api.test.ts")],
    hidden: names("cache/x"),
    programs: ["bin/t"],
  }),
  output("check_output"),
  checkInRoom(1, "fast", 1, { findings: BAD }),
  verdict,
  turnStarted(2, 4, "codex"),
  { ...turnEnded(2, {}, exited(0), 4), agent: agentRecord("codex") },
  candidateTaken(2, { protected: [changed("test/api.test.ts")] }),
  checkInRoom(2, "fast", 0),
  checkInRoom(2, "full", 0, ORIGINALS_FAIL),
  asked(),
  answered({ kind: "option", option: "refuse" }),
  verdict,
  turnStarted(3, 5, "codex"),
  { ...turnEnded(3, {}, exited(0), 5), agent: agentRecord("codex") },
  candidateTaken(3),
  checkInRoom(3, "fast", 0, { flaky: names("pager > waits") }),
  checkInRoom(3, "full", 0),
  confirmed(3),
  verdict,
  { type: "run_ended", status: "passed", exitCode: 0, reason: "accepted", messageId: null },
);

const UNIT = { command: "unit" };
const RUN: readonly StoryItem[] = verdicts(
  stepsStarted({ steps: STEPS }, { missingAgents: ["gemini"] }),
  stepStarted(2),
  marked(2, DOING),
  turnStarted(1, 1, "claude"),
  { ...turnFailed(1, 1, "claude", "overloaded") },
  { type: "wait_started", agent: "claude", class: "overloaded", until: localTime(1) },
  { type: "waiting" },
  60_000,
  { type: "wait_ended" },
  turnStarted(1, 2, "claude"),
  worked(1, 2, { unitTest: UNIT }, { changedInputs: ["/project/steps/003-page.json", "/project/x.md"] }),
  marked(2, DOING, UNIT, true),
  phase("unit", 1, UNIT.command),
  2000,
  output("check_output"),
  {
    ...checkEnded(1, "unit", 1, exited(1)),
    process: { command: UNIT.command, end: exited(1), durationMs: 2000, leaked: LEAKED },
  },
  verdict,
  marked(2, TODO, UNIT),
  marked(2, DOING, UNIT),
  turnStarted(2, 3, "claude"),
  worked(2, 3, { unitTest: UNIT }),
  phase("unit", 2, UNIT.command),
  checkEnded(2, "unit"),
  reviewStarted(2, 4),
  reviewed(2, 4, { items: [failed(1, "nothing is stored"), failed(2, "no page")], changed: null }),
  verdict,
  { type: "run_stopped", by: "SIGINT" },
  resumed(),
  marked(2, TODO, UNIT),
  marked(2, DOING, UNIT),
  turnStarted(3, 5, "claude"),
  worked(3, 5, { unitTest: UNIT }),
  checkEnded(3, "unit"),
  reviewStarted(3, 6),
  reviewed(3, 6, {
    items: [
      { item: 1, passed: true, evidence: "seen" },
      { item: 2, passed: true, evidence: "seen" },
    ],
  }),
  verdict,
  marked(2, DONE, UNIT),
  stepStarted(3),
  { type: "step_refused", step: 3, why: "changed", message: "" },
  {
    type: "run_ended",
    status: "failed",
    exitCode: exitCodeOfEnd("failed", "step_file_changed"),
    reason: "step_file_changed",
    messageId: null,
  },
);

const analysis = { kind: "analysis", problem: null, dir: "/project/needs-steps", changed: [] } as const;
const ANALYZE: readonly StoryItem[] = verdicts(
  analyzeStarted(),
  turnStarted(1, 1, "claude"),
  worked(1, 1, { ...analysis, dir: null, problem: { kind: "missing" } }),
  verdict,
  resumed(),
  turnStarted(2, 2, "claude"),
  worked(2, 2, analysis, { changedInputs: ["/project/needs.md"] }),
  verdict,
  {
    type: "steps_written",
    dir: "/project/needs-steps",
    files: ["001-schema.json", "002-service.json"],
    steps: [
      { summary: "Refunds are stored", done: true, covers: ["R1"] },
      { summary: "Refunds are paid", done: false, covers: null },
    ],
    requirements: [
      { id: "R1", line: 3, text: "A refund is stored" },
      { id: "R2", line: 4, text: "A refund is paid once" },
    ],
  },
  { type: "run_ended", status: "passed", exitCode: 0, reason: "accepted", messageId: null },
);

const ORCHESTRATE: readonly StoryItem[] = new BoardStory(
  { maxLoops: 5 },
  { missingAgents: ["gemini"], interactive: true },
)
  .test(aPlan({ "M1-T1": "DOING" }))
  .main({ nextAgent: "DEV" })
  .role({}, { changed: ["test/a.test.ts"] }, { changedInputs: ["/project/blackboard/dev_plan.md"] })
  .judge()
  .add(
    { type: "run_stopped", by: "SIGINT" },
    { type: "board_edited", plan: aPlan({ "M1-T1": "TODO" }), context: null, projectEnv: null },
    resumed({ ended: LEAKED }),
  )
  .babbles()
  .main({ nextAgent: "FINISH" })
  .babbles()
  .ask()
  .chooses("ask_again", "once more")
  .main({ nextAgent: "TEST" })
  .role()
  .checks(0)
  .judge().events;

const CHAT: readonly StoryItem[] = new ChatStory({ maxLoops: 3 })
  .worked({ agent: agentRecord("claude", { unknownLines: 2, usage }) })
  .checks(1)
  .reviewed(false, { changed: ["src/a.ts"] })
  .judge()
  .works()
  .add(turnFailed(2, 3, "claude", "quota", localTime(60)))
  .add({ type: "wait_started", agent: "claude", class: "quota", until: localTime(60) })
  .add({ type: "wait_ended" })
  .worked()
  .checks()
  .reviewed(true)
  .judge()
  .ends("passed", "accepted").events;

const LIVE_CHAT: readonly StoryItem[] = ChatStory.live()
  .asks()
  .stops()
  .checks(1)
  .reviewed(false)
  .judge()
  .sends()
  .attempt(true)
  .asks()
  .stops()
  .sets("paused")
  .sets("on")
  .drops("skipped")
  .leaves()
  .ends("failed", "left_unaccepted").events;

/** One eventful run per mode, made of possible sequences of events. */
export const STORIES: Readonly<Record<string, readonly StoryItem[]>> = {
  supervise: SUPERVISE,
  run: RUN,
  analyze: ANALYZE,
  orchestrate: ORCHESTRATE,
  chat: CHAT,
  "chat-live": LIVE_CHAT,
};
