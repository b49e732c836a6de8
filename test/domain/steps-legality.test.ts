import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { ImpossibleEvent } from "../../src/core/fold.ts";
import { DOING, DONE, TODO } from "../../src/core/step.ts";
import {
  analyzeStarted,
  aStep,
  marked,
  reviewed,
  reviewStarted,
  stepsStarted,
  stepStarted,
  worked,
} from "../rig/steps-story.ts";
import { after, checkEnded, judged, turnStarted } from "../rig/story.ts";

/** A handwritten journal, even with valid checksums, must not lead to a pass without the evidence. */

const UNIT = { command: "unit" };
const tested = aStep("001", { unitTest: UNIT });
const plain = aStep("001");
const passed: RunEvent = {
  type: "run_ended",
  status: "passed",
  exitCode: 0,
  reason: "accepted",
  messageId: null,
};
const begun = [stepStarted(1), marked(1, DOING, UNIT), turnStarted(1, 1, "claude")] as const;
const work = [...begun, worked(1, 1)] as const;
const accepted = [reviewStarted(1, 2), reviewed(1, 2), judged(1), marked(1, DONE, UNIT), passed] as const;

const start = (step = tested, more: Parameters<typeof stepsStarted>[0] = {}): RunEvent =>
  stepsStarted({ steps: [step], ...more });

const FORGED: readonly [what: string, first: RunEvent, events: readonly RunEvent[], why: string][] = [
  [
    "a person's test is dropped",
    start(),
    [...work, marked(1, DOING, null), ...accepted],
    "the agent did not name this test",
  ],
  [
    "a person's test is replaced by one that the agent named",
    start(),
    [...begun, worked(1, 1, { unitTest: { command: "true" } }), marked(1, DOING, { command: "true" })],
    "the agent did not name this test",
  ],
  [
    "another command was run than the step's",
    start(),
    [...work, { ...checkEnded(1, "unit"), process: { ...checkEnded(1, "unit").process, command: "true" } }],
    "it is not the next test",
  ],
  ["the review comes before the test", start(), [...work, reviewStarted(1, 2)], "its test has not passed"],
  [
    "a review speaks about a part of the list",
    start(aStep("001", { verification: [1, 2, 3].map((n) => ({ type: "unit", description: String(n) })) })),
    [stepStarted(1), marked(1, DOING), turnStarted(1, 1, "claude"), worked(1, 1), ...accepted],
    "it is about another list",
  ],
  [
    "an agent reviews that is no verifier",
    start(),
    [...work, checkEnded(1, "unit"), reviewStarted(1, 2, "claude")],
    "this agent does not review here",
  ],
  [
    "a step is passed over by refusing it",
    stepsStarted({ steps: [plain, aStep("002")] }),
    [
      { type: "step_refused", step: 1, why: "changed", message: "" },
      { type: "step_refused", step: 2, why: "changed", message: "" },
    ],
    "a step was refused",
  ],
  [
    "a later step is refused while another is under way",
    stepsStarted({ steps: [plain, aStep("002")] }),
    [stepStarted(1), { type: "step_refused", step: 2, why: "changed", message: "" }],
    "the run is at another step",
  ],
  [
    "a run has passed at its limit",
    start(plain, { chosen: [] }),
    [{ ...passed, reason: "limit_reached" }],
    "the reason does not fit the status",
  ],
  [
    "the work of a step is that of another mode",
    start(),
    [...begun, { ...worked(1, 1), product: null }],
    "it is the work of another mode",
  ],
  [
    "a step is done though its attempt was rejected",
    start(plain),
    [
      stepStarted(1),
      marked(1, DOING),
      turnStarted(1, 1, "claude"),
      worked(1, 1),
      reviewStarted(1, 2),
      reviewed(1, 2, { items: [{ item: 1, passed: false, evidence: "no" }] }),
      judged(1, "verification_failed"),
      marked(1, DONE),
    ],
    "nothing was accepted",
  ],
  ["a run has passed while steps are left", start(plain), [passed], "steps are left"],
  [
    "a run had nothing to do while steps are left",
    start(plain),
    [{ ...passed, reason: "nothing_to_do" }],
    "steps are left",
  ],
  [
    "an analysis has passed though nothing was written",
    analyzeStarted(),
    [
      turnStarted(1, 1, "claude"),
      worked(1, 1, { kind: "analysis", problem: null, dir: "/project/x", changed: [] }),
      judged(1),
      passed,
    ],
    "nothing was written",
  ],
];

describe("a journal in which", () => {
  test.each(FORGED)("%s is refused", (_, first, events, why) => {
    const telling = (): unknown => after(first, ...events);
    expect(telling).toThrow(ImpossibleEvent);
    expect(telling).toThrow(why);
  });

  test("all is as it should be folds to a pass", () => {
    const state = after(start(), ...work, checkEnded(1, "unit"), ...accepted);
    expect(state.ended?.status).toBe("passed");
    expect(state.steps[0]?.status).toBe(DONE);
    expect(after(start(plain, { chosen: [] })).steps[0]?.status).toBe(TODO);
  });
});
