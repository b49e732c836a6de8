import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DOING, DONE, type Doing, type StepsRig } from "../rig/steps.ts";
import { FAKE_CLOCK } from "../rig/rig.ts";
import { linesOf, stepsRig } from "./scene.ts";

const QUOTA = { say: "You've hit your usage limit." };
const OVERLOADED =
  'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
const who = (rig: StepsRig): string[] =>
  rig.calls().map(({ name, role, round }) => `${name} ${role} ${round}`);

describe("the choice of verifier", () => {
  test("M9 prefers another agent than the worker, which continues with the next round and step", async () => {
    const rig = stepsRig(["a", "b"]);
    rig.step(1);
    rig.step(2);
    rig.script({ "reviewer step-001 1": { fail: [1] } });
    const { code, stdout, report } = await rig.steps();
    expect(code).toBe(0);
    expect(who(rig)).toEqual([
      ...["a worker 1", "b reviewer 1", "a worker 2", "b reviewer 2"],
      ...["a worker 1", "b reviewer 1"],
    ]);
    expect(linesOf({ stdout })).toContain("  1/1 项，由 b 验证");
    expect(report.steps[1]?.attempts[0]).toMatchObject({ work: { name: "a" }, verification: { name: "b" } });
  });

  test("M9 --verifier names it, even one that does not work at all; so does the configuration", async () => {
    const rig = stepsRig(["a", "b", "c"]);
    rig.step(1);
    const { code, report } = await rig.steps(["--agents", "a,b", "--verifier", "c"]);
    expect(code).toBe(0);
    expect(who(rig)).toEqual(["a worker 1", "c reviewer 1"]);
    expect(report).toMatchObject({ workers: ["a", "b"], verifiers: ["c"] });

    const other = stepsRig(["a", "b", "c"], "verifiers: [c, b]\n");
    other.step(1);
    await other.steps(["--agents", "a"]);
    expect(who(other)).toEqual(["a worker 1", "c reviewer 1"]);
  });

  test("M9 of several verifiers rather one that has not worked, in the order they were given", async () => {
    const rig = stepsRig(["a", "b", "c"]);
    rig.step(1);
    await rig.steps(["--verifier", "a,c,b"]);
    expect(who(rig)).toEqual(["a worker 1", "c reviewer 1"]);
  });

  test("M9 --verifier with the worker's own name is allowed", async () => {
    const rig = stepsRig(["a", "b"]);
    rig.step(1);
    const { code } = await rig.steps(["--verifier", "a"]);
    expect(code).toBe(0);
    expect(who(rig)).toEqual(["a worker 1", "a reviewer 1"]);
  });

  test("M9 a single agent verifies its own work, in a separate process", async () => {
    const rig = stepsRig(["a"]);
    rig.step(1);
    rig.step(2);
    const { code } = await rig.steps();
    expect(code).toBe(0);
    expect(who(rig)).toEqual(["a worker 1", "a reviewer 1", "a worker 1", "a reviewer 1"]);
    const processes = rig.calls().map(({ pid, started }) => `${pid} ${started}`);
    expect(new Set(processes).size).toBe(4);
  });

  test("M9 one out of quota is followed by the next, at the price of no attempt; its error is kept", async () => {
    const rig = stepsRig(["a", "b", "c"]);
    rig.step(1);
    rig.step(2);
    rig.script({ "b reviewer step-001": QUOTA });
    const { code, report, ...ended } = await rig.steps();
    expect(code).toBe(0);
    expect(who(rig)).toEqual([
      ...["a worker 1", "b reviewer 1", "c reviewer 1"],
      ...["a worker 1", "c reviewer 1"],
    ]);
    expect(report.agent_failures).toMatchObject([{ agent: "b", class: "quota" }]);
    expect(report.steps[0]?.attempts).toHaveLength(1);
    expect(linesOf(ended).join("\n")).toContain("You've hit your usage limit.");
  });

  test("M9 where all others are out of quota the worker itself verifies", async () => {
    const rig = stepsRig(["a", "b"]);
    rig.step(1);
    rig.script({ "b reviewer": QUOTA });
    const { code } = await rig.steps();
    expect(code).toBe(0);
    expect(who(rig)).toEqual(["a worker 1", "b reviewer 1", "a reviewer 1"]);
  });

  test("M9 an only verifier that is overloaded is waited for and asked again, at the price of no attempt", async () => {
    const rig = stepsRig(["a", "b"]);
    rig.step(1);
    rig.script({ "b reviewer": { run: "echo '{}' > ../script.json", say: OVERLOADED } });
    const { code, report, runId, ...ended } = await rig.steps(["--verifier", "b"], { preload: FAKE_CLOCK });
    expect(code).toBe(0);
    expect(who(rig)).toEqual(["a worker 1", "b reviewer 1", "b reviewer 1"]);
    expect(report.agent_failures).toMatchObject([{ agent: "b", class: "overloaded", attempt: 1 }]);
    expect(report.steps[0]?.attempts).toHaveLength(1);
    expect(rig.events(runId).map(({ type }) => type)).toContain("wait_ended");
    expect(linesOf(ended).join("\n")).toContain(OVERLOADED);
  });
});

describe("a verifier's own fault", () => {
  const countOf = (rig: StepsRig, role: string): number =>
    rig.calls().filter((call) => call.role === role).length;

  test.each<[string, Doing, string]>([
    ["gives no verdict", { say: "Looks good to me." }, "verification_missing"],
    ["crashes", { exit: 3 }, "verifier_failed"],
    ["changes the tree", { write: { "notes.md": "looked" } }, "verifier_changed_tree"],
  ])("M9 M10 one that %s is followed by another, without another worker", async (_, doing, fault) => {
    const rig = stepsRig(["a", "b", "c"]);
    rig.step(1, { unit_test: { command: "echo ran >> ../ran" } });
    rig.script({ "b reviewer": doing });
    const { code, report, stdout } = await rig.steps([], { cleanRoom: false });
    expect(code).toBe(0);
    expect(who(rig)).toEqual(["a worker 1", "b reviewer 1", "c reviewer 1"]);
    expect(report.steps[0]?.attempts).toMatchObject([
      {
        decision: "accepted",
        verification: { name: "c" },
        verifier_faults: [{ name: "b", reasons: [fault] }],
      },
    ]);
    expect(stdout).toContain("✗ verification 验证未通过：");
    // A tree that the verifier changed is tested again.
    const tested = fault === "verifier_changed_tree" ? "ran\nran\n" : "ran\n";
    expect(fs.readFileSync(join(rig.root, "ran"), "utf8")).toBe(tested);
  });

  test("M9 M10 three times in a row stops the run with words; resume asks the verifier again, not the worker", async () => {
    const rig = stepsRig(["a"]);
    rig.step(1);
    rig.script({ reviewer: { say: "Looks good to me." } });
    const { code, report, stdout, runId, progress } = await rig.steps(["--lang", "en"]);
    expect(code).toBe(5);
    expect(report).toMatchObject({ end_reason: "no_verdict", resumable: true, final_status: "failed" });
    expect(who(rig)).toEqual(["a worker 1", "a reviewer 1", "a reviewer 1", "a reviewer 1"]);
    expect(stdout).toContain("! NO VERDICT: the verifier failed 3 times in a row");
    expect(stdout).toMatch(/why +no usable verdict/);
    expect(stdout).toContain(`agent-foreman resume ${runId}`);
    expect(rig.stepNow("001-step.json")["status"]).toBe(DOING);
    expect(progress).toContain("under way");
    expect(stdout).toContain("the verifier failed, not the work: verifying again (2/3)");
    expect(stdout).toContain("the verifier failed, not the work: verifying again (3/3)");
    expect(stdout).not.toContain("(4/3)");
    expect(stdout).toMatch(/steps +1 in all: 0 succeeded, 0 failed, 0 done before, 1 under way, 0 not run/);
    const fault = { name: "a", reasons: ["verification_missing"] };
    expect(report.steps[0]?.attempts).toMatchObject([
      { index: 1, decision: null, feedback: null, verifier_faults: [fault, fault, fault] },
    ]);

    rig.script({});
    expect((await rig.run(["resume", runId])).code).toBe(0);
    expect([countOf(rig, "worker"), countOf(rig, "reviewer")]).toEqual([1, 4]);
    expect(rig.stepNow("001-step.json")["status"]).toBe(DONE);
  });

  /** Worker a did the work, verifier b gives no verdict, and c is never called. */
  async function withoutVerdict(): Promise<{ rig: StepsRig; runId: string; stdout: string }> {
    const rig = stepsRig(["a", "b", "c"]);
    rig.step(1, { unit_test: { command: "test -f work.txt" } });
    rig.script({ worker: { write: { "work.txt": "done" } }, "b reviewer": { say: "Looks good to me." } });
    const { code, runId, stdout } = await rig.steps(["--agents", "a", "--verifier", "b", "--lang", "en"]);
    expect(code).toBe(5);
    return { rig, runId, stdout };
  }

  test("resume --verifier names another verifier, which gets the existing work", async () => {
    const { rig, runId } = await withoutVerdict();
    const resumed = await rig.run(["resume", runId, "--verifier", "c"]);
    expect(resumed.code).toBe(0);
    expect(who(rig).slice(-2)).toEqual(["b reviewer 1", "c reviewer 1"]);
    expect(countOf(rig, "worker")).toBe(1);
    expect(rig.stepsReport(runId)).toMatchObject({ final_status: "passed", verifiers: ["c"] });
    expect((await rig.run(["show", runId])).stdout).toMatch(/resumed: .*\n.* verified by c\n/);
    expect((await rig.run(["verify", `goldagent-run-report-${runId}.receipt.json`])).code).toBe(0);
    const again = await rig.run(["resume", runId, "--verifier", "b"]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("has ended") as string });
  });

  test("the command that the run ends with can be typed, and verifies the work", async () => {
    const { rig, runId, stdout } = await withoutVerdict();
    const next = /next +agent-foreman (.*)/.exec(stdout)?.[1] ?? "";
    expect(next).toBe(`resume ${runId} --verifier a`);
    expect((await rig.run(["show", runId])).stdout).toContain(`agent-foreman ${next}\n`);
    expect((await rig.run(next.split(" "))).code).toBe(0);
    expect(who(rig).at(-1)).toBe("a reviewer 1");
  });

  test("resume --verifier takes a verifier as it is configured now, and refuses one that is not known", async () => {
    const rig = stepsRig(["a"]);
    rig.step(1);
    const configure = (command: string): void => {
      fs.mkdirSync(join(rig.home, ".config", "agent-foreman"), { recursive: true });
      fs.writeFileSync(
        join(rig.home, ".config", "agent-foreman", "config.yaml"),
        `profiles: { v: { extends: command, command: ${command} } }\n`,
      );
    };
    configure("exit 3");
    const { code, runId } = await rig.steps(["--verifier", "v"]);
    expect(code).toBe(5);
    const unknown = await rig.run(["resume", runId, "--verifier", "nosuch"]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("nosuch") as string });
    const project = rig.read("agent-foreman.yaml");
    rig.write("agent-foreman.yaml", `${project}  yes: { extends: command, command: stepper }\n`);
    const planted = await rig.run(["resume", runId, "--verifier", "yes"]);
    expect(planted).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/agent-foreman\.yaml changed since the run started/) as string,
    });
    rig.write("agent-foreman.yaml", project);
    configure("stepper");
    expect((await rig.run(["resume", runId, "--verifier", "v"])).code).toBe(0);
    expect(who(rig).at(-1)).toBe("stepper reviewer 1");
  });

  test("a new run with another verifier verifies the existing work, even if its worker changes nothing", async () => {
    const { rig, runId } = await withoutVerdict();
    const { code, stderr, report } = await rig.steps(["--agents", "a", "--verifier", "c", "--lang", "en"]);
    expect(stderr).toContain(`\`agent-foreman resume ${runId} --verifier a\` would have gone on`);
    expect(code).toBe(0);
    expect(who(rig).slice(-2)).toEqual(["a worker 1", "c reviewer 1"]);
    expect(report.steps[0]?.attempts).toMatchObject([{ decision: "accepted", verification: { name: "c" } }]);
  });

  test("M9 a crash shows the verifier's last words", async () => {
    const rig = stepsRig(["a"]);
    const crash = "cat >/dev/null; echo cannot connect >&2; exit 3";
    rig.profiles(["a"], "verifiers: [v]\n");
    fs.appendFileSync(
      join(rig.project, "agent-foreman.yaml"),
      `  v: { extends: command, command: "${crash}" }\n`,
    );
    rig.step(1);
    const { code, stdout } = await rig.steps(["--lang", "en"]);
    expect(code).toBe(5);
    expect(stdout).toContain("v could not verify: ended with an error: exit 3: cannot connect");
  });

  test("M9 the tree is not tested again after the last fault, and no test is missing from the step's time", async () => {
    const rig = stepsRig(["a"]);
    rig.step(1, { unit_test: { command: "echo ran >> ../ran" } });
    rig.script({ reviewer: { run: "echo looked >> notes.md" } });
    const { code, report, stdout, runId } = await rig.steps(["--lang", "en"], { cleanRoom: false });
    expect(code).toBe(5);
    expect(stdout).toContain("the work tree changed during the verification: notes.md");
    expect(fs.readFileSync(join(rig.root, "ran"), "utf8")).toBe("ran\nran\nran\n");
    const spent = rig.events(runId).flatMap((event) => ("process" in event ? event.process.durationMs : []));
    expect(spent).toHaveLength(7);
    expect(report.steps[0]?.attempts[0]?.duration_ms).toBe(spent.reduce((sum, ms) => sum + ms, 0));
  });

  test("M9 in a regression check it does not open the step again", async () => {
    const rig = stepsRig(["a", "b"]);
    rig.step(1, { status: DONE });
    rig.script({ "a reviewer": { say: "hm" } });
    const { code, report } = await rig.steps(["--full-verify", "--verifier", "a,b"]);
    expect(code).toBe(0);
    expect(who(rig)).toEqual(["a reviewer 0", "b reviewer 0"]);
    expect(report.steps[0]?.attempts).toMatchObject([{ index: 0, decision: "accepted" }]);
  });
});

describe("read-only", () => {
  /** One zoo agent works, the other verifies. */
  async function pair(
    worker: string,
    verifier: string,
  ): Promise<{ rig: StepsRig; readOnly: boolean | undefined }> {
    const rig = stepsRig([]);
    rig.write("agent-foreman.yaml", "");
    rig.step(1);
    const does = { [`${worker.toUpperCase()}_DOES`]: "work", [`${verifier.toUpperCase()}_DOES`]: "review" };
    const { code, report, stdout } = await rig.steps(["--agents", `${worker},${verifier}`], {
      env: rig.withAgents(does),
    });
    expect(code).toBe(0);
    expect(stdout).toContain(`✓ verification 验证通过\n  1/1 项，由 ${verifier} 验证（只读）`);
    return { rig, readOnly: report.steps[0]?.attempts[0]?.verification?.read_only };
  }
  const argsOf = (rig: StepsRig, agent: string): string =>
    fs.readFileSync(join(rig.home, `${agent}-args-1`), "utf8");

  test("M9 restricts claude, which gets no tool that writes", async () => {
    const { rig, readOnly } = await pair("codex", "claude");
    expect(readOnly).toBe(true);
    const args = argsOf(rig, "claude");
    expect(args).toContain("--tools=Read,Grep,Glob");
    expect(args).not.toContain("--dangerously-skip-permissions");
    expect(args).not.toContain("--resume");
    expect(argsOf(rig, "codex")).not.toContain("read-only");
  });

  test("M9 restricts codex, which gets a sandbox that writes nothing", async () => {
    const { rig, readOnly } = await pair("claude", "codex");
    expect(readOnly).toBe(true);
    expect(argsOf(rig, "codex")).toContain('sandbox_mode="read-only"');
    expect(argsOf(rig, "codex")).not.toContain("--dangerously-bypass-approvals-and-sandbox");
    expect(argsOf(rig, "claude")).toContain("--dangerously-skip-permissions");
  });

  test("M9 is not claimed of an agent that cannot", async () => {
    const rig = stepsRig(["a", "b"]);
    rig.step(1, { status: DONE });
    const { report, stdout } = await rig.steps(["--full-verify"]);
    expect(report.steps[0]?.attempts[0]?.verification?.read_only).toBe(false);
    expect(stdout).not.toContain("只读");
  });
});
