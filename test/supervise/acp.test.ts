import { describe, expect, test } from "vitest";
import { Rig, type Ended } from "../rig/rig.ts";

describe("an agent of the Agent Client Protocol", () => {
  function acp(rig: Rig, does: string, ...more: string[]): Promise<Ended> {
    rig.write("agent-foreman.yaml", "profiles: { mine: { extends: acp, program: acp-mimic.mjs } }\n");
    const env = rig.withAgents({ ACP_DOES: does });
    return rig.run(rig.superviseArgs({ agents: "mine", fast: ["test -f work.txt"], loops: 2, more }), {
      env,
    });
  }

  test("is driven, contained, to an acceptance on evidence", async () => {
    const rig = Rig.inWorkTree();
    expect((await acp(rig, "work")).code).toBe(0);
    const [attempt] = rig.report(rig.runIds()[0] ?? "").attempts;
    expect(attempt).toMatchObject({ agent_evidence: "work.txt is written", agent: { session_id: "s1" } });
  });

  test("with false claims is rejected", async () => {
    const rig = Rig.inWorkTree();
    expect((await acp(rig, "lies")).code).toBe(1);
  });

  // The agent writes nothing more, so the error itself must end the turn, not the stall limit.
  test("that wants a login is reported at once", async () => {
    const rig = Rig.inWorkTree();
    expect((await acp(rig, "auth", "--stall-sec", "0", "--agent-timeout-sec", "0")).code).toBe(5);
    const { agent_failures: failures } = rig.report(rig.runIds()[0] ?? "");
    expect(failures).toMatchObject([{ class: "auth", message: "Authentication required" }]);
  });

  test("that speaks another version is reported at once, and costs an attempt", async () => {
    const rig = Rig.inWorkTree();
    expect((await acp(rig, "version", "--stall-sec", "0", "--agent-timeout-sec", "0")).code).toBe(1);
    const [first] = rig.report(rig.runIds()[0] ?? "").attempts;
    expect(first?.agent.failure).toMatchObject({ class: "protocol" });
  });

  test("that never answers is ended by the stall limit", async () => {
    const rig = Rig.inWorkTree();
    expect((await acp(rig, "mute", "--stall-sec", "1")).code).toBe(1);
    expect(rig.report(rig.runIds()[0] ?? "").attempts[0]?.reasons).toContain("stalled");
  });
});
