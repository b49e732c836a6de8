import fs from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findTool } from "../../src/platform/files/tools.ts";
import { chatRig } from "../chat/scene.ts";
import { LiveChat } from "../rig/chat-live.ts";
import { HeldTool } from "../rig/held-tool.ts";
import { withoutNamespaces } from "../rig/no-namespaces.ts";
import { Strings } from "../rig/puppet.ts";
import { Rig, until } from "../rig/rig.ts";
import { noSurvivors } from "../sweep/outcome.ts";

describe("a foreman that is killed before its command is tied to its life", () => {
  const tools = ["setpriv", "bwrap"].map(findTool).filter((path) => isAbsolute(path));
  test.each(tools)("supervise by %s: no process stays, nothing runs, and resume continues", async (tool) => {
    const rig = new Rig();
    const held = new HeldTool(rig, tool);
    const ran = join(rig.root, "ran");
    const foreman = rig.start(rig.superviseArgs({ agent: "agent done", fast: [`touch '${ran}'`] }), {
      env: held.env,
    });
    await held.isHeld();
    foreman.child.kill("SIGKILL");
    await foreman.ended;
    held.letGo();
    await noSurvivors(rig);
    expect(fs.existsSync(ran)).toBe(false);

    const [runId = ""] = rig.runIds();
    expect((await rig.run(["resume", runId], { env: held.env })).code).toBe(0);
    expect(fs.existsSync(ran)).toBe(true);
  });

  test("chat: no process stays, and the agent is not started", async () => {
    const rig = chatRig();
    const held = new HeldTool(rig);
    const [zoo = ""] = (rig.env()["PATH"] ?? "").split(delimiter);
    const env = { PATH: `${zoo}${delimiter}${held.env["PATH"] ?? ""}` };
    const chat = new LiveChat(rig, [], { env });
    await held.isHeld();
    process.kill(chat.foreman(), "SIGKILL");
    await chat.ended;
    held.letGo();
    await noSurvivors(rig);
    expect(rig.calls("start")).toEqual([]);
  });
});

describe("the next run", () => {
  test("ends processes and removes pipes, room and temporary files of a run whose foreman was killed", async () => {
    const rig = new Rig();
    const env = withoutNamespaces(rig);
    const begun = join(rig.root, "begun");
    const first = rig.start(rig.superviseArgs({ fast: [`touch '${begun}'; exec sleep 1000`] }), { env });
    await until(() => fs.existsSync(begun));
    first.child.kill("SIGKILL");
    await first.ended;
    expect(rig.survivors().length).toBeGreaterThan(0);
    const [killed = ""] = rig.runIds();
    expect(leftBy(rig, killed).filter((path) => fs.existsSync(path))).toHaveLength(3);

    const second = await rig.run(rig.superviseArgs({ agent: "agent done" }), { env });
    await until(() => rig.survivors().length === 0);
    expect(leftBy(rig, killed).filter((path) => fs.existsSync(path))).toEqual([]);
    expect(second.code).toBe(0);
    expect(second.stderr).toContain(killed);
    expect(second.stderr).toContain("sleep 1000");
  });

  test("leaves a run alone that is supervised", async () => {
    const rig = new Rig();
    const strings = await Strings.attach(rig);
    const env = { ...withoutNamespaces(rig), ...strings.env };
    const first = rig.start(rig.superviseArgs({ agent: "puppet" }), { env });
    const puppet = await strings.next();
    const other = join(rig.root, "other");
    fs.cpSync(rig.project, other, { recursive: true });

    expect((await rig.run(rig.superviseArgs({ agent: "agent done" }), { env, cwd: other })).code).toBe(0);
    await puppet.say("DONE");
    expect((await first.ended).code).toBe(0);
  });
});

function leftBy(rig: Rig, runId: string): string[] {
  const dir = join(rig.state, "runs", runId);
  return [join(dir, "pipes"), join(dir, "room"), join(tmpdir(), `af-${runId}`)];
}
