import { describe, expect, test } from "vitest";
import type { Decision } from "../../../src/core/decision.ts";
import type { OrchestrateSettings } from "../../../src/core/settings.ts";
import type { RunState } from "../../../src/core/state.ts";
import { next } from "../../../src/engine/next.ts";
import { task } from "../../rig/board-answers.ts";
import { profile, resumed, agentRecord, turnFailed } from "../../rig/story.ts";
import { BoardStory } from "../../rig/board-story.ts";
import { bothGreen, Scene, TASKS, tested } from "./scene.ts";

const main = (attempt: number): object => ({ do: "open_turn", role: "main", attempt, agent: "claude" });
const works = (attempt: number, agent: string): object => ({
  do: "open_turn",
  role: "worker",
  attempt,
  agent,
});
const checks = (attempt: number, index: number, command: string): object => ({
  do: "run_check",
  attempt,
  phase: "acceptance",
  index,
  command,
});
const ends = (status: string, reason: string): object => ({ do: "end", status, reason });
const ASK = { do: "ask" };

const two = new Scene([
  task("M1-T1", { acceptance: ["a", "b"].map((command) => ({ command, threshold: "exit 0" })) }),
]);
const worked = two.calls({ next: "TEST" }).role().state;
const oneRun = two.check(1).state;
const allRun = two.check(0).state;
const verified = (): Scene => new Scene([task("M1-T1", { status: "VERIFIED" })]);
const finishing = verified().calls({ next: "FINISH" });
const atEnd = finishing.state;
const looked = finishing.checks().state;
const babbled = (times: number): Scene => {
  const scene = new Scene();
  for (let time = 0; time < times; time += 1) scene.babbles();
  return scene;
};
const limit = (interactive: boolean): BoardStory =>
  new BoardStory({ maxLoops: 1 }, { interactive }).main({ nextAgent: "TEST" }).role().checks(1).judge();
const marked = (kind: "mark_pass" | "mark_fail"): RunState =>
  limit(true).ask().add({
    type: "question_answered",
    id: "q1",
    answer: { kind },
    note: null,
    via: "terminal",
    messageId: null,
  }).state;
const granted = limit(true)
  .ask()
  .add({
    type: "question_answered",
    id: "q1",
    answer: { kind: "continue_n", n: 2 },
    note: null,
    via: "terminal",
    messageId: null,
  }).state;

const TABLE: readonly [what: string, state: RunState, decision: object][] = [
  ["MAIN decides first", new Scene().state, main(1)],
  ["the turn that is open is taken", new Scene().asks().state, { do: "take_turn", attempt: 1, turn: 1 }],
  [
    "one that was lost is recorded",
    new Scene().asks().add(resumed()).state,
    { do: "record_interrupted", attempt: 1, turn: 1 },
  ],
  [
    "and taken again in the same iteration",
    new Scene().asks().add({ type: "turn_interrupted", attempt: 1, turn: 1 }).state,
    { ...main(1), turn: 2 },
  ],
  ["TEST is called on", new Scene().calls({ next: "TEST" }).state, works(1, "codex")],
  ["DEV is called on", tested().calls({ next: "DEV" }).state, works(2, "claude")],
  [
    "REVIEW is called on",
    bothGreen().calls({ next: "REVIEW", statuses: { "M1-T2": "DONE" } }).state,
    works(5, "codex"),
  ],
  ["the commands are run after the work", worked, checks(1, 1, "a")],
  ["all of them, whatever the first showed", oneRun, checks(1, 2, "b")],
  ["then it is judged", allRun, { do: "judge", attempt: 1 }],
  [
    "at once where nothing is to be run",
    new Scene().calls({ next: "TEST" }).role({ claim: "BLOCKED" }).state,
    { do: "judge", attempt: 1 },
  ],
  ["then MAIN decides again", tested().state, main(2)],
  ["B58 a person is asked what MAIN wants to know", new Scene().calls({ next: "USER" }).state, ASK],
  [
    "an open question is waited for",
    new Scene().calls({ next: "USER" }).ask().state,
    { do: "await_answer", questionId: "q1" },
  ],
  ["then MAIN decides again, knowing the answer", new Scene().decides().state, main(2)],
  ["an answer that breaks a rule: MAIN again", new Scene().calls({ next: "FINISH" }).state, main(1)],
  ["so the second time", babbled(2).state, main(1)],
  ["the third time a person is asked", babbled(3).state, ASK],
  ["who wants MAIN to be asked again", babbled(3).ask().chooses("ask_again").state, main(1)],
  [
    "which is done three times more",
    babbled(3).ask().chooses("ask_again").babbles().babbles().babbles().state,
    ASK,
  ],
  ["or the run to stop", babbled(3).ask().chooses("stop").state, ends("manually_failed", "marked_by_person")],
  ["B48 at the end all is looked at once more", atEnd, checks(1, 1, "check M1-T1")],
  ["B48 and judged", looked, { do: "judge", attempt: 1 }],
  ["B48 green: the run has passed", finishing.judge().state, ends("passed", "accepted")],
  ["B48 red: MAIN decides", verified().calls({ next: "FINISH" }).checks(1).judge().state, main(2)],
  ["at the limit a person is asked", limit(true).state, ASK],
  ["or the run has failed", limit(false).state, ends("failed", "limit_reached")],
  ["a person passes it", marked("mark_pass"), ends("manually_passed", "marked_by_person")],
  ["a person fails it", marked("mark_fail"), ends("manually_failed", "marked_by_person")],
  ["a person grants more", granted, main(2)],
];

test.each(TABLE)("%s", (_, state, decision) => {
  expect(next(state)).toMatchObject(decision);
});

test("a run that has ended decides nothing", () => {
  expect(next(new BoardStory().finishes().state)).toBeNull();
});

/** The role and agent of the next turn. */
function whom(state: RunState): Pick<Decision & { do: "open_turn" }, "role" | "agent" | "resumes"> | null {
  const decision = next(state);
  if (decision?.do !== "open_turn") return null;
  const { role, agent, resumes } = decision;
  return { role, agent, resumes };
}

describe("B7 MAIN's session", () => {
  const first = new Scene().calls({ next: "TEST" });

  test("starts from scratch", () => {
    expect(whom(new Scene().state)).toEqual({ role: "main", agent: "claude", resumes: null });
  });

  test("is gone on with after a broken rule", () => {
    expect(whom(babbled(1).state)?.resumes).toBe("session of claude");
  });

  test("is kept apart from DEV's, also where it is the same agent", () => {
    const scene = first.role().checks(1).judge();
    expect(whom(scene.state)).toEqual({ role: "main", agent: "claude", resumes: "session of claude" });
    expect(whom(scene.calls({ next: "DEV" }).state)).toEqual({
      role: "worker",
      agent: "claude",
      resumes: null,
    });
    scene
      .role({}, {}, { agent: agentRecord("claude", { sessionId: "DEV's" }) })
      .checks()
      .judge();
    expect(whom(scene.state)).toEqual({ role: "main", agent: "claude", resumes: "session of claude" });
  });

  test("is gone when the agent has lost it", () => {
    const lost = babbled(1)
      .asks()
      .add(turnFailed(1, 2, "claude", "session_lost"));
    expect(whom(lost.state)).toEqual({ role: "main", agent: "claude", resumes: null });
  });

  test("stays with who was MAIN last, also when an earlier one is back", () => {
    const roles = { main: ["claude", "codex"], test: ["codex"], dev: ["claude"], review: ["codex"] };
    const failed = new Scene(TASKS, { roles })
      .babbles()
      .asks()
      .add(turnFailed(1, 2, "claude", "auth"));
    expect(whom(failed.state)).toEqual({ role: "main", agent: "codex", resumes: null });
    const other = failed.asks("codex").calls({ next: "USER" }).ask().chooses("a");
    const back = other.add(resumed({ askNow: true }));
    expect(whom(back.state)).toEqual({ role: "main", agent: "codex", resumes: "session of codex" });
  });
});

describe("REVIEW is preferably another agent than DEV", () => {
  const agents = [profile("claude"), profile("codex"), profile("pi")];
  const both = (review: readonly string[]): Partial<OrchestrateSettings> => ({
    agents,
    roles: { main: ["claude"], test: ["codex"], dev: ["claude"], review },
  });
  const reviewer = (review: readonly string[]): string | null | undefined =>
    whom(bothGreen(both(review)).calls({ next: "REVIEW", statuses: { "M1-T2": "DONE" } }).state)?.agent;

  test.each([
    [["claude", "codex"], "codex"],
    [["claude", "pi", "codex"], "pi"],
    [["codex", "claude"], "codex"],
    [["claude"], "claude"],
  ])("of %j by %s", (review, agent) => {
    expect(reviewer(review)).toBe(agent);
  });

  test("and DEV's if there is no other agent", () => {
    const scene = bothGreen(both(["claude", "codex"])).calls({
      next: "REVIEW",
      statuses: { "M1-T2": "DONE" },
    });
    const { turns } = scene.state;
    scene.works("codex").add(turnFailed(5, turns + 1, "codex", "auth"));
    expect(whom(scene.state)?.agent).toBe("claude");
  });

  test("other test and development agents follow in the given order", () => {
    const roles = { main: ["claude"], test: ["claude", "codex"], dev: ["pi", "codex"], review: ["codex"] };
    const scene = new Scene(TASKS, { agents, roles }).calls({ next: "TEST" });
    expect(whom(scene.state)?.agent).toBe("claude");
    expect(whom(scene.role().checks(1).judge().calls({ next: "DEV" }).state)?.agent).toBe("pi");
  });
});
