import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { boardQuestion } from "../../src/cli/board-question.ts";
import { orchestrate } from "../../src/cli/orchestrate.ts";
import { questionText } from "../../src/cli/prompt.ts";
import type { RunEvent, RunStarted } from "../../src/core/event.ts";
import { verdictOn } from "../../src/evidence/verdict.ts";
import { Failure } from "../../src/platform/failure.ts";
import type { Lang } from "../../src/core/settings.ts";
import { lastAttempt } from "../../src/core/state.ts";
import { failureText } from "../../src/cli/words/failures.ts";
import { historyFile, historyForMain } from "../../src/modes/orchestrate/history.ts";
import { iterationReport } from "../../src/modes/orchestrate/iteration-report.ts";
import { fakeIo, makeRun } from "../commands/fixtures.ts";
import { aPlan, BoardStory } from "../rig/board-story.ts";
import { exited, ran, RUN_ID, resumed, agentRecord } from "../rig/story.ts";

/** The report of the iteration under judgement. */
function reported({ state }: BoardStory, lang: Lang = "en"): string {
  const attempt = lastAttempt(state);
  const verdict = verdictOn(state);
  if (!attempt || !verdict) throw new Error("nothing can be judged");
  return iterationReport({ state, lang, attempt, verdict, excerpts: { checks: [], said: [] } });
}

describe("the report of an iteration", () => {
  test("distinguishes commands that did not run from red ones", () => {
    const text = reported(
      new BoardStory({ plan: aPlan({ "M1-T1": "DONE", "M1-T2": "DONE" }) })
        .main({ nextAgent: "REVIEW" })
        .role()
        .checks(127, 1),
    );
    expect(text).toContain("Acceptance commands: 0 of 2 green, 1 did not run.\n");
    expect(text).toMatch(/1\. `check M1-T1` → did not run.*127/);
    expect(text).toMatch(/2\. `check M1-T2` → red/);
  });

  test("names the role whose turn failed, for MAIN", () => {
    const failure = { class: "crashed", message: "exit 137 (SIGKILL): Killed", retryAt: null } as const;
    const denials = [{ tool: "Bash", about: "rm" }];
    const story = new BoardStory().main({ nextAgent: "TEST" }).works();
    const agent = agentRecord(story.state.openTurn?.agent ?? "", { failure, denials });
    story.role({}, {}, { process: ran("agent", exited(137)), agent });
    expect(reported(story)).toContain("\nTEST's turn ended with: exit 137 (SIGKILL): Killed\n");
    expect(reported(story)).toContain("\nThese calls were denied to TEST: Bash rm\n");
    expect(reported(story, "zh")).toContain("\nTEST 的回合以此结束：exit 137 (SIGKILL): Killed\n");
  });

  test("says what is missing, so that MAIN can pass it on", () => {
    const story = new BoardStory().main({ nextAgent: "TEST" }).role({ commands: [], covered: [] }).checks(1);
    expect(reported(story)).toContain(
      "(report_incomplete)\n  - no `Test commands:`\n  - no `Coverage:` of requirement 1\n",
    );
    expect(reported(story, "zh")).toContain("  - 缺少“测试命令”\n  - “覆盖”缺少测试需求 1\n");
  });

  test("B16 says what lifts the block after a forbidden test edit for as long as it lasts", () => {
    const lifted = [
      "No work of DEV and no REVIEW is accepted until test/a.test.ts is exactly as before the forbidden change (any role or person may put it back), or TEST's work on it is accepted.",
      "If TEST puts back exactly the tests that were red before, they may pass now without a `red_waiver:`.",
      "Any other test has to be red, or its order needs a `red_waiver:`.",
    ].join(" ");
    const edited = new BoardStory().edited();
    expect(reported(edited)).toContain(lifted);
    const better = new BoardStory().restores("t3");
    expect(reported(better)).toContain("(not_red)");
    expect(reported(better)).toContain(lifted);
    expect(reported(better, "zh")).toContain(
      "TEST 若原样恢复之前为红灯的测试，则不需要 `red_waiver:`；其他测试必须是红灯，否则工单须写明 `red_waiver:`。",
    );
    expect(reported(new BoardStory().restores())).not.toContain("is accepted until");
  });

  test("B16 says that tests were red before, where TEST put them back and they pass", () => {
    const story = new BoardStory().restores();
    const restored = "TEST put back exactly the tests that were red before. They may pass now.";
    const wanted = "at least one of them has to be red";
    expect(reported(story)).toContain(restored);
    expect(reported(story)).not.toContain(wanted);
    expect(reported(story, "zh")).toContain("TEST 原样恢复了之前为红灯的测试，现在可以是绿灯。");
    const other = reported(new BoardStory().restores("t3"));
    expect(other).not.toContain(restored);
    expect(other).toContain(wanted);
  });

  test("names only the tests of the block that lasts", () => {
    const story = new BoardStory().edited().judge();
    // A person restores it.
    story.main({ nextAgent: "DEV", header: ["note: 2"] }).works(undefined, "t1.p.o");
    expect(reported(story.role({}, { changed: ["test/b.test.ts"], tests: "t3" }))).toContain(
      "is accepted until test/b.test.ts is exactly",
    );
  });
});

test("the question about a MAIN that breaks rules lists the calls that are open", () => {
  const { state } = new BoardStory().babbles().babbles().babbles().ask();
  expect(boardQuestion(state, "en")?.lines.slice(1)).toEqual([
    "open now: TEST on M1-T1",
    "  DEV on M1-T1, with `red_waiver:` in its order",
    "  REVIEW, `review_mode: investigate`",
    "  USER",
  ]);
  expect(boardQuestion(state, "zh")?.lines[1]).toMatch(/^现在可以选择：TEST/);
});

describe("at the limit", () => {
  test("the question counts iterations, and says why they were not enough", () => {
    const { state } = new BoardStory({ maxLoops: 1 }).main({ nextAgent: "TEST" }).role().checks(0).judge();
    expect(questionText(state, "en")).toBe(
      "1 of 1 iterations used, not finished: [1] TEST rejected: no acceptance command failed, so the tests test nothing yet (not_red); said PASS; 0 of 1 red",
    );
    const asked = new BoardStory({ maxLoops: 1 }).main({ nextAgent: "USER" }).ask().chooses("a");
    expect(questionText(asked.state, "en")).toBe(
      "1 of 1 iterations used, not finished: work is left: M1-T1 TODO, M1-T2 TODO, M2-T1 TODO",
    );
    expect(questionText(asked.state, "zh")).toMatch(/^已用 1\/1 次迭代/);
  });
});

describe("the history", () => {
  const early = new BoardStory().finishes();

  test("says where a FINISH was refused, in the file and to MAIN", () => {
    const note = "dev_plan: statuses\n(FINISH refused; the plan was taken over)\n\n## Iteration 10:";
    expect(historyFile("", early.state)).toContain(note);
    expect(historyForMain("", early.state, "en")).toContain(note);
    expect(historyForMain("", early.state, "zh")).toContain("（FINISH 被拒绝；计划已采用）");
    expect(historyFile("", early.state).match(/\(FINISH/g)).toHaveLength(1);
  });

  test("or was overtaken by a person", () => {
    const verified = { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED", "M2-T1": "VERIFIED" } as const;
    const story = new BoardStory({ plan: aPlan(verified) })
      .main({ nextAgent: "FINISH" })
      .add({ type: "run_stopped", by: "SIGINT" });
    const plan = aPlan({ ...verified, "M2-T1": "DOING" });
    story.add({ type: "board_edited", plan, context: null, projectEnv: null }, resumed());
    expect(historyFile("", story.state)).toContain("(FINISH not carried out: a person changed the plan)");
  });
});

describe("a board of another running run", () => {
  const refused = async (addTo: (story: BoardStory) => BoardStory): Promise<string | undefined> => {
    const io = fakeIo();
    const boardDir = join(io.cwd, "blackboard");
    fs.mkdirSync(boardDir);
    const files = { "dev_plan.md": aPlan(), "global_context.md": "# Goal\n", "project_env.json": "{}\n" };
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(join(boardDir, name), text);
    const profiles = "profiles:\n  it:\n    extends: command\n    command: 'true'\nagents: [it]\n";
    fs.writeFileSync(join(io.cwd, "agent-foreman.yaml"), profiles);
    makeRun(io.home, addTo(new BoardStory({ boardDir })).events as [RunStarted, ...RunEvent[]]);
    const failure: unknown = await orchestrate({ maxOutputBytes: 1024 }, io).catch((error: unknown) => error);
    if (!(failure instanceof Failure) || failure.code !== "board_in_use") throw failure;
    return failureText(failure, "en").next;
  };

  test("names what that run waits for", async () => {
    expect(await refused((story) => story.main({ nextAgent: "USER" }).ask())).toBe(
      `agent-foreman decide ${RUN_ID}`,
    );
    expect(await refused((story) => story.test())).toBe(`agent-foreman resume ${RUN_ID}`);
  });
});
