import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import { until } from "../rig/rig.ts";
import { outcomes, refused } from "./refusals.ts";

const EDITS = "sed -i 's/make M1-T1/made/' blackboard/dev_plan.md; mkdir -p src; echo x > src/other.txt";
const HANGS_ONCE = `[ -e ../done ] || { touch ../done; ${EDITS}; touch ../hangs; exec sleep 1000; }`;
const TAKEN_UP = { next: "TEST", moves: { "M1-T1": "DOING" } } as const;

/** Kills the foreman during a turn that has changed files, then resumes the run. */
async function killed(rig: BoardRig) {
  const running = rig.start(["orchestrate", "--max-iterations", "1"]);
  await until(() => fs.existsSync(join(rig.root, "hangs")));
  running.child.kill("SIGKILL");
  await running.ended;
  const [runId = ""] = rig.runIds();
  return rig.resume(runId);
}

test("after a kill the next answer of MAIN is not refused for files that changed before it", async () => {
  const rig = new BoardRig();
  rig.script([{ ...TAKEN_UP, run: HANGS_ONCE }]);
  const { stdout, report, runId } = await killed(rig);
  expect(refused(report)).toEqual([]);
  expect(outcomes(report)).toEqual(["TEST accepted"]);
  const says = "src/other.txt changed since a turn was cut off: by that turn, by MAIN or by a person";
  expect(stdout).toContain(says);
  expect(stdout).toMatch(
    /board files differed from the journal and were restored: dev_plan\.md \(previous content: .*turns\/1\)\n/,
  );
  const kept = /previous content: ([^\s)]+)/.exec(stdout)?.[1] ?? "";
  expect(fs.readFileSync(join(kept, "board-dev_plan.md"), "utf8")).toContain("made");
  const story = await rig.run(["show", runId]);
  expect(story.stdout).toContain(says);
  expect(story.stdout).toContain("board files differed from the journal and were restored: dev_plan.md");
});

test("after a kill a role is rejected for others' files, but is not said to have changed them", async () => {
  const rig = new BoardRig();
  rig.script([TAKEN_UP], { TEST: { run: HANGS_ONCE } });
  const { stdout, report, runId } = await killed(rig);
  expect(outcomes(report)).toEqual(["TEST rejected: forbidden_change"]);
  const says = "src/other.txt changed since a turn was cut off: by that turn, by TEST or by a person";
  expect(stdout).toContain(says);
  expect((await rig.run(["show", runId])).stdout).toContain(says);
  expect(rig.roleReport(1)).toContain("An earlier turn of this iteration was cut off");
});
