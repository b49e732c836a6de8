import fs from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAKE_CLOCK, Rig } from "../rig/rig.ts";

const GOLDEN = join(import.meta.dirname, "../golden/agents");
const CHECKS = { fast: ["test -f work.txt"], full: ["true"] };

/** An agent that replays the output of a real one, and hangs if the real one was still trying. */
function withReplay(rig: Rig, agent: string, name: string): Record<string, string> {
  const recorded = join(GOLDEN, agent, name);
  const { exitCode, timedOut } = JSON.parse(fs.readFileSync(`${recorded}.json`, "utf8")) as {
    readonly exitCode: number | null;
    readonly timedOut: boolean;
  };
  const bin = join(rig.home, "replay");
  fs.mkdirSync(bin);
  const script = `#!/bin/sh
[ "$1" = --version ] && exit
cat >/dev/null
[ -f ${recorded}.stderr ] && cat ${recorded}.stderr >&2
[ -f ${recorded}.stdout ] && cat ${recorded}.stdout
${timedOut ? "exec sleep 1000" : `exit ${exitCode}`}
`;
  fs.writeFileSync(join(bin, agent), script, { mode: 0o755 });
  return { PATH: `${bin}${delimiter}${rig.env()["PATH"] ?? ""}` };
}

describe("an agent that cannot reach its API", () => {
  test.each([
    ["claude", "net-refused", "Connection refused"],
    ["claude", "net-dns", "Can't reach the API server"],
    ["claude", "net-noroute", "No internet route"],
    ["claude", "net-cut-later", "Connection lost mid-response"],
    ["claude", "net-proxy-tunnel", "Couldn't connect through your proxy"],
    ["claude", "err-hang-streamjson", "Request timed out"],
    ["codex", "net-refused", "Connection failed: error sending request"],
    ["codex", "net-cut", "network error"],
    ["gemini", "net-refused", "fetch failed"],
    ["gemini", "net-cut", "terminated"],
    ["gemini", "net-cut-cleanly", "Model stream ended"],
    ["opencode", "net-dns", "Cannot connect to API"],
    ["opencode", "net-timeout", "The operation timed out"],
  ])("%s, %s: no attempt is spent, and the cause is named", async (agent, name, cause) => {
    const rig = Rig.inWorkTree();
    const { code, report, stdout } = await rig.supervise(
      { ...CHECKS, agents: agent, more: ["--max-wait", "0"] },
      { env: withReplay(rig, agent, name) },
    );
    expect(report.attempts).toEqual([]);
    expect(report.agent_failures).toMatchObject([{ agent, attempt: 1, class: "unreachable" }]);
    expect(code).toBe(4);
    expect(stdout).toContain(`${agent} cannot reach its API; no attempt spent`);
    expect(stdout).toMatch(new RegExp(`${agent} cannot reach its API: .*${cause}`));
  });

  test.each([
    ["net-tls-untrusted", "Self-signed certificate detected"],
    ["net-tls-hostname", "SSL certificate hostname mismatch"],
  ])("claude, %s: waiting does not help, so the run stops for a person", async (name, cause) => {
    const rig = Rig.inWorkTree();
    const { code, report, stdout } = await rig.supervise(
      { ...CHECKS, agents: "claude" },
      { env: withReplay(rig, "claude", name), preload: FAKE_CLOCK },
    );
    expect(report.attempts).toEqual([]);
    expect(report.agent_failures).toMatchObject([{ agent: "claude", attempt: 1, class: "permission" }]);
    expect(code).toBe(5);
    expect(stdout).toMatch(new RegExp(`claude cannot work with its current settings: .*${cause}`));
    expect(stdout).not.toContain("allow its tools");
  });

  test("the run waits longer each time, and continues when the network is back", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "unreachable unreachable unreachable work" });
    const { code, report, runId } = await rig.supervise(
      { ...CHECKS, agents: "claude" },
      { env, preload: FAKE_CLOCK },
    );
    expect(code).toBe(0);
    expect(report.attempts).toHaveLength(1);
    const records = rig.records(runId);
    const failed = records.filter(({ event }) => event.type === "turn_failed");
    const waits = rig.events(runId).filter((event) => event.type === "wait_started");
    const pauses = waits.map(
      ({ until }, at) => (Date.parse(until) - Date.parse(failed[at]?.at ?? "")) / 1000,
    );
    expect(pauses).toEqual([10, 20, 40]);
  });

  test("after the third try in a row another agent takes over", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "unreachable" });
    const { code, report } = await rig.supervise(
      { ...CHECKS, agents: "claude,codex" },
      { env, preload: FAKE_CLOCK },
    );
    expect(code).toBe(0);
    expect(report.agent_failures).toHaveLength(3);
    expect(report.attempts.map(({ agent }) => agent.name)).toEqual(["codex"]);
  });

  test("an agent's text about connections is work", async () => {
    const rig = Rig.inWorkTree();
    const env = rig.withAgents({ CLAUDE_DOES: "talks_of_network work" });
    const { report } = await rig.supervise({ ...CHECKS, agents: "claude" }, { env });
    expect(report.agent_failures).toEqual([]);
    expect(report.attempts).toHaveLength(2);
  });
});
