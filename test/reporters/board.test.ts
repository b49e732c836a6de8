import { describe, expect, test } from "vitest";
import { ruleText } from "../../src/modes/orchestrate/words/board-rules.ts";
import { aPlan, BoardStory } from "../rig/board-story.ts";
import { exited, ran, agentRecord, turnFailed } from "../rig/story.ts";
import { since } from "./board-rig.ts";
import { everyReader, piped, shown, type StoryItem } from "./steps-rig.ts";

/** TEST's work on the first task, then DEV is called. */
const begun = (): BoardStory => new BoardStory().test(aPlan({ "M1-T1": "DOING" })).main({ nextAgent: "DEV" });

everyReader("a run to a good end, %s", (reader) => {
  test("in English", () => {
    expect(shown(reader, "en", new BoardStory().finishes().events)).toEqual([
      "orchestrate 1115-k7m2  MAIN claude  TEST codex  DEV claude  REVIEW codex  up to 60 iterations  contained: pid namespace",
      "M1 upload API 0/2 VERIFIED  M2 resilience 0/1 VERIFIED",
      "[1] MAIN -> TEST    M1-T1 store a file",
      "[1] plan M1-T1 TODO -> DOING",
      "[1] TEST said PASS; foreman ran 1 of 1 acceptance command: 1 red, as required",
      "[2] MAIN -> DEV     M1-T1 store a file",
      "[2] DEV said PASS; foreman ran 1 of 1 acceptance command: green",
      "[3] MAIN -> TEST    M1-T2 list files",
      "[3] plan M1-T1 DOING -> DONE, M1-T2 TODO -> DOING",
      "[3] TEST said PASS; foreman ran 1 of 1 acceptance command: 1 red, as required",
      "[4] MAIN -> DEV     M1-T2 list files",
      "[4] DEV said PASS; foreman ran 1 of 1 acceptance command: green",
      "[5] MAIN -> REVIEW  M1-T1, M1-T2 (milestone)",
      "[5] plan M1-T2 DOING -> DONE",
      "[5] REVIEW said PASS; foreman ran 2 of 2 acceptance commands: green",
      "[6] MAIN -> TEST    M2-T1 retry failed uploads",
      "[6] plan M1-T1 DONE -> VERIFIED, M1-T2 DONE -> VERIFIED, M2-T1 TODO -> DOING",
      "[6] TEST said PASS; foreman ran 1 of 1 acceptance command: 1 red, as required",
      "[7] MAIN -> DEV     M2-T1 retry failed uploads",
      "[7] DEV said PASS; foreman ran 1 of 1 acceptance command: green",
      "[8] MAIN -> REVIEW  M2-T1 retry failed uploads (milestone)",
      "[8] plan M2-T1 DOING -> DONE",
      "[8] REVIEW said PASS; foreman ran 1 of 1 acceptance command: green",
      `[9] MAIN -> FINISH  refused: ${ruleText({ rule: "finish_with_update", about: "M2-T1" }, "en")}; its plan is taken over`,
      "[9] plan M2-T1 DONE -> VERIFIED",
      "[10] MAIN -> FINISH",
      "[10] FINISH: foreman ran 3 of 3 acceptance commands: green",
    ]);
  });

  test("in Chinese", () => {
    const { events } = begun().role().checks(0).judge();
    expect(shown(reader, "zh", events)).toEqual([
      "orchestrate 1115-k7m2  MAIN claude  TEST codex  DEV claude  REVIEW codex  最多 60 次迭代  隔离：pid namespace",
      "M1 upload API 0/2 VERIFIED  M2 resilience 0/1 VERIFIED",
      "[1] MAIN -> TEST    M1-T1 store a file",
      "[1] 计划 M1-T1 TODO -> DOING",
      "[1] TEST 声明 PASS；foreman 运行 1/1 条验收命令：1 条红灯，符合要求",
      "[2] MAIN -> DEV     M1-T1 store a file",
      "[2] DEV 声明 PASS；foreman 运行 1/1 条验收命令：绿灯",
    ]);
  });
});

describe("a role's work", () => {
  test("a red command shows its output at once, next to the claim", () => {
    const story = begun().role();
    const from = piped("en", story.events);
    const lines: StoryItem[] = [
      ...story.events,
      { type: "check_output", path: "acceptance-1.log", lines: [{ text: "expected 400" }, { leftOut: 3 }] },
      ...story
        .checks(1)
        .judge()
        .events.slice(story.events.length - 2),
    ];
    expect(piped("en", lines).slice(from.length)).toEqual([
      "✗ [2] check M1-T1  exit 1",
      "  | expected 400",
      "  | ... 3 lines left out",
      "  all output: acceptance-1.log",
      "[2] DEV rejected: an acceptance command failed (acceptance_failed); said PASS; 1 of 1 red",
    ]);
  });

  test("shows the output of only the first few of many red commands", () => {
    const acceptance = Array.from({ length: 5 }, (_, index) => `  ${index + 1}. \`check ${index}\` → exit 0`);
    const plan = aPlan({ "M1-T1": "DOING" }).replace(
      "- acceptance: `check M1-T1` → exit 0",
      ["- acceptance:", ...acceptance].join("\n"),
    );
    const story = new BoardStory({ plan }).main({ nextAgent: "DEV", header: ["red_waiver: old"] }).role();
    const from = story.events;
    const lines = since([...from], story.checks(1, 1, 1, 1, 0).judge());
    expect(lines.filter((line) => line.startsWith("✗"))).toHaveLength(4);
    expect(lines.filter((line) => line.startsWith("  all output"))).toHaveLength(3);
    expect(lines.at(-1)).toBe(
      "[1] DEV rejected: an acceptance command failed (acceptance_failed); said PASS; 4 of 5 red",
    );
  });

  test("tests that are green before the work do not count; with a waiver they may", () => {
    const tests = new BoardStory().main({ nextAgent: "TEST" }).role();
    expect(since([...tests.events], tests.checks(0).judge())).toEqual([
      "[1] TEST rejected: no acceptance command failed, so the tests test nothing yet (not_red); said PASS; 0 of 1 red",
    ]);
    const waived = new BoardStory().main({ nextAgent: "TEST", header: ["red_waiver: it exists"] });
    expect(since([1], waived.role().checks(0).judge())).toEqual([
      "[1] MAIN -> TEST    M1-T1 store a file",
      "! [1] no red test first (red_waiver): it exists",
      "[1] TEST said PASS; foreman ran 1 of 1 acceptance command: green (red_waiver)",
    ]);
  });

  test("B16 tests that TEST restored may be green, and red was not waived for them", () => {
    const story = new BoardStory().restores();
    const from = [...story.events];
    expect(since(from, story.judge())).toEqual([
      "[3] TEST said PASS; foreman ran 1 of 1 acceptance command: green (tests that were red before)",
    ]);
    expect(since(from, story, "zh").at(-1)).toContain("绿灯（测试之前为红灯）");
  });

  test("B16 tests that are not put back are named", () => {
    const story = new BoardStory()
      .edited()
      .judge()
      .main({ nextAgent: "DEV", header: ["note: 2"] });
    const from = [...story.events];
    story.role({}, { unrestored: ["test/a.test.ts", "test/b.test.ts"] }).judge();
    expect(since(from, story)).toEqual([
      "[3] DEV rejected: tests that an earlier turn changed without TEST are not restored (tests_not_restored) (test/a.test.ts, test/b.test.ts); said PASS",
    ]);
  });

  test("a command that did not run is not red", () => {
    const story = new BoardStory().main({ nextAgent: "TEST" }).role();
    expect(since([...story.events], story.checks(127).judge())).toEqual([
      "✗ [1] check M1-T1  exit 127  did not run",
      "  all output: /nowhere",
      "[1] TEST rejected: an acceptance command could not be run (acceptance_not_runnable); said PASS; 1 of 1 did not run",
    ]);
    const process = ran("check M1-T2", { kind: "timeout", afterMs: 5000 });
    const looked = new BoardStory({ plan: aPlan({ "M1-T1": "DONE", "M1-T2": "DONE" }) }).main({
      nextAgent: "REVIEW",
    });
    expect(since([...looked.events], looked.role().check(1).check(0, { process }).judge())).toEqual([
      "✗ [1] check M1-T1  exit 1",
      "  all output: /nowhere",
      "✗ [1] check M1-T2  timed out after 5.0s  did not run",
      "  all output: /nowhere",
      "[1] REVIEW rejected: an acceptance command failed (acceptance_failed), time limit reached (timeout); said PASS; 1 of 2 red, 1 of 2 did not run",
    ]);
  });

  test("gaps of an incomplete report", () => {
    const story = new BoardStory().main({ nextAgent: "TEST" });
    const from = [...story.events];
    story
      .role({ testFiles: ["test/a.ts"], commands: [], covered: [] }, { absentFiles: ["test/a.ts"] })
      .checks(1)
      .judge();
    expect(since(from, story).at(-1)).toBe(
      "[1] TEST rejected: the report lacks a required part (report_incomplete) (test files that do not exist: test/a.ts; no `Test commands:`; no `Coverage:` of requirement 1); said PASS; 1 of 1 red",
    );
    const looked = new BoardStory({ plan: aPlan({ "M1-T1": "DONE", "M1-T2": "DONE" }) }).main({
      nextAgent: "REVIEW",
    });
    expect(
      since(
        [...looked.events],
        looked
          .role({ tasks: ["M1-T1"] })
          .checks()
          .judge(),
        "zh",
      ).at(-1),
    ).toBe("[1] REVIEW 未通过：报告缺少必需的内容 (report_incomplete) (没有提到 M1-T2)；声明 PASS；0/2 红灯");
  });

  test("without self-test no command runs", () => {
    const story = begunDisabled();
    expect(since([...story.events], story.role({ claim: "SKIPPED" }).judge())).toEqual([
      "[2] DEV said SKIPPED; foreman ran 0 of 1 acceptance command",
    ]);
  });

  test("shows the block, the objection to tests, the question", () => {
    const blocked = begun();
    expect(
      since([...blocked.events], blocked.role({ claim: "BLOCKED", blockType: "environment" }).judge()),
    ).toEqual([
      "[2] DEV rejected: the role said that it is blocked (role_blocked); said BLOCKED (environment)",
    ]);
    const asks = begun();
    const said = { claim: "FAIL", testFeedback: "wrong", clarification: "log it?" } as const;
    expect(since([...asks.events], asks.role(said).checks(1).judge()).at(-1)).toBe(
      "[2] DEV rejected: the role itself said FAIL (role_failed), an acceptance command failed (acceptance_failed); said FAIL, objects to the tests, asks for clarification; 1 of 1 red",
    );
    expect(since([...asks.events], investigated(asks))).toEqual([
      "[3] MAIN -> REVIEW  M1-T1 store a file (investigate)",
      "[3] REVIEW said FAIL (test)",
    ]);
  });

  test("a report without a conclusion", () => {
    const story = begun();
    expect(since([...story.events], story.role({ claim: null }).judge())).toEqual([
      "[2] DEV rejected: the report has no conclusion (report_without_conclusion); reported no conclusion",
    ]);
  });

  test("files that are not its own are named, and so are processes that outlived it", () => {
    const story = begun();
    const process = { ...ran("claude", exited(0)), leaked: [{ pid: 7, command: "server" }] };
    const changed = Array.from({ length: 7 }, (_, index) => `test/${index}.test.ts`);
    expect(since([...story.events], story.role({}, { changed }, { process }).judge())).toEqual([
      "! [2] DEV changed files that are not its own: test/0.test.ts, test/1.test.ts, test/2.test.ts, test/3.test.ts, test/4.test.ts (+2)",
      "! 1 process outlived its command and was ended",
      "  | 7 server",
      "[2] DEV rejected: the role changed files that it must not change (forbidden_change); said PASS",
    ]);
  });

  test("a turn that failed, and who took it where it could have been another", () => {
    const roles = { main: ["claude"], test: ["codex"], dev: ["claude", "codex"], review: ["codex"] };
    const story = new BoardStory({ roles }).main({ nextAgent: "DEV", header: ["red_waiver: old"] });
    const failure = { class: "crashed", message: "segfault", retryAt: null } as const;
    const more = { process: ran("claude", exited(3)), agent: agentRecord("claude", { failure }) };
    expect(since([...story.events], story.role({ claim: null }, {}, more).judge())).toEqual([
      "✗ [1] DEV (claude) turn failed: claude ended with an error, exit 3",
      "  | segfault",
      "[1] DEV (claude) rejected: the agent did not exit with 0 (agent_exit_nonzero), the agent ended with an error (agent_crashed), the report has no conclusion (report_without_conclusion); reported no conclusion",
    ]);
  });

  test("another agent takes over only where one was not available", () => {
    const roles = { main: ["claude"], test: ["codex"], dev: ["claude", "codex"], review: ["codex"] };
    const story = new BoardStory({ roles }).main({ nextAgent: "DEV", header: ["red_waiver: old"] }).works();
    const from = [...story.events];
    story.add(turnFailed(1, 2, "claude", "overloaded")).works("codex");
    expect(since(from, story)).toEqual([
      "~ [1] claude is overloaded or has server errors; no iteration spent",
      "  | claude: overloaded",
      "~ [1] codex takes over",
    ]);
    const after = [...story.events];
    expect(since(after, story.role().checks().judge().main({ nextAgent: "TEST" }).works())).toEqual([
      "[1] DEV (codex) said PASS; foreman ran 1 of 1 acceptance command: green",
      "[2] MAIN -> TEST    M1-T1 store a file",
    ]);
  });
});

function begunDisabled(): BoardStory {
  return new BoardStory()
    .test(aPlan({ "M1-T1": "DOING" }))
    .main({ nextAgent: "DEV", header: ["self_test: disabled"] });
}

function investigated(story: BoardStory): BoardStory {
  const sections = "\n## Clarification reply\nyes\n";
  const order = `${story.answerFor("REVIEW", ["review_mode: investigate"]).task ?? ""}${sections}`;
  return story
    .main({ nextAgent: "REVIEW", header: ["review_mode: investigate"], task: order })
    .role({ claim: "FAIL", fault: "test" })
    .judge();
}

describe("MAIN's decisions", () => {
  test("an unreadable answer is refused, twice in vain, then a person is asked", () => {
    const text =
      "the answer is not exactly one line of JSON: give one object, without line breaks, fence or other text (there is other text beside the JSON)";
    expect(since([1], new BoardStory().babbles().babbles().babbles())).toEqual([
      `[1] MAIN answer refused: ${text}; asked again`,
      `[1] MAIN answer refused: ${text}; asked again`,
      `[1] MAIN answer refused: ${text}; a person is asked`,
    ]);
  });

  test("several rules appear below, one per line, up to a limit", () => {
    const two = [
      { rule: "unknown_field", about: "notes" },
      { rule: "task_missing", about: "" },
    ] as const;
    expect(since([1], new BoardStory().babbles(two))).toEqual([
      "[1] MAIN answer refused: 2 rules broken; asked again",
      "  | the answer has a key that does not exist: leave it out (notes)",
      "  | TEST, DEV and REVIEW need a work order: write it into task",
    ]);
    expect(since([1], new BoardStory().main({ nextAgent: "DEV" }))).toEqual([
      "[1] MAIN -> DEV     refused: no failing test of this task has been confirmed: send TEST first, or give `red_waiver:` with a reason in the order (M1-T1); asked again",
    ]);
    const many = Array.from(
      { length: 12 },
      (_, index) => ({ rule: "unknown_field", about: `f${index}` }) as const,
    );
    expect(since([1], new BoardStory().babbles(many)).slice(-2)).toEqual([
      "  | the answer has a key that does not exist: leave it out (f7)",
      "  | ... 4 more lines",
    ]);
  });

  test("a question, the person's choice, and their words", () => {
    const story = new BoardStory().main({ nextAgent: "USER" }).ask().chooses("a", "but only\nfor now");
    expect(since([1], story)).toEqual([
      "[1] MAIN -> USER    S3 credentials? a: use MinIO (recommended) b: wait",
      "[1] USER chose a: use MinIO",
      "  | but only",
      "  | for now",
    ]);
    expect(since([1], story, "zh").slice(0, 2)).toEqual([
      "[1] MAIN -> USER    S3 credentials? a: use MinIO（推荐） b: wait",
      "[1] USER 选择 a: use MinIO",
    ]);
    const about = new BoardStory().babbles().babbles().babbles().ask().chooses("ask_again");
    expect(since([1], about).at(-1)).toBe("[1] USER chose ask_again: MAIN is asked again");
  });

  test("forbidden tools are reported once a run", () => {
    const story = new BoardStory().main({ nextAgent: "FINISH" }, { tools: "read" });
    story.main({ nextAgent: "TEST" }, { tools: "read" });
    expect(since([1], story).filter((line) => line.includes("tools"))).toEqual([
      "! MAIN has reading tools: claude cannot disable them",
    ]);
    const all = new BoardStory().main({ nextAgent: "TEST" }, { tools: "all" });
    expect(since([1], all)).toEqual([
      "! MAIN has all tools: claude cannot disable them",
      "[1] MAIN -> TEST    M1-T1 store a file",
    ]);
  });

  test("a tree that cannot be compared is reported once a run", () => {
    const story = new BoardStory().main({ nextAgent: "TEST" }, { changed: null }).role({}, { changed: null });
    expect(since([1], story).filter((line) => line.includes("compared"))).toHaveLength(1);
  });

  test("a plan with only other wording, and one with a new task", () => {
    const reworded = aPlan().replace("store a file", "store any file");
    expect(since([1], new BoardStory().main({ nextAgent: "TEST", devPlanNext: reworded }))).toEqual([
      "[1] MAIN -> TEST    M1-T1 store any file",
      "[1] plan reworded",
    ]);
    const added = `${aPlan()}\n### M2-T2: more\n- status: TODO\n- acceptance: \`more\` → exit 0\n- evidence: none\n`;
    expect(since([1], new BoardStory().main({ nextAgent: "TEST", devPlanNext: added }))).toEqual([
      "[1] MAIN -> TEST    M1-T1 store a file",
      "[1] plan M2-T2 new",
    ]);
  });

  test("iterations are counted on the board, not in the run", () => {
    expect(since([1], new BoardStory({ iterationsBefore: 11 }).main({ nextAgent: "TEST" }))).toEqual([
      "[12] MAIN -> TEST    M1-T1 store a file",
    ]);
  });
});
