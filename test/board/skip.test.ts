import { expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import { mainPrompts, outcomes, partOf, refused } from "./refusals.ts";

test("B21 B32 a BLOCKED task with fewer than three DONE: a person's decision takes effect", async () => {
  const rig = new BoardRig(["M1-T1", "M1-T2", "M2-T1"]);
  rig.planned({
    "M1-T1": { status: "DONE", evidence: "an earlier run" },
    "M1-T2": {},
    "M2-T1": { status: "VERIFIED", evidence: "Iteration 1" },
  });
  rig.write("src/M1-T1.txt", "done\n");
  rig.write("test/M1-T1.sh", "test -f src/M1-T1.txt\n");
  rig.write("src/M2-T1.txt", "done\n");
  rig.write("test/M2-T1.sh", "test -f src/M2-T1.txt\n");
  const blockers = { blockers: "M1-T2: no network" };
  const question = (id: string): object => ({
    question: { question: `M1-T2 is blocked (${id}). What now?`, options: { [id]: "go on without M1-T2" } },
  });
  rig.script(
    [
      { next: "TEST", moves: { "M1-T2": "DOING" } },
      // No person has decided anything.
      { next: "REVIEW", moves: { "M1-T2": "BLOCKED" }, fields: blockers },
      { next: "USER", moves: { "M1-T2": "BLOCKED" }, fields: blockers, ...question("skip_task") },
      { next: "REVIEW", fields: blockers },
      { next: "FINISH", moves: { "M1-T1": "VERIFIED" }, fields: blockers },
      { next: "FINISH", fields: blockers },
      { next: "USER", fields: blockers, ...question("drop_tasks") },
      { next: "FINISH", fields: blockers },
    ],
    { TEST: { claim: "BLOCKED", write: {} } },
  );
  const skips = await rig.orchestrate();
  expect(skips.code).toBe(3);
  await rig.decide(skips.runId, "skip_task");
  const drops = await rig.resume(skips.runId);
  expect(drops.code).toBe(3);
  expect((await rig.run(["board"])).stdout).toContain("asks you");
  await rig.decide(skips.runId, "drop_tasks");
  const { code, report } = await rig.resume(skips.runId);
  expect(outcomes(report)).toEqual([
    "TEST rejected: role_blocked",
    "USER null",
    "REVIEW accepted",
    "FINISH null",
    "USER null",
    "FINISH accepted",
  ]);
  expect(refused(report)).toEqual([
    "2 partial_not_allowed BLOCKED <= 2",
    "4 finish_with_update M1-T1; finish_not_verified M1-T2",
    "5 finish_not_verified M1-T2",
  ]);
  expect(code).toBe(0);
  expect(rig.statuses()).toEqual(["M1-T1 VERIFIED", "M1-T2 BLOCKED", "M2-T1 VERIFIED"]);
  expect(report.totals).toMatchObject({ verified: 2, dropped: 1 });
  expect((await rig.run(["board"])).stdout).toMatch(/M1-T2 BLOCKED .*left undone, as you decided/);
  // The refusal listed MAIN's alternatives.
  expect(partOf(mainPrompts(rig)[2] ?? "", "Calls that are open now")).toContain("- USER");
});

test("B21 B34 a task that a person skips while it is DOING blocks nothing until MAIN resumes it", async () => {
  const rig = new BoardRig(["M1-T1", "M1-T2"]);
  rig.script(
    [
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      {
        next: "USER",
        question: { question: "M1-T1 does not get on.", options: { skip_task: "M1-T1 later" } },
      },
      { next: "TEST", moves: { "M1-T2": "DOING" }, order: { task: "M1-T2" } },
      { next: "DEV", order: { task: "M1-T2" } },
      { next: "REVIEW", moves: { "M1-T2": "DONE" } },
      // No other task is left.
      { next: "TEST", moves: { "M1-T2": "VERIFIED" }, order: { task: "M1-T1" } },
      { next: "DEV" },
      { next: "REVIEW", moves: { "M1-T1": "DONE" } },
      { next: "FINISH", moves: { "M1-T1": "VERIFIED" } },
      { next: "FINISH" },
    ],
    { "TEST 1": { claim: "FAIL", write: {} } },
  );
  const asked = await rig.orchestrate();
  expect(asked.code).toBe(3);
  await rig.decide(asked.runId, "skip_task");
  expect((await rig.run(["board"])).stdout).toMatch(/M1-T1 DOING .*put off, as you decided/);
  const { code, report } = await rig.resume(asked.runId);
  expect(refused(report)).toEqual(["9 finish_with_update M1-T1"]);
  expect(outcomes(report).filter((one) => one.includes("accepted"))).toEqual([
    "TEST accepted",
    "DEV accepted",
    "REVIEW accepted",
    "TEST accepted",
    "DEV accepted",
    "REVIEW accepted",
    "FINISH accepted",
  ]);
  expect(code).toBe(0);
});
