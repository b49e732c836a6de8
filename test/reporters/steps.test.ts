import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { Lang } from "../../src/core/settings.ts";
import { DOING, DONE, TODO, type UnitTest } from "../../src/core/step.ts";
import type { LiveEvent } from "../../src/engine/reporter.ts";
import {
  aStep,
  marked,
  reviewed,
  reviewStarted,
  stepsStarted,
  stepStarted,
  worked,
} from "../rig/steps-story.ts";
import {
  checkEnded,
  exited,
  judged,
  profile,
  resumed,
  agentRecord,
  turnFailed,
  turnStarted,
} from "../rig/story.ts";
import { everyReader, failed, passed, piped, shown, STEPS, type StoryItem } from "./steps-rig.ts";

const REFUND: UnitTest = { command: "npm test -- refund" };
const FAILED = exited(1);
const unitStarts = (attempt: number): LiveEvent => ({
  type: "phase_started",
  attempt,
  phase: "unit",
  command: REFUND.command,
  encoded: false,
});
const unitFails = (attempt: number): StoryItem[] => [
  unitStarts(attempt),
  { type: "check_output", path: "unit-1.log", lines: [{ text: "expected 400, got 200" }, { leftOut: 3 }] },
  {
    ...checkEnded(attempt, "unit", 1, FAILED),
    process: { ...checkEnded(1, "unit", 1, FAILED).process, command: REFUND.command },
  },
];

/** The second of three steps is repaired once. The agent names its unit test. */
const REPAIRED: readonly StoryItem[] = [
  stepsStarted({ steps: STEPS }),
  stepStarted(2),
  marked(2, DOING),
  turnStarted(1, 1, "claude"),
  worked(1, 1, { unitTest: REFUND, tree: "a" }),
  marked(2, DOING, REFUND),
  ...unitFails(1),
  judged(1, "unit_test_failed"),
  marked(2, TODO, REFUND),
  marked(2, DOING, REFUND),
  turnStarted(2, 2, "claude"),
  worked(2, 2, { tree: "b" }),
  unitStarts(2),
  { ...checkEnded(2, "unit"), process: { ...checkEnded(2, "unit").process, command: REFUND.command } },
  reviewStarted(2, 3),
  reviewed(2, 3, { items: [passed(1), passed(2)] }),
  judged(2),
  marked(2, DONE, REFUND),
];

everyReader("a step that is repaired, %s", (reader) => {
  test("in Chinese, to the letter (R32, R33, M5-M7, M9, M10, M13, M14, M18, M20)", () => {
    expect(shown(reader, "zh", REPAIRED)).toEqual([
      "run 1115-k7m2  claude  验证：codex  每步最多 5 次尝试  隔离：pid namespace",
      "发现 3 个步骤文件，其中 1 个已完成；执行顺序：001-schema.json → 002-service.json → 003-page.json",
      "[1/3] 001-schema.json step-001  🟢 已完成  此前已完成，跳过",
      "[2/3] 002-service.json step-002  🔴 待完成  Add the refund service",
      "状态更新: 🔴 待完成 → 🟡 进行中",
      "🔁 [2/3] 第 1/5 次尝试执行该步骤（首次尝试）...",
      "单元测试信息已记录到步骤 JSON（命令：npm test -- refund）",
      "🧪 执行单元测试: npm test -- refund",
      "✗ 单元测试失败",
      "  | expected 400, got 200",
      "  | ... 省略 3 行",
      "  完整输出：unit-1.log",
      "本轮失败摘要：单元测试失败: npm test -- refund (退出码 1)",
      "状态更新: 🟡 进行中 → 🔴 待完成",
      "状态更新: 🔴 待完成 → 🟡 进行中",
      "🔁 [2/3] 第 2/5 次尝试执行该步骤（基于上一轮失败原因进行修复）...",
      "🧪 执行单元测试: npm test -- refund",
      "✓ 单元测试通过",
      "正在调用命令行 AI 按 verification 进行验证...",
      "✓ verification 验证通过",
      "  2/2 项，由 codex 验证（只读）",
      "✓ 第 2 次尝试后步骤已通过所有测试与验证",
      "状态更新: 🟡 进行中 → 🟢 已完成",
    ]);
  });

  test("in English", () => {
    expect(shown(reader, "en", REPAIRED)).toEqual([
      "run 1115-k7m2  claude  verified by codex  up to 5 attempts a step  contained: pid namespace",
      "3 steps, 1 done: 001-schema 002-service 003-page",
      "[1/3] 001-schema.json step-001  🟢 已完成  skipped: already done",
      "[2/3] 002-service.json step-002  🔴 待完成  Add the refund service",
      "status: 🔴 待完成 → 🟡 进行中",
      "🔁 [2/3] attempt 1/5 (first)...",
      "unit test recorded in the step's JSON (command: npm test -- refund)",
      "🧪 unit test: npm test -- refund",
      "✗ unit test failed",
      "  | expected 400, got 200",
      "  | ... 3 lines left out",
      "  all output: unit-1.log",
      "this round failed: unit test failed: npm test -- refund (exit code 1)",
      "status: 🟡 进行中 → 🔴 待完成",
      "status: 🔴 待完成 → 🟡 进行中",
      "🔁 [2/3] attempt 2/5 (repairs the last failure)...",
      "🧪 unit test: npm test -- refund",
      "✓ unit test passed",
      "verification by codex...",
      "✓ verification passed: 2 of 2 (codex, read only)",
      "✓ the step passed all tests and its verification after attempt 2",
      "status: 🟡 进行中 → 🟢 已完成",
    ]);
  });
});

/** The last lines of the history after the start of an attempt at the second step. */
function during(lang: Lang, story: readonly StoryItem[], settings = {}): readonly string[] {
  const head: StoryItem[] = [stepsStarted({ steps: STEPS, ...settings }), stepStarted(2), marked(2, DOING)];
  return piped(lang, [...head, ...story]).slice(6);
}
const work: readonly StoryItem[] = [turnStarted(1, 1, "claude"), worked(1, 1), reviewStarted(1, 2)];

describe("a failed verification", () => {
  test("names the items (M10), each on its own line if there are several", () => {
    const items = [failed(1, "no such table"), failed(2, "no page")];
    const story = [...work, reviewed(1, 2, { items }), judged(1, "verification_failed")];
    const error =
      "2 个条目中 2 个未通过: 1. refunds are stored - no such table; 2. the page shows them - no page";
    expect(during("zh", story)).toEqual([
      "正在调用命令行 AI 按 verification 进行验证...",
      `✗ verification 验证未通过：${error}`,
      "  | 1. no such table",
      "  | 2. no page",
      `本轮失败摘要：${error}`,
    ]);
    const one = [...work, reviewed(1, 2, { items: [passed(1), failed(2, "no page")] })];
    expect(during("en", one).slice(1)).toEqual([
      "✗ verification failed: 1 of 2 items failed: 2. the page shows them - no page",
    ]);
  });

  test("names the files that the verifier changed, and says that there is no result without a verdict", () => {
    const changed = reviewed(1, 2, { items: [passed(1), passed(2)], changed: ["src/a.ts"] });
    expect(during("zh", [...work, changed]).slice(-2)).toEqual([
      "✗ verification 验证未通过：验证期间工作区发生了变化：src/a.ts",
      "~ 验证者出错，与工作无关：再次验证（2/3）",
    ]);
    const nothing = reviewed(1, 2, { items: [], problem: { kind: "missing" } });
    expect(during("en", [...work, nothing]).at(-2)).toMatch(/^✗ verification failed: no usable verdict/);
  });
});

test("an agent's failure appears with its words, which cannot steer the terminal", () => {
  const failure = { class: "crashed", message: "boom\u001b[2J\n::error::x", retryAt: null } as const;
  const story: StoryItem[] = [
    turnStarted(1, 1, "claude"),
    worked(
      1,
      1,
      {},
      { agent: { ...agentRecord("claude"), failure }, process: { ...worked(1, 1).process, end: FAILED } },
    ),
    judged(1, "agent_exit_nonzero", "agent_crashed"),
  ];
  const lines = during("zh", story);
  expect(lines.slice(0, 3)).toEqual([
    "✗ agent 执行失败：claude 因错误结束，退出码 1",
    String.raw`  | boom\x1b[2J`,
    "  | ::error::x",
  ]);
  expect(lines[3]).toMatch(/^本轮失败摘要：AI 实现失败：/);
  expect(lines.join("")).not.toContain("\u001b");
});

test("a step that was done is tested again (M11): it stays done, or is re-opened (M12)", () => {
  const start = stepsStarted({ steps: STEPS, fullVerify: true });
  const good: StoryItem[] = [start, stepStarted(1, true), reviewStarted(0, 1), reviewed(0, 1), judged(0)];
  expect(piped("zh", good).slice(2)).toEqual([
    "[1/3] 001-schema.json step-001  🟢 已完成  what step 001 is about",
    "当前步骤已标记为已完成，将仅重新运行测试进行回归验证...",
    "正在调用命令行 AI 按 verification 进行验证...",
    "✓ verification 验证通过",
    "  1/1 项，由 codex 验证（只读）",
    "✓ 回归验证通过，步骤保持已完成",
  ]);
  const bad: StoryItem[] = [
    start,
    stepStarted(1, true),
    reviewStarted(0, 1),
    reviewed(0, 1, { items: [failed(1, "gone")] }),
    judged(0, "verification_failed"),
    marked(1, TODO),
    marked(1, DOING),
  ];
  expect(piped("zh", bad).slice(5)).toEqual([
    "✗ verification 验证未通过：1 个条目中 1 个未通过: 1. it works - gone",
    "本轮失败摘要：1 个条目中 1 个未通过: 1. it works - gone",
    "! 回归验证未通过，将重新打开该步骤",
    "状态更新: 🟢 已完成 → 🔴 待完成",
    "状态更新: 🔴 待完成 → 🟡 进行中",
    "🔁 [1/3] 第 1/5 次尝试执行该步骤（首次尝试）...",
  ]);
});

test("work without a second test, by the person's wish, is not called tested", () => {
  const story: StoryItem[] = [
    stepsStarted({ steps: STEPS, fullVerify: true, reverify: false }),
    stepStarted(1, true),
    reviewStarted(0, 1),
    reviewed(0, 1, { items: [failed(1, "gone")] }),
    judged(0, "verification_failed"),
    marked(1, TODO),
    marked(1, DOING),
    turnStarted(1, 2, "claude"),
    worked(1, 2),
    judged(1),
  ];
  expect(piped("zh", story).at(-1)).toBe("✓ 第 1 次尝试已重新实现该步骤；未再次测试与验证 (--no-reverify)");
});

test("says when attempts go in circles", () => {
  const fail = (attempt: number): StoryItem[] => [
    turnStarted(attempt, attempt * 2 - 1, "claude"),
    worked(attempt, attempt * 2 - 1, { tree: "same" }),
    reviewStarted(attempt, attempt * 2),
    reviewed(attempt, attempt * 2, { items: [passed(1), failed(2, "no page")] }),
    judged(attempt, "verification_failed"),
    marked(2, TODO),
  ];
  const lines = during("zh", [...fail(1), marked(2, DOING), ...fail(2)]);
  expect(lines.filter((line) => line.startsWith("! "))).toEqual([
    "! 陷入循环：与第 1 次尝试的失败相同，且工作区没有变化",
  ]);
});

test("a person's change of a step file is kept and reported; an unusable one ends the run", () => {
  const head: StoryItem[] = [stepsStarted({ steps: STEPS }), stepStarted(2), marked(2, DOING, null, true)];
  expect(piped("zh", head).slice(4)).toEqual([
    "! 002-service.json 在此期间被他人修改：内容保留，状态以本次运行为准",
    "状态更新: 🔴 待完成 → 🟡 进行中",
    "🔁 [2/3] 第 1/5 次尝试执行该步骤（首次尝试）...",
  ]);
  const refused: RunEvent = { type: "step_refused", step: 2, why: "write_failed", message: "EACCES" };
  expect(piped("zh", [stepsStarted({ steps: STEPS }), refused]).at(-1)).toBe(
    "✗ [2/3] 002-service.json：步骤文件无法写入：EACCES",
  );
});

test("an agent that is not available, a wait, who takes over, and a turn that was cut off", () => {
  const two = {
    agents: [profile("claude"), profile("gemini"), profile("codex")],
    workers: ["claude", "gemini"],
  };
  const story: StoryItem[] = [
    turnStarted(1, 1, "claude"),
    turnFailed(1, 1, "claude", "quota"),
    turnStarted(1, 2, "gemini"),
    { type: "turn_interrupted", attempt: 1, turn: 2 },
    turnStarted(1, 3, "gemini"),
    turnFailed(1, 3, "gemini", "overloaded"),
    { type: "wait_started", agent: "gemini", class: "overloaded", until: "2026-11-15T01:00:00.000Z" },
    { type: "wait_ended" },
  ];
  expect(during("en", story, two).map((line) => line.replace(/again at .*/, "again at then"))).toEqual([
    "~ [2/3] 1/5 claude is out of quota; no attempt spent",
    "  | claude: quota",
    "~ [2/3] 1/5 gemini takes over",
    "! [2/3] 1/5 interrupted; no attempt spent",
    "~ [2/3] 1/5 gemini takes over",
    "~ [2/3] 1/5 gemini is overloaded or has server errors; no attempt spent",
    "  | gemini: overloaded",
    "~ gemini: tries again at then",
    "~ goes on after waiting",
  ]);
});

test("shows ended processes, changed inputs, and the findings of a resumed run", () => {
  const leaked = [{ pid: 4711, command: "npm run dev" }];
  const story: StoryItem[] = [
    turnStarted(1, 1, "claude"),
    worked(1, 1, {}, { process: { ...worked(1, 1).process, leaked }, changedInputs: ["agent-foreman.yaml"] }),
    resumed({ ended: leaked }),
  ];
  expect(during("en", story)).toEqual([
    "! changed during the run, without effect on it: agent-foreman.yaml",
    "! 1 process outlived its command and was ended",
    "  | 4711 npm run dev",
    "run 1115-k7m2  resumed  at [2/3] 1/5  claude  verified by codex  up to 5 attempts a step  contained: pid namespace",
    "[2/3] 002-service.json step-002  🟡 进行中  Add the refund service",
    "! ended 1 process the earlier foreman left",
    "  | 4711 npm run dev",
  ]);
});

test("the beginning: a preview of a long list, the selected steps, and the verifiers", () => {
  const many = Array.from({ length: 7 }, (_, index) => aStep(`00${index + 1}`));
  const workers = ["claude", "codex"];
  expect(piped("zh", [stepsStarted({ steps: many, workers, verifiers: [] })])).toEqual([
    "run 1115-k7m2  claude, codex  验证：实现者以外的 agent  每步最多 5 次尝试  隔离：pid namespace",
    "发现 7 个步骤文件，其中 0 个已完成；执行顺序：001-step.json → 002-step.json → 003-step.json → 004-step.json → 005-step.json 等",
  ]);
  expect(
    piped("en", [stepsStarted({ steps: many, chosen: [2, 3], verifiers: [], fullVerify: true })]),
  ).toEqual([
    "run 1115-k7m2  claude  verified by claude  --full-verify  up to 5 attempts a step  contained: pid namespace",
    "7 steps, 0 done, 2 chosen: 002-step 003-step",
  ]);
  expect(piped("en", [stepsStarted({ steps: many })])[1]).toBe(
    "7 steps, 0 done: 001-step 002-step 003-step 004-step 005-step and 2 more",
  );
});

test("a long description is cut by its width, ids and files never", () => {
  const steps = [aStep("001", { description: "步".repeat(60) })];
  expect(piped("zh", [stepsStarted({ steps }), stepStarted(1)]).at(-1)).toBe(
    `[1/1] 001-step.json step-001  🔴 待完成  ${"步".repeat(38)}...`,
  );
});
