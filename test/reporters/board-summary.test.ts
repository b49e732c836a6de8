import { describe, expect, test } from "vitest";
import type { Lang } from "../../src/core/settings.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import { Page } from "../../src/ui/page.ts";
import { summaryLines } from "../../src/screens/summary.ts";
import { aPlan, BoardStory } from "../rig/board-story.ts";
import { A_QUESTION } from "../rig/board-says.ts";
import { answered, exited, ran, agentRecord, turnFailed } from "../rig/story.ts";
import { tty } from "./rig.ts";
import { piped } from "./steps-rig.ts";

/** The foreman's final output for the run. */
function summary(story: BoardStory, lang: Lang = "en"): readonly string[] {
  const lines = piped(lang, story.events, true);
  return lines.slice(lines.lastIndexOf("") + 1);
}

const BASE = { baseCommit: "a1b2c3d4e5f6" };
const UNTOUCHED = [
  "  M1      upload API  0/2 VERIFIED, 2 TODO",
  "  M2      resilience  0/1 VERIFIED, 1 TODO",
];
const BOARD = "  board   /project/blackboard";
const WEAKER = "  weaker  checks ran in the work tree itself (--no-clean-room)";

describe("accepted", () => {
  test("with all tasks verified", () => {
    expect(summary(new BoardStory({}, BASE).finishes())).toEqual([
      "✓ ACCEPTED in iteration 10: 3 of 3 tasks VERIFIED",
      "  M1      upload API  2/2 VERIFIED",
      "  M2      resilience  1/1 VERIFIED",
      BOARD,
      WEAKER,
      "  report  /project/report.json",
      "  next    agent-foreman show 1115-k7m2",
    ]);
    expect(summary(new BoardStory({}, BASE).finishes(), "zh")).toEqual([
      "✓ 通过：第 10 次迭代，3/3 个任务 VERIFIED",
      "  M1      upload API  2/2 VERIFIED",
      "  M2      resilience  1/1 VERIFIED",
      "  黑板    /project/blackboard",
      "  较弱    检查直接在 agent 留下的工作区中运行 (--no-clean-room)",
      "  报告    /project/report.json",
      "  下一步  agent-foreman show 1115-k7m2",
    ]);
  });

  test("says what it does not prove: waivers, dropped tasks, earlier verified ones", () => {
    const m1 = { "M1-T1": "VERIFIED", "M1-T2": "DOING" } as const;
    const verified = aPlan({ "M1-T1": "VERIFIED", "M1-T2": ["VERIFIED", 2] });
    const drop = {
      ...A_QUESTION,
      question: "Leave M2-T1 undone?",
      options: [{ id: "drop_tasks", description: "drop it" }],
      recommended: "drop_tasks",
    };
    const story = new BoardStory({ plan: aPlan(m1) }, BASE)
      .main({ nextAgent: "DEV", header: ["red_waiver: it exists"] })
      .role()
      .checks()
      .judge()
      .review(aPlan({ ...m1, "M1-T2": "DONE" }))
      .main({ nextAgent: "USER", devPlanNext: verified, question: drop })
      .ask()
      .chooses("drop_tasks")
      .main({ nextAgent: "FINISH" })
      .checks()
      .judge()
      .ends("passed", "accepted");
    expect(summary(story)).toEqual([
      "✓ ACCEPTED in iteration 4: 2 of 3 tasks VERIFIED",
      "  M1      upload API  2/2 VERIFIED",
      "  M2      resilience  0/1 VERIFIED, 1 TODO",
      "  waived  [1] M1-T2: it exists",
      "  dropped M2-T1: left undone by a person's decision",
      "  before  M1-T1: VERIFIED, but not by a REVIEW of this run",
      BOARD,
      WEAKER,
      "  report  /project/report.json",
      "  next    agent-foreman show 1115-k7m2",
    ]);
  });
});

describe("waits for a person", () => {
  test("MAIN's question, with the answer that is recommended", () => {
    const story = new BoardStory().main({ nextAgent: "USER" }).ask();
    expect(summary(story)).toEqual([
      "? WAITING for you [1]: S3 credentials?",
      "  | Uploads need S3. Which storage is to be used?",
      "          a: use MinIO (recommended)",
      "          b: wait",
      ...UNTOUCHED,
      BOARD,
      "  next    agent-foreman decide 1115-k7m2 a",
    ]);
    expect(summary(story, "zh").slice(0, 3)).toEqual([
      "? 等待你决定 [1]：S3 credentials?",
      "  | Uploads need S3. Which storage is to be used?",
      "          a: use MinIO（推荐）",
    ]);
  });

  test("about a MAIN that breaks rules", () => {
    const broken = [
      { rule: "unknown_field", about: "notes" },
      { rule: "task_missing", about: "" },
    ] as const;
    expect(summary(new BoardStory().babbles().babbles().babbles(broken).ask())).toEqual([
      "? WAITING for you [1]: 3 answers of MAIN refused",
      "  rules   the answer has a key that does not exist: leave it out (notes)",
      "          TEST, DEV and REVIEW need a work order: write it into task",
      "          open now: TEST on M1-T1",
      "            DEV on M1-T1, with `red_waiver:` in its order",
      "            REVIEW, `review_mode: investigate`",
      "            USER",
      "          ask_again: MAIN is asked again",
      "          stop: the run ends as failed",
      ...UNTOUCHED,
      BOARD,
      "  next    agent-foreman decide 1115-k7m2 ask_again",
    ]);
  });

  test("at the limit", () => {
    const story = new BoardStory({ maxLoops: 1 }).main({ nextAgent: "TEST" }).role().checks(0).judge().ask();
    expect(summary(story)).toEqual([
      "? WAITING for you: 1 of 1 iterations used",
      "  why     [1] TEST rejected: no acceptance command failed, so the tests test nothing yet (not_red); said PASS; 0 of 1 red",
      ...UNTOUCHED,
      BOARD,
      "  next    agent-foreman decide 1115-k7m2 continue 3",
    ]);
  });
});

describe("not accepted", () => {
  const limited = (): BoardStory =>
    new BoardStory({ maxLoops: 1 }).main({ nextAgent: "TEST" }).role().checks(0).judge();

  test("at the limit, with the last failure", () => {
    const story = limited().ends("failed", "limit_reached");
    expect(summary(story)).toEqual([
      "✗ REJECTED after 1 of 1 iterations: 0 of 3 tasks VERIFIED",
      "  why     [1] TEST rejected: no acceptance command failed, so the tests test nothing yet (not_red); said PASS; 0 of 1 red",
      ...UNTOUCHED,
      BOARD,
      "  report  /project/report.json",
      "  next    agent-foreman orchestrate",
    ]);
    expect(summary(story, "zh")[0]).toBe("✗ 未通过：1 次迭代已用完，0/3 个任务 VERIFIED");
  });

  test("at the limit, names the rest if the last work was accepted", () => {
    const places = { cwd: "/project/a b", boardDir: "/boards/one" };
    const lines = summary(new BoardStory({ maxLoops: 1, ...places }).test().ends("failed", "limit_reached"));
    expect(lines[1]).toBe("  why     work is left: M1-T1 TODO, M1-T2 TODO, M2-T1 TODO");
    expect(lines.at(-1)).toBe("  next    agent-foreman orchestrate --cwd 'a b' --board /boards/one");
    const verified = { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED", "M2-T1": "VERIFIED" } as const;
    const asked = new BoardStory({ maxLoops: 1, plan: aPlan(verified) })
      .main({ nextAgent: "USER" })
      .ask()
      .chooses("a");
    expect(summary(asked.ends("failed", "limit_reached"))[1]).toBe(
      "  why     all tasks are VERIFIED, but no FINISH was accepted",
    );
  });

  test("by a person: at the limit, or who had enough of MAIN", () => {
    const passed = limited()
      .ask()
      .add(answered({ kind: "mark_pass" }));
    expect(summary(passed.ends("manually_passed", "marked_by_person"))[0]).toBe(
      "✓ MARKED AS PASSED by a person, not by evidence",
    );
    const stopped = new BoardStory().babbles().babbles().babbles().ask().chooses("stop", "it babbles");
    expect(summary(stopped.ends("manually_failed", "marked_by_person")).slice(0, 2)).toEqual([
      "✗ MARKED AS FAILED by a person",
      "  note    it babbles",
    ]);
  });

  test("cancelled, interrupted, out of agents, out of money", () => {
    const twelfth = (): BoardStory => new BoardStory({ iterationsBefore: 11 }).asks();
    expect(summary(new BoardStory().ends("failed", "cancelled"))[0]).toBe(
      "✗ CANCELLED before the first iteration",
    );
    expect(summary(twelfth().ends("failed", "cancelled"))[0]).toBe("✗ CANCELLED in iteration 12");
    expect(summary(twelfth().add({ type: "run_stopped", by: "SIGINT" }))).toEqual([
      "! INTERRUPTED by SIGINT in iteration 12; it can go on",
      ...UNTOUCHED,
      BOARD,
      "  next    agent-foreman resume 1115-k7m2",
    ]);
    const alone = new BoardStory().asks().add(turnFailed(1, 1, "claude", "auth"));
    alone.add({ type: "run_stopped", by: "no_agent_available" });
    expect(summary(alone).slice(0, 4)).toEqual([
      "! NO AGENT available",
      "  agent   claude is not logged in: claude: auth",
      ...UNTOUCHED,
    ]);
    const limits = { costUsd: 1, tokens: null, timeMs: null, waitMs: 0 };
    const usage = { input: 1, cached: 0, output: 1, costUsd: 2 };
    const dear = new BoardStory({ limits, iterationsBefore: 11 })
      .main({ nextAgent: "TEST" }, { agent: agentRecord("claude", { usage }) })
      .role({}, {}, { agent: agentRecord("codex", { usage }) })
      .add({ type: "run_stopped", by: "budget_reached" });
    expect(summary(dear)[0]).toBe("! BUDGET reached: $4.00 of $1.00; iteration 12 not judged  $4.00");
  });
});

test("shows descriptions of options in full, on a terminal between words", () => {
  const description = `Store them in MinIO, ${"which is started beside the tests and ".repeat(4)}needs no account`;
  const question = { ...A_QUESTION, options: [{ id: "a", description }], recommended: "a" };
  const story = new BoardStory().main({ nextAgent: "USER", question }).ask();
  expect(summary(story)).toContain(`          a: ${description} (recommended)`);
  const stdout = tty(80);
  const lines = summaryLines(story.state, {}, terminalTexts.en);
  new Page(stdout.stream, { terminal: true, color: false }).print(lines);
  const rows = stdout.text.split("\n");
  const first = rows.findIndex((row) => row.startsWith("          a: Store"));
  const option = rows.slice(first, first + 4);
  expect(option.join(" ").replace(/\s+/g, " ").trim()).toBe(`a: ${description} (recommended)`);
  expect(option.every((row) => row.length < 80)).toBe(true);
});

test("says if a task is not judged by a person's acceptance", () => {
  const question = { ...A_QUESTION, question: "Is M1-T1 to be judged by less?" };
  const less = aPlan().replace("`check M1-T1` → exit 0", "`true` → exit 0");
  const story = new BoardStory({ iterationsBefore: 4 })
    .main({ nextAgent: "USER", question })
    .ask()
    .chooses("a")
    .main({ nextAgent: "TEST", devPlanNext: less });
  story.add({ type: "run_stopped", by: "SIGINT" });
  expect(summary(story)).toContain(
    "  accept  [6] M1-T1 is judged by `true` → exit 0, no longer by `check M1-T1` → exit 0",
  );
});

test("of many milestones and waivers the first few", () => {
  const plan = Array.from(
    { length: 14 },
    (_, index) =>
      `## M${index + 1}: part\n### M${index + 1}-T1: it\n- status: TODO\n- acceptance: \`x\` → 0\n- evidence: none\n`,
  ).join("\n");
  const story = new BoardStory({ plan });
  for (let round = 0; round < 7; round += 1)
    story
      .main({ nextAgent: "TEST", header: [`red_waiver: ${round}`] })
      .role()
      .checks(round % 2)
      .judge();
  const lines = summary(story.add({ type: "run_stopped", by: "SIGINT" }));
  expect(lines.slice(12, 15)).toEqual([
    "  M12     part  0/1 VERIFIED, 1 TODO",
    "          and 2 more",
    "  waived  [1] M1-T1: 0",
  ]);
  expect(lines.slice(18, 21)).toEqual(["          [5] M1-T1: 4", "          and 2 more", BOARD]);
});

test("processes that outlived MAIN's turn are counted", () => {
  const process = { ...ran("claude", exited(0)), leaked: [{ pid: 7, command: "server" }] };
  const story = new BoardStory().main({ nextAgent: "TEST" }, { process });
  expect(summary(story.add({ type: "run_stopped", by: "SIGINT" }))).toContain(
    "  leaked  1 process outlived its command and was ended",
  );
});
