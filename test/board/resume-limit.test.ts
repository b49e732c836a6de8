import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BoardRig, straight } from "../rig/board.ts";
import { outcomes } from "./refusals.ts";

test("resume --max-iterations gives a run that has stopped more iterations", async () => {
  const rig = new BoardRig();
  rig.script([{ next: "USER" }, { next: "TEST", moves: { "M1-T1": "DOING" } }, { next: "DEV" }]);
  const asked = await rig.orchestrate(["--max-iterations", "1"]);
  expect(asked.code).toBe(3);
  const none = await rig.run(["resume", asked.runId, "--max-iterations", "1"]);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain(`run ${asked.runId} has begun 1 iterations: --max-iterations 1 leaves none`);
  const more = await rig.resume(asked.runId, ["--max-iterations", "3"]);
  expect(more.code).toBe(3);
  await rig.decide(asked.runId, "a");

  const { code, report, runId } = await rig.resume(asked.runId);
  expect(code).toBe(1);
  expect(outcomes(report)).toEqual(["USER null", "TEST accepted", "DEV accepted"]);
  expect(report).toMatchObject({ max_iterations: 1, allowed_iterations: 3, end_reason: "limit_reached" });

  const over = await rig.run(["resume", runId, "--max-iterations", "9"]);
  expect(over.code).toBe(2);
  expect(over.stderr).toContain(`run ${runId} has ended and takes no more iterations`);
  expect(over.stderr).toContain("agent-foreman orchestrate --max-iterations 9");
});

test("after the end of a run on another board the next command names that board", async () => {
  const rig = new BoardRig();
  rig.script([{ next: "USER" }]);
  fs.renameSync(join(rig.project, rig.dir), join(rig.project, "plans"));
  await rig.run(["orchestrate", "--board", "plans", "--max-iterations", "1"]);
  const [runId = ""] = rig.runIds();
  await rig.run(["cancel", runId]);
  const over = await rig.run(["resume", runId, "--max-iterations", "9"]);
  expect(over.code).toBe(2);
  expect(over.stderr).toContain("agent-foreman orchestrate --board plans --max-iterations 9");
  const elsewhere = await rig.run(["resume", runId, "--max-iterations", "9"], { cwd: rig.root });
  expect(elsewhere.stderr).toContain(
    "agent-foreman orchestrate --cwd project --board project/plans --max-iterations 9",
  );
});

test("an answer to a question of the last iteration takes effect after resume --max-iterations", async () => {
  const rig = new BoardRig(["M1-T1", "M1-T2"]);
  const question = { question: "Leave M1-T2 out?", options: { drop_tasks: "yes" } };
  rig.script([{ next: "USER", question }, ...straight("M1-T1")]);
  const asked = await rig.orchestrate(["--max-iterations", "1"]);
  const { runId } = asked;
  const says = "this is the last of 1 allowed iteration; after your answer the run needs more";
  expect(asked.stdout).toContain(says);
  expect((await rig.run(["decide", runId])).stdout).toContain(says);
  const decided = await rig.decide(runId, "drop_tasks");
  expect(decided.code).toBe(0);
  expect(decided.stdout).toContain(
    `✓ recorded\n  next    agent-foreman resume ${runId} --max-iterations 4\n`,
  );

  // Without more iterations the run waits for a person, and the decision is kept.
  const waits = await rig.resume(runId);
  expect(waits.code).toBe(3);
  expect(waits.stdout).toContain("WAITING for you: 1 of 1 iterations used");

  const { code, report } = await rig.resume(runId, ["--max-iterations", "9"]);
  expect(outcomes(report).at(-1)).toBe("FINISH accepted");
  expect(code).toBe(0);
  expect(report.totals).toMatchObject({ verified: 1, dropped: 1 });
});

test("the command that continues the board after the limit repeats the flags of the call", async () => {
  const rig = new BoardRig();
  rig.script([{ next: "TEST", moves: { "M1-T1": "DOING" } }]);
  const { code, stdout, runId } = await rig.orchestrate(["--max-iterations", "1", "--stall-sec", "600"]);
  expect(code).toBe(1);
  const next = /next +agent-foreman orchestrate.* --max-iterations 1 --stall-sec 600\n/;
  expect(stdout).toMatch(next);
  expect((await rig.run(["show", runId])).stdout).toMatch(next);
  expect((await rig.run(["board", "show"])).stdout).toMatch(next);
  const over = await rig.run(["resume", runId, "--max-iterations", "9"]);
  expect(over.stderr).toMatch(/agent-foreman orchestrate.* --stall-sec 600 --max-iterations 9\n/);
});
