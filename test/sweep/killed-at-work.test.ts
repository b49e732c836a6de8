import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Strings, type Puppet } from "../rig/puppet.ts";
import { Rig, type Running } from "../rig/rig.ts";
import { expectSoundJournal, noSurvivors, onlyRun, superviseIn } from "./outcome.ts";
import { KILL_AFTER } from "./points.ts";
import { rejectedOnce } from "./scenarios.ts";

/** Children that escape a process group: in their own session, or orphaned twice. */
const ESCAPES = [
  "setsid sleep 600",
  "(setsid sh -c 'sleep 600 & sleep 600' &)",
  "trap '' TERM HUP; sleep 600",
];

async function killWhileAtWork(rig: Rig, supervisor: Running, puppet: Puppet): Promise<void> {
  for (const escape of ESCAPES) await puppet.do({ spawn: escape });
  supervisor.child.kill("SIGKILL");
  expect((await supervisor.ended).signal).toBe("SIGKILL");
  await noSurvivors(rig);
}

test("killed while the agent works: nothing survives, and the turn runs again", async () => {
  const rig = new Rig();
  const strings = await Strings.attach(rig);
  const supervisor = rig.start(rig.superviseArgs({ agent: "puppet" }), { env: strings.env });
  const lost = await strings.next();
  await lost.do({ stdout: "GA_STATUS=DONE\nGA_EVIDENCE=never heard to its end\n" });
  await killWhileAtWork(rig, supervisor, lost);

  const runId = onlyRun(rig);
  expect(rig.events(runId).map((event) => event.type)).toEqual(["run_started", "turn_started"]);
  const resumed = rig.start(["resume", runId], { env: strings.env });
  const again = await strings.next();
  expect(again.env["GA_LOOP_INDEX"]).toBe("1");
  await again.say("DONE", "second try");

  expect((await resumed.ended).code).toBe(0);
  const report = rig.report(runId);
  expect(report.interrupted_turns).toMatchObject([{ attempt: 1, turn: 1 }]);
  expect(report.attempts.map((attempt) => attempt.agent_evidence)).toEqual(["second try"]);
  expectSoundJournal(rig, runId);
  expect(rig.survivors()).toEqual([]);
});

test.each(["fast", "full"] as const)(
  "killed while a %s test runs: nothing survives, and the test runs again",
  async (phase) => {
    const rig = new Rig();
    const strings = await Strings.attach(rig);
    const supervisor = rig.start(rig.superviseArgs({ agent: "agent done", [phase]: ["true", "puppet"] }), {
      env: strings.env,
    });
    const lost = await strings.next();
    await killWhileAtWork(rig, supervisor, lost);

    const runId = onlyRun(rig);
    const before = rig.events(runId);
    expect(before.at(-1)).toMatchObject({ type: "check_ended", phase, index: 1 });
    const resumed = rig.start(["resume", runId], { env: strings.env });
    await (await strings.next()).exit(0);

    expect((await resumed.ended).code).toBe(0);
    const events = rig.events(runId);
    expect(events.slice(0, before.length)).toEqual(before);
    expect(events.slice(before.length, before.length + 2)).toMatchObject([
      { type: "run_resumed" },
      { type: "check_ended", phase, index: 2 },
    ]);
    expect(rig.report(runId)).toMatchObject({ interrupted_turns: [], attempts: [{ decision: "accepted" }] });
    expectSoundJournal(rig, runId);
    await noSurvivors(rig);
  },
);

test("killed while a flaky test runs: the second result counts", async () => {
  const rig = new Rig();
  const strings = await Strings.attach(rig);
  const args = rig.superviseArgs({ agent: "agent done", fast: ["puppet"], loops: 1 });
  const supervisor = rig.start(args, { env: strings.env });
  await killWhileAtWork(rig, supervisor, await strings.next());

  const runId = onlyRun(rig);
  const resumed = rig.start(["resume", runId], { env: strings.env });
  await (await strings.next()).exit(1);
  expect((await resumed.ended).code).toBe(1);
  expect(rig.report(runId).attempts.map((attempt) => attempt.reasons)).toEqual([["fast_test_failed"]]);
  expectSoundJournal(rig, runId);
});

test("killed after the end was recorded, before the report was written: resume writes report and attempt files", async () => {
  const rig = new Rig();
  const appends = 11;
  const killed = await superviseIn(rig, rejectedOnce, {
    preload: KILL_AFTER,
    env: { SWEEP_KILL: `after:${appends}` },
  });
  expect(killed.signal).toBe("SIGKILL");
  const runId = onlyRun(rig);
  expect(rig.events(runId).at(-1)?.type).toBe("run_ended");
  expect(rig.hasReport(runId)).toBe(false);
  fs.rmSync(join(rig.project, ".goldagent-supervise"), { recursive: true });

  const journal = fs.readFileSync(rig.journalPath(runId));
  expect((await rig.run(["resume", runId])).code).toBe(0);
  expect(rig.report(runId)).toMatchObject({ final_status: "passed", exit_code: 0 });
  const runDir = join(rig.project, ".goldagent-supervise", runId);
  for (const attempt of rig.report(runId).attempts)
    expect(JSON.parse(fs.readFileSync(join(runDir, `attempt-${attempt.index}.json`), "utf8"))).toEqual(
      attempt,
    );
  expect(fs.readFileSync(rig.journalPath(runId)), "an ended journal is not written again").toEqual(journal);
});
