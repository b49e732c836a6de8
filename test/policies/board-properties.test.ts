import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tasksOf, type TaskStatus } from "../../src/core/board/plan.ts";
import { succeeded } from "../../src/platform/process/process-end.ts";
import type { Attempt, RunState } from "../../src/core/state.ts";
import { anyCourse, course, MAX_ITERATIONS, TASKS, type Course } from "../rig/board-chance.ts";

const RUNS = { numRuns: 120 };

const planIn = (state: RunState) => tasksOf(state.board?.plan ?? { milestones: [] });
const statusIn = (state: RunState, id: string): TaskStatus =>
  planIn(state).find((each) => each.id === id)?.status ?? "TODO";

interface Change {
  readonly id: string;
  readonly from: TaskStatus;
  readonly to: TaskStatus;
  readonly before: RunState;
  readonly after: RunState;
}

/** Every change of a task's status in a course. */
function changesIn({ states }: Course): readonly Change[] {
  return states.slice(1).flatMap((after, at) => {
    const before = states[at];
    if (!before || before.board === after.board) return [];
    return planIn(after)
      .map(({ id, status }) => ({ id, from: statusIn(before, id), to: status, before, after }))
      .filter(({ from, to }) => from !== to);
  });
}

const agentOf = ({ call }: Attempt): string => call?.answer.nextAgent ?? "";
const allGreen = ({ checks }: Attempt): boolean => checks.every(({ process }) => succeeded(process.end));

/** The evidence for a DONE task, written independently of the product. */
function workFor(id: string, { attempts }: RunState): Attempt | undefined {
  const last = attempts.findLast(
    (attempt) =>
      ["TEST", "DEV"].includes(agentOf(attempt)) && attempt.call?.tasks.includes(id) && attempt.judged,
  );
  const good = last && agentOf(last) === "DEV" && last.judged?.verdict === "accepted";
  return good && last.checks.length > 0 && allGreen(last) ? last : undefined;
}

function reviewFor(id: string, { attempts }: RunState): Attempt | undefined {
  return attempts.findLast(
    (attempt) =>
      agentOf(attempt) === "REVIEW" &&
      attempt.call?.order?.reviewMode !== "investigate" &&
      attempt.call?.tasks.includes(id) &&
      attempt.judged?.verdict === "accepted" &&
      allGreen(attempt),
  );
}

describe("with random answers of MAIN, roles, commands and people", () => {
  test("B14 B18 a MAIN that keeps the rules comes to a good end", () => {
    const { last } = course(false, []);
    expect(last.ended).toMatchObject({ status: "passed", reason: "accepted" });
    expect(planIn(last).map(({ status }) => status)).toEqual(TASKS.map(() => "VERIFIED"));
    // Two turns per task, a review per milestone, and FINISH, which is refused once because it came with the last update.
    expect(last.attempts.map(agentOf)).toEqual([
      ...["TEST", "DEV", "TEST", "DEV", "REVIEW"],
      ...["TEST", "DEV", "TEST", "DEV", "REVIEW"],
      ...["FINISH", "FINISH"],
    ]);
  });

  test("B48 B49 B51 a run ends well only when all is verified and green, or dropped by a person", () => {
    let passed = 0;
    fc.assert(
      fc.property(anyCourse, ({ last }) => {
        expect(last.ended).not.toBeNull();
        const isPassed = last.ended?.status === "passed";
        passed += isPassed ? 1 : 0;
        const dropped = last.decisions.some(
          ({ answer }) => answer.kind === "option" && answer.option === "drop_tasks",
        );
        const left = planIn(last).filter(
          ({ status }) => status !== "VERIFIED" && !(dropped && status === "TODO"),
        );
        const end = last.attempts.at(-1);
        const isGoodEnd =
          left.length === 0 &&
          end !== undefined &&
          agentOf(end) === "FINISH" &&
          end.call?.verified.length === 0 &&
          end.checks.length === end.call.commands.length &&
          allGreen(end);
        expect(isPassed && !isGoodEnd).toBe(false);
      }),
      RUNS,
    );
    expect(passed).toBeGreaterThan(8);
  });

  test("B12 B17 B19 B50 no task becomes DONE or VERIFIED without its evidence", () => {
    let verified = 0;
    fc.assert(
      fc.property(anyCourse, (made) => {
        const changes = changesIn(made);
        const done = changes.filter(({ to }) => to === "DONE" || to === "VERIFIED");
        expect(done.filter(({ id, before }) => !workFor(id, before))).toEqual([]);
        const reviewed = changes.filter(({ to }) => to === "VERIFIED");
        const unproven = reviewed.filter(({ id, before, after }) => {
          const review = reviewFor(id, before);
          const evidence = planIn(after).find((task) => task.id === id)?.evidence ?? "";
          const isLater = (review?.index ?? 0) > (workFor(id, before)?.index ?? Infinity);
          return !isLater || !evidence.includes(`Iteration ${review?.index}`);
        });
        expect(unproven).toEqual([]);
        verified += reviewed.length;
      }),
      RUNS,
    );
    expect(verified).toBeGreaterThan(40);
  });

  test("B11 B60 no task is lost, and no status is jumped over", () => {
    const steps = ["TODO DOING", "TODO BLOCKED", "DOING TODO", "DOING BLOCKED", "DOING DONE", "BLOCKED TODO"];
    const legal = new Set([...steps, "BLOCKED DOING", "DONE DOING", "DONE VERIFIED"]);
    fc.assert(
      fc.property(anyCourse, (made) => {
        for (const state of made.states) expect(planIn(state).map(({ id }) => id)).toEqual(TASKS);
        const wasRedAtTheEnd = ({ before }: Change): boolean => {
          const finish = before.attempts.findLast(({ judged }) => judged !== null);
          return finish !== undefined && agentOf(finish) === "FINISH" && !allGreen(finish);
        };
        const jumps = changesIn(made)
          .filter(({ from, to }) => !legal.has(`${from} ${to}`))
          .filter((change) => change.from !== "VERIFIED" || !wasRedAtTheEnd(change));
        expect(jumps).toEqual([]);
      }),
      RUNS,
    );
  });

  test("B55 keeps the limits of iterations and of MAIN's answers per iteration", () => {
    fc.assert(
      fc.property(anyCourse, ({ last }) => {
        const granted = last.decisions.map(({ answer }) => (answer.kind === "continue_n" ? answer.n : 0));
        const most = granted.reduce((sum, n) => sum + n, MAX_ITERATIONS);
        expect(last.attempts.length).toBeLessThanOrEqual(most);
        for (const { index, main } of last.attempts) {
          const again = last.decisions.filter(({ about, attempt }) => about === "main" && attempt === index);
          expect(main.length).toBeLessThanOrEqual(3 * (again.length + 1));
        }
      }),
      RUNS,
    );
  });

  test("B21 no work on a milestone before the review of the previous one", () => {
    fc.assert(
      fc.property(anyCourse, ({ states }) => {
        const works = states.filter(({ attempts }) => {
          const last = attempts.at(-1);
          return last && ["TEST", "DEV"].includes(agentOf(last)) && last.call?.tasks[0]?.startsWith("M2-");
        });
        const unreviewed = works.filter((state) => {
          const first = planIn(state).filter(({ id }) => id.startsWith("M1-"));
          const settled = first.every(({ status }) => status === "VERIFIED" || status === "BLOCKED");
          return !settled || first.every(({ status }) => status === "BLOCKED");
        });
        expect(unreviewed).toEqual([]);
      }),
      RUNS,
    );
  });
});
