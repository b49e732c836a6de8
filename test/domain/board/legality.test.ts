import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/core/event.ts";
import { ImpossibleEvent } from "../../../src/core/fold.ts";
import { planOf, task } from "../../rig/board-answers.ts";
import { BoardStory } from "../../rig/board-story.ts";
import {
  after,
  answered,
  asked,
  exited,
  judged,
  ran,
  resumed,
  started,
  agentRecord,
  turnEnded,
} from "../../rig/story.ts";
import { bothGreen, green, reviewed, Scene, tested } from "./scene.ts";

/** A handwritten journal, even with valid checksums, must not lead to a pass without the evidence. */

const verified = (): Scene => new Scene([task("M1-T1", { status: "VERIFIED" })]);
const opened = (
  role: "main" | "worker" | "reviewer",
  attempt: number,
  turn: number,
  agent: string,
): RunEvent => ({
  type: "turn_started",
  role,
  attempt,
  turn,
  agent,
  resumes: null,
  tree: null,
});
const edited = (plan: string | null, projectEnv: string | null = null): RunEvent => ({
  type: "board_edited",
  plan,
  context: null,
  projectEnv,
});
const STOPPED: RunEvent = { type: "run_stopped", by: "SIGINT" };
const FINISH = { nextAgent: "FINISH" } as const;
const asking = (): Scene => new Scene().calls({ next: "USER" }).ask();
const babbled = (times: number): Scene => {
  const scene = new Scene();
  for (let time = 0; time < times; time += 1) scene.babbles();
  return scene;
};
const atLimit = (): BoardStory => new Scene(undefined, { maxLoops: 1 }).does({ next: "TEST" }, {}, 1);

const CRASHED = { class: "crashed", message: "", retryAt: null } as const;

const FORGED: readonly [what: string, telling: () => unknown, why: string][] = [
  [
    "what cannot be read breaks nothing",
    () => new Scene().babbles([]),
    "an answer that cannot be read breaks no rule",
  ],
  [
    "B55 a turn of MAIN's that broke off decides",
    () => new Scene().main({ nextAgent: "TEST" }, { process: ran("claude", exited(1)) }),
    "a turn that failed has no answer",
  ],
  [
    "B55 one does that failed by the agent's own word",
    () => new Scene().main({ nextAgent: "TEST" }, { agent: agentRecord("claude", { failure: CRASHED }) }),
    "a turn that failed has no answer",
  ],
  ["another agent is MAIN", () => new Scene().asks("codex"), "this agent is not MAIN"],
  ["an unknown agent is MAIN", () => new Scene().asks("gemini"), "the run has no such agent"],
  ["MAIN decides again", () => new Scene().calls({ next: "TEST" }).asks(), "MAIN has decided"],
  ["MAIN is asked a fourth time", () => babbled(3).asks(), "MAIN has decided"],
  [
    "MAIN is asked in the next iteration before this one is over",
    () =>
      tested()
        .calls({ next: "DEV" })
        .add(opened("main", 3, 4, "claude")),
    "MAIN has decided",
  ],
  [
    "an iteration is left out",
    () => tested().add(opened("main", 3, 3, "claude")),
    "iterations are counted one by one",
  ],
  ["there is an iteration too many", () => atLimit().asks(), "no iteration is left"],
  [
    "a role works before MAIN has decided",
    () => new Scene().add(opened("worker", 1, 1, "claude")),
    "MAIN called no role",
  ],
  [
    "a role works although its call was refused",
    () => new Scene().main(FINISH).add(opened("worker", 1, 2, "claude")),
    "MAIN called no role",
  ],
  [
    "a role works a second time",
    () =>
      tested()
        .calls({ next: "DEV" })
        .role()
        .add(opened("worker", 2, 5, "claude")),
    "MAIN called no role",
  ],
  [
    "DEV's agent tests",
    () => new Scene().calls({ next: "TEST" }).works("claude"),
    "this agent has another role",
  ],
  [
    "TEST's agent develops",
    () => tested().calls({ next: "DEV" }).works("codex"),
    "this agent has another role",
  ],
  [
    "there is a reviewer as in other modes",
    () => new Scene().add(opened("reviewer", 1, 1, "codex")),
    "this mode has no reviews",
  ],
  [
    "MAIN's turn ends as a role's work",
    () => new Scene().asks().add({ ...turnEnded(1), claim: null, agent: agentRecord("claude") }),
    "the role is wrong",
  ],
  [
    "a role's work ends as MAIN's turn",
    () => tested().calls({ next: "DEV" }).works().main({ nextAgent: "DEV" }),
    "the role is wrong",
  ],
  [
    "a role leaves no report",
    () => new Scene().calls({ next: "TEST" }).role({}, {}, { product: null }),
    "it is the work of another mode",
  ],
  [
    "another command was run than the task's",
    () =>
      tested()
        .calls({ next: "DEV" })
        .role()
        .check(0, { process: ran("true", exited(0)) }),
    "it is not the next test",
  ],
  [
    "a command was run under another name",
    () => tested().calls({ next: "DEV" }).role().check(0, { phase: "unit" }),
    "it is not the next test",
  ],
  [
    "a command was run before anybody worked",
    () => new Scene().calls({ next: "TEST" }).add(acceptance("check M1-T1")),
    "no turn waits for tests",
  ],
  [
    "a command was run where nothing is due",
    () => new Scene().calls({ next: "TEST" }).role({ claim: "BLOCKED" }).add(acceptance("check M1-T1")),
    "it is not the next test",
  ],
  [
    "a verdict says more than was seen",
    () => tested().calls({ next: "DEV" }).role().checks(1).add(judged(2)),
    "the evidence leads to another verdict",
  ],
  [
    "a verdict comes before the commands",
    () => tested().calls({ next: "DEV" }).role().add(judged(2)),
    "the evidence leads to another verdict",
  ],
  [
    "a verdict comes before the work",
    () => tested().calls({ next: "DEV" }).add(judged(2)),
    "no attempt waits for a verdict",
  ],
  [
    "a question is judged",
    () => new Scene().calls({ next: "USER" }).add(judged(1)),
    "no attempt waits for a verdict",
  ],
  ["a person is asked at the very beginning", () => new Scene().ask(), "there is nothing to ask"],
  ["a person is asked though MAIN can be", () => babbled(2).ask(), "MAIN can be asked"],
  [
    "a person is asked although a role was called",
    () => new Scene().calls({ next: "TEST" }).ask(),
    "there is nothing to ask",
  ],
  ["a person is asked about a limit that is far", () => tested().ask(), "iterations are left"],
  ["a person is asked twice", () => asking().ask(), "a question is open"],
  ["a person is asked what they have answered", () => asking().chooses("a").ask(), "iterations are left"],
  ["a person chose what was not to choose from", () => asking().chooses("c"), "it answers another question"],
  [
    "a person marked what was asked",
    () => asking().add(answered({ kind: "mark_pass" })),
    "it answers another question",
  ],
  ["a person chose at the limit", () => atLimit().ask().chooses("a"), "it answers another question"],
  [
    "a person chose MAIN's option about MAIN",
    () => babbled(3).ask().chooses("a"),
    "it answers another question",
  ],
  [
    "another question was answered",
    () => asking().add(answered({ kind: "option", option: "a" }, "q0")),
    "no such question is open",
  ],
  ["MAIN goes on while a question is open", () => asking().asks(), "a question is open"],
  [
    "the board was changed while a role worked",
    () => new Scene().asks().add(edited(planOf([task("M1-T1")]))),
    "a role may have changed it",
  ],
  [
    "the board was changed between two turns",
    () => tested().add(edited(planOf([task("M1-T1")]))),
    "a role may have changed it",
  ],
  [
    "the board was changed when a role may be at work again",
    () => tested().add(STOPPED, resumed(), edited(planOf([task("M1-T1")]))),
    "a role may have changed it",
  ],
  ["the board was changed to what cannot be read", () => new Scene().add(edited("?")), "it cannot be read"],
  ["its environment was", () => new Scene().add(edited(null, "[]")), "it cannot be read"],
  [
    "it is an event of another mode",
    () => after(started(), edited(planOf([task("M1-T1")]))),
    "it is an event of another mode",
  ],
  ["a run has passed at its beginning", () => new Scene().ends("passed", "accepted"), "MAIN did not finish"],
  ["a run has passed on the last review", () => reviewed().ends("passed", "accepted"), "MAIN did not finish"],
  [
    "a run has passed on a FINISH that was refused",
    () => new Scene().main(FINISH).ends("passed", "accepted"),
    "MAIN did not finish",
  ],
  [
    "a run has passed before the last look",
    () => verified().main(FINISH).ends("passed", "accepted"),
    "MAIN did not finish",
  ],
  [
    "a run has passed though the last look was red",
    () => verified().main(FINISH).checks(1).judge().ends("passed", "accepted"),
    "something was red",
  ],
  [
    "a run has passed for another reason",
    () => verified().main(FINISH).checks().judge().ends("passed", "limit_reached"),
    "the reason does not fit the status",
  ],
  ["no person marked it", () => green().ends("manually_passed", "marked_by_person"), "no person decided it"],
  [
    "no person stopped it",
    () => babbled(3).ask().chooses("ask_again").ends("manually_failed", "marked_by_person"),
    "no person decided it",
  ],
];

function acceptance(command: string): RunEvent {
  const process = ran(command, exited(0));
  const output = { path: "/nowhere", bytes: 0, sha256: "" };
  return { type: "check_ended", attempt: 1, phase: "acceptance", index: 1, process, output };
}

describe("a journal in which", () => {
  test.each(FORGED)("%s is refused", (_, telling, why) => {
    expect(telling).toThrow(ImpossibleEvent);
    expect(telling).toThrow(why);
  });

  test("all is as it should be folds to a pass", () => {
    expect(new BoardStory().finishes().state.ended).toMatchObject({ status: "passed", exitCode: 0 });
  });

  test("B55 MAIN's turn broke off folds to one that decides nothing", () => {
    const { state } = new Scene().babbles([{ rule: "turn_failed", about: "" }]);
    expect(state.attempts.at(-1)).toMatchObject({ call: null, main: [{ answer: null }] });
  });

  test("a person stops a MAIN that breaks rules folds to that", () => {
    const { state } = babbled(3).ask().chooses("stop").ends("manually_failed", "marked_by_person");
    expect(state.ended).toMatchObject({ status: "manually_failed", exitCode: 1 });
  });

  test("a person asked at the limit marks it folds to that", () => {
    const marked = atLimit().add(asked(), answered({ kind: "mark_pass" }));
    expect(marked.ends("manually_passed", "marked_by_person").state.ended?.status).toBe("manually_passed");
  });
});

test("a person's board is taken over after a stop, with their edits", () => {
  const own = new Scene().does({ next: "TEST", added: [task("M2-T2")] }, {}, 1);
  expect(own.state.board?.fromPerson).toEqual(["M1-T1", "M1-T2", "M2-T1"]);
  const acceptance2 = [{ command: "check it well", threshold: "exit 0" }];
  const tasks = [
    task("M1-T1"),
    task("M2-T2", { acceptance: acceptance2 }),
    task("M3-T1", { status: "DOING" }),
  ];
  const { board } = own.add(STOPPED, edited(planOf(tasks), `{"test_paths": ["t/**"]}`)).state;
  expect(board).toMatchObject({
    text: planOf(tasks),
    context: "# Goal\nAn upload service.\n",
    env: { testPaths: ["t/**"] },
    since: { "M1-T1": 0, "M2-T2": 1, "M3-T1": 1 },
    fromPerson: ["M1-T1", "M1-T2", "M2-T1", "M2-T2", "M3-T1"],
    edits: 1,
  });
  expect(bothGreen().add(STOPPED, edited(null)).state.board).toMatchObject({
    edits: 1,
    since: { "M1-T1": 3, "M1-T2": 3 },
  });
});
