import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { notHere, why } from "../process/sandbox-place.ts";
import { NODE_TESTS, reasonsOf, RoomRig, WORKS } from "./project.ts";

describe.skipIf(why !== null)(`supervise --sandbox${notHere}`, () => {
  test("has the agent write in the work tree, and nowhere else; the checks are as ever", async () => {
    const rig = new RoomRig();
    const tries = [rig.outside("beside.txt"), join(rig.home, "in-home.txt"), join(rig.state, "in-state.txt")];
    const seen = rig.outside("project/seen.txt");
    const lines = [
      WORKS,
      ...tries.map((path) => `(echo planted > '${path}') 2>/dev/null`),
      `(ls '${rig.state}/runs' 2>/dev/null || echo hidden) > '${seen}'`,
      "cat $GA_PLAN_FILE > /dev/null || exit 9",
      "git add --all && git -c user.name=me -c user.email=me@localhost commit --quiet -m Work || exit 8",
      "claim",
    ];
    const { code, report, stdout } = await rig.supervise({
      agent: lines.join("\n"),
      full: [NODE_TESTS],
      loops: 1,
      more: ["--sandbox"],
    });
    expect(stdout).toContain("accepted");
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(tries.filter((path) => fs.existsSync(path))).toEqual([]);
    expect(fs.readFileSync(seen, "utf8")).toBe("hidden\n");
    const receipt = JSON.parse(
      fs.readFileSync(`${report.report_path.replace(/\.json$/, "")}.receipt.json`, "utf8"),
    );
    expect(receipt).toMatchObject({ predicate: { agentForeman: { sandbox: true } } });
  });
});

describe.skipIf(why === null)("supervise --sandbox without one", () => {
  test("does not begin, and names the missing part", async () => {
    const rig = new RoomRig();
    const { code, stderr } = await rig.run(rig.superviseArgs({ agent: "true", more: ["--sandbox"] }));
    expect(code).toBe(2);
    expect(stderr).toContain("no sandbox can be made here");
    expect(rig.runIds()).toEqual([]);
  });
});
