import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";

// Separate from the rest of the zoo, because each of them may use its grace period before it is killed.
describe("the zoo at the end of its time", () => {
  test.each(["term-ignorer", "self-stopper", "late-marker"])(
    "%s is ended, and its DONE does not count",
    async (agent) => {
      const rig = Rig.inWorkTree();
      const { code, report } = await rig.supervise({ agent, loops: 1, more: ["--agent-timeout-sec", "1"] });
      expect(rig.survivors()).toEqual([]);
      expect(code).toBe(1);
      expect(report.attempts[0]).toMatchObject({
        decision: "rejected",
        agent: { end: { kind: "timeout", afterMs: 1000 } },
      });
      expect(report.attempts[0]?.reasons[0]).toBe("timeout");
    },
  );

  test("tidier gets its moment of grace", async () => {
    const rig = Rig.inWorkTree();
    const { report } = await rig.supervise({ agent: "tidier", loops: 1, more: ["--agent-timeout-sec", "1"] });
    expect(rig.survivors()).toEqual([]);
    expect(report.attempts[0]?.agent.end.kind).toBe("timeout");
    expect(rig.exists("tidied")).toBe(true);
  });
});
