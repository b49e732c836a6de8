import { describe, expect, test } from "vitest";
import { questionText } from "../../src/cli/prompt.ts";
import { show } from "../../src/cli/show.ts";
import type { RunEvent, RunStarted } from "../../src/core/event.ts";
import { runStatus } from "../../src/core/run-status.ts";
import { DOING, DONE, TODO } from "../../src/core/step.ts";
import { commandTexts } from "../../src/ui/words/commands.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import type { KeptFiles } from "../../src/ui/mode-view.ts";
import { lastLines, storyHead, storyLines } from "../../src/screens/show/run-story.ts";
import { runListed, runTable } from "../../src/screens/show/run-table.ts";
import { RUN_ID, asked, checkEnded, exited, judged, turnStarted } from "../rig/story.ts";
import {
  analyzeStarted,
  aStep,
  marked,
  reviewed,
  reviewStarted,
  stepsStarted,
  stepStarted,
  worked,
} from "../rig/steps-story.ts";
import { ended, fakeIo, makeRun, stateOf, moments, timed } from "./fixtures.ts";

const TEST = { command: "unit" };
const SAME: KeptFiles = {
  conditionOf: () => "same",
  excerptOf: () => [{ text: "expected 400" }],
  firstLineOf: () => "",
};
const view = { texts: commandTexts.en.show, terms: terminalTexts.en };
const steps = [aStep("001", { status: DONE }), aStep("002", { unitTest: TEST }), aStep("003")];
const START = stepsStarted({ steps, fullVerify: true });

/** A done step is tested again. The next one is rejected because of its unit test, then repaired. */
const EVENTS: readonly RunEvent[] = [
  stepStarted(1, true),
  reviewStarted(0, 1),
  reviewed(0, 1),
  judged(0),
  stepStarted(2),
  marked(2, DOING, TEST),
  turnStarted(1, 2, "claude"),
  worked(1, 2),
  checkEnded(1, "unit", 1, exited(1)),
  judged(1, "unit_test_failed"),
  marked(2, TODO, TEST),
  marked(2, DOING, TEST, true),
  turnStarted(2, 3, "claude"),
  worked(2, 3),
  checkEnded(2, "unit"),
  reviewStarted(2, 4),
  reviewed(2, 4, { items: [{ item: 1, passed: false, evidence: "no page" }], readOnly: false }),
];

const texts = (lines: readonly { readonly lead?: string; readonly text: string }[]): string[] =>
  lines.map(({ lead, text }) => `${lead ?? ""}${text}`.replace(/^\d\d:\d\d:\d\d /, "@ "));

describe("the story of a run of steps", () => {
  test("goes step by step, each with its attempts: the work, the test, the verification", () => {
    const events = [START, ...EVENTS];
    expect(texts(storyLines(moments(timed(events)), SAME, view)).slice(1)).toEqual([
      "@ run     started: claude, codex, up to 5 attempts a step, contained: pid namespace",
      "@ run     [1/3] 001-step.json step-001  🟢 已完成  what step 001 is about",
      "@ run     this step is marked as done: only its tests are run again, as a regression check...",
      "@ review  verification by codex...",
      "@ review  [1/3] codex ended: exit 0 (0.0s), read only",
      "@ review  ✓ verification passed: 1 of 1 (codex, read only)",
      "@ verdict [1/3] accepted",
      "@ run     [2/3] 002-step.json step-002  🔴 待完成  what step 002 is about",
      "@ run     status: 🔴 待完成 → 🟡 进行中",
      "@ run     🔁 [2/3] attempt 1/5 (first)...",
      "@ agent   [2/3] 1/5 claude started",
      "@ agent   [2/3] 1/5 ended: exit 0 (0.0s)",
      "@ check   [2/3] 1/5 unit failed: unit, exit 1 (0.0s)",
      "  | expected 400",
      "  all output: /nowhere",
      "@ verdict [2/3] 1/5 rejected: unit test failed (unit_test_failed)",
      "@ run     status: 🟡 进行中 → 🔴 待完成",
      "@ run     another program or person changed 002-step.json: its text is kept, its status is the run's",
      "@ run     status: 🔴 待完成 → 🟡 进行中",
      "@ run     🔁 [2/3] attempt 2/5 (repairs the last failure)...",
      "@ agent   [2/3] 2/5 claude started",
      "@ agent   [2/3] 2/5 ended: exit 0 (0.0s)",
      "@ check   [2/3] 2/5 unit passed: unit (0.0s)",
      "@ review  verification by codex...",
      "@ review  [2/3] 2/5 codex ended: exit 0 (0.0s)",
      "@ review  ✗ verification failed: 1 of 1 items failed: 1. it works - no page",
    ]);
  });

  test("begins with the state of the steps, and ends with the current activity", () => {
    const state = stateOf([START, ...EVENTS]);
    expect(texts(storyHead(state, "running", { workedMs: 60_000, waitedMs: 0 }, view))).toEqual([
      `${RUN_ID} run  ~ RUNNING [2/3] 2/5  1m`,
      "  task    the steps",
      "  agent   claude",
      "  verify  codex",
      "  cwd     /project",
      "  steps   3 in all: 1 succeeded, 0 failed, 0 done before, 1 under way, 1 not run",
      "  edited  another program or person changed 002-step.json: its text is kept, its status is the run's",
      "  status  /project/steps/run-progress.md",
    ]);
    const reviewing = stateOf([START, ...EVENTS.slice(0, 2)]);
    expect(texts(lastLines(reviewing, "running", view))).toEqual(["~ [1/3] verification"]);
  });

  test("shows a step file that ended the run", () => {
    const refused: RunEvent = { type: "step_refused", step: 2, why: "invalid", message: "not JSON" };
    const events = [
      stepsStarted({ steps }),
      refused,
      { ...ended("failed", "step_file_invalid"), exitCode: 6 },
    ];
    expect(texts(storyLines(moments(timed(events)), SAME, view)).slice(2)).toEqual([
      "@ run     [2/3] 002-step.json: the step file is no longer usable: not JSON (invalid)",
      "@ run     ended: failed, exit 6 (step_file_invalid)",
    ]);
  });
});

const ANALYSED = [
  turnStarted(1, 1, "claude"),
  worked(1, 1, { kind: "analysis", problem: null, dir: "/project/steps", changed: [] }),
  judged(1),
] as const;

test("the story of an analysis", () => {
  const events = [
    analyzeStarted(),
    ...ANALYSED,
    {
      type: "steps_written",
      dir: "/project/out",
      files: ["001-a.json"],
      steps: [{ summary: "Do a", done: false, covers: null }],
      requirements: [],
    },
    ended("passed", "accepted"),
  ] as const;
  const state = stateOf(events);
  expect(texts(storyLines(moments(timed(events)), SAME, view)).slice(1)).toEqual([
    "@ run     started: claude, up to 2 attempts, contained: pid namespace",
    "@ agent   1/2 claude started",
    "@ agent   1/2 ended: exit 0 (0.0s)",
    "@ verdict 1/2 accepted",
    "@ run     ✓ 1 step written: /project/out",
    "  | 001-a.json  🔴 待完成  Do a",
    "@ run     ! coverage not checked: the document has no list items or headings with text",
    "@ run     ended: passed, exit 0 (accepted)",
  ]);
  expect(texts(storyHead(state, "accepted", { workedMs: 0, waitedMs: 0 }, view))).toEqual([
    `${RUN_ID} analyze  ✓ 1 step written: /project/out  5m`,
    "  task    the requirements",
    "  agent   claude",
    "  needs   /project/needs.md",
    "  cwd     /project",
  ]);
});

describe("show", () => {
  async function shown(events: readonly [RunStarted, ...RunEvent[]], json = false): Promise<string> {
    const io = fakeIo();
    makeRun(io.home, events);
    expect(await show(RUN_ID, { json }, io)).toBe(0);
    return io.text();
  }

  test("ends with the command that continues the work", async () => {
    const lines = (await shown([START, ...EVENTS])).split("\n");
    expect(lines.at(-2)).toBe(`  next    agent-foreman resume ${RUN_ID}`);
    const refused: RunEvent = { type: "step_refused", step: 1, why: "write_failed", message: "EROFS" };
    const stopped = { ...ended("failed", "step_write_failed"), exitCode: 6 };
    expect((await shown([START, refused, stopped])).split("\n").at(-2)).toBe(
      "  next    agent-foreman run /project/steps --cwd /project",
    );
    const written: RunEvent = {
      type: "steps_written",
      dir: "/project/out",
      files: ["001-a.json"],
      steps: [{ summary: "Do a", done: false, covers: null }],
      requirements: [],
    };
    const analysed = [analyzeStarted(), ...ANALYSED, written, ended("passed", "accepted")] as const;
    expect((await shown(analysed)).split("\n").at(-2)).toBe(
      "  next    agent-foreman run /project/out --cwd /project",
    );
  });

  test("--json has the state of each step during the run, and is the report afterwards", async () => {
    const now = JSON.parse(await shown([START, ...EVENTS], true)) as Record<string, unknown>;
    expect(now).toMatchObject({ run_id: RUN_ID, mode: "run", state: "interrupted", attempts: [], step: 2 });
    expect(now["steps"]).toMatchObject([
      { number: "001", result: "passed", error: null, attempts: [{ index: 0 }] },
      { number: "002", file: "002-step.json", id: "step-002", status_after: DOING, result: "failed" },
      { number: "003", result: "not_run" },
    ]);
    const cancelled = JSON.parse(await shown([START, ended("failed", "cancelled")], true)) as object;
    expect(cancelled).toMatchObject({ mode: "run", final_status: "failed", end_reason: "cancelled" });
    const analysis = JSON.parse(await shown([analyzeStarted()], true)) as object;
    expect(analysis).toMatchObject({ mode: "analyze", state: "interrupted", run_dir: null, attempts: [] });
    const given = JSON.parse(await shown([analyzeStarted(), ended("failed", "cancelled")], true)) as object;
    expect(given).toMatchObject({ mode: "analyze", final_status: "failed" });
  });
});

test("`runs` shows a run's step and attempt", () => {
  const at = (...events: readonly RunEvent[]): string | undefined => {
    const state = stateOf([START, ...events]);
    const entry = { runId: RUN_ID, state, status: runStatus(state, false), live: false };
    const [, line] = runTable([entry], { texts: commandTexts.en.runs, now: 0, columns: null });
    return /interrupted {2}(.*?) {2}/.exec(line?.text ?? "")?.[1];
  };
  expect(at()).toBe("[0/3]");
  expect(at(...EVENTS.slice(0, 1))).toBe("[1/3]");
  expect(at(...EVENTS.slice(0, 5))).toBe("[2/3]");
  expect(at(...EVENTS)).toBe("[2/3] 2/5");
  const state = stateOf([START, ...EVENTS]);
  expect(runListed({ runId: RUN_ID, state, status: "interrupted", live: false }, 0)).toMatchObject({
    mode: "run",
    step: 2,
    steps: 3,
    attempt: 2,
    max_loops: 5,
  });
});

test("the question at the limit names the step and why it was rejected", () => {
  const state = stateOf([
    stepsStarted({ steps, fullVerify: true, maxLoops: 1 }),
    ...EVENTS.slice(0, 11),
    asked(),
  ]);
  expect(questionText(state, "en")).toBe(
    "[2/3] 002-step.json: 1 of 1 attempts used, not accepted: unit test failed: unit (exit code 1)",
  );
  expect(questionText(state, "zh")).toBe(
    "[2/3] 002-step.json：已用 1/1 轮，未通过：单元测试失败: unit (退出码 1)",
  );
});
