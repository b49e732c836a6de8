import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Ended } from "../rig/rig.ts";
import { CLIENTS, isLeftOut } from "./clients.ts";
import { ClientsRig } from "./clients-rig.ts";
import { outOfQuota, LOGGED_IN } from "./claude-quota.ts";
import type { Step } from "./model/script.ts";
import { TOKENS } from "./model/protocol.ts";

const MADE = "grep -q made made.txt";

class Supervised extends ClientsRig {
  async supervised(agents: string, ...more: string[]): Promise<Ended & { runId: string }> {
    const ended = await this.run([
      "supervise",
      ...["--task", "Make made.txt.", "--plan-file", "plan.md", "--agent", agents],
      ...["--test-fast", MADE, "--test-full", MADE, "--max-loops", "3"],
      ...more,
    ]);
    return { ...ended, runId: this.runIds()[0] ?? "" };
  }

  make(): Step {
    return { write: { path: join(this.project, "made.txt"), text: "made" } };
  }
}

const DONE: Step = { text: "All is done.\n\nGA_STATUS=DONE\nGA_EVIDENCE=I made made.txt" };

describe("supervise --agent with real clients", () => {
  it.each(CLIENTS.filter((name) => !isLeftOut(name)))(
    "rejects a false claim of %s, sends feedback, and accepts the fixed work",
    async (name) => {
      const rig = new Supervised();
      const model = await rig.client(name, [DONE, rig.make(), DONE]);
      const { code, runId } = await rig.supervised(name);
      expect(code).toBe(0);
      const { final_status, attempts, spent, agent_failures } = rig.report(runId);
      expect({ final_status, agent_failures }).toEqual({ final_status: "passed", agent_failures: [] });
      expect(attempts).toMatchObject([
        { decision: "rejected", agent_status_marker: "DONE", fast_tests_passed: false },
        { decision: "accepted", agent_evidence: "I made made.txt", full_test_passed: true },
      ]);
      expect(attempts.map(({ agent }) => agent.name)).toEqual([name, name]);
      expect(spent).toMatchObject({ input_tokens: 3 * TOKENS.input, output_tokens: 3 * TOKENS.output });
      expect(model.requests).toHaveLength(3);
      expect(model.requests[1]?.body.includes(MADE)).toBe(true);
      expect(rig.survivors()).toEqual([]);
    },
  );

  it.each(CLIENTS.filter((name) => !isLeftOut(name)))(
    "spends no attempt if nothing listens at the endpoint of %s",
    async (name) => {
      const rig = new Supervised();
      const model = await rig.client(name, []);
      await model.close();
      const { code, stdout, runId } = await rig.supervised(name, "--max-wait", "0");
      const { attempts, agent_failures } = rig.report(runId);
      expect(agent_failures).toMatchObject([{ agent: name, attempt: 1, class: "unreachable" }]);
      expect(attempts).toEqual([]);
      expect(code).toBe(4);
      expect(stdout).toContain(`${name} cannot reach its API`);
      expect(rig.survivors()).toEqual([]);
    },
    // Some clients retry for half a minute, longer on a busy machine.
    240_000,
  );

  it.skipIf(isLeftOut("claude") || isLeftOut("codex"))(
    "codex takes over when the quota of claude is used up",
    async () => {
      const rig = new Supervised();
      const reset = new Date(Math.ceil(Date.now() / 1000 + 3600) * 1000);
      const claude = await rig.client("claude", [{ error: outOfQuota(() => reset) }], LOGGED_IN);
      const codex = await rig.client("codex", [rig.make(), DONE]);
      const { code, runId } = await rig.supervised("claude,codex");
      expect(code).toBe(0);
      const { attempts, agent_failures } = rig.report(runId);
      expect(agent_failures).toMatchObject([
        { agent: "claude", attempt: 1, class: "quota", retry_at: reset.toISOString() },
      ]);
      expect(attempts).toMatchObject([{ index: 1, decision: "accepted", agent: { name: "codex" } }]);
      expect([claude.requests.length, codex.requests.length]).toEqual([1, 2]);
    },
  );

  it.skipIf(isLeftOut("claude"))("waits until the quota of claude is back", async () => {
    const rig = new Supervised();
    const inAMoment = (): Date => new Date(Math.ceil(Date.now() / 1000 + 5) * 1000);
    await rig.client("claude", [{ error: outOfQuota(inAMoment) }, rig.make(), DONE], LOGGED_IN);
    const { code, runId } = await rig.supervised("claude");
    expect(code).toBe(0);
    const { attempts, agent_failures } = rig.report(runId);
    expect(attempts).toMatchObject([{ index: 1, decision: "accepted" }]);
    expect(agent_failures).toMatchObject([{ agent: "claude", class: "quota" }]);
    const back = agent_failures[0]?.retry_at ?? "never told";
    const types = rig.events(runId).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith("wait_"))).toEqual(["wait_started", "wait_ended"]);
    const again = rig.records(runId).findLast(({ event }) => event.type === "turn_started");
    expect(Date.parse(again?.at ?? "")).toBeGreaterThanOrEqual(Date.parse(back));
  });
});
