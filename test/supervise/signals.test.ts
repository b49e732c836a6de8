import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Strings, type Puppet } from "../rig/puppet.ts";
import { Rig, until, type Running } from "../rig/rig.ts";

interface Scene {
  readonly rig: Rig;
  readonly strings: Strings;
  readonly running: Running;
  readonly puppet: Puppet;
  readonly runId: string;
}

/** A supervisor whose first agent is at work, after the tests of the base. Tests leave a trace outside the tree. */
async function atWork(tests: { fast?: string[]; full?: string[] } = {}): Promise<Scene> {
  const rig = new Rig();
  const strings = await Strings.attach(rig);
  const args = rig.superviseArgs({
    agent: "puppet",
    fast: ["echo fast >> ../ran"],
    full: ["echo full >> ../ran"],
    more: ["--pass-env", "PUPPET_SOCKET"],
    ...tests,
  });
  const running = rig.start(args, { env: strings.env });
  let puppet = await strings.next();
  for (; !isAgent(puppet); puppet = await strings.next()) await puppet.exit(0);
  return { rig, strings, running, puppet, runId: rig.runIds()[0] ?? "" };
}

/** The environment distinguishes a puppet test command from the agent. */
const isAgent = ({ env }: Puppet): boolean => env["GA_LOOP_INDEX"] !== undefined;
const ran = (rig: Rig): string => fs.readFileSync(join(rig.root, "ran"), "utf8");
const ON_BASE = "fast\nfull\n";
const BEGUN = ["run_started", "base_taken", "base_checked", "base_checked", "turn_started"];

const types = ({ rig, runId }: Scene): string[] => rig.events(runId).map(({ type }) => type);
const heard = ({ running }: Scene, text: string): Promise<unknown> =>
  until(() => running.output().stderr.includes(text));

async function resumeWith(
  { rig, strings, runId }: Scene,
  status: string,
): Promise<{ puppet: Puppet; code: number | null }> {
  const resumed = rig.start(["resume", runId], { env: strings.env });
  const puppet = await strings.next();
  await puppet.say(status);
  return { puppet, code: (await resumed.ended).code };
}

const SIGNALS = [
  { signal: "SIGINT", code: 130 },
  { signal: "SIGTERM", code: 143 },
  { signal: "SIGHUP", code: 129 },
] as const;

describe.each(SIGNALS)("$signal", ({ signal, code }) => {
  test("the first lets the turn end, records it, and stops before its tests; resume continues from there", async () => {
    const scene = await atWork();
    const { rig, running, puppet, runId } = scene;
    process.kill(running.pid, signal);
    await heard(scene, signal);
    await puppet.say("DONE");
    const ended = await running.ended;
    expect(ended.code).toBe(code);
    expect(ended.stdout).toContain(`agent-foreman resume ${runId}`);
    expect(types(scene)).toEqual([...BEGUN, "turn_ended", "candidate_taken", "run_stopped"]);
    expect(ran(rig)).toBe(ON_BASE);
    expect(rig.hasReport(runId)).toBe(false);
    expect(rig.survivors()).toEqual([]);

    expect((await rig.run(["resume", runId])).code).toBe(0);
    expect(ran(rig)).toBe(`${ON_BASE}fast\nfull\n`);
    expect(rig.report(runId).attempts).toHaveLength(1);
  });

  test("the second kills the turn, which is recorded as interrupted; resume makes the same attempt again", async () => {
    const scene = await atWork();
    const { rig, running, puppet, runId } = scene;
    await puppet.do({ stdout: "GA_STATUS=DONE\nGA_EVIDENCE=too early\n" });
    await puppet.do({ spawn: "exec sleep 3600" });
    process.kill(running.pid, signal);
    await heard(scene, signal);
    process.kill(running.pid, signal);
    await puppet.gone;
    expect((await running.ended).code).toBe(code);
    expect(types(scene)).toEqual([...BEGUN, "turn_interrupted", "run_stopped"]);
    expect(rig.survivors()).toEqual([]);

    const again = await resumeWith(scene, "DONE");
    expect(again.puppet.env["GA_LOOP_INDEX"]).toBe("1");
    expect(again.code).toBe(0);
    const took = expect.any(Number) as number;
    expect(rig.report(runId)).toMatchObject({
      final_status: "passed",
      interrupted_turns: [{ attempt: 1, turn: 1, duration_ms: took }],
    });
    expect((await rig.run(["show", runId])).stdout).toMatch(
      /agent +1\/\d+ interrupted; no attempt spent \(\d+\.\ds\)/,
    );
    expect(rig.report(runId).attempts.map(({ index }) => index)).toEqual([1]);
  });
});

describe("signals during a test", () => {
  test("the first lets it end; the second kills it, and it runs again when the run is resumed", async () => {
    const scene = await atWork({ fast: ["puppet"] });
    const { rig, strings, running, puppet, runId } = scene;
    await puppet.say("DONE");
    const check = await strings.next();
    process.kill(running.pid, "SIGINT");
    await heard(scene, "SIGINT");
    process.kill(running.pid, "SIGTERM");
    await check.gone;
    expect((await running.ended).code).toBe(130);
    expect(types(scene)).toEqual([...BEGUN, "turn_ended", "candidate_taken", "run_stopped"]);

    const resumed = rig.start(["resume", runId], { env: strings.env });
    await (await strings.next()).exit(0);
    expect((await resumed.ended).code).toBe(0);
    const [attempt] = rig.report(runId).attempts;
    expect(attempt?.tests.map(({ phase, passed }) => [phase, passed])).toEqual([
      ["fast", true],
      ["full", true],
    ]);
  });

  test("a signal after the last test loses neither verdict nor outcome", async () => {
    const scene = await atWork({ fast: ["true"], full: ["puppet"] });
    const { rig, strings, running, puppet, runId } = scene;
    await puppet.say("DONE");
    const check = await strings.next();
    process.kill(running.pid, "SIGINT");
    await heard(scene, "SIGINT");
    await check.exit(0);
    expect((await running.ended).code).toBe(0);
    expect(rig.report(runId).final_status).toBe("passed");
  });
});

describe("SIGKILL of the supervisor", () => {
  test("leaves no process, not even in its own session; resume makes the same attempt again and ends well", async () => {
    const scene = await atWork();
    const { rig, running, puppet, runId } = scene;
    await puppet.do({ stdout: "GA_STATUS=DONE\nGA_EVIDENCE=too early\n" });
    await puppet.do({ spawn: "touch born; sleep 3600; touch escaped" });
    await until(() => rig.exists("born"));
    running.child.kill("SIGKILL");
    expect((await running.ended).signal).toBe("SIGKILL");
    await puppet.gone;
    await until(() => rig.survivors().length === 0);
    expect(types(scene)).toEqual(BEGUN);

    const again = await resumeWith(scene, "DONE");
    expect(again.puppet.env["GA_LOOP_INDEX"]).toBe("1");
    expect(again.code).toBe(0);
    expect(types(scene)).toEqual([
      ...[...BEGUN, "run_resumed", "turn_interrupted", "turn_started", "turn_ended", "candidate_taken"],
      ...["test_run_ended", "check_ended", "test_run_ended", "check_ended"],
      ...["candidate_confirmed", "attempt_judged", "run_ended"],
    ]);
    expect(rig.report(runId)).toMatchObject({
      final_status: "passed",
      interrupted_turns: [{ attempt: 1, turn: 1 }],
    });
    expect(rig.exists("escaped")).toBe(false);
    expect(rig.survivors()).toEqual([]);
  });

  test("does not lose the time of the turn: show and report know it, and it counts as time of the run", async () => {
    const scene = await atWork();
    const { rig, running, runId } = scene;
    const turnDir = join(rig.state, "runs", runId, "turns", "1");
    const begun = Date.parse(rig.records(runId).at(-1)?.at ?? "");
    await until(() => fs.statSync(turnDir).mtimeMs > begun + 1900);
    running.child.kill("SIGKILL");
    await running.ended;
    await until(() => rig.survivors().length === 0);

    expect((await resumeWith(scene, "DONE")).code).toBe(0);
    const report = rig.report(runId);
    const [cut] = report.interrupted_turns;
    expect(cut?.duration_ms).toBeGreaterThan(1900);
    expect(cut?.duration_ms).toBeLessThan(Date.parse(report.finished_at ?? "") - begun);
    expect(report.duration_ms).toBeGreaterThan(cut?.duration_ms ?? Infinity);
    expect((await rig.run(["show", runId])).stdout).toMatch(
      /agent +1\/\d+ interrupted; no attempt spent \(at least \d+(?:\.\d)?s\)/,
    );
  });

  test("during a test: the turn is kept, the test is run again", async () => {
    const scene = await atWork({ fast: ["puppet"] });
    const { rig, strings, running, puppet, runId } = scene;
    await puppet.say("DONE");
    const check = await strings.next();
    running.child.kill("SIGKILL");
    await check.gone;
    await until(() => rig.survivors().length === 0);
    const resumed = rig.start(["resume", runId], { env: strings.env });
    await (await strings.next()).exit(0);
    expect((await resumed.ended).code).toBe(0);
    expect(types(scene).filter((type) => type === "turn_started")).toHaveLength(1);
    expect(rig.report(runId).interrupted_turns).toEqual([]);
  });
});

describe("two supervisors", () => {
  test("the second on the same work tree is refused by the first one's run id, from any folder of it", async () => {
    const { rig, running, puppet, runId } = await atWork();
    fs.mkdirSync(join(rig.project, "inner"));
    for (const cwd of [rig.project, join(rig.project, "inner")]) {
      const before = rig.everything();
      const second = await rig.run(rig.superviseArgs({ agent: "touch started", plan: "/dev/null" }), { cwd });
      expect(second.code).toBe(6);
      expect(second.stderr).toContain(runId);
      expect(rig.everything()).toEqual(before);
    }
    await puppet.say("DONE");
    expect((await running.ended).code).toBe(0);
    expect((await rig.run(rig.superviseArgs({ agent: "agent done" }))).code).toBe(0);
  });

  test("a run is resumed once: the second resume is refused", async () => {
    const { rig, running, puppet, runId } = await atWork();
    const second = await rig.run(["resume", runId]);
    expect(second.code).toBe(6);
    expect(second.stderr).toContain(runId);
    await puppet.say("DONE");
    expect((await running.ended).code).toBe(0);
  });

  test("two work trees do not get in each other's way, though they share the state directory", async () => {
    const { rig, running, puppet } = await atWork();
    const other = new Rig();
    const { code } = await other.run(other.superviseArgs({ agent: "agent done" }), {
      env: { AGENT_FOREMAN_HOME: rig.state },
    });
    expect(code).toBe(0);
    await puppet.say("DONE");
    expect((await running.ended).code).toBe(0);
  });
});

describe("cancel", () => {
  test("of a live run kills the turn and ends the run as failed, with a report", async () => {
    const scene = await atWork();
    const { rig, running, puppet, runId } = scene;
    await puppet.do({ spawn: "exec sleep 3600" });
    const cancelled = await rig.run(["cancel", runId]);
    expect(cancelled).toMatchObject({ code: 0, stderr: "" });
    await puppet.gone;
    expect((await running.ended).code).toBe(1);
    expect(rig.report(runId)).toMatchObject({
      final_status: "failed",
      end_reason: "cancelled",
      exit_code: 1,
    });
    expect(rig.survivors()).toEqual([]);
  });

  test("of a stopped run ends it as failed, with a report, and starts nothing", async () => {
    const scene = await atWork();
    const { rig, running, puppet, runId } = scene;
    process.kill(running.pid, "SIGINT");
    await puppet.say("DONE");
    expect((await running.ended).code).toBe(130);
    expect((await rig.run(["cancel", runId])).code).toBe(0);
    expect(rig.report(runId)).toMatchObject({
      final_status: "failed",
      end_reason: "cancelled",
      exit_code: 1,
    });
    expect(ran(rig)).toBe(ON_BASE);
    expect((await rig.run(["resume", runId])).code).toBe(1);
  });
});

describe("resume of an ended run", () => {
  test.each([
    ["done", 0],
    ["blocked", 1],
  ])("after %s: writes the report again and returns the same exit code", async (what, code) => {
    const rig = new Rig();
    const { report, runId } = await rig.supervise({ agent: `echo . >> turns; agent ${what}`, loops: 1 });
    const journal = fs.readFileSync(rig.journalPath(runId));
    fs.rmSync(report.report_path);
    fs.rmSync(join(rig.project, ".goldagent-supervise", runId), { recursive: true });
    expect((await rig.run(["resume", runId])).code).toBe(code);
    expect(rig.report(runId)).toEqual(report);
    expect(rig.exists(`.goldagent-supervise/${runId}/attempt-1.json`)).toBe(true);
    expect(rig.read("turns")).toBe(".\n");
    expect(fs.readFileSync(rig.journalPath(runId))).toEqual(journal);
  });

  test("after a missing plan: the same exit code", async () => {
    const rig = new Rig();
    const { code, runId } = await rig.supervise({ agent: "touch started", plan: "nowhere.md" });
    expect(code).toBe(2);
    rig.write("nowhere.md", "there now");
    expect((await rig.run(["resume", runId])).code).toBe(2);
    expect(rig.exists("started")).toBe(false);
  });
});
