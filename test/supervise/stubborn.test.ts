import { expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";

// Apart from the rest of the zoo because each of them is given its seconds of grace before it is killed.
test.each(["term-ignorer", "self-stopper"])("the zoo: %s is killed in the end, and its DONE does not count", async (name) => {
  const rig = new Rig();
  const { code, report } = await rig.supervise({ agent: name, loops: 1, more: ["--agent-timeout-sec", "1"] });
  expect(rig.survivors()).toEqual([]);
  expect(code).toBe(1);
  expect(report.attempts[0]).toMatchObject({ reasons: ["timeout"], agent: { end: { kind: "timeout", afterMs: 1000 } } });
});
