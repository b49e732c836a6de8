import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Rig, type Ended } from "../rig/rig.ts";
import { TerminalSession } from "../rig/terminal.ts";

/** Creates a run of the project and returns its id. */
async function made(rig: Rig, args: readonly string[], cwd = rig.project): Promise<string> {
  const before = new Set(rig.runIds());
  await rig.run(args, { cwd });
  const runId = rig.runIds().find((id) => !before.has(id));
  if (runId === undefined) throw new Error("no run was started");
  return runId;
}

const DONE = { agent: "echo more >> work.txt; agent done" };

/** Leaves a run with a question: it reaches its limit at a terminal, and the person leaves. */
async function asking(rig: Rig): Promise<string> {
  const before = new Set(rig.runIds());
  const session = new TerminalSession(rig, rig.superviseArgs({ agent: "agent mute", loops: 1 }));
  await session.shows("Mark as failed");
  session.press("\u0003");
  expect(await session.ended).toBe(3);
  return rig.runIds().find((id) => !before.has(id)) ?? "";
}

describe("without an id", () => {
  test("show and diff take the last run of this directory, and say which", async () => {
    const rig = new Rig();
    const first = await made(rig, rig.superviseArgs(DONE));
    const last = await made(rig, rig.superviseArgs(DONE));
    fs.mkdirSync(join(rig.project, "inner"));
    for (const [args, cwd] of [
      [["show"], rig.project],
      [["show", "--json"], rig.project],
      [["diff", "--stat"], rig.project],
      [["show"], join(rig.project, "inner")],
    ] as const) {
      const { code, stdout, stderr } = await rig.run(args, { cwd });
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: `run ${last}: the last one here\n` });
      expect(stdout).not.toContain(first);
    }
    expect((await rig.run(["show", "--lang", "zh"])).stderr).toBe(`运行 ${last}：此处最近的一次\n`);
    expect(JSON.parse((await rig.run(["show", "--json"])).stdout)).toMatchObject({ run_id: last });
  });

  test("resume takes the last run that can continue, or says that all have ended", async () => {
    const rig = Rig.inWorkTree();
    const ended = await made(rig, rig.superviseArgs(DONE));
    expect(await rig.run(["resume"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        new RegExp(
          `error: no run in .* can be resumed: the last one, ${ended}, has ended\n  next .* show ${ended}`,
        ),
      ) as string,
    });
    const unfinished = await asking(rig);
    const last = await made(rig, rig.superviseArgs(DONE));
    expect((await rig.run(["show"])).stderr).toBe(`run ${last}: the last one here\n`);
    const { stderr } = await rig.run(["resume"]);
    expect(stderr).toContain(
      `run ${unfinished}: the last one here that can go on; the last one, ${last}, cannot\n`,
    );
    expect(stderr).not.toContain(`run ${unfinished}: the last one here\n`);
    expect(rig.events(unfinished)).toContainEqual(expect.objectContaining({ type: "run_resumed" }));
  });

  test("a run of another directory is not taken", async () => {
    const rig = Rig.inWorkTree();
    await made(rig, rig.superviseArgs(DONE));
    for (const args of [
      ["show"],
      ["diff"],
      ["resume"],
      ["decide"],
      ["decide", "pass"],
      ["decide", "allow"],
      ["decide", "refuse"],
    ]) {
      const { code, stdout, stderr } = await rig.run(args, { cwd: rig.home });
      expect({ args, code, stdout, stderr }).toEqual({
        args,
        code: 2,
        stdout: "",
        stderr: `error: no run has worked in ${rig.home}\n  next    agent-foreman runs\n`,
      });
    }
  });

  test("decide takes the run with a question, and its words are the answer", async () => {
    const rig = Rig.inWorkTree();
    const runId = await asking(rig);
    const later = await made(rig, rig.superviseArgs(DONE));
    const silent = await rig.run(["decide"]);
    expect(silent).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `run ${runId}: the last one here that asks you; the last one, ${later}, does not\n`,
      ) as string,
    });
    expect((await rig.run(["decide", "--lang", "zh"])).stderr).toContain(
      `运行 ${runId}：此处最近一次等你决定的运行；最近的 ${later} 没有问题\n`,
    );
    const wrong = await rig.run(["decide", "maybe"]);
    expect(wrong.stderr).toContain("unknown answer maybe");
    const allowed = await rig.run(["decide", "allow"]);
    expect(allowed.stderr).toContain("unknown answer allow");
    const more = await rig.run(["decide", "continue", "2", "--note", "go on"]);
    expect(more.code).toBe(0);
    expect(rig.events(runId)).toContainEqual(
      expect.objectContaining({
        type: "question_answered",
        answer: { kind: "continue_n", n: 2 },
        note: "go on",
      }),
    );
    expect(rig.events(later).at(-1)?.type).toBe("run_ended");
  });
});

describe("the end of an id", () => {
  const commands: readonly ((id: string) => readonly string[])[] = [
    (id) => ["show", id],
    (id) => ["diff", id],
    (id) => ["resume", id],
    (id) => ["restore", id],
  ];

  test("is enough where it is one run's only", async () => {
    const rig = Rig.inWorkTree();
    const runId = await made(rig, rig.superviseArgs(DONE));
    for (const command of commands)
      expect(await rig.run(command(runId.slice(-4)))).toEqual(await rig.run(command(runId)));
    expect((await rig.run(["show", runId.slice(2)])).stdout).toContain(runId);
    const cancelled = await rig.run(["cancel", runId.slice(-4)]);
    expect(cancelled.stderr).toContain(`run ${runId} has ended: passed`);
    expect((await rig.run(["chat", "skip", runId.slice(-4)])).stderr).toContain(`run ${runId} has ended`);
  });

  test("is refused if it is shorter than its four random letters, also where it is one run's only", async () => {
    const rig = Rig.inWorkTree();
    const runId = await made(rig, rig.superviseArgs(DONE));
    const before = rig.everything();
    for (const command of [...commands, (id: string) => ["cancel", id]])
      for (const end of [runId.slice(-1), runId.slice(-3)])
        expect(await rig.run(command(end))).toMatchObject({
          code: 2,
          stdout: "",
          stderr: `error: not a run id: ${end}\n  next    agent-foreman runs\n`,
        });
    expect(rig.everything()).toEqual(before);
  });

  test("of several runs is refused with their ids, without effect", async () => {
    const rig = Rig.inWorkTree();
    const one = await made(rig, rig.superviseArgs(DONE));
    const other = `0101-${one.slice(-4)}`;
    fs.cpSync(join(rig.state, "runs", one), join(rig.state, "runs", other), { recursive: true });
    const before = rig.everything();
    const commandsToo = [...commands, (id: string) => ["cancel", id], (id: string) => ["decide", id, "pass"]];
    for (const command of commandsToo)
      expect(await rig.run(command(one.slice(-4)))).toMatchObject({
        code: 2,
        stdout: "",
        stderr: `error: several runs end in ${one.slice(-4)}: ${[one, other].sort().join(", ")}\n  next    agent-foreman runs\n`,
      } satisfies Partial<Ended>);
    expect(rig.everything()).toEqual(before);
  });

  test("answers a question", async () => {
    const rig = Rig.inWorkTree();
    const runId = await asking(rig);
    expect((await rig.run(["decide", runId.slice(-4), "fail"])).code).toBe(1);
    expect(rig.report(runId).final_status).toBe("manually_failed");
  });
});
