import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";

// One second is the shortest possible limit. These tests assert no durations.
describe("S40 timeouts", () => {
  test("S40 an agent that takes too long fails the round with `timeout`, whatever it declared", async () => {
    const rig = Rig.inWorkTree();
    const { code, report } = await rig.supervise({
      agent: "agent done; sleep 600",
      loops: 1,
      more: ["--agent-timeout-sec", "1"],
    });
    expect(code).toBe(1);
    expect(report.attempts[0]).toMatchObject({
      reasons: ["timeout"],
      agent_exit_code: null,
      agent: { end: { kind: "timeout", afterMs: 1000 } },
    });
    expect(rig.survivors()).toEqual([]);
  });

  test.each(["fast", "full"] as const)(
    "S40 a %s test that takes too long is a failure with `timeout`",
    async (phase) => {
      const rig = Rig.inWorkTree();
      const { code, report } = await rig.supervise({
        agent: "agent done",
        loops: 1,
        [phase]: ["sleep 600"],
        more: ["--test-timeout-sec", "1"],
      });
      expect(code).toBe(1);
      expect(report.attempts[0]?.reasons).toEqual([`${phase}_test_failed`, "timeout"]);
      expect(report.attempts[0]?.tests.at(-1)).toMatchObject({
        phase,
        end: { kind: "timeout" },
        passed: false,
      });
      expect(rig.survivors()).toEqual([]);
    },
  );

  test("S40 a timeout ends the whole tree, and the next round starts", async () => {
    const rig = Rig.inWorkTree();
    const agent =
      'if [ "$GA_LOOP_INDEX" = 1 ]; then setsid sh -c "sleep 600; touch late" & sleep 600; fi; agent done done';
    const { code, report } = await rig.supervise({ agent, loops: 2, more: ["--agent-timeout-sec", "1"] });
    expect(code).toBe(0);
    expect(report.attempts.map(({ decision }) => decision)).toEqual(["rejected", "accepted"]);
    expect(rig.survivors()).toEqual([]);
    expect(rig.exists("late")).toBe(false);
    expect(fs.readFileSync(report.attempts[0]?.feedback.path ?? "", "utf8")).toContain("timeout");
  });
});
