import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, Rig } from "../rig/rig.ts";

/** Without `--agent-cmd`, installed agents take the turns. */
const REQUIRED = ["--task", "--plan-file", "--test-fast", "--test-full"];

describe("S1 required flags", () => {
  test("S1 with them the run is accepted", async () => {
    const rig = Rig.inWorkTree();
    const { code, report } = await rig.supervise({ agent: "agent done" });
    expect(code).toBe(0);
    expect(report.final_status).toBe("passed");
  });

  test("S1 without one of them nothing starts, and the flag is named", async () => {
    const rig = Rig.inWorkTree();
    const args = rig.superviseArgs({
      agent: "touch started",
      fast: ["touch started"],
      full: ["touch started"],
    });
    const before = rig.everything();
    for (const flag of REQUIRED) {
      const { code, stderr } = await rig.run(args.toSpliced(args.indexOf(flag), 2));
      expect(code).toBe(2);
      expect(stderr).toContain(`missing required flag ${flag}`);
    }
    const { code, stderr } = await rig.run(args.toSpliced(args.indexOf("--agent-cmd"), 2));
    expect(code).toBe(5);
    expect(stderr).toContain("npm install -g @anthropic-ai/claude-code");
    expect(rig.everything()).toEqual(before);
  });
});

describe("S2 --max-loops", () => {
  test("S2 is 6 when it is not given", async () => {
    const rig = Rig.inWorkTree();
    const { report } = await rig.supervise({ agent: "agent mute" });
    expect(report.max_loops).toBe(6);
    expect(report.attempts).toHaveLength(6);
  });

  test("S2 may be 1 and bounds the attempts", async () => {
    const rig = Rig.inWorkTree();
    const { report } = await rig.supervise({ agent: "agent mute", loops: 1 });
    expect(report.max_loops).toBe(1);
    expect(report.attempts).toHaveLength(1);
  });

  test("S2 may not be less, nor anything but a whole number", async () => {
    const rig = Rig.inWorkTree();
    const before = rig.everything();
    for (const value of ["0", "-1", "abc", "1.5", "", "99999999999999999999"]) {
      const { code, stderr } = await rig.run(
        rig.superviseArgs({ agent: "touch started", more: ["--max-loops", value] }),
      );
      expect({ value, code }).toEqual({ value, code: 2 });
      expect(stderr).toMatch(/^error: .*--max-loops.*whole number from 1 /);
    }
    expect(rig.everything()).toEqual(before);
  });
});

describe("S3 optional flags", () => {
  test("S3 accepts --cwd, --report, --force, --agent-timeout-sec and --test-timeout-sec together", async () => {
    const rig = Rig.inWorkTree();
    rig.write("inner/here", "");
    const optional = [
      "--cwd",
      "inner",
      "--report",
      "out.json",
      "--force",
      "--agent-timeout-sec",
      "30",
      "--test-timeout-sec",
      "40",
    ];
    const { code, stderr } = await rig.run(
      rig.superviseArgs({
        agent: "agent done",
        fast: ["test -e here"],
        full: ["true || rm -rf /"],
        more: optional,
      }),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [started] = rig.events(rig.runIds()[0] ?? "");
    expect(started).toMatchObject({
      settings: {
        cwd: join(rig.project, "inner"),
        force: true,
        agentTimeoutMs: 30_000,
        testTimeoutMs: 40_000,
      },
    });
    expect(rig.exists("out.json")).toBe(true);
  });

  test("S3 time limits have defaults, and 0 means none", async () => {
    const rig = Rig.inWorkTree();
    await rig.supervise({ agent: "agent done" });
    const [first = ""] = rig.runIds();
    expect(rig.events(first)[0]).toMatchObject({
      settings: { agentTimeoutMs: 3_600_000, testTimeoutMs: 1_800_000 },
    });
    await rig.run(
      rig.superviseArgs({
        agent: "agent done",
        more: ["--agent-timeout-sec", "0", "--test-timeout-sec", "0"],
      }),
    );
    const second = rig.runIds().find((runId) => runId !== first) ?? "";
    expect(rig.events(second)[0]).toMatchObject({ settings: { agentTimeoutMs: 0, testTimeoutMs: 0 } });
    expect(rig.report(second).final_status).toBe("passed");
  });
});

test("S4 the command line is the only entry: two names for one program, and nothing to import", async () => {
  const rig = Rig.inWorkTree();
  const manifest: unknown = JSON.parse(fs.readFileSync(join(CLI, "..", "..", "package.json"), "utf8"));
  expect(manifest).toMatchObject({ bin: { "agent-foreman": "dist/cli.cjs", goldagent: "dist/cli.cjs" } });
  expect(manifest).not.toHaveProperty("main");
  expect(manifest).not.toHaveProperty("exports");
  const help = await rig.run(["--help"]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toContain("supervise");
});

test("S5 the agent command is the same text in every attempt", async () => {
  const rig = Rig.inWorkTree();
  const agent =
    'echo "$GA_LOOP_INDEX" >> rounds; printf "%s\\n" {loop} "{{task}}" "%s" >> rounds; agent needs_work needs_work done';
  const { report, runId } = await rig.supervise({ agent });
  const commands = rig
    .events(runId)
    .flatMap((event) => (event.type === "turn_ended" ? [event.process.command] : []));
  expect(commands).toEqual([agent, agent, agent]);
  expect(report.agent_cmd).toBe(agent);
  expect(rig.read("rounds")).toBe(["1", "2", "3"].map((n) => `${n}\n{loop}\n{{task}}\n%s\n`).join(""));
});

test("S6 acceptance asks no model: no agent program is called, and equal evidence gets equal verdicts", async () => {
  const rig = Rig.inWorkTree();
  const shims = join(rig.root, "shims");
  fs.mkdirSync(shims);
  for (const name of ["claude", "codex", "gemini", "opencode", "curl", "wget"])
    fs.writeFileSync(join(shims, name), `#!/bin/sh\necho ${name} >> ${join(rig.root, "called")}\n`, {
      mode: 0o755,
    });
  const env = { PATH: `${shims}:${rig.env()["PATH"]}` };
  const verdicts = [];
  for (let time = 0; time < 2; time++) {
    const before = new Set(rig.runIds());
    await rig.run(rig.superviseArgs({ agent: "agent mute blocked done", loops: 3, full: ["false"] }), {
      env,
    });
    const runId = rig.runIds().find((id) => !before.has(id)) ?? "";
    verdicts.push(rig.report(runId).attempts.map(({ decision, reasons }) => ({ decision, reasons })));
  }
  expect(verdicts[0]).toEqual(verdicts[1]);
  expect(verdicts[0]).toHaveLength(3);
  expect(fs.existsSync(join(rig.root, "called"))).toBe(false);
});

test("S42 one task, serial: no two commands of a run are alive at the same time", async () => {
  const rig = new Rig();
  const noted = (name: string): string => `echo "+${name}" >> ../order; true; echo "-${name}" >> ../order`;
  const agent = `${noted("agent")}; agent needs_work done`;
  await rig.supervise({ agent, fast: [noted("fast1"), noted("fast2")], full: [noted("full")] });
  const round = (...names: string[]): string[] => names.flatMap((name) => [`+${name}`, `-${name}`]);
  expect(fs.readFileSync(join(rig.root, "order"), "utf8").trim().split("\n")).toEqual([
    ...round("fast1", "fast2", "full"),
    ...round("agent", "fast1", "fast2"),
    ...round("agent", "fast1", "fast2", "full"),
  ]);
});

describe("S43 --cwd", () => {
  const agent = 'pwd >> "$HOME/../where"; agent done';
  const where = ({ root }: Rig): string => fs.readFileSync(join(root, "where"), "utf8");

  test("S43 defaults to the current directory, for the agent and for tests", async () => {
    const rig = new Rig();
    const { report } = await rig.supervise({ agent, fast: ["pwd >> ../where"] });
    expect(report.cwd).toBe(rig.project);
    // The tests on the base, the agent, its tests.
    expect(where(rig)).toBe(`${rig.project}\n`.repeat(3));
  });

  test("S43 moves the agent and the tests, but neither the run directory nor the report", async () => {
    const rig = new Rig();
    const inner = rig.write("inner/here", "").replace(/\/here$/, "");
    const tests = ["pwd >> ../../where", "pwd >>../../where"];
    const { report } = await rig.supervise({
      agent,
      fast: tests.slice(0, 1),
      full: tests.slice(1),
      more: ["--cwd", "inner"],
    });
    expect(report.cwd).toBe(inner);
    expect(where(rig)).toBe(`${inner}\n`.repeat(5));
    expect(fs.readdirSync(inner)).toEqual(["here", "work.txt"]);
  });
});

test("S43 need not be a git work tree", async () => {
  const rig = Rig.inWorkTree();
  fs.rmSync(join(rig.project, ".git"), { recursive: true });
  const { code, report } = await rig.supervise({ agent: "agent mute done" });
  expect([code, report.base_commit]).toEqual([0, null]);
});

describe("S44 other commands", () => {
  test("S44 have their own help", async () => {
    const rig = Rig.inWorkTree();
    const before = rig.everything();
    for (const command of ["resume", "decide", "cancel", "runs", "show", "doctor", "demo"]) {
      const { code, stdout, stderr } = await rig.run([command, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain(`agent-foreman ${command}`);
    }
    expect(rig.everything()).toEqual(before);
  });

  test("S44 demo runs to its acceptance and leaves the current directory alone", async () => {
    const rig = Rig.inWorkTree();
    const before = fs.readdirSync(rig.project);
    const { code, stdout } = await rig.run(["demo"], { env: { TMPDIR: rig.root } });
    expect(code).toBe(0);
    expect(stdout).toContain("ACCEPTED at attempt 3");
    expect(fs.readdirSync(rig.project)).toEqual(before);
    expect(rig.survivors()).toEqual([]);
  });

  test("S44 runs, show and doctor work next to a finished run and change nothing", async () => {
    const rig = Rig.inWorkTree();
    const { runId } = await rig.supervise({ agent: "agent done" });
    const before = rig.everything();
    const runs = await rig.run(["runs"]);
    expect(runs.code).toBe(0);
    expect(runs.stdout).toContain(runId);
    const show = await rig.run(["show", runId]);
    expect(show.code).toBe(0);
    expect(show.stdout).toContain(runId);
    expect((await rig.run(["doctor"])).code).toBe(0);
    expect(rig.everything()).toEqual(before);
  });
});
