import { describe, expect, test } from "vitest";
import { runStatus } from "../../src/core/run-status.ts";
import type { Lang } from "../../src/core/settings.ts";
import { commandTexts } from "../../src/ui/words/commands.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import type { KeptFiles } from "../../src/ui/mode-view.ts";
import type { StoryView } from "../../src/screens/show/run-story.ts";
import { attemptMs } from "../../src/core/run-time.ts";
import { nextLines } from "../../src/screens/show/run-places.ts";
import { lastLines, storyHead, storyLines } from "../../src/screens/show/run-story.ts";
import { runListed, runTable } from "../../src/screens/show/run-table.ts";
import { unfinishedReport } from "../../src/modes/report/unfinished-report.ts";
import { moments, timed } from "../commands/fixtures.ts";
import { aPlan, BoardStory } from "../rig/board-story.ts";
import { answered, exited, ran } from "../rig/story.ts";

const SAME: KeptFiles = {
  conditionOf: () => "same",
  excerptOf: () => [{ text: "expected 400" }],
  firstLineOf: () => "",
};
const viewIn = (lang: Lang): StoryView => ({
  texts: commandTexts[lang].show,
  terms: terminalTexts[lang],
});
const texts = (lines: readonly { readonly lead?: string; readonly text: string }[]): string[] =>
  lines.map(({ lead, text }) => `${lead ?? ""}${text}`.replace(/^\d\d:\d\d:\d\d /, "@ "));

/** The story without the date and the start. */
function storyText(story: BoardStory, lang: Lang = "en"): readonly string[] {
  return texts(storyLines(moments(timed(story.events)), SAME, viewIn(lang))).slice(2);
}

describe("the story", () => {
  test("shows each iteration: MAIN's decision, the role's report, the foreman's runs", () => {
    const story = new BoardStory({ iterationsBefore: 11 })
      .main({ nextAgent: "DEV", devPlanNext: aPlan({ "M1-T1": "DOING" }) })
      .test(aPlan({ "M1-T1": "DOING" }))
      .main({ nextAgent: "DEV" })
      .role({}, { changed: null })
      .checks(1)
      .judge();
    expect(storyText(story)).toEqual([
      "@ agent   [12] MAIN claude ended: exit 0 (0.0s)",
      "@ agent   [12] MAIN -> DEV     refused: 1 rule broken; asked again",
      "  | red_not_confirmed: no failing test of this task has been confirmed: send TEST first, or give `red_waiver:` with a reason in the order (M1-T1)",
      "  | DEV is next",
      "@ agent   [12] MAIN claude ended: exit 0 (0.0s)",
      "@ agent   [12] MAIN -> TEST    M1-T1 store a file",
      "  | TEST is next",
      "@ agent   [12] plan M1-T1 TODO -> DOING",
      "@ agent   [12] TEST codex ended: exit 0, said PASS (0.0s)",
      "@ check   [12] check M1-T1, exit 1, red, as required (0.0s)",
      "@ verdict [12] TEST said PASS; foreman ran 1 of 1 acceptance command: 1 red, as required",
      "@ agent   [13] MAIN claude ended: exit 0 (0.0s)",
      "@ agent   [13] MAIN -> DEV     M1-T1 store a file",
      "  | DEV is next",
      "@ agent   [13] DEV claude ended: exit 0, said PASS (0.0s)",
      "@ agent   the work tree cannot be compared, so forbidden changes would go unnoticed",
      "@ check   [13] acceptance failed: check M1-T1, exit 1 (0.0s)",
      "  | expected 400",
      "  all output: /nowhere",
      "@ verdict [13] DEV rejected: an acceptance command failed (acceptance_failed); said PASS; 1 of 1 red",
    ]);
  });

  test("shows questions and answers by their subject", () => {
    const story = new BoardStory({ maxLoops: 2 })
      .main({ nextAgent: "USER" })
      .ask()
      .chooses("a", "for now")
      .babbles()
      .babbles()
      .babbles()
      .ask();
    expect(storyText(story).filter((line) => /\?|@ person|\| for|open now/.test(line))).toEqual([
      "@ agent   [1] MAIN -> USER    S3 credentials? a: use MinIO (recommended) b: wait",
      "@ person  asked: the question of MAIN",
      "@ person  [1] USER chose a: use MinIO (decide)",
      "  | for now",
      "  open now: TEST on M1-T1",
      "@ person  asked: what to do about MAIN",
    ]);
    const limit = new BoardStory({ maxLoops: 1 }).test().ask();
    expect(storyText(limit).at(-1)).toBe("@ person  WAITING for you: 1 of 1 iterations used");
  });

  test("shows abandoned work, restored files and half-finished changes", () => {
    const path = "/state/turns/1/stdout.log";
    const story = new BoardStory()
      .main(
        { nextAgent: "DEV", header: ["red_waiver: it exists"] },
        {
          tools: "all",
          changed: null,
          changedInputs: ["/project/blackboard/dev_plan.md"],
          stdout: { path, bytes: 0, sha256: "" },
        },
      )
      .role({}, { changed: ["test/a.test.ts"] })
      .judge()
      .main({ nextAgent: "TEST" }, { tools: "all" });
    expect(storyText(story)).toEqual([
      "@ agent   MAIN has all tools: claude cannot disable them",
      "@ agent   [1] MAIN claude ended: exit 0 (0.0s)",
      "@ agent   [1] MAIN -> DEV     M1-T1 store a file",
      "  | DEV is next",
      "@ agent   [1] no red test first (red_waiver): it exists",
      "@ agent   the work tree cannot be compared, so forbidden changes would go unnoticed",
      "@ agent   board files were changed without permission and restored: dev_plan.md; removed files, of which no copy exists: dev_plan.md",
      "@ agent   [1] DEV claude ended: exit 0, said PASS (0.0s)",
      "@ agent   [1] DEV changed files that are not its own: test/a.test.ts",
      "@ verdict [1] DEV rejected: the role changed files that it must not change (forbidden_change); said PASS",
      "@ agent   [2] MAIN claude ended: exit 0 (0.0s)",
      "@ agent   [2] MAIN -> TEST    M1-T1 store a file",
      "  | TEST is next",
    ]);
    const early = new BoardStory().finishes();
    expect(storyText(early).join("\n")).toContain(
      "MAIN -> FINISH  refused: 1 rule broken; its plan is taken over",
    );
  });

  test("shows commands that did not run, and gaps of a report", () => {
    const story = new BoardStory().main({ nextAgent: "TEST" }).role({ covered: [] }).checks(127).judge();
    expect(storyText(story).slice(-4)).toEqual([
      "@ check   [1] acceptance failed: check M1-T1, exit 127 (0.0s)",
      "  | expected 400",
      "  all output: /nowhere",
      "@ verdict [1] TEST rejected: the report lacks a required part (report_incomplete) (no `Coverage:` of requirement 1), an acceptance command could not be run (acceptance_not_runnable); said PASS; 1 of 1 did not run",
    ]);
  });

  test("counts iterations, not attempts", () => {
    const granted = new BoardStory({ maxLoops: 1 }).test().ask();
    granted.add(answered({ kind: "continue_n", n: 2 }));
    granted.asks().add({ type: "turn_interrupted", attempt: 2, turn: 3 });
    expect(storyText(granted).slice(-2)).toEqual([
      "@ person  a person decided: 2 more iterations (terminal)",
      "@ agent   [2] interrupted; no iteration spent (1m)",
    ]);
    expect(storyText(granted, "zh").at(-1)).toContain("不计入迭代次数");
  });

  test("shows a person's changes in between", () => {
    const story = new BoardStory().add({ type: "run_stopped", by: "SIGINT" });
    story.add({ type: "board_edited", plan: aPlan({ "M1-T1": "DOING" }), context: "x", projectEnv: null });
    expect(storyText(story).slice(1)).toEqual([
      "@ person  changed by a person while no agent was working: dev_plan.md, global_context.md",
      "  plan M1-T1 TODO -> DOING",
    ]);
  });

  test("is in Chinese as well", () => {
    expect(storyText(new BoardStory().test(aPlan({ "M1-T1": "DOING" })), "zh")).toEqual([
      "@ agent   [1] MAIN claude 结束：退出码 0 (0.0s)",
      "@ agent   [1] MAIN -> TEST    M1-T1 store a file",
      "  | TEST is next",
      "@ agent   [1] 计划 M1-T1 TODO -> DOING",
      "@ agent   [1] TEST codex 结束：退出码 0，声明 PASS (0.0s)",
      "@ 检查    [1] check M1-T1，退出码 1，红灯，符合要求 (0.0s)",
      "@ 判定    [1] TEST 声明 PASS；foreman 运行 1/1 条验收命令：1 条红灯，符合要求",
    ]);
  });

  test("begins with the agents and the state of the plan", () => {
    const { state } = new BoardStory({ iterationsBefore: 11 }).asks();
    expect(texts(storyHead(state, "running", { workedMs: 60_000, waitedMs: 0 }, viewIn("en")))).toEqual([
      "1115-k7m2 orchestrate  ~ RUNNING [12]  1m",
      "  task    the upload service",
      "  MAIN    claude",
      "  TEST    codex",
      "  DEV     claude",
      "  REVIEW  codex",
      "  cwd     /project",
      "  M1      upload API  0/2 VERIFIED, 2 TODO",
      "  M2      resilience  0/1 VERIFIED, 1 TODO",
      "  board   /project/blackboard",
    ]);
  });

  test("ends with the current activity, or says that it was cut off", () => {
    const last = (story: BoardStory, status: "running" | "interrupted" = "running"): string[] =>
      texts(lastLines(story.state, status, viewIn("en")));
    const board = (): BoardStory => new BoardStory({ iterationsBefore: 11 });
    expect(last(board().asks())).toEqual(["~ [12] MAIN decides"]);
    const called = (): BoardStory => board().main({ nextAgent: "TEST" });
    expect(last(called().works())).toEqual(["~ [12] TEST turn"]);
    expect(last(called().role())).toEqual(["~ [12] tests under way"]);
    expect(last(called().role().checks(1).judge())).toEqual([]);
    const verified = { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED" } as const;
    const early = new BoardStory({ plan: aPlan({ ...verified, "M2-T1": "DONE" }) })
      .review()
      .main({ nextAgent: "FINISH", devPlanNext: aPlan({ ...verified, "M2-T1": ["VERIFIED", 1] }) });
    expect(last(early)).toEqual([]);
    expect(last(board().asks(), "interrupted")).toEqual([
      "! a turn of iteration 12 was cut off; it will be taken again",
    ]);
  });
});

describe("in the table of runs", () => {
  const asks = new BoardStory({ iterationsBefore: 11 }).main({ nextAgent: "USER" }).ask();
  const entry = {
    runId: asks.state.runId,
    state: asks.state,
    status: runStatus(asks.state, false),
    live: false,
  } as const;

  test("the number on the board, and that it asks", () => {
    const view = { texts: commandTexts.en.runs, now: 0, columns: null };
    expect(texts(runTable([entry], view))).toEqual([
      "RUN        MODE         STATE       AT    TIME  COST  TASK",
      "1115-k7m2  orchestrate  ? asks you  [12]  0.0s  -     the upload service",
    ]);
    expect(runListed(entry, 0)).toMatchObject({
      mode: "orchestrate",
      state: "asks_you",
      attempt: 1,
      iteration: 12,
    });
  });

  test("counts MAIN's time", () => {
    const process = { ...ran("claude", exited(0)), durationMs: 61_000 };
    const { state } = new BoardStory().main({ nextAgent: "TEST" }, { process });
    expect(state.attempts.map(attemptMs)).toEqual([61_000]);
  });

  test("the suggested command answers with the recommendation", () => {
    expect(texts(nextLines(asks.state, "asks_you", "/project", commandTexts.en.show))).toEqual([
      "  next    agent-foreman decide 1115-k7m2 a",
    ]);
    const { state } = new BoardStory().babbles().babbles().babbles().ask();
    expect(texts(nextLines(state, "asks_you", "/project", commandTexts.en.show))).toEqual([
      "  next    agent-foreman decide 1115-k7m2 ask_again",
    ]);
  });

  test("after the limit a new run continues with the board", () => {
    const { state } = new BoardStory({ maxLoops: 1 }).test().ends("failed", "limit_reached");
    expect(texts(nextLines(state, "rejected", "/elsewhere", commandTexts.en.show))).toEqual([
      "  next    agent-foreman orchestrate --cwd /project",
    ]);
  });

  test("as JSON it says where the board is", () => {
    const { state } = asks;
    expect(
      unfinishedReport({ ...entry, state, time: null, problem: null, runDir: null, journal: "/j" }),
    ).toMatchObject({
      mode: "orchestrate",
      board_dir: "/project/blackboard",
      iteration: 12,
    });
  });
});
