import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import { until } from "../rig/rig.ts";
import type { RunPaths } from "../../src/core/journal/run-store.ts";
import { keptInput } from "../../src/engine/turn-files.ts";
import { MAX_PLAN_BYTES } from "../../src/platform/files/kept.ts";
import { sha256Of } from "../../src/platform/files/sha256.ts";
import { KILL_AFTER } from "../sweep/points.ts";
import { mainPrompts, outcomes } from "./refusals.ts";

const TAKEN_UP = { next: "TEST", moves: { "M1-T1": "DOING" } } as const;

test("an agent's change of the plan does not count as a person's, even if the foreman is killed right after the stop is recorded", async () => {
  const rig = new BoardRig();
  // This test counts the journal's appends.
  rig.alwaysWith({ cleanRoom: false });
  const mischief = "sed -i 's/status: .*/status: VERIFIED/' blackboard/dev_plan.md";
  rig.script([TAKEN_UP, TAKEN_UP], {
    TEST: { run: `[ -e ../done ] || { touch ../done; ${mischief}; touch ../hangs; exec sleep 1000; }` },
  });
  // The appends: started, MAIN's turn and its end, TEST's turn and its interruption, stopped.
  const start = { preload: KILL_AFTER, env: { SWEEP_KILL: "after:6" } };
  const running = rig.start(["orchestrate", "--max-iterations", "1"], start);
  await until(() => fs.existsSync(join(rig.root, "hangs")));
  running.child.kill("SIGINT");
  await until(() => running.output().stderr.includes("stopping"));
  running.child.kill("SIGINT");
  expect((await running.ended).signal).toBe("SIGKILL");
  const [runId = ""] = rig.runIds();
  expect(rig.events(runId).at(-1)?.type).toBe("run_stopped");
  const kept = join(rig.state, "runs", runId, "turns", "2", "board-dev_plan.md");
  expect(fs.readFileSync(kept, "utf8")).toContain("VERIFIED");

  const { code, report } = await rig.resume(runId);
  expect(code).toBe(1);
  expect(report).toMatchObject({ board_edits: 0, totals: { verified: 0 } });
  expect(outcomes(report)).toEqual(["TEST accepted"]);
});

test("writes a missing file again, unless another was changed", async () => {
  const rig = new BoardRig();
  rig.script([{ next: "USER" }, { next: "USER" }]);
  const { runId } = await rig.orchestrate(["--max-iterations", "2"]);
  const before = rig.plan();
  const context = join(rig.project, "blackboard/global_context.md");
  rig.write("blackboard/dev_plan.md", before.replace("make M1-T1", "make it well"));
  fs.rmSync(context);
  expect(await rig.decide(runId, "a")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("blackboard/global_context.md: the file is missing") as string,
  });
  expect(rig.plan()).toContain("make it well");
  rig.write("blackboard/dev_plan.md", before);
  expect((await rig.decide(runId, "a")).code).toBe(0);
  expect(fs.readFileSync(context, "utf8")).toContain("Files are to be there.");
});

test("a history is kept that is longer than a plan may be", () => {
  const rig = new BoardRig();
  const history = `## Iteration 1:\n${"x".repeat(MAX_PLAN_BYTES)}\n`;
  rig.write("kept.md", history);
  const paths = { plan: join(rig.project, "kept.md") } as RunPaths;
  expect(keptInput({ paths }, { sha256: sha256Of(Buffer.from(history)) }) === history).toBe(true);
});

test("a board that has grown, files that are not the foreman's, and a report that names what no file can be called", async () => {
  const rig = new BoardRig();
  // The decisions exceed the limit for a person's file.
  const history = "## Iteration 7:\nnext_agent: FINISH\n";
  const decisions = `## Iteration 7: Format\nquestion: ${"?".repeat(300_000)}\noption: a\ndescription: a\n`;
  rig.write("blackboard/project_history.md", history);
  rig.write("blackboard/user_decisions.md", decisions);
  rig.write("blackboard/orders/999999999-DEV.md", "x\n");
  rig.write("blackboard/orders/0099-DEV.md", "x\n");
  const absent = [`test/${"a".repeat(300)}.sh`, "te\u0000st/M1-T1.sh", "agent-foreman.yaml/M1-T1.sh"];
  rig.script([TAKEN_UP], { TEST: { files: ["test/M1-T1.sh", ...absent] } });
  const { code, report } = await rig.orchestrate(["--max-iterations", "1"]);
  expect(code).toBe(1);
  expect(report).toMatchObject({
    iterations_before: 7,
    iterations: [{ iteration: 8, absent_files: absent }],
  });
  expect(outcomes(report)).toEqual(["TEST rejected: report_incomplete"]);
  expect(rig.history().startsWith(`${history.trimEnd()}\n\n## Iteration 8:\n`)).toBe(true);
});

test("changes of the tests by acceptance commands are reported to MAIN and in the report", async () => {
  const rig = new BoardRig();
  // In the clean room a command cannot reach the tree.
  rig.alwaysWith({ cleanRoom: false });
  const test1 = "test/M1-T1.sh";
  rig.script([TAKEN_UP, { next: "DEV" }, { next: "DEV" }], {
    TEST: { write: { [test1]: "sh src/lib.sh\ngrep -q real src/feature\n" }, files: [test1] },
    DEV: { write: { "src/lib.sh": `echo 'exit 0' > ${test1}\n` } },
  });
  const { report } = await rig.orchestrate(["--max-iterations", "3"]);
  expect(report.iterations.map(({ changed_by_checks }) => changed_by_checks)).toEqual([[], [test1], []]);
  const warning = `The acceptance commands themselves changed test files; REVIEW should look at them: ${test1}`;
  expect(rig.roleReport(2)).toContain(warning);
  expect(mainPrompts(rig).map((prompt) => prompt.includes(warning))).toEqual([false, false, true]);
});
