import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { Lang } from "../../src/core/settings.ts";
import { DOING, DONE, TODO } from "../../src/core/step.ts";
import { runAgainCommand } from "../../src/modes/steps/run-steps-command.ts";
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
import { answered, asked, exited, judged, turnFailed, turnStarted, agentRecord } from "../rig/story.ts";
import { failed, passed, piped, STEPS, type StoryItem } from "./steps-rig.ts";

const ended = (
  status: "passed" | "failed" | "manually_passed" | "manually_failed",
  reason: Extract<RunEvent, { type: "run_ended" }>["reason"],
  exitCode: number,
): RunEvent => ({ type: "run_ended", status, reason, exitCode, messageId: null });
const END = { baseCommit: "a1b2c3d4e5f6" };

/** The summary of a run. */
function summary(lang: Lang, story: readonly StoryItem[]): readonly string[] {
  const lines = piped(lang, story, true);
  return lines.slice(lines.lastIndexOf("") + 1);
}

/** An attempt at a step that passes at once. */
function passes(step: number, turn: number): StoryItem[] {
  const { verification } = STEPS[step - 1] ?? aStep("001");
  const items = verification.map((_, index) => passed(index + 1));
  return [
    stepStarted(step),
    marked(step, DOING),
    turnStarted(1, turn, "claude"),
    worked(1, turn),
    reviewStarted(1, turn + 1),
    reviewed(1, turn + 1, { items }),
    judged(1),
    marked(step, DONE),
  ];
}

function fails(attempt: number, turn: number): StoryItem[] {
  return [
    marked(2, DOING),
    turnStarted(attempt, turn, "claude"),
    worked(attempt, turn),
    reviewStarted(attempt, turn + 1),
    reviewed(attempt, turn + 1, { items: [passed(1), failed(2, "no page")] }),
    judged(attempt, "verification_failed"),
    marked(2, TODO),
  ];
}

describe("the summary of a run (R34)", () => {
  const start = stepsStarted({ steps: STEPS, maxLoops: 1 }, END);
  const reject: StoryItem[] = [start, stepStarted(2), ...fails(1, 1)];
  const error = "1 of 2 items failed: 2. the page shows them - no page";

  test("all steps done", () => {
    const story = [start, ...passes(2, 1), ...passes(3, 3), ended("passed", "accepted", 0)];
    expect(summary("en", story)).toEqual([
      "✓ ACCEPTED: 3 of 3 steps done",
      "  steps   3 in all: 2 succeeded, 0 failed, 1 done before, 0 not run",
      "  status  /project/steps/run-progress.md",
      "  report  /project/report.json",
      "  next    agent-foreman show 1115-k7m2",
    ]);
    expect(summary("zh", story)).toEqual([
      "✓ 通过：3/3 个步骤已完成",
      "  步骤    总步骤数 3：成功 2，失败 0，此前已完成 1，未执行 0",
      "  进度    /project/steps/run-progress.md",
      "  报告    /project/report.json",
      "  下一步  agent-foreman show 1115-k7m2",
    ]);
  });

  test("the first failure with file, id and reason (R27)", () => {
    expect(summary("en", [...reject, ended("failed", "limit_reached", 1)])).toEqual([
      "✗ REJECTED: 1 of 3 steps done",
      "  steps   3 in all: 0 succeeded, 1 failed, 1 done before, 1 not run",
      `  failed  002-service.json step-002: ${error}`,
      "  status  /project/steps/run-progress.md",
      "  report  /project/report.json",
      "  next    agent-foreman show 1115-k7m2",
    ]);
    expect(summary("zh", [...reject, ended("failed", "limit_reached", 1)])).toEqual([
      "✗ 未通过：1/3 个步骤已完成",
      "  步骤    总步骤数 3：成功 0，失败 1，此前已完成 1，未执行 1",
      "  失败    002-service.json step-002：2 个条目中 1 个未通过: 2. the page shows them - no page",
      "  进度    /project/steps/run-progress.md",
      "  报告    /project/report.json",
      "  下一步  agent-foreman show 1115-k7m2",
    ]);
  });

  test("going in circles", () => {
    const two = stepsStarted({ steps: STEPS, onStuck: "stop" }, END);
    const round = (attempt: number): StoryItem[] =>
      fails(attempt, attempt * 2 - 1).map((one) =>
        typeof one !== "number" && one.type === "turn_ended"
          ? worked(attempt, attempt * 2 - 1, { tree: "x" })
          : one,
      );
    const story = [two, stepStarted(2), ...round(1), ...round(2), ended("failed", "stuck", 1)];
    expect(summary("en", story).slice(0, 4)).toEqual([
      "✗ STUCK: the attempts go in circles: 1 of 3 steps done",
      "  steps   3 in all: 0 succeeded, 1 failed, 1 done before, 1 not run",
      `  failed  002-service.json step-002: ${error}`,
      "  stuck   failed as attempt 1 did, and the work tree has not changed since",
    ]);
  });

  test("a person's decisions", () => {
    const asking = [...reject, asked()];
    expect(summary("en", asking)).toEqual([
      "? WAITING for you: 1 of 1 attempts used at [2/3] 002-service.json",
      "  steps   3 in all: 0 succeeded, 1 failed, 1 done before, 1 not run",
      `  failed  002-service.json step-002: ${error}`,
      "  status  /project/steps/run-progress.md",
      "  next    agent-foreman decide 1115-k7m2 continue 3",
    ]);
    const pass = [...asking, answered({ kind: "mark_pass" }), marked(2, DONE), ...passes(3, 3)];
    expect(summary("en", [...pass, ended("manually_passed", "marked_by_person", 0)]).slice(0, 2)).toEqual([
      "✓ MARKED AS PASSED: 3 of 3 steps done, 1 of them by a person, not by evidence",
      "  steps   3 in all: 2 succeeded, 0 failed, 1 done before, 0 not run",
    ]);
    const fail = [
      ...asking,
      answered({ kind: "mark_fail" }),
      ended("manually_failed", "marked_by_person", 1),
    ];
    expect(summary("zh", fail)[0]).toBe("✗ 人工标记为失败：1/3 个步骤已完成");
  });

  test("a step file that ends the run, and a foreign change that does not", () => {
    const refused: RunEvent = { type: "step_refused", step: 2, why: "changed", message: "description" };
    const story = [start, stepStarted(2), marked(2, DOING, null, true), refused];
    expect(summary("en", [...story, ended("failed", "step_file_changed", 6)])).toEqual([
      "✗ STOPPED: a step file changed after the run started: 1 of 3 steps done",
      "  steps   3 in all: 0 succeeded, 1 failed, 1 done before, 1 not run",
      "  failed  002-service.json step-002: the step file was changed during the run: description",
      "  edited  another program or person changed 002-service.json: its text is kept, its status is the run's",
      "  status  /project/steps/run-progress.md",
      "  report  /project/report.json",
      "  next    agent-foreman run steps",
    ]);
  });

  test("interrupted, and out of agents", () => {
    const stopped: RunEvent = { type: "run_stopped", by: "SIGINT" };
    const cut = summary("en", [start, stepStarted(2), marked(2, DOING), stopped]);
    expect([cut[0], cut.at(-1)]).toEqual([
      "! INTERRUPTED by SIGINT at [2/3] 1/1 002-service.json; it can go on",
      "  next    agent-foreman resume 1115-k7m2",
    ]);
    expect(summary("zh", [start, stopped])[0]).toBe("! 已中断：位于 开头 (SIGINT)；可以继续");
    const alone: StoryItem[] = [
      start,
      stepStarted(2),
      marked(2, DOING),
      turnStarted(1, 1, "claude"),
      turnFailed(1, 1, "claude", "auth"),
      { type: "run_stopped", by: "no_agent_available" },
    ];
    expect(summary("en", alone)).toEqual([
      "! NO AGENT available",
      "  agent   claude is not logged in: claude: auth",
      "  steps   3 in all: 0 succeeded, 0 failed, 1 done before, 1 under way, 1 not run",
      "  status  /project/steps/run-progress.md",
      "  report  /project/report.json",
      "  next    agent-foreman resume 1115-k7m2",
    ]);
  });
});

test("all time that passes and the processes of a verification count; testing a done step again is no attempt", () => {
  const steps = [aStep("001", { status: DONE })];
  const leaked = [{ pid: 4711, command: "npm run dev" }];
  const process = { command: "codex", end: exited(0), durationMs: 90_000, leaked };
  const items = [failed(1, "gone")];
  const story: StoryItem[] = [
    stepsStarted({ steps, fullVerify: true, maxLoops: 1 }),
    stepStarted(1, true),
    reviewStarted(0, 1),
    90_000,
    reviewed(0, 1, { items, process }),
    judged(0, "verification_failed"),
    marked(1, TODO),
    marked(1, DOING),
    turnStarted(1, 2, "claude"),
    worked(1, 2),
    reviewStarted(1, 3),
    reviewed(1, 3, { items }),
    judged(1, "verification_failed"),
    marked(1, TODO),
    asked(),
  ];
  const lines = summary("en", story);
  expect(lines[0]).toBe("? WAITING for you: 1 of 1 attempts used at [1/1] 001-step.json  1m30s");
  expect(lines).toContain("  leaked  1 process outlived its command and was ended");
});

test.each([
  ["/project/steps", "steps"],
  ["/project", "."],
  ["/elsewhere/steps", "/elsewhere/steps"],
  ["/project/-steps", "./-steps"],
  ["/project/two words", "'two words'"],
])("the command that takes the steps in %s", (dir, word) => {
  const { settings } = stepsStarted({ stepsDir: dir });
  if (settings.mode !== "run") throw new Error("a run of steps is expected");
  expect(runAgainCommand(settings, "/project")).toBe(`agent-foreman run ${word}`);
});

describe("an analysis", () => {
  const unusable = { kind: "analysis", problem: { kind: "missing" }, dir: null, changed: [] } as const;
  const usable = { kind: "analysis", problem: null, dir: "/project/退款需求实现步骤", changed: [] } as const;
  const written: RunEvent = {
    type: "steps_written",
    dir: "/project/退款需求实现步骤",
    files: ["001-schema.json", "002-service.json"],
    steps: [
      { summary: "Refunds are stored", done: true, covers: ["R1"] },
      { summary: "Refunds are paid", done: false, covers: null },
    ],
    requirements: [
      { id: "R1", line: 3, text: "A refund is stored" },
      { id: "R2", line: 4, text: "A refund is paid once" },
    ],
  };
  const answer = { path: "/state/message.md", bytes: 3, sha256: "0" };
  const says = { agent: { ...agentRecord("claude"), message: answer } };

  test("the second answer can be used", () => {
    const story: StoryItem[] = [
      analyzeStarted(),
      turnStarted(1, 1, "claude"),
      worked(1, 1, unusable, says),
      judged(1, "analysis_unusable"),
      turnStarted(2, 2, "claude"),
      worked(2, 2, usable, says),
      judged(2),
      written,
      ended("passed", "accepted", 0),
    ];
    expect(piped("en", story, true)).toEqual([
      "analyze 1115-k7m2  claude  up to 2 attempts  contained: pid namespace",
      "  requirements: /project/needs.md",
      "🔁 1/2 claude reads the code and the requirements...",
      expect.stringMatching(/^✗ 1\/2 answer not used: no usable JSON object in the answer: "steps"/),
      "🔁 2/2 claude reads the code and the requirements...",
      "  | 001-schema.json  🟢 已完成  Refunds are stored",
      "  |   covers R1 A refund is stored (line 3)",
      "  | 002-service.json  🔴 待完成  Refunds are paid",
      "  |   coverage not stated",
      "",
      "✓ 2 steps written: /project/退款需求实现步骤",
      "  covers  1 of 2 requirements, by the agent's word; not stated for R2",
      "  report  /project/report.json",
      "  next    agent-foreman run '退款需求实现步骤'",
    ]);
    expect(summary("zh", story)[0]).toBe("✓ 已写入 2 个步骤：/project/退款需求实现步骤");
  });

  test("no answer can be used: why, and where the last one is kept", () => {
    const meddled = {
      kind: "analysis",
      problem: null,
      dir: "/project/退款需求实现步骤",
      changed: ["src/a.ts"],
    } as const;
    const story: StoryItem[] = [
      analyzeStarted({ maxLoops: 1 }),
      turnStarted(1, 1, "claude"),
      worked(1, 1, meddled, says),
      judged(1, "agent_changed_tree"),
      ended("failed", "limit_reached", 1),
    ];
    expect(summary("en", story)).toEqual([
      "✗ NO STEPS written: no answer could be used",
      "  why     the agent changed the work tree: src/a.ts",
      "  output  /state/message.md",
      "  report  /project/report.json",
      "  next    agent-foreman show 1115-k7m2",
    ]);
  });

  test("a directory that exists is left alone", () => {
    const story: StoryItem[] = [
      analyzeStarted(),
      turnStarted(1, 1, "claude"),
      worked(1, 1, usable, says),
      judged(1),
      { type: "run_stopped", by: "steps_dir_exists" },
    ];
    expect(summary("en", story)).toEqual([
      "! NOT WRITTEN: the directory for the steps exists",
      "  dir     /project/退款需求实现步骤",
      "          move it away, then go on",
      "  report  /project/report.json",
      "  next    agent-foreman resume 1115-k7m2",
    ]);
  });
});
