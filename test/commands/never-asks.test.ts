import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { NODE_TESTS, put, RIGHT, RoomRig, TEST_ADDS } from "../clean-room/project.ts";

/** A CI job with a pseudo terminal. */
const CI = { CI: "true" } as const;

async function inCi(rig: Rig, args: readonly string[]): Promise<{ code: number; text: string }> {
  const session = new TerminalSession(rig, args, { ...rig.withAgents(), ...CI });
  const code = await session.ended;
  return { code, text: session.text() };
}

/** Characters that the prompts draw. */
const ASKS = /[●○◆◇]|y\/n/i;

describe("asks no questions if CI is set, even at a terminal", () => {
  test("S31 at the limit the run has failed", async () => {
    const rig = Rig.inWorkTree();
    const { code, text } = await inCi(rig, rig.superviseArgs({ agent: "agent mute", loops: 1 }));
    expect({ code, asks: ASKS.test(text) }).toEqual({ code: 1, asks: false });
    const [runId = ""] = rig.runIds();
    expect(rig.report(runId)).toMatchObject({ final_status: "failed", end_reason: "limit_reached" });
    expect(rig.events(runId)[0]).toMatchObject({ interactive: false });
  });

  test("about changed tests: they are rejected, and the way is named", async () => {
    const rig = new RoomRig();
    const renames = [
      put("src/sum.js", RIGHT),
      "git rm -q src/add.js test/add.test.js",
      put("test/sum.test.js", TEST_ADDS.replace("../src/add.js", "../src/sum.js")),
    ].join("\n");
    const args = rig.superviseArgs({ agent: rig.agent(renames), full: [NODE_TESTS], loops: 1 });
    const { code, text } = await inCi(rig, args);
    expect({ code, asks: ASKS.test(text) }).toEqual({ code: 1, asks: false });
    expect(text).toContain("--allow-oracle-change");
  });

  test("decide and resume leave an open question open", async () => {
    const rig = Rig.inWorkTree();
    const waiting = new TerminalSession(rig, rig.superviseArgs({ agent: "agent mute", loops: 1 }));
    await waiting.shows("Mark as failed");
    waiting.press(Key.ctrlC);
    expect(await waiting.ended).toBe(3);
    const [runId = ""] = rig.runIds();
    const decided = await inCi(rig, ["decide", runId]);
    expect({ code: decided.code, asks: ASKS.test(decided.text) }).toEqual({ code: 2, asks: false });
    expect(decided.text).toContain("missing answer: continue N, pass or fail");
    const resumed = await inCi(rig, ["resume", runId]);
    expect({ code: resumed.code, asks: ASKS.test(resumed.text) }).toEqual({ code: 3, asks: false });
    expect(resumed.text).toContain(`agent-foreman decide ${runId}`);
  });

  test("init and board init say what to do instead", async () => {
    const rig = Rig.inWorkTree();
    for (const [args, next] of [
      [["init"], "agent-foreman init --yes"],
      [["board", "init"], "agent-foreman board --help"],
    ] as const) {
      const { code, text } = await inCi(rig, args);
      expect({ args, code, asks: ASKS.test(text) }).toEqual({ args, code: 2, asks: false });
      expect(text).toContain("CI");
      expect(text).toContain(next);
    }
  });

  test("doctor says so", async () => {
    const rig = Rig.inWorkTree();
    expect((await inCi(rig, ["doctor"])).text).toContain("CI is set");
    const session = new TerminalSession(rig, ["doctor"], { CI: "false" });
    await session.ended;
    expect(session.text()).toContain("a person can be asked here");
  });
});
