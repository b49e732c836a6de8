import { describe, expect, test } from "vitest";
import { chatRig, completed, COMPLETED, TASK } from "./scene.ts";

describe("chat --print: the reviewer's word alone is not enough", () => {
  test("a failed check overrules a reviewer who says completed, and both appear in the feedback", async () => {
    const rig = chatRig({ work: [{}, { write: { "made.txt": "made\n" } }] });
    rig.write("check.sh", "test -e made.txt || { echo 'made.txt is not there'; exit 4; }\n");
    const { code, report } = await rig.print(TASK, ["--check", "sh check.sh"]);
    expect(code).toBe(0);
    expect(completed(rig)).toEqual([true, true]);
    expect(report.attempts.map(({ decision, reasons }) => [decision, ...reasons])).toEqual([
      ["rejected", "check_failed"],
      ["accepted"],
    ]);
    const [first, second] = rig.calls("review").map(({ prompt }) => prompt);
    expect(first).toContain("made.txt is not there");
    expect(second).not.toContain("made.txt is not there");
    expect(rig.calls("work")[1]?.prompt).toContain("made.txt is not there");
  });

  test("every check must pass, and none is skipped", async () => {
    const rig = chatRig();
    const { code, report } = await rig.print(TASK, [
      "--check",
      "exit 3",
      "--check",
      "true",
      "--max-reviews",
      "1",
    ]);
    expect(code).toBe(1);
    expect(report.attempts[0]?.checks.map(({ exit_code }) => exit_code)).toEqual([3, 0]);
  });

  test("a reviewer that writes files is not believed, and the agent learns which", async () => {
    const rig = chatRig({ reviews: [{ write: { "sneaked.txt": "in\n" } }, {}] });
    const { code, report } = await rig.print(TASK);
    expect(code).toBe(0);
    expect(report.attempts.map(({ decision }) => decision)).toEqual(["rejected", "accepted"]);
    expect(report.attempts[0]?.reasons).toEqual(["tree_changed_in_review"]);
    expect(report.attempts[0]?.review?.changed_files).toEqual(["sneaked.txt"]);
    expect(rig.calls("work")[1]?.prompt).toContain("sneaked.txt");
  });

  test("C19: a reviewer without an answer has not completed the task, and the loop ends", async () => {
    const rig = chatRig({ reviews: [{ say: "" }] });
    const { code, report, stdout } = await rig.print(TASK);
    expect(code).toBe(1);
    expect(report).toMatchObject({ final_status: "failed", end_reason: "review_failed" });
    expect(report.attempts[0]?.reasons).toEqual(["review_empty"]);
    expect(rig.calls()).toHaveLength(2);
    expect(stdout).toContain("review_empty");
  });

  test.each([
    ["breaks off", { say: COMPLETED, exit: 1 }],
    ["is killed", { kill: "SIGKILL" }],
    ["cannot be reached", { fails: "API Error: 400 bad request", status: 400 }],
  ] as const)(
    "C19: a reviewer that %s is reported, ends the loop, and never completes a task",
    async (_, review) => {
      const rig = chatRig({ reviews: [review] });
      const { code, report, stdout } = await rig.print(TASK);
      expect(code).toBe(1);
      expect(report).toMatchObject({ final_status: "failed", end_reason: "review_failed" });
      expect(report.attempts.map(({ decision }) => decision)).toEqual(["rejected"]);
      expect(report.attempts[0]?.reasons).toEqual(["review_failed"]);
      expect(stdout).toContain("review_failed");
    },
  );

  test("C19: ends a review that takes too long, with all its processes", async () => {
    const rig = chatRig({ reviews: [{ run: "sleep 1000 & sleep 1000" }] });
    const { code, report } = await rig.print(TASK, ["--agent-timeout-sec", "1"]);
    expect(code).toBe(1);
    expect(report.end_reason).toBe("review_failed");
    expect(report.attempts[0]?.review?.failure?.class).toBe("timeout");
  });

  test("C19: reviews in a new session with the agent's last message if the session cannot be forked", async () => {
    const rig = chatRig({ work: [{ say: "I wrote hello.txt." }], keeps: false });
    const { code } = await rig.print(TASK);
    expect(code).toBe(0);
    const reviews = rig.calls("review");
    expect(reviews.map(({ resumed }) => resumed !== null)).toEqual([true, false]);
    expect(reviews[1]?.prompt).toContain("I wrote hello.txt.");
  });

  test("a budget that is used up ends the run, and it is not accepted", async () => {
    const rig = chatRig({ reviews: [{ say: "not yet" }] });
    const { code, report } = await rig.print(TASK, ["--max-cost-usd", "0.6"]);
    expect(code).toBe(4);
    expect(report).toMatchObject({ final_status: "failed", end_reason: "budget_reached" });
  });
});
