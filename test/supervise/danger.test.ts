import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";

// Harmless should the check ever fail: `rm` refuses to do this by itself, and --help comes first.
const DANGEROUS = "rm -rf / --help";

describe("S41 dangerous commands", () => {
  test.each([
    ["--agent-cmd", { agent: DANGEROUS }],
    ["--test-fast", { agent: "touch started", fast: ["true", DANGEROUS] }],
    ["--test-full", { agent: "touch started", full: ["true", `true && ${DANGEROUS}`] }],
  ])("S41 in %s is refused before anything is started or written", async (flag, options) => {
    const rig = new Rig();
    const before = rig.everything();
    const { code, stderr, stdout } = await rig.run(rig.superviseArgs(options));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^error: .*${flag}.*rm -rf /`));
    expect(stderr).toContain("--force");
    expect(rig.everything()).toEqual(before);
  });

  test("S41 --force allows it", async () => {
    const rig = new Rig();
    const { code, report } = await rig.supervise({ agent: `${DANGEROUS}; agent done`, more: ["--force"] });
    expect(code).toBe(0);
    expect(report.final_status).toBe("passed");
  });

  test.each(["rm -rf ./build", "rm -rf /tmp/agent-foreman-nothing-here", "echo 'rm -rf /'"])(
    "S41 %s is not dangerous",
    async (command) => {
      const rig = new Rig();
      const { code } = await rig.supervise({ agent: `${command}; agent done` });
      expect(code).toBe(0);
    },
  );
});
