import { describe, expect, test } from "vitest";
import { optionsOf } from "../../../src/core/question-options.ts";
import { commandsDue } from "../../../src/modes/orchestrate/call.ts";
import { sameFailures, reviewThatVerified } from "../../../src/modes/orchestrate/task-evidence.ts";
import { selfCheckFor } from "../../../src/modes/orchestrate/self-check.ts";
import { taskIn } from "../../../src/core/board/plan.ts";
import type { RoleReport, TurnEnded } from "../../../src/core/event.ts";
import { receive } from "../../../src/core/message.ts";
import { lastAttempt, type Attempt, type RunState } from "../../../src/core/state.ts";
import { historyForMain } from "../../../src/modes/orchestrate/history.ts";
import { task } from "../../rig/board-answers.ts";
import type { BoardStory } from "../../rig/board-story.ts";
import { exited, ran, agentRecord } from "../../rig/story.ts";
import { ANALYSED, bothGreen, M1_VERIFIED, reviewed, Scene, tested, type Say } from "./scene.ts";

const lastOf = ({ state }: BoardStory): Attempt => {
  const last = lastAttempt(state);
  if (!last) throw new Error("nothing has happened");
  return last;
};

describe("the commands that the foreman runs", () => {
  const due = (say: Say, scene = tested()): readonly string[] => commandsDue(lastOf(scene.calls(say).role()));
  const dueAfter = (report: Partial<RoleReport>, more: Partial<TurnEnded> = {}): readonly string[] =>
    commandsDue(lastOf(tested().calls({ next: "DEV" }).role({}, report, more)));
  const crashed = { class: "crashed", message: "", retryAt: null } as const;

  test.each<[what: string, found: readonly string[], commands: readonly string[]]>([
    ["of DEV's task", due({ next: "DEV" }), ["check M1-T1"]],
    ["of TEST's task", due({ next: "TEST" }), ["check M1-T1"]],
    ["B31 none without a self-test", due({ next: "DEV", selfTest: "disabled" }), []],
    ["none of an investigation", due({ next: "REVIEW", reviewMode: "investigate" }), []],
    [
      "of all tasks that are reviewed",
      due({ next: "REVIEW", statuses: { "M1-T2": "DONE" } }, bothGreen()),
      ["check M1-T1", "check M1-T2"],
    ],
    [
      "of the single task that is reviewed",
      due(
        {
          next: "REVIEW",
          reviewMode: "single",
          orderLines: ["task: M1-T2"],
          statuses: { "M1-T2": "DONE" },
          orderEnd: ["2. `check M1-T2` → exit 0"],
        },
        bothGreen(),
      ),
      ["check M1-T2"],
    ],
    ["none after a forbidden change", dueAfter({ changed: ["test/a.test.ts"] }), []],
    ["none while tests are not put back", dueAfter({ unrestored: ["test/a.test.ts"] }), []],
    ["all if the changes are unknown", dueAfter({ changed: null }), ["check M1-T1"]],
    ["none after a turn that failed", dueAfter({}, { process: ran("claude", exited(1)) }), []],
    [
      "none where the agent says so",
      dueAfter({}, { agent: agentRecord("claude", { failure: crashed }) }),
      [],
    ],
    [
      "none where nothing is claimed",
      commandsDue(lastOf(tested().calls({ next: "DEV" }).role({ claim: null }))),
      [],
    ],
    [
      "none of a blocked role",
      commandsDue(lastOf(tested().calls({ next: "DEV" }).role({ claim: "BLOCKED" }))),
      [],
    ],
    [
      "all of a role that failed",
      commandsDue(lastOf(tested().calls({ next: "DEV" }).role({ claim: "FAIL" }))),
      ["check M1-T1"],
    ],
    ["none before the work", commandsDue(lastOf(tested().calls({ next: "DEV" }))), []],
    ["none of a question", commandsDue(lastOf(tested().calls({ next: "USER" }))), []],
    ["none of an answer that does not stand", commandsDue(lastOf(new Scene().calls({ next: "FINISH" }))), []],
  ])("%s", (_, found, commands) => {
    expect(found).toEqual(commands);
  });

  test("B48 at the end: of all that is verified, each once", () => {
    const same = { status: "VERIFIED", acceptance: [{ command: "npm test", threshold: "exit 0" }] } as const;
    const all = new Scene([task("M1-T1", same), task("M1-T2", same), task("M1-T3", { status: "VERIFIED" })]);
    expect(commandsDue(lastOf(all.calls({ next: "FINISH" })))).toEqual(["npm test", "check M1-T3"]);
  });
});

test("MAIN's call is kept as it was parsed", () => {
  expect(lastOf(reviewed().calls({ next: "TEST", ...M1_VERIFIED })).call).toMatchObject({
    finishRefused: false,
    order: { assignedAgent: "TEST", requirements: 2 },
    tasks: ["M2-T1"],
    commands: ["check M2-T1"],
    verified: ["M1-T1", "M1-T2"],
  });
  expect(lastOf(tested().calls({ next: "USER" })).call).toMatchObject({
    order: null,
    tasks: [],
    commands: [],
  });
});

test("B50 a task that was verified is so by its last REVIEW", () => {
  const scene = reviewed().calls({ next: "TEST", ...M1_VERIFIED });
  const find = (id: string): Attempt | undefined => {
    const found = taskIn(scene.state.board?.plan ?? { milestones: [] }, id);
    return found && reviewThatVerified(scene.state, found);
  };
  expect(find("M1-T1")?.index).toBe(5);
  expect(find("M2-T1")).toBeUndefined();
});

test("B3 MAIN's tree must equal that at the start of its turn, also after a cut-off turn", () => {
  const scene = new Scene();
  const asks = (turn: number, tree: string): string | null | undefined =>
    lastOf(
      scene.add({
        type: "turn_started",
        role: "main",
        attempt: 1,
        turn,
        agent: "claude",
        resumes: null,
        tree,
      }),
    ).treeReviewed;
  expect(asks(1, "t1.p.o")).toBe("t1.p.o");
  scene.add({ type: "turn_interrupted", attempt: 1, turn: 1 });
  expect(asks(2, "t2.p.o")).toBe("t1.p.o");
  scene.babbles();
  expect(asks(3, "t3.p.o")).toBe("t3.p.o");
});

describe("B44 B45 failures of the same kind", () => {
  test.each<[what: string, scene: Scene, times: number]>([
    ["none yet", tested(), 0],
    ["one", tested().fails(1), 1],
    ["three", tested().fails(3), 3],
    ["what is said of it makes it no other", tested().fails(2).fails(1, { claim: "PASS" }), 3],
    ["another kind starts a new count", tested().fails(2).fails(1, { claim: "BLOCKED" }), 1],
    ["so does a person's answer", tested().fails(1).decides(), 0],
    ["and a failure after it is the first", tested().fails(1).decides().fails(1), 1],
  ])("%s", (_, { state }, times) => {
    expect(sameFailures(state).count).toBe(times);
  });

  test("another command that fails is another failure", () => {
    const acceptance = ["a", "b"].map((command) => ({ command, threshold: "exit 0" }));
    const scene = new Scene([task("M1-T1", { acceptance })]).does({ next: "TEST" }, {}, 1);
    const again = (note: string, ...codes: readonly number[]): number =>
      sameFailures(scene.does({ next: "DEV", orderLines: [`note: ${note}`] }, {}, ...codes).state).count;
    expect([again("1", 1, 0), again("2", 0, 1), again("3", 0, 1)]).toEqual([1, 1, 2]);
  });

  test("a FINISH that is refused does not come between them", () => {
    const verified = { status: "VERIFIED" } as const;
    const end = new Scene([task("M1-T1", verified)]).calls({ next: "FINISH" }).checks(1).judge();
    expect(sameFailures(end.state).count).toBe(1);
    expect(sameFailures(end.calls({ next: "FINISH" }).state).count).toBe(1);
  });
});

describe("B23 every five iterations", () => {
  const check = (scene: Scene, attempt: number, iteration = attempt): unknown =>
    selfCheckFor(scene.state, iteration, attempt);
  const doing = new Scene([task("M1-T1", { status: "DOING" })]);

  test("and not between, counted over all runs", () => {
    expect([4, 5, 6, 9, 10].map((iteration) => check(doing, 1, iteration))).toEqual([
      null,
      [],
      null,
      null,
      [],
    ]);
  });

  test("a task that has been DOING for five", () => {
    expect(check(doing, 4, 5)).toEqual([]);
    expect(check(doing, 5)).toEqual([{ kind: "long_doing", task: "M1-T1", iterations: 5 }]);
    expect(check(tested(), 5)).toEqual([]);
    expect(check(tested(), 6, 10)).toEqual([{ kind: "long_doing", task: "M1-T1", iterations: 5 }]);
  });

  test("a milestone that is DONE and was not reviewed", () => {
    const done = { status: "DONE" } as const;
    const plan = [
      task("M1-T1", { status: "VERIFIED" }),
      task("M2-T1", done),
      task("M2-T2", done),
      task("M3-T1"),
    ];
    expect(check(new Scene(plan), 5)).toEqual([{ kind: "unreviewed", milestone: "M2" }]);
    const rest = [task("M1-T1", { status: "VERIFIED" }), task("M1-T2", done)];
    expect(check(new Scene(rest), 5)).toEqual([{ kind: "unreviewed", milestone: "M1" }]);
  });

  test("a task that has been BLOCKED for five", () => {
    const blocked = new Scene([task("M1-T1", { status: "BLOCKED" })]);
    expect(check(blocked, 4, 5)).toEqual([]);
    expect(check(blocked, 5)).toEqual([{ kind: "long_blocked", task: "M1-T1", iterations: 5 }]);
  });

  test("calls that go round in a circle", () => {
    const scene = tested();
    const round = (): Scene =>
      scene
        .does(
          { next: "DEV", historyLines: ANALYSED, orderLines: [`note: ${scene.state.turns}`] },
          { claim: "FAIL" },
          1,
        )
        .does(
          { next: "REVIEW", reviewMode: "investigate", historyLines: ANALYSED },
          { claim: null, fault: "none" },
        );
    expect(check(round(), 1, 5)).toEqual([]);
    expect(check(round(), 1, 5)).toEqual([]);
    scene.calls({ next: "USER", historyLines: ANALYSED }).ask().chooses("a");
    round();
    round();
    expect(check(round(), 1, 5)).toEqual([
      {
        kind: "repeats",
        calls: [
          { agent: "DEV", task: "M1-T1" },
          { agent: "REVIEW", task: "M1-T1" },
        ],
        times: 3,
      },
    ]);
  });

  test("the same call three times in a row", () => {
    expect(check(tested().fails(2), 1, 5)).toEqual([]);
    expect(check(tested().fails(3), 1, 5)).toEqual([
      { kind: "repeats", calls: [{ agent: "DEV", task: "M1-T1" }], times: 3 },
    ]);
    expect(
      check(
        tested()
          .fails(3)
          .calls({ next: "USER", historyLines: ["root_cause_analysis: x"] }),
        1,
        5,
      ),
    ).toEqual([{ kind: "repeats", calls: [{ agent: "DEV", task: "M1-T1" }], times: 3 }]);
  });
});

test("the history keeps iterations with verified tasks in full", () => {
  const scene = reviewed();
  scene
    .calls({ next: "TEST", ...M1_VERIFIED })
    .role()
    .checks(1)
    .judge();
  for (let index = 0; index < 9; index += 1) scene.decides();
  const text = historyForMain("", scene.state, "en");
  const kept = Array.from(text.matchAll(/^## Iteration (\d+):/gm), ([, number]) => Number(number));
  expect(kept).toEqual([6, 8, 9, 10, 11, 12, 13, 14, 15]);
});

describe("answers of a person", () => {
  const babbled = new Scene().babbles().babbles().babbles().ask().state;
  const limit = new Scene(undefined, { maxLoops: 1 }).does({ next: "TEST" }, {}, 1).ask().state;
  const user = new Scene().calls({ next: "USER" }).ask().state;
  const option = (word: string) => ({ kind: "option", option: word }) as const;
  const pass = { kind: "mark_pass" } as const;

  test.each<[what: string, state: RunState, options: readonly string[] | null]>([
    ["nothing is asked", tested().state, null],
    ["the limit", limit, null],
    ["the limit, after one of MAIN's", new Scene(undefined, { maxLoops: 1 }).decides().ask().state, null],
    ["MAIN", babbled, ["ask_again", "stop"]],
    ["what MAIN asks", user, ["a", "b"]],
  ])("the options where the question is %s", (_, state, options) => {
    expect(optionsOf(state)).toEqual(options);
  });

  test.each([
    ["an option that was given", user, option("a"), null],
    ["an option that was not", user, option("c"), "not_an_option"],
    ["a mark, where MAIN asks", user, pass, "not_an_option"],
    ["an option about MAIN", babbled, option("stop"), null],
    ["MAIN's option, about MAIN", babbled, option("a"), "not_an_option"],
    ["a mark, about MAIN", babbled, pass, "not_an_option"],
    ["a mark at the limit", limit, pass, null],
    ["an option at the limit", limit, option("a"), "not_an_option"],
    ["an option where nothing is asked", tested().state, option("a"), "no_open_question"],
  ] as const)("%s", (_, state, answer, why) => {
    const questionId = state.question?.id ?? "q1";
    const event = receive(state, { kind: "answer", id: "m1", questionId, answer, note: "n" });
    expect(event).toMatchObject(
      why === null
        ? { type: "question_answered", id: questionId, answer, note: "n" }
        : { type: "answer_refused", why, answer, note: "n" },
    );
  });

  test("to another question is refused as that", () => {
    const message = { kind: "answer", id: "m1", questionId: "q0", answer: option("a"), note: null } as const;
    expect(receive(user, message)).toMatchObject({ type: "answer_refused", why: "wrong_question_id" });
  });
});
