import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Strings } from "../rig/puppet.ts";
import { until, type Ended, type SuperviseOptions } from "../rig/rig.ts";
import { DONE, StepsRig } from "../rig/steps.ts";
import { verdict } from "../run/scene.ts";
import type { SuperviseReport } from "../../src/modes/supervise/report.ts";
import { put, reasonsOf, RoomRig, type Files } from "./project.ts";

const TEST = "test/value.test.sh";
const ORIGINAL = "grep -q right src/value.txt\n";
const FILES: Files = { "src/value.txt": "wrong\n", [TEST]: ORIGINAL };
const CHECK = `sh ${TEST}`;

const WEAKENS = put(TEST, "true\n");
const WORKS = "echo right > src/value.txt";
/** Changes an unrelated file, so that the attempt is not empty. */
const IDLES = "date +%N >> notes.md";

interface Judged extends Ended {
  readonly runId: string;
  readonly report: SuperviseReport;
}

/** One more run of one attempt in the rig. */
async function judged(rig: RoomRig, agent: string, options: SuperviseOptions = {}): Promise<Judged> {
  const before = new Set(rig.runIds());
  const args = { agent: rig.agent(agent), full: [CHECK], loops: 1, ...options };
  const ended = await rig.run(rig.superviseArgs(args));
  const runId = rig.runIds().find((id) => !before.has(id)) ?? "";
  return { ...ended, runId, report: rig.report(runId) };
}

/** A rejected run that left a weakened test. */
async function weakened(): Promise<{ rig: RoomRig; first: string }> {
  const rig = new RoomRig(FILES);
  const { code, runId, report } = await judged(rig, WEAKENS);
  expect([code, ...reasonsOf(report)]).toEqual([1, expect.arrayContaining(["oracle_changed"])]);
  expect(rig.read(TEST)).toBe("true\n");
  return { rig, first: runId };
}

function inheritedBy(rig: RoomRig | StepsRig, runId: string): string[] {
  const taken = rig.events(runId).find((event) => event.type === "base_taken");
  return taken?.inherited.some.map(({ path }) => path) ?? [];
}

/** Runs the first suggested command that restores files. */
async function wayOut(rig: RoomRig, stdout: string): Promise<number | null> {
  const [, args = ""] = /agent-foreman (restore [^;。]*?)(?:;|\. |。)/.exec(stdout) ?? [];
  return (await rig.run(args.split(" "))).code;
}

describe("a test that a rejected run weakened", () => {
  test("comes from that run's base; the start says so, and what to do", async () => {
    const { rig, first } = await weakened();
    const { code, stdout, report, runId } = await judged(rig, IDLES);
    expect(code).toBe(1);
    expect(reasonsOf(report)[0]).toContain("oracle_changed");
    expect(report.base?.tests.map(({ exit_code }) => exit_code)).toEqual([0, 1]);
    expect(stdout).toContain(`run ${first} was not accepted and left protected files changed: ${TEST}.`);
    expect(stdout).toContain(`To put the originals back: agent-foreman restore ${first} ${TEST}.`);
    expect(stdout).toContain("--accept-tree");
    expect(inheritedBy(rig, runId)).toEqual([TEST]);
    const diff = await rig.run(["diff", runId, "--stat"]);
    expect(diff.stdout).toContain("notes.md");
    expect(diff.stdout).not.toContain(TEST);
    expect(report.base?.inherited).toEqual({ count: 1, some: [{ path: TEST, run_id: first, added: false }] });
    expect((await rig.run(["show", runId])).stdout).toContain("--accept-tree");
    // The work tree itself is unchanged.
    expect(rig.read(TEST)).toBe("true\n");
  });

  test("is not blamed on an agent that left it alone", async () => {
    const { rig, first } = await weakened();
    const { report } = await judged(rig, IDLES);
    const feedback = rig.feedback(report);
    expect(feedback).not.toMatch(/you modified|git checkout/);
    expect(feedback).toContain(
      "- protected files (tests, or their configuration) are still as an earlier run left them",
    );
    expect(feedback).toContain(
      `## Protected files that run ${first} left changed before your work\n\n| ${TEST} (changed)\n`,
    );
    expect(feedback).toContain(`agent-foreman restore ${first} ${TEST}`);
  });

  test("comes from the oldest base until a person edits it, and restore uses it; also reported in Chinese", async () => {
    const { rig } = await weakened();
    const second = await judged(rig, `${IDLES}\n${put(TEST, "true || false\n")}`);
    const third = await judged(rig, IDLES, { more: ["--lang", "zh"] });
    expect([second.code, third.code]).toEqual([1, 1]);
    expect(third.stdout).toContain(`运行 ${second.runId} 未通过验收`);
    expect(third.stdout).toContain("--accept-tree");
    expect(await wayOut(rig, third.stdout)).toBe(0);
    expect(rig.read(TEST)).toBe(ORIGINAL);
  });

  test("is put back as the person had it, uncommitted edits included, and no hook runs", async () => {
    const rig = new RoomRig(FILES);
    const edited = `${ORIGINAL}! grep -q wrong src/value.txt\n`;
    rig.write(TEST, edited);
    const hook = put(".git/hooks/post-checkout", "#!/bin/sh\ntouch hooked\n");
    expect((await judged(rig, `${WEAKENS}\n${hook}\nchmod +x .git/hooks/post-checkout`)).code).toBe(1);
    const next = await judged(rig, IDLES);
    expect(next.code).toBe(1);
    expect(next.stdout).not.toContain("git checkout");
    expect(await wayOut(rig, next.stdout)).toBe(0);
    expect(rig.read(TEST)).toBe(edited);
    expect(fs.existsSync(join(rig.project, "hooked"))).toBe(false);
  });

  test("no longer matters once it is restored; later accepted work is the next base", async () => {
    const { rig } = await weakened();
    const honest = await judged(rig, `${WORKS}\ngit checkout -q ${TEST}`);
    expect(honest.code).toBe(0);
    const next = await judged(rig, IDLES);
    expect(next.code).toBe(0);
    expect(inheritedBy(rig, next.runId)).toEqual([]);
  });

  test("is the base with --accept-tree, for the next runs as well", async () => {
    const { rig } = await weakened();
    const accepted = await judged(rig, `${IDLES}; exit 3`, { more: ["--accept-tree"] });
    expect(accepted.code).toBe(1);
    expect(accepted.report.room?.accept_tree).toBe(true);
    const next = await judged(rig, IDLES);
    expect(next.code).toBe(0);
    expect(next.stdout).not.toContain("--accept-tree");
  });

  test("is the person's once they edit it", async () => {
    const { rig } = await weakened();
    rig.write(TEST, "grep -q wrong src/value.txt\n");
    const { code, runId } = await judged(rig, IDLES);
    expect(code).toBe(0);
    expect(inheritedBy(rig, runId)).toEqual([]);
  });

  test("is the person's once they commit it, but not where the agent did", async () => {
    const { rig } = await weakened();
    rig.commit({});
    expect((await judged(rig, IDLES)).code).toBe(0);
    rig.commit({ [TEST]: ORIGINAL });
    const commits = `${WEAKENS}\ngit -c user.name=a -c user.email=a@b commit -qam Weaker`;
    expect((await judged(rig, commits)).code).toBe(1);
    const next = await judged(rig, IDLES);
    expect(next.code).toBe(1);
    expect(inheritedBy(rig, next.runId)).toEqual([TEST]);
    expect(await wayOut(rig, next.stdout)).toBe(0);
    expect(rig.read(TEST)).toBe(ORIGINAL);
  });

  test("counts without git", async () => {
    const rig = new RoomRig(FILES);
    fs.rmSync(join(rig.project, ".git"), { recursive: true });
    expect((await judged(rig, WEAKENS)).code).toBe(1);
    const { code, stdout } = await judged(rig, IDLES);
    expect(code).toBe(1);
    expect(stdout).toContain("--accept-tree");
    expect(await wayOut(rig, stdout)).toBe(0);
    expect(rig.read(TEST)).toBe(ORIGINAL);
  });

  test("is ignored by a run without a clean room, which changes nothing for the next one", async () => {
    const { rig } = await weakened();
    expect((await judged(rig, IDLES, { more: ["--no-clean-room"] })).code).toBe(0);
    expect((await judged(rig, IDLES)).code).toBe(1);
  });
});

test("protected files that a rejected run removed or added are as before; its new tests stay", async () => {
  const rig = new RoomRig({ ...FILES, Makefile: `check:\n\tsh ${TEST}\n` });
  const changes = [`rm ${TEST}`, put("GNUmakefile", "check:\n\ttrue\n"), put("test/new.test.sh", "true\n")];
  expect((await judged(rig, changes.join("\n"), { full: ["make check"] })).code).toBe(1);
  const { code, runId, stdout } = await judged(rig, IDLES, { full: ["make check"] });
  expect(code).toBe(1);
  expect(inheritedBy(rig, runId).toSorted()).toEqual(["GNUmakefile", TEST]);
  expect(stdout).toContain("; rm GNUmakefile.");
  expect(await wayOut(rig, stdout)).toBe(0);
  expect(rig.read(TEST)).toBe(ORIGINAL);
});

describe("a run that did not end", () => {
  test.each(["SIGKILL", "SIGINT"] as const)("%s in the middle of an attempt", async (signal) => {
    const rig = new RoomRig(FILES);
    const strings = await Strings.attach(rig);
    const args = rig.superviseArgs({ agent: "puppet", full: [CHECK], loops: 1 });
    const running = rig.start(args, { env: strings.env });
    const puppet = await strings.next();
    await puppet.do({ write: join(rig.project, TEST), text: "true\n" });
    running.child.kill(signal);
    if (signal === "SIGINT") await puppet.exit(0);
    await running.ended;
    const [first = ""] = rig.runIds();
    const next = await judged(rig, IDLES);
    expect(next.code).toBe(1);
    expect(next.stdout).toContain(`run ${first} was not accepted`);
  });
});

test("`run` takes a weakened test from the base of the run before, unless --accept-tree says otherwise", async () => {
  const rig = new StepsRig();
  rig.alwaysWith({ cleanRoom: true });
  for (const [name, text] of Object.entries(FILES)) rig.write(name, text);
  rig.step(1, { unit_test: { command: CHECK } });
  rig.script({ "worker step-001": { run: "echo true > test/value.test.sh" } });
  expect((await rig.steps()).code).toBe(3);
  rig.script({ "worker step-001": { run: IDLES } });
  const { code, runId, stdout } = await rig.steps(["--lang", "en"]);
  expect(code).toBe(3);
  expect(inheritedBy(rig, runId)).toEqual([TEST]);
  expect(stdout).toContain("--accept-tree");
  expect((await rig.steps(["--accept-tree"])).code).toBe(0);
});

test("an accepted step is the standard of the next run, though its run was stopped before it began another", async () => {
  const rig = new StepsRig();
  rig.alwaysWith({ cleanRoom: true });
  for (const [name, text] of Object.entries(FILES)) rig.write(name, text);
  rig.step(1, { unit_test: { command: CHECK } });
  rig.step(2, { unit_test: { command: CHECK } });
  rig.write("agent-foreman.yaml", "agents: [p]\nprofiles: { p: { extends: command, command: puppet } }\n");
  const strings = await Strings.attach(rig);
  const running = rig.start(["run", "steps"], { env: strings.env });
  const worker = await strings.next();
  await worker.do({ write: join(rig.project, "src/value.txt"), text: "right\n" });
  await worker.do({ write: join(rig.project, TEST), text: `${ORIGINAL}! grep -q wrong src/value.txt\n` });
  await worker.do({ stdout: "done\n" });
  await worker.exit(0);
  const reviewer = await strings.next();
  running.child.kill("SIGINT");
  await until(() => running.output().stderr.includes("SIGINT"));
  await reviewer.do({ stdout: `${verdict("pass")}\n` });
  await reviewer.exit(0);
  expect((await running.ended).code).toBe(130);
  expect(rig.stepNow("001-step.json")["status"]).toBe(DONE);
  rig.profiles(["stepper"]);
  const { code, runId } = await rig.steps();
  expect(code).toBe(0);
  expect(inheritedBy(rig, runId)).toEqual([]);
});
