import { expect, test } from "vitest";
import { judgeStep, type StepEvidence } from "../../src/modes/steps/verdict-step.ts";
import { reviewed } from "../rig/steps-story.ts";
import { exited, ran, agentRecord } from "../rig/story.ts";

const crashed = { class: "crashed", message: "", retryAt: null } as const;
const ALL: StepEvidence = {
  turn: { end: exited(0), agentFailure: null },
  refused: null,
  unitTests: { due: 1, ends: [exited(0)] },
  review: reviewed(1, 2),
  needsReview: true,
  turnSuffices: false,
};
const failed = [{ item: 1, passed: false, evidence: "no" }];

const TABLE: readonly [
  what: string,
  evidence: Partial<StepEvidence>,
  verdict: string,
  reasons: readonly string[],
][] = [
  ["all there is to show", {}, "accepted", []],
  ["no unit test is given", { unitTests: { due: 0, ends: [] } }, "accepted", []],
  ["a regression check, which needs no work", { turn: null }, "accepted", []],
  ["no review is due, for nothing changed", { review: null, needsReview: false }, "accepted", []],
  ["no review yet", { review: null }, "rejected", []],
  ["a unit test that was not run", { unitTests: { due: 1, ends: [] } }, "rejected", []],
  ["the turn failed", { turn: { end: exited(3), agentFailure: null } }, "rejected", ["agent_exit_nonzero"]],
  ["the agent says so", { turn: { end: exited(0), agentFailure: "crashed" } }, "rejected", ["agent_crashed"]],
  ["a test that is refused", { refused: "rm_root" }, "rejected", ["unit_test_refused"]],
  ["the test fails", { unitTests: { due: 1, ends: [exited(1)] } }, "rejected", ["unit_test_failed"]],
  [
    "the test takes too long",
    { unitTests: { due: 1, ends: [{ kind: "timeout", afterMs: 1 }] } },
    "rejected",
    ["unit_test_failed", "timeout"],
  ],
  ["an item fails", { review: reviewed(1, 2, { items: failed }) }, "rejected", ["verification_failed"]],
  ["a review of nothing", { review: reviewed(1, 2, { items: [] }) }, "rejected", ["verification_failed"]],
  [
    "no verdict",
    { review: reviewed(1, 2, { items: [], problem: { kind: "missing" } }) },
    "rejected",
    ["verification_missing"],
  ],
  [
    "a verifier that exits badly, whatever it says",
    { review: reviewed(1, 2, { process: ran("codex", exited(1)) }) },
    "rejected",
    ["verifier_failed"],
  ],
  [
    "a verifier that failed by its own word",
    { review: reviewed(1, 2, { agent: agentRecord("codex", { failure: crashed }) }) },
    "rejected",
    ["verifier_failed"],
  ],
  [
    "a verifier that changed something",
    { review: reviewed(1, 2, { changed: ["a"] }) },
    "rejected",
    ["verifier_changed_tree"],
  ],
  ["a tree that could never be compared", { review: reviewed(1, 2, { changed: null }) }, "accepted", []],
  ["the turn is enough by the person's wish", { turnSuffices: true, review: null }, "accepted", []],
  [
    "even then it has to end well",
    { turnSuffices: true, turn: { end: exited(1), agentFailure: null } },
    "rejected",
    ["agent_exit_nonzero"],
  ],
];

test.each(TABLE)("R25 %s", (_, evidence, verdict, reasons) => {
  expect(judgeStep({ ...ALL, ...evidence })).toEqual({ verdict, reasons });
});
