import { describe, expect, test } from "vitest";
import { next } from "../../../src/policies/next.ts";
import { aPlan, BoardStory } from "../../rig/board-story.ts";
import { resumed } from "../../rig/story.ts";

const VERIFIED = { "M1-T1": ["VERIFIED", 5], "M1-T2": ["VERIFIED", 5], "M2-T1": ["VERIFIED", 8] } as const;

/** Up to where MAIN has said FINISH for good and everything was green; only the end is not recorded yet. */
function almostEnded(): BoardStory {
  const told = new BoardStory().finishes().events;
  const story = new BoardStory();
  return story.add(...told.slice(1, -1));
}

const edited = (plan: string | null) =>
  ({ type: "board_edited", plan, context: null, projectEnv: null }) as const;
const STOPPED = { type: "run_stopped", by: "SIGINT" } as const;

describe("a person edits the plan while nobody supervises the run", () => {
  test("B48 what MAIN finished with is no end any more: it is asked again", () => {
    expect(next(almostEnded().state)).toMatchObject({ do: "end", status: "passed" });
    const more = `${aPlan(VERIFIED)}\n### M2-T2: one more\n- status: TODO\n- acceptance: \`x\` → exit 0\n- evidence: none\n`;
    const story = almostEnded().add(STOPPED, edited(more), resumed());
    expect(next(story.state)).toMatchObject({ do: "open_turn", role: "main", attempt: 11 });
    expect(() => story.ends("passed", "accepted")).toThrow("MAIN did not finish");
  });

  test("an edit of the context alone takes nothing back", () => {
    const event = { ...edited(null), context: "# Other goal\n" };
    expect(next(almostEnded().add(STOPPED, event, resumed()).state)).toMatchObject({ do: "end" });
  });

  test("B12 a REVIEW that ran other commands than the task has now verifies nothing", () => {
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
