import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { RunState } from "../../src/core/state.ts";
import { DOING, DONE, TODO } from "../../src/core/step.ts";
import { receiptOf, type Receipt } from "../../src/evidence/receipt/receipt.ts";
import { baseTaken, candidateTaken, checkInRoom, ROOM } from "../rig/room-story.ts";
import {
  aStep,
  marked,
  reviewed,
  reviewStarted,
  stepsStarted,
  stepStarted,
  worked,
} from "../rig/steps-story.ts";
import { after, judged, profile, resumed, agentRecord, turnStarted } from "../rig/story.ts";

const TREE = "b".repeat(64);

function made(state: RunState): Receipt {
  const receipt = receiptOf(state, { head: "d".repeat(64), records: state.events, resultsIn: () => [] });
  if (!receipt) throw new Error("there is no receipt");
  return receipt;
}

describe("of steps", () => {
  const UNIT = { command: "unit", files: [], notes: "" };
  const first = "1".repeat(64);
  const second = "2".repeat(64);

  const attemptAt = (
    step: number,
    index: number,
    turn: number,
    tree: string,
    accepted: boolean,
  ): RunEvent[] => [
    marked(step, DOING, UNIT),
    turnStarted(index, turn, "claude"),
    worked(index, turn, {}, { agent: agentRecord("claude", { model: `model ${turn}` }) }),
    candidateTaken(index, { tree }),
    checkInRoom(index, "unit", accepted ? 0 : 1),
    ...(accepted
      ? [
          reviewStarted(index, turn + 1),
          reviewed(index, turn + 1),
          { type: "candidate_confirmed", attempt: index, tree } as const,
          judged(index),
          marked(step, DONE, UNIT),
        ]
      : [judged(index, "unit_test_failed"), marked(step, TODO, UNIT)]),
  ];

  test("uses the accepted attempt of each step with its tree; the last one is the subject", () => {
    const steps = [aStep("001", { unitTest: UNIT }), aStep("002", { unitTest: UNIT })];
    const agents = [profile("claude", { program: "my-claude", model: "asked" }), profile("codex")];
    const state = after(
      { ...stepsStarted({ room: ROOM, steps, agents }), agentVersions: { claude: "2.1.0" } },
      resumed({ agentVersions: { claude: "2.2.0" } }),
      resumed({ agentVersions: { claude: "2.1.0" } }),
      baseTaken({ leftOut: ["steps/001-step.json"], folder: "app" }),
      stepStarted(1),
      ...attemptAt(1, 1, 1, TREE, false),
      ...attemptAt(1, 2, 2, first, true),
      baseTaken({ tree: first, leftOut: ["steps/001-step.json"], folder: "app" }),
      stepStarted(2),
      ...attemptAt(2, 1, 4, second, true),
      { type: "run_ended", status: "passed", exitCode: 0, reason: "accepted", messageId: null },
    );
    const { subject, predicate } = made(state);
    const details = predicate.agentForeman;
    expect(subject[0]?.digest.sha256).toBe(second);
    expect(details.commands.map(({ step, attempt, tree }) => [step, attempt, tree])).toEqual([
      [1, 2, first],
      [2, 1, second],
    ]);
    expect(details.tree).toEqual({ folder: "app", left_out: ["steps/001-step.json"] });
    expect([details.base.tree, details.attempts]).toEqual([first, 3]);
    expect(details.agents).toEqual([
      {
        name: "claude",
        adapter: "claude",
        program: "my-claude",
        versions: ["2.1.0", "2.2.0"],
        model: "asked",
        models_told: ["model 1", "model 2", "model 4"],
      },
      { name: "codex", adapter: "claude", program: null, versions: [], model: null, models_told: [] },
    ]);
  });
});
