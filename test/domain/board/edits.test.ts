import { describe, expect, test } from "vitest";
import type { BoardEdited, RunEvent } from "../../../src/core/event.ts";
import { fold } from "../../../src/core/fold.ts";
import { next } from "../../../src/engine/next.ts";
import { aPlan, BoardStory } from "../../rig/board-story.ts";
import { later, resumed, agentRecord } from "../../rig/story.ts";

const VERIFIED = { "M1-T1": ["VERIFIED", 5], "M1-T2": ["VERIFIED", 5], "M2-T1": ["VERIFIED", 8] } as const;

/** MAIN's final FINISH has passed all checks; only the end is not recorded yet. */
function almostEnded(): BoardStory {
  const all = new BoardStory().finishes().events;
  const story = new BoardStory();
  return story.add(...all.slice(1, -1));
}

const edited = (plan: string | null): BoardEdited => ({
  type: "board_edited",
  plan,
  context: null,
  projectEnv: null,
});
const STOPPED = { type: "run_stopped", by: "SIGINT" } as const;

describe("a person edits the plan while no supervisor runs", () => {
  test("B48 MAIN's FINISH is no end any more: MAIN is called again", () => {
    expect(next(almostEnded().state)).toMatchObject({ do: "end", status: "passed" });
    const more = `${aPlan(VERIFIED)}\n### M2-T2: one more\n- status: TODO\n- acceptance: \`x\` → exit 0\n- evidence: none\n`;
    const story = almostEnded().add(STOPPED, edited(more), resumed());
    expect(next(story.state)).toMatchObject({ do: "open_turn", role: "main", attempt: 11 });
    expect(story.state.attempts.slice(0, -1)).toEqual(almostEnded().state.attempts.slice(0, -1));
    expect(() => story.ends("passed", "accepted")).toThrow("MAIN did not finish");
  });

  test("an edit of the context alone takes nothing back", () => {
    const event = { ...edited(null), context: "# Other goal\n" };
    expect(next(almostEnded().add(STOPPED, event, resumed()).state)).toMatchObject({ do: "end" });
  });

  test("B12 a REVIEW that ran other commands than the task's current ones verifies nothing", () => {
    const doing = aPlan({ "M1-T1": "DOING" });
    const done = aPlan({ "M1-T1": "DONE", "M1-T2": "DONE" });
    const story = new BoardStory()
      .test(doing)
      .dev()
      .test(aPlan({ "M1-T1": "DONE", "M1-T2": "DOING" }))
      .dev()
      .review(done);
    const verified = aPlan({ "M1-T1": ["VERIFIED", 5], "M1-T2": ["VERIFIED", 5], "M2-T1": "DOING" });
    const other = (plan: string): string => plan.replace("`check M1-T1`", "`check harder`");
    const seen = story.add(STOPPED, edited(other(done)), resumed());
    const broken = seen
      .main({ nextAgent: "TEST", devPlanNext: other(verified) })
      .state.attempts.at(-1)
      ?.main.at(-1)?.broken;
    expect(broken).toContainEqual({ rule: "verified_without_review", about: "M1-T1" });
    expect(broken).not.toContainEqual({ rule: "verified_without_review", about: "M1-T2" });
    const kept = other(aPlan({ "M1-T1": "DONE", "M1-T2": ["VERIFIED", 5] }));
    const again = seen.main({ nextAgent: "REVIEW", devPlanNext: kept, header: ["review_mode: single"] });
    expect(again.state.attempts.at(-1)?.main.at(-1)?.broken).toEqual([]);
  });
});

describe("a person edits the board", () => {
  const USER = { nextAgent: "USER" } as const;
  const CONTEXT = { ...edited(null), context: "# Other goal\n" };

  test("after a stop in the middle of an interrupted turn", () => {
    const { state } = new BoardStory().asks().add(STOPPED, CONTEXT, resumed());
    expect(state.board?.context).toBe(CONTEXT.context);
    expect(next(state)).toMatchObject({ do: "record_interrupted", turn: 1 });
  });

  test("and answers; then again, before the run continues", () => {
    const asked = new BoardStory().main(USER).ask().add({ type: "run_stopped", by: "undecided" });
    const { state } = asked.add(CONTEXT, resumed()).chooses("a").add(CONTEXT, resumed());
    expect(state.board).toMatchObject({ edits: 2, settled: false });
  });

  test("the hours until then count for no time budget", () => {
    const NIGHT = 8 * 3600;
    const { state } = new BoardStory().main(USER).ask().add({ type: "run_stopped", by: "undecided" });
    const at = (seconds: number, ...events: readonly RunEvent[]): number =>
      events.reduce((before, event) => fold(before, event, later(seconds)), state).activeMs;
    expect(at(NIGHT, CONTEXT, resumed())).toBe(state.activeMs);
  });
});

describe("MAIN gets everything in a new session", () => {
  const IN_SESSION = { agent: agentRecord("claude", { sessionId: "s1" }) };
  const goesOn = (...events: readonly RunEvent[]): unknown => {
    const { state } = new BoardStory()
      .main({ nextAgent: "USER" }, IN_SESSION)
      .ask()
      .chooses("a")
      .add(...events);
    return (next(state) as { readonly resumes?: unknown }).resumes;
  };

  test("after an edit of a file that is only in its first prompt", () => {
    expect(goesOn()).toBe("s1");
    expect(goesOn(STOPPED, edited(aPlan({ "M1-T1": "DOING" })), resumed())).toBe("s1");
    expect(goesOn(STOPPED, { ...edited(null), context: "# Other goal\n" }, resumed())).toBeNull();
    expect(goesOn(STOPPED, { ...edited(null), projectEnv: "{ }\n" }, resumed())).toBeNull();
  });

  test("after a turn that failed, which the next in the same session would as well", () => {
    const failure = { class: "own_limit", message: "prompt is too long", retryAt: null } as const;
    const agent = agentRecord("claude", { sessionId: "s1", failure });
    const story = new BoardStory()
      .main({ nextAgent: "FINISH" }, IN_SESSION)
      .asks()
      .babbles([{ rule: "turn_failed", about: "" }], { agent });
    expect(next(story.state)).toMatchObject({ do: "open_turn", role: "main", resumes: null });
  });
});
