import { expect, test } from "vitest";
import { withoutNamespaces } from "../rig/no-namespaces.ts";
import { Rig, until } from "../rig/rig.ts";
import { Strings } from "../rig/puppet.ts";

test("without namespaces the report says best effort and lists ended processes", async () => {
  const rig = new Rig();
  const agent = "(setsid sleep 1000 >/dev/null 2>&1 &); sleep 1000 & agent done";
  const { code, report } = await rig.supervise({ agent }, { env: withoutNamespaces(rig) });
  expect(code).toBe(0);
  expect(report.containment).toEqual({ level: "process_group", best_effort: true });
  // A child before its exec still shows the command line of its shell.
  const leaked = report.attempts[0]?.agent.leaked.map(({ command }) => command);
  expect(leaked).toEqual([expect.stringContaining("sleep 1000"), expect.stringContaining("sleep 1000")]);
  expect(rig.survivors()).toEqual([]);
});

test("without namespaces a child that holds the pipe does not delay the turn's end", async () => {
  const rig = new Rig();
  const { code, report } = await rig.supervise(
    { agent: "setsid sleep 1000 & agent done" },
    { env: withoutNamespaces(rig) },
  );
  expect(code).toBe(0);
  expect(report.attempts[0]?.agent.leaked).toHaveLength(1);
  expect(rig.survivors()).toEqual([]);
});

test("without namespaces a timeout ends the whole tree", async () => {
  const rig = new Rig();
  const agent =
    "trap '' TERM; setsid sh -c 'trap \"\" TERM; sleep 1000; sleep 1000' & sleep 1000; sleep 1000";
  const { report } = await rig.supervise(
    { agent, loops: 1, more: ["--agent-timeout-sec", "1"] },
    { env: withoutNamespaces(rig) },
  );
  expect(report.attempts[0]?.reasons).toContain("timeout");
  expect(rig.survivors()).toEqual([]);
});

test("without namespaces resume first ends processes of a killed supervisor", async () => {
  const rig = new Rig();
  const strings = await Strings.attach(rig);
  const env = { ...withoutNamespaces(rig), ...strings.env };
  const first = rig.start(rig.superviseArgs({ agent: "puppet" }), { env });
  const puppet = await strings.next();
  await puppet.do({ spawn: "exec sleep 1000" });
  first.child.kill("SIGKILL");
  await first.ended;
  expect(rig.survivors().length).toBeGreaterThan(0);

  const [runId = ""] = rig.runIds();
  const second = rig.start(["resume", runId], { env });
  await puppet.gone;
  const retried = await strings.next();
  await retried.say("DONE");
  expect((await second.ended).code).toBe(0);
  const resumed = rig.events(runId).find((event) => event.type === "run_resumed");
  expect(resumed?.ended.map((leaked) => leaked.command)).toContain("sleep 1000");
  await until(() => rig.survivors().length === 0);
});
