import { expect, test } from "vitest";
import { BoardRig, straight, type Move } from "../rig/board.ts";
import { until } from "../rig/rig.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { expectRulesNamed, mainPrompts, outcomes, partOf, refused } from "./refusals.ts";

const SECRET = `sk-ant-${"a1B2".repeat(12)}`;
const FORMAT = "Which format is wanted, json or text?";
const clarify = { user_cause: "clarification" };
const options = { json: "one object a line", text: "as people read it" };
const asks = (question: string, fields: Move["fields"] = {}): Move => ({
  next: "USER",
  fields,
  question: { title: "Format", question, options, recommended: "json" },
});

function requests(question: string): string {
  return `## Clarification request\n${question}`;
}

/** All text in a run's journal, its report and the board. */
function everythingSaid(rig: BoardRig, runId: string): string {
  return [
    JSON.stringify(rig.records(runId)),
    JSON.stringify(rig.boardReport(runId)),
    rig.board("user_decisions.md"),
    rig.history(),
    ...mainPrompts(rig),
  ].join("\n");
}

test("B45 B46 B47 B58 B59 B61 a role's question is answered or passed on; a person's answer is kept, shown, and not requested again", async () => {
  const rig = BoardRig.inWorkTree();
  rig.script(
    [
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      { next: "TEST", order: { goal: "as before" } },
      { next: "TEST", order: { more: "## Clarification reply\nYes, it is." } },
      asks("How is it?", clarify),
      asks(`TEST asks: "${FORMAT}"`, clarify),
      asks(`TEST asks:\n"${FORMAT.toUpperCase()}"`),
      asks("What now?", { user_cause: "environment" }),
      ...straight("M1-T1").slice(1),
      // Another run on the same board.
      asks(`TEST asks: "${FORMAT}"`),
      { next: "TEST", moves: { "M2-T1": "DOING" } },
    ],
    {
      "TEST 1": { claim: "FAIL", more: requests("Is a log wanted?") },
      "TEST 2": { more: requests(FORMAT) },
      // The question is for a person, not for DEV.
      "DEV 4": { run: "agent-foreman decide $AGENT_FOREMAN_RUN text || true" },
    },
  );
  const asked = await rig.orchestrate();
  const { runId } = asked;
  expect(asked.code).toBe(3);
  expect(asked.stdout).toMatch(/\? WAITING for you \[3\]: Format .*\n.*TEST asks: "Which format is wanted/);
  expect(asked.stdout).toMatch(/json: one object a line \(recommended\)\n +text: as people read it\n/);
  expect(asked.stdout).toContain(`agent-foreman decide ${runId} json`);
  expect((await rig.run(["runs"])).stdout).toMatch(new RegExp(`${runId} .*asks you.*\\[3\\]`));

  // Until there is an answer, nothing happens and no other run can use the board.
  const calls = rig.called();
  expect((await rig.resume(runId)).code).toBe(3);
  const second = await rig.orchestrate();
  expect(second).toMatchObject({
    code: 6,
    stderr: expect.stringContaining(`run ${runId} has not ended`) as string,
  });
  expect(await rig.decide(runId, "xml")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("json, text") as string,
  });
  expect(await rig.decide("1115-zzzz", "json")).toMatchObject({ code: 2 });
  expect(rig.exists("blackboard/user_decisions.md")).toBe(false);
  expect(await rig.decide(runId, "text", `see ${SECRET}\nand the handbook`)).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(rig.board("user_decisions.md")).toContain("option: text\n");
  expect(await rig.decide(runId, "json")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("asks nothing") as string,
  });
  expect(rig.called()).toEqual(calls);
  expect(rig.events(runId).filter(({ type }) => type === "question_asked")).toHaveLength(1);

  const { code, report } = await rig.resume(runId);
  expect(code).toBe(0);
  expect(outcomes(report)).toEqual([
    ...["TEST rejected: role_failed", "TEST accepted", "USER null", "DEV accepted", "REVIEW accepted"],
    ...["FINISH null", "FINISH accepted"],
  ]);
  expect(refused(report)).toEqual([
    "2 clarification_unanswered TEST",
    `3 question_not_passed_on ${FORMAT}`,
    "4 already_decided [3] text",
    "4 user_cause_unfounded environment",
    "6 finish_with_update M1-T1",
  ]);
  expectRulesNamed(rig, report);
  expect(rig.order(2)).toContain("## Clarification reply\nYes, it is.");
  expect(report.decisions).toMatchObject([{ iteration: 3, about: "user", option: "text", via: "decide" }]);
  expect(report.refused_answers).toBe(1);
  expect(rig.board("user_decisions.md")).toMatch(
    /^## Iteration 3: Format\nquestion: TEST asks: .*\noption: text\ndescription: as people read it\ncomment: see .* and the handbook\n$/,
  );
  expect(partOf(mainPrompts(rig).at(-1) ?? "", "Decisions of USER")).toMatch(
    /text: as people read it\n.*handbook/,
  );
  expect(everythingSaid(rig, runId)).not.toContain(SECRET);

  // Iteration numbers continue, and the decisions still apply.
  rig.write(
    "blackboard/dev_plan.md",
    `${rig.plan()}\n## M2: more\n\n### M2-T1: more\n- status: TODO\n- acceptance: \`sh test/M2-T1.sh\` → exit 0\n- evidence: none\n`,
  );
  const decisions = rig.board("user_decisions.md");
  const later = await rig.orchestrate(["--max-iterations", "1"]);
  expect(later.code).toBe(1);
  expect(later.report).toMatchObject({ iterations_before: 7, end_reason: "limit_reached" });
  expect(refused(later.report)).toEqual(["8 already_decided [3] text"]);
  expect(rig.order(8)).toMatch(/^# Current Task \(Iteration 8\)\n/);
  expect(rig.history()).toMatch(/^## Iteration 1:[\s\S]*## Iteration 7:[\s\S]*## Iteration 8:/);
  expect(rig.board("user_decisions.md")).toBe(decisions);
  expect(later.report.milestones[0]?.tasks[0]).toMatchObject({ status: "VERIFIED", verified_before: true });
});

test("B45 B58 B61 at a terminal: options with the recommendation, a comment, an answer from elsewhere, and the limit", async () => {
  const rig = BoardRig.inWorkTree();
  rig.script([asks("Which?"), asks("Which else?")]);
  const terminal = new TerminalSession(rig, ["orchestrate", "--max-iterations", "2"]);
  await terminal.shows("● json: one object a line (recommended)");
  expect(terminal.text()).toContain("[1] Format");
  terminal.press(Key.down);
  await terminal.shows("● text: as people read it");
  terminal.press(Key.enter);
  await terminal.shows("Note");
  terminal.press(`not ${SECRET}`, Key.enter);

  // While the terminal asks, another terminal may answer.
  const runId = rig.runIds()[0] ?? "";
  await until(() => rig.events(runId).filter(({ type }) => type === "question_asked").length === 2);
  expect(await rig.orchestrate()).toMatchObject({
    code: 6,
    stderr: expect.stringContaining(runId) as string,
  });
  rig.write("blackboard/global_context.md", "# Context\n\nIt is to be good.\n");
  expect(await rig.decide(runId, "json", "from elsewhere")).toMatchObject({ code: 0, stderr: "" });
  const edited = rig.events(runId).filter(({ type }) => type === "board_edited");
  expect(edited).toMatchObject([{ plan: null, context: "# Context\n\nIt is to be good.\n" }]);

  await terminal.shows("● Continue");
  terminal.press(Key.up);
  await terminal.shows("● Mark as failed");
  terminal.press(Key.enter);
  await terminal.shows(/Note[\s\S]*Note/);
  terminal.press(Key.enter);
  expect(await terminal.ended).toBe(1);
  const report = rig.boardReport(runId);
  expect(report).toMatchObject({
    final_status: "manually_failed",
    manual_decision: { decision: "mark_fail" },
    board_edits: 1,
    decisions: [
      { iteration: 1, option: "text", via: "terminal" },
      { iteration: 2, option: "json", comment: "from elsewhere", via: "decide" },
    ],
  });
  expect(rig.board("user_decisions.md")).toMatch(
    /option: text\n.*\ncomment: not .*\n\n## Iteration 2: Format\n/,
  );
  expect(everythingSaid(rig, runId)).not.toContain(SECRET);
});
