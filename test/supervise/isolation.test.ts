import { describe, expect, test } from "vitest";
import { Strings } from "../rig/puppet.ts";
import { withoutNamespaces } from "../rig/no-namespaces.ts";
import { Rig, until } from "../rig/rig.ts";

describe("containment", () => {
  test("the report names it, and nothing can leak where the kernel contains it", async () => {
    const rig = new Rig();
    const { report } = await rig.supervise({ agent: "orphan-maker" });
    const { level, best_effort } = report.containment;
    expect(best_effort).toBe(level === "process_group");
    expect(best_effort ? [] : report.attempts[0]?.agent.leaked).toEqual([]);
  });

  test("an agent does not see processes outside its own", async () => {
    const rig = new Rig();
    const { report } = await rig.supervise({ agent: `kill -0 ${process.pid} 2> seen; claim` });
    expect(report.containment.best_effort || rig.read("seen") !== "").toBe(true);
  });

  test("agent and tests have their standard input closed", async () => {
    const rig = new Rig();
    const { code } = await rig.supervise({ agent: "stdin-reader", fast: ["cat"], full: ["cat"] });
    expect(code).toBe(0);
  });
});

describe("without namespaces", () => {
  test("the report says best effort, and lists what leaked and was ended", async () => {
    const rig = new Rig();
    const { code, report } = await rig.supervise({ agent: "orphan-maker" }, { env: withoutNamespaces(rig) });
    expect(rig.survivors()).toEqual([]);
    expect(code).toBe(0);
    expect(report.containment).toEqual({ level: "process_group", best_effort: true });
    const leaked = report.attempts[0]?.agent.leaked.map(({ command }) => command).join("\n");
    expect(leaked).toContain("escaped");
    expect(rig.exists("escaped")).toBe(false);
  });

  test.each(["pipe-holder", "stdin-reader", "truncator"])(
    "%s is accepted and leaves nothing",
    async (agent) => {
      const rig = new Rig();
      const { code } = await rig.supervise({ agent }, { env: withoutNamespaces(rig) });
      expect(code).toBe(0);
      expect(rig.survivors()).toEqual([]);
    },
  );

  test("sleeper and crasher are rejected and leave nothing", async () => {
    const rig = new Rig();
    const { code, report } = await rig.supervise(
      {
        agent: 'if [ "$GA_LOOP_INDEX" = 1 ]; then sleeper; else crasher; fi',
        loops: 2,
        more: ["--agent-timeout-sec", "1"],
      },
      { env: withoutNamespaces(rig) },
    );
    expect(code).toBe(1);
    expect(report.attempts.map(({ reasons }) => reasons)).toEqual([["timeout"], ["agent_exit_nonzero"]]);
    expect(rig.survivors()).toEqual([]);
  });

  test("leftovers of a killed supervisor are ended by resume, before the attempt is repeated", async () => {
    const rig = new Rig();
    const strings = await Strings.attach(rig);
    const env = { ...strings.env, ...withoutNamespaces(rig) };
    const running = rig.start(rig.superviseArgs({ agent: "puppet" }), { env });
    const lost = await strings.next();
    await lost.do({ spawn: "exec sleep 3600" });
    running.child.kill("SIGKILL");
    await running.ended;
    const [runId = ""] = rig.runIds();
    const resumed = rig.start(["resume", runId], { env });
    const puppet = await strings.next();
    await lost.gone;
    await until(() => !rig.survivors().some((line) => line.includes("sleep 3600")));
    expect(puppet.env["GA_LOOP_INDEX"]).toBe("1");
    await puppet.say("DONE");
    expect((await resumed.ended).code).toBe(0);
    const event = rig.events(runId).find(({ type }) => type === "run_resumed");
    expect(event?.type === "run_resumed" && event.ended.map(({ command }) => command)).toContain(
      "sleep 3600",
    );
    expect(rig.survivors()).toEqual([]);
  });
});
