import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import { ChatRig } from "../rig/chat.ts";
import { DONE, StepsRig } from "../rig/steps.ts";
import { NODE_TESTS, RIGHT, TEST_ADDS, testOf, WRONG } from "./project.ts";

describe("run", () => {
  test("tests each step in the room, and compares the next with the last accepted tree", async () => {
    const rig = new StepsRig();
    for (const folder of ["src", "test"]) fs.mkdirSync(join(rig.project, folder));
    const more = testOf("adds one", "add(1, 1)", "2");
    rig.step(1, { unit_test: { command: NODE_TESTS } });
    rig.step(2, { unit_test: { command: NODE_TESTS } });
    rig.script({
      // Files that the test creates disappear with the room.
      "worker step-001": { write: { "src/add.js": RIGHT, "test/add.test.js": TEST_ADDS } },
      "worker step-002 1": {
        write: { "test/add.test.js": TEST_ADDS.replace("5", "-1"), "src/add.js": WRONG },
      },
      "worker step-002 2": {
        write: { "test/add.test.js": TEST_ADDS, "src/add.js": RIGHT, "test/more.test.js": more },
      },
    });
    const { code, report, runId } = await rig.steps();
    expect(code).toBe(0);
    const attempts = report.steps.map((step) => step.attempts.map(({ reasons }) => reasons));
    expect(attempts).toEqual([[[]], [["oracle_changed"], []]]);
    expect(rig.stepNow("002-step.json")["status"]).toBe(DONE);
    const bases = rig.events(runId).filter((event) => event.type === "base_taken");
    const accepted = rig.events(runId).find((event) => event.type === "candidate_confirmed");
    expect(bases[1]?.tree).toBe(accepted?.tree);
    expect(rig.calls().at(-2)?.prompt).toContain("test/add.test.js");
    // Totals of all steps, although the base moved on after the first.
    expect(report.changes).toMatchObject({ files: 3, added: 3, deleted: 0 });
  });

  test("M9 asks a person about a test that the verifier edited, and does not pay the worker again", async () => {
    const rig = new StepsRig();
    rig.write("src/add.js", WRONG);
    rig.write("test/add.test.js", TEST_ADDS);
    rig.step(1, { unit_test: { command: NODE_TESTS } });
    rig.script({
      worker: { write: { "src/add.js": RIGHT } },
      reviewer: { write: { "test/add.test.js": TEST_ADDS.replace("5", "add(2, 3)") } },
    });
    const { code } = await rig.steps();
    expect(code).toBe(3);
    expect(rig.calls().map(({ role }) => role)).toEqual(["worker", "reviewer", "reviewer"]);
  });
});

describe("orchestrate", () => {
  test("TEST may change tests, DEV may not change protected files", async () => {
    const rig = new BoardRig();
    rig.planned({ "M1-T1": { acceptance: ["sh verify.sh"] } });
    rig.write("verify.sh", "for each in test/*.sh; do sh $each || exit 1; done\n");
    rig.write("test/M1-T1.sh", "exit 0\n");
    rig.script([{ next: "TEST", moves: { "M1-T1": "DOING" } }, { next: "DEV" }, { next: "DEV" }], {
      "TEST 1": { write: { "test/M1-T1.sh": "test -f src/M1-T1.txt\n" } },
      "DEV 2": { write: { "verify.sh": "exit 0\n" } },
      "DEV 3": {
        write: {
          "verify.sh": "for each in test/*.sh; do sh $each || exit 1; done\n",
          "src/M1-T1.txt": "done\n",
        },
      },
    });
    const { report, runId } = await rig.orchestrate(["--max-iterations", "3"]);
    const seen = rig
      .events(runId)
      .flatMap((event) => (event.type === "attempt_judged" ? [[event.verdict, ...event.reasons]] : []));
    expect(seen).toEqual([["accepted"], ["rejected", "oracle_changed"], ["accepted"]]);
    expect(report.room?.kind).toBe("overlay");
    expect(rig.roleReport(2)).toContain("verify.sh");
  });
});

describe("chat --print", () => {
  test("runs its checks in the room, without ignored files that the agent created", async () => {
    const rig = new ChatRig({
      work: [{ write: { "dist/made.txt": "made\n" } }, { write: { "made.txt": "made\n" } }],
    });
    rig.write(".gitignore", "dist/\n");
    fs.mkdirSync(join(rig.project, "dist"));
    const { code, report } = await rig.print("make it", [
      "--check",
      "test -e made.txt || test -e dist/made.txt",
    ]);
    expect(code).toBe(0);
    expect(report.attempts.map(({ reasons }) => reasons)).toEqual([["check_failed"], []]);
    expect(report.base?.tests).toHaveLength(1);
    expect(rig.calls("work")[1]?.prompt).toContain("dist/made.txt");
  });
});
