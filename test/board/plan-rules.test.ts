import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BoardRig, type Move } from "../rig/board.ts";
import { expectRulesNamed, outcomes, refused } from "./refusals.ts";

const PLAN = join("blackboard", "dev_plan.md");

/** Reports all problems of the plan at once, with lines, and calls no agent. */
async function expectNotStarted(rig: BoardRig, ...problems: readonly string[]): Promise<void> {
  const { code, stderr, runId } = await rig.orchestrate();
  expect(code).toBe(2);
  expect(stderr.match(/dev_plan\.md:?\d*: .*/g)).toEqual(
    problems.map((text) => expect.stringContaining(text)),
  );
  expect(runId).toBe("");
  expect(rig.calls()).toEqual([]);
}

describe("a plan that orchestrate refuses at the start", () => {
  test("B9 B10 B11 B13 all that is malformed, with its lines", async () => {
    const rig = BoardRig.inWorkTree();
    const lines = [
      ...["# Dev plan", "## M1: one", "### M1-T1: a", "- status: doing"],
      ...["- acceptance: `true` → exit 0", "- evidence: none", "### M1-T1: again", "- status: TODO"],
      ...["- acceptance: all tests pass", "- evidence: none", "### M1-T3: c", "- status: TODO"],
      ...["- acceptance: `true`", "", "## M2: two"],
    ];
    rig.write(PLAN, `${lines.join("\n")}\n`);
    await expectNotStarted(
      rig,
      "dev_plan.md:4: a status is one of TODO, DOING, BLOCKED, DONE and VERIFIED, in capitals (doing)",
      "dev_plan.md:7: the task appears twice (M1-T1)",
      "dev_plan.md:9: an acceptance item has to hold a command in backticks",
      "dev_plan.md:11: a task needs status, acceptance and evidence, each with a value; one is missing",
      "dev_plan.md:13: an acceptance item needs the expected result of its command",
      "dev_plan.md:15: the milestone has no task (M2)",
    );
    rig.planned(Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`M1-T${index + 1}`, {}])));
    await expectNotStarted(rig, "there are too many tasks: 60 at most");
  });

  test("B13 a dangerous acceptance command, unless a person forces it", async () => {
    const rig = BoardRig.inWorkTree();
    rig.planned({ "M1-T1": { acceptance: ["true", "rm -rf ~"] } });
    await expectNotStarted(rig, "dev_plan.md:9: the acceptance command is dangerous (rm -rf ~");
    const { code, runId } = await rig.orchestrate(["--force"]);
    // This needs no answer of MAIN.
    expect(code).toBe(3);
    expect(runId).not.toBe("");
  });
});

describe("a plan that MAIN may not write", () => {
  test("B6 B10 B11 B12 B13 B17 B19 B60 tasks lost, statuses that jump, evidence that is missing, acceptance made easy", async () => {
    const rig = BoardRig.inWorkTree(["M1-T1", "M1-T2"]);
    const plan = rig.plan();
    const doing = plan.replace("status: TODO", "status: DOING");
    const dangerous = [
      "### M1-T3: more",
      "- status: TODO",
      "- acceptance: `rm -rf /` → exit 0",
      "- evidence: none",
    ];
    const begun = ["### M1-T3: more", "- status: DOING", "- acceptance: `true` → exit 0", "- evidence: none"];
    const many = Array.from({ length: 60 }, (_, index) => begun.join("\n").replace("T3", `T${index + 3}`));
    const moves: readonly Move[] = [
      { next: "TEST", plan: plan.replace("status: TODO", "status: WIP").replace("- evidence: none\n", "") },
      // The state of the board after the first answer.
      { next: "TEST", plan: plan.replace(/### M1-T2.*/s, ""), run: 'cp -r blackboard "$HOME/seen"' },
      { next: "TEST", moves: { "M1-T1": "DOING" } },

      { next: "TEST", moves: { "M1-T1": "VERIFIED" } },
      { next: "TEST", moves: { "M1-T1": "DONE" } },
      { next: "DEV" },

      { next: "DEV", plan: `${doing.replace("`sh test/M1-T1.sh`", "`true`")}${begun.join("\n")}\n` },
      { next: "DEV", plan: `${doing}${dangerous.join("\n")}\n` },
      { next: "TEST", moves: { "M1-T1": "DONE", "M1-T2": "DOING" } },

      { next: "DEV", moves: { "M1-T1": "VERIFIED" } },
      { next: "DEV", plan: `${plan}${many.join("\n")}\n` },
      { next: "DEV" },

      { next: "REVIEW", moves: { "M1-T2": "DONE" } },

      {
        next: "FINISH",
        moves: { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED" },
        evidence: { "M1-T1": "looks good", "M1-T2": "REVIEW Iteration 4 PASS" },
      },
      { next: "FINISH" },
      { next: "FINISH", moves: { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED" } },
      { next: "FINISH" },
    ];
    rig.script(moves);
    const { code, report } = await rig.orchestrate();
    expect(code).toBe(0);
    expect(refused(report)).toEqual([
      "1 plan_invalid 5: field_missing M1-T1 evidence; 6: status_unknown WIP",
      "1 task_lost M1-T2",
      "2 status_jump M1-T1 DOING -> VERIFIED",
      "2 done_without_green M1-T1",
      "3 acceptance_changed M1-T1; new_task_not_todo M1-T3; red_not_confirmed M1-T1 commands_changed",
      "3 dangerous_command rm -rf /",
      "4 verified_without_review M1-T1",
      expect.stringMatching(/^4 plan_invalid \d+: too_many_tasks 62 > 60$/),
      "6 verified_without_iteration M1-T1 5; verified_without_iteration M1-T2 5; finish_with_update M1-T1, M1-T2",
      "6 review_not_recorded M1-T1, M1-T2; finish_done_left M1-T1, M1-T2; finish_not_verified",
      "6 finish_with_update M1-T1, M1-T2",
    ]);
    expectRulesNamed(rig, report);
    const seen = join(rig.home, "seen");
    expect(fs.readFileSync(join(seen, "dev_plan.md"), "utf8")).toBe(plan);
    expect(fs.readdirSync(seen).toSorted()).toEqual(["dev_plan.md", "global_context.md", "project_env.json"]);
    expect(report.iterations[2]?.main[1]?.refused_commands).toEqual(["rm -rf /"]);

    expect(outcomes(report)).toEqual([
      ...["TEST accepted", "DEV accepted", "TEST accepted", "DEV accepted", "REVIEW accepted"],
      ...["FINISH null", "FINISH accepted"],
    ]);
    expect(rig.statuses()).toEqual(["M1-T1 VERIFIED", "M1-T2 VERIFIED"]);
    expect(rig.plan().match(/^- evidence: .*$/gm)).toEqual(
      Array.from({ length: 2 }, () => "- evidence: REVIEW Iteration 5 PASS"),
    );
    expect(rig.plan()).toContain("`sh test/M1-T1.sh`");
    expect(rig.survivors()).toEqual([]);
  });
});
