import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Strings } from "../rig/puppet.ts";
import { Rig, until, type StartOptions } from "../rig/rig.ts";
import { TerminalSession } from "../rig/terminal.ts";

/** Pauses a command just before it checks for a supervisor, until that supervisor has exited. */
function heldUntilGone(rig: Rig, supervisor: number): StartOptions {
  const preload = join(rig.root, "held.mjs");
  fs.writeFileSync(
    preload,
    `import fs from "node:fs";
import net from "node:net";
const { connect } = net;
const isAlive = () => { try { return process.kill(${supervisor}, 0); } catch { return false; } };
net.connect = (...args) => {
  fs.writeFileSync(${JSON.stringify(join(rig.root, "held"))}, "");
  while (isAlive()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  return connect(...args);
};
`,
  );
  return { preload };
}

test("cancel of a run whose supervisor received it and left at once: it is cancelled, once", async () => {
  const rig = Rig.inWorkTree();
  const strings = await Strings.attach(rig);
  const running = rig.start(rig.superviseArgs({ agent: "puppet" }), { env: strings.env });
  await strings.next();
  const [runId = ""] = rig.runIds();
  const cancelled = await rig.run(["cancel", runId], heldUntilGone(rig, running.pid));
  expect((await running.ended).code).toBe(1);
  expect(cancelled).toMatchObject({ code: 0, stderr: "" });
  expect(rig.report(runId).end_reason).toBe("cancelled");
  expect(rig.events(runId).filter(({ type }) => type === "run_ended")).toHaveLength(1);
});

test("a second decide after the first has ended the run: refused, and nothing changes", async () => {
  const rig = Rig.inWorkTree();
  const terminal = new TerminalSession(rig, rig.superviseArgs({ agent: "agent mute", loops: 1 }));
  await terminal.shows(/● Continue/);
  const [runId = ""] = rig.runIds();
  const second = rig.start(["decide", runId, "pass"], heldUntilGone(rig, terminal.pty.pid));
  await until(() => fs.existsSync(join(rig.root, "held")));
  expect((await rig.run(["decide", runId, "fail"])).code).toBe(0);
  expect(await terminal.ended).toBe(1);
  const { code, stderr } = await second.ended;
  expect(code).toBe(2);
  expect(stderr).toContain(runId);
  expect(rig.report(runId)).toMatchObject({ final_status: "manually_failed", exit_code: 1 });
  expect((await rig.run(["resume", runId])).code).toBe(1);
});

test("decide for a supervisor that has just left with the question open: recorded as if it had come later", async () => {
  const rig = Rig.inWorkTree();
  const terminal = new TerminalSession(rig, rig.superviseArgs({ agent: "agent mute", loops: 1 }));
  await terminal.shows(/● Continue/);
  const [runId = ""] = rig.runIds();
  const decided = rig.start(["decide", runId, "pass"], heldUntilGone(rig, terminal.pty.pid));
  await until(() => fs.existsSync(join(rig.root, "held")));
  terminal.press("\u0003");
  expect(await terminal.ended).toBe(3);
  expect((await decided.ended).code).toBe(0);
  expect(rig.report(runId).final_status).toBe("manually_passed");
});
