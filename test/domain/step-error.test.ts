import { describe, expect, test } from "vitest";
import type { ReviewEnded } from "../../src/core/event.ts";
import { verificationError } from "../../src/modes/steps/step-error.ts";
import { aStep, reviewed, stepsStarted } from "../rig/steps-story.ts";
import { after, agentRecord, exited, ran } from "../rig/story.ts";

const verification = ["it adds", "it subtracts"].map((description) => ({ type: "unit", description }));
const started = stepsStarted({ steps: [aStep("001", { verification })] });
const [STEP] = after(started).steps;
if (!STEP) throw new Error("the run has no step");

const failure = (message: string) => ({ class: "crashed", message, retryAt: null }) as const;

describe("why a review does not approve a step", () => {
  const error = (review: Partial<ReviewEnded>): string =>
    verificationError(reviewed(1, 2, review), STEP, "en");
  const failed = { item: 2, passed: false, evidence: "1 - 1 is 2" };

  test.each<[what: string, review: Partial<ReviewEnded>, error: string]>([
    ["it approves", {}, ""],
    [
      "the verifier crashed",
      { agent: agentRecord("codex", { failure: failure("") }) },
      "codex could not verify: ended with an error",
    ],
    [
      "the verifier says why it crashed",
      { agent: agentRecord("codex", { failure: failure("no memory") }) },
      "codex could not verify: ended with an error: no memory",
    ],
    [
      "the verifier exits with an error",
      { process: ran("codex", exited(3)) },
      "codex could not verify: exit code 3",
    ],
    ["an item fails", { items: [failed] }, "1 of 2 items failed: 2. it subtracts - 1 - 1 is 2"],
    [
      "the verifier changed files",
      { changed: ["a.ts", "b.ts"] },
      "the work tree changed during the verification: a.ts, b.ts",
    ],
  ])("%s", (_, review, text) => {
    expect(error(review)).toBe(text);
  });
});
