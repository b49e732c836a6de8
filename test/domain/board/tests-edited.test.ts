import { describe, expect, test } from "vitest";
import { joinParts, lawfulTests } from "../../../src/modes/orchestrate/tree-parts.ts";
import type { RoleReport } from "../../../src/core/event.ts";
import { Scene, tested, type Say } from "./scene.ts";

describe("requirements of the tests", () => {
  const began = (scene: Scene, tests: string): Scene => {
    const tree = joinParts({ tests, product: "p", other: "o" });
    const { turns, attempts } = scene.state;
    const role = attempts.at(-1)?.call?.answer.nextAgent;
    const agent = role === "DEV" ? "claude" : "codex";
    return scene.add({
      type: "turn_started",
      role: "worker",
      attempt: attempts.length,
      turn: turns + 1,
      agent,
      resumes: null,
      tree,
    });
  };
  const works = (
    scene: Scene,
    say: Say,
    tests: string,
    changed: readonly string[],
    code: number,
    report: Partial<RoleReport> = {},
  ): Scene =>
    began(scene.calls(say), tests)
      .role({}, { changed, ...report })
      .checks(code)
      .judge();
  const unseenEdit = (): Scene =>
    tested()
      .calls(DEV)
      .role({}, { changed: ["test/a.test.ts"] })
      .checks(0)
      .judge();
  const DEV = { next: "DEV" } as const;
  const TEST = { next: "TEST" } as const;

  test("unchanged, unless another turn has touched them", () => {
    expect(lawfulTests(works(tested(), DEV, "t1", [], 1).state)).toBeNull();
  });

  test("count as before DEV touched them, however often DEV is called again", () => {
    const once = works(tested(), DEV, "t1", ["test/a.test.ts"], 0);
    expect(lawfulTests(once.state)).toBe("t1");
    expect(
      lawfulTests(works(once, { ...DEV, orderLines: ["note: 2"] }, "t2", ["test/a.test.ts"], 0).state),
    ).toBe("t1");
  });

  test("a rejected turn of TEST changes nothing, an accepted one adopts them", () => {
    const meddled = works(tested(), DEV, "t1", ["test/a.test.ts"], 0);
    expect(lawfulTests(works(meddled, TEST, "t2", [], 127).state)).toBe("t1");
    expect(lawfulTests(works(meddled, TEST, "t2", [], 1).state)).toBeNull();
  });

  const reasons = ({ state }: Scene): readonly string[] | undefined => state.attempts.at(-1)?.judged?.reasons;
  const leaves = (scene: Scene, tests: string): Scene => works(scene, TEST, "t2", [], 0, { tests });

  test("B16 TEST needs no red to put back tests that were red before DEV touched them", () => {
    const meddled = (): Scene => works(tested(), DEV, "t1", ["test/a.test.ts"], 0);
    expect(reasons(leaves(meddled(), "t1"))).toEqual([]);
    expect(reasons(leaves(meddled(), "t3"))).toEqual(["not_red"]);
    expect(reasons(leaves(leaves(meddled(), "t3"), "t1"))).toEqual([]);
    // The tests are unchanged.
    expect(reasons(works(tested(), TEST, "t1", [], 0, { tests: "t1" }))).toEqual(["not_red"]);
    // An unknown digest does not count as a different one.
    expect(reasons(works(unseenEdit(), TEST, "t2", [], 0))).toEqual(["not_red"]);
  });

  test("B35 TEST needs red for tests that were not red before DEV touched them", () => {
    const weak = works(tested(), TEST, "t0", [], 0, { tests: "t1" });
    expect(reasons(weak)).toEqual(["not_red"]);
    const waived = { ...DEV, redWaiver: "it exists" };
    expect(reasons(leaves(works(weak, waived, "t1", ["test/a.test.ts"], 0), "t1"))).toEqual(["not_red"]);
  });

  test("count as original once restored by any role", () => {
    const meddled = (): Scene => works(tested(), DEV, "t1", ["test/a.test.ts"], 0);
    const again = { ...DEV, orderLines: ["note: put them back"] };
    expect(lawfulTests(works(meddled(), again, "t2", [], 0, { tests: "t1" }).state)).toBeNull();
    expect(lawfulTests(works(meddled(), again, "t1", [], 0).state)).toBeNull();
    expect(lawfulTests(works(meddled(), again, "t2", [], 0, { tests: "t2" }).state)).toBe("t1");
  });

  test("may be changed by TEST, even in a turn that also made forbidden changes", () => {
    expect(lawfulTests(works(new Scene(), TEST, "t1", ["src/a.ts"], 1).state)).toBeNull();
  });
});
