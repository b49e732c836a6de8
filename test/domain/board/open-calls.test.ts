import { describe, expect, test } from "vitest";
import { openCalls, type OpenCall } from "../../../src/modes/orchestrate/open-calls.ts";
import type { RunState } from "../../../src/core/state.ts";
import { task, type Move } from "../../rig/board-answers.ts";
import { ROWS } from "./rows.ts";
import { ANALYSED, bothGreen, brokenBy, green, M1_VERIFIED, reviewed, Scene, tested } from "./scene.ts";

/** One line per open call: `DEV M1-T1 if M1-T1 DOING`. */
const textsOf = (state: RunState): string[] => openCalls(state).map(textOf);

function textOf({ agent, reviewMode, partial, waived, tasks, moves, planOnly }: OpenCall): string {
  const parts = [
    agent,
    ...(reviewMode === null ? [] : [reviewMode]),
    ...(partial === null ? [] : [`partial ${partial}`]),
    ...tasks,
    ...(waived ? ["waived"] : []),
    ...(planOnly ? ["plan only"] : []),
    ...(moves.length === 0 ? [] : [`if ${moves.map((move) => `${move.task} ${move.status}`).join(", ")}`]),
  ];
  return parts.join(" ");
}

const INVESTIGATE: Move = { next: "REVIEW", reviewMode: "investigate" };
const feedback = (): Scene =>
  tested().does({ next: "DEV" }, { claim: "FAIL", testFeedback: "line 3 is wrong" }, 1);

describe("the open calls", () => {
  test.each<[what: string, at: RunState, calls: readonly string[]]>([
    ["at the beginning", new Scene().state, ["TEST M1-T1", "DEV M1-T1 waived", "REVIEW investigate", "USER"]],
    ["B16 with red tests", tested().state, ["TEST M1-T1", "DEV M1-T1", "REVIEW investigate", "USER"]],
    [
      "B17 when DEV has made a task green",
      green().state,
      [
        "TEST M1-T1",
        "TEST M1-T2 if M1-T1 DONE, M1-T2 DOING",
        "DEV M1-T1",
        "DEV M1-T2 waived if M1-T1 DONE, M1-T2 DOING",
        "REVIEW investigate",
        "USER",
      ],
    ],
    [
      "B18 with all of a milestone green",
      bothGreen().state,
      ["TEST M1-T2", "DEV M1-T2", "REVIEW milestone M1-T1 M1-T2 if M1-T2 DONE", "REVIEW investigate", "USER"],
    ],
    [
      "B50 after a REVIEW that has to be recorded",
      reviewed().state,
      [
        "TEST M2-T1 if M1-T1 VERIFIED, M1-T2 VERIFIED, M2-T1 DOING",
        "DEV M2-T1 waived if M1-T1 VERIFIED, M1-T2 VERIFIED, M2-T1 DOING",
        "REVIEW investigate if M1-T1 VERIFIED, M1-T2 VERIFIED",
        "USER if M1-T1 VERIFIED, M1-T2 VERIFIED",
      ],
    ],
    ["B40 while DEV objects to the tests", feedback().state, ["REVIEW investigate", "USER"]],
    [
      "B43 when the tests are found at fault",
      feedback().does(INVESTIGATE, { claim: null, fault: "test" }).state,
      ["TEST M1-T1", "USER"],
    ],
    [
      "B42 after a REVIEW that found the implementation at fault",
      bothGreen().does(
        { next: "REVIEW", statuses: { "M1-T2": "DONE" } },
        { claim: "FAIL", failureType: "implementation" },
        1,
      ).state,
      ["DEV M1-T1 if M1-T1 DOING", "USER"],
    ],
    [
      "B45 after the same failure three times",
      tested().fails(3).state,
      ["TEST M1-T1", "REVIEW investigate", "USER"],
    ],
    [
      "B51 when nothing is left but to record it",
      new Scene([task("M1-T1", { status: "DONE" })]).does({ next: "REVIEW" }).state,
      [
        "REVIEW investigate if M1-T1 VERIFIED",
        "USER if M1-T1 VERIFIED",
        "FINISH plan only if M1-T1 VERIFIED",
      ],
    ],
    [
      "B32 where a task is blocked and few are DONE",
      new Scene([task("M1-T1", { status: "DONE" }), task("M1-T2", { status: "BLOCKED" })]).state,
      ["TEST M1-T1 if M1-T1 DOING", "DEV M1-T1 waived if M1-T1 DOING", "REVIEW investigate", "USER"],
    ],
    [
      "B48 at the end",
      new Scene([task("M1-T1", { status: "VERIFIED" })]).state,
      ["REVIEW investigate", "USER", "FINISH"],
    ],
  ])("%s", (_, at, calls) => {
    expect(textsOf(at)).toEqual(calls);
  });

  /** MAIN's answer that makes the call. */
  const moveOf = (call: OpenCall, state: RunState): Move => {
    const last = state.attempts.at(-1)?.index ?? 0;
    const verified = call.moves.filter(({ status }) => status === "VERIFIED");
    const evidence = Array.from({ length: last }, (_each, index) => `Iteration ${index + 1}`).join(", ");
    const said = [`Partial Milestone Review: ${call.partial} (excluding blocked tasks)`, planIds(state)];
    return {
      next: call.agent,
      ...(call.moves.length > 0 && {
        statuses: Object.fromEntries(call.moves.map(({ task: id, status }) => [id, status])),
      }),
      ...(verified.length > 0 && {
        evidence: Object.fromEntries(verified.map(({ task: id }) => [id, evidence])),
      }),
      ...(call.reviewMode && { reviewMode: call.reviewMode }),
      ...(call.waived && { redWaiver: "it exists" }),
      question: { ...QUESTION, question: `${clarification(state)} What now?` },
      historyLines: ANALYSED,
      orderLines: ["note: another way"],
      orderEnd: ["## Clarification reply", "Yes.", ...(call.partial === null ? [] : ["## Scope", ...said])],
    };
  };

  const rows = ROWS.map((row) => [`${row.rule}: ${row.what}`, row] as const);
  test.each(rows)("break no rule where one was broken: %s", (_, { at, broken }) => {
    const calls = openCalls(at);
    expect(calls.map(({ agent }) => agent)).toContain("USER");
    for (const call of calls) {
      const rules = brokenBy(at, moveOf(call, at)).filter(
        (rule) => !call.planOnly || !rule.startsWith("finish_"),
      );
      expect([textOf(call), ...rules]).toEqual([textOf(call)]);
    }
    expect(broken).toBeDefined();
  });
});

const QUESTION = {
  title: "A choice",
  options: [{ id: "a", description: "this way" }],
  recommended: "a",
} as const;

function planIds({ board }: RunState): string {
  return board?.plan.milestones.flatMap(({ tasks }) => tasks.map(({ id }) => id)).join(", ") ?? "";
}

/** The question of the last report, which must be passed on. */
function clarification({ attempts }: RunState): string {
  const product = attempts.at(-1)?.turn?.product;
  return product?.kind === "role_report" ? (product.said.clarification ?? "") : "";
}

test("B50 a call that needs the plan to be recorded is listed with it", () => {
  expect(brokenBy(reviewed().state, { next: "TEST", ...M1_VERIFIED })).toEqual([]);
});
