import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";

// Harmless if the check ever fails, because it never executes. The check looks at the whole command.
const DANGEROUS = "false && rm -rf /";

describe("S41 dangerous commands", () => {
  test.each([
    ["--agent-cmd", { agent: DANGEROUS }],
    ["--test-fast", { agent: "touch started", fast: ["true", DANGEROUS] }],
    ["--test-full", { agent: "touch started", full: ["true", `true && ${DANGEROUS}`] }],
  ])("S41 in %s is refused before anything is started or written", async (flag, options) => {
    const rig = Rig.inWorkTree();
    const before = rig.everything();
    const { code, stderr, stdout } = await rig.run(rig.superviseArgs(options));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^error: .*${flag}.*rm -rf /`));
    expect(stderr).toContain("--force");
    expect(rig.everything()).toEqual(before);
  });

  test("S41 --force allows it", async () => {
    const rig = Rig.inWorkTree();
    const { code, report } = await rig.supervise({ agent: `${DANGEROUS}; agent done`, more: ["--force"] });
    expect(code).toBe(0);
    expect(report.final_status).toBe("passed");
  });

  test("S41 a harmless lookalike is not refused", async () => {
    const rig = Rig.inWorkTree();
    const harmless = ["rm -rf ./build", "rm -rf /tmp/agent-foreman-nothing-here", "echo 'rm -rf /'"];
    expect((await rig.supervise({ agent: "agent done", fast: harmless })).code).toBe(0);
  });
});
