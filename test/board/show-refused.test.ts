import { join } from "node:path";
import { expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";

test.each([
  ["MAIN", 1],
  ["TEST", 2],
] as const)(
  "the screen shows the errors of %s that crashed, and where all of them are",
  async (role, turn) => {
    const rig = new BoardRig();
    rig.write("crash.sh", 'echo "cannot load the model" >&2\necho "key missing in line 7" >&2\nexit 3\n');
    const config = rig.read("agent-foreman.yaml");
    const name = role.toLowerCase();
    rig.write(
      "agent-foreman.yaml",
      config.replace(
        new RegExp(`  ${name}: \\{ .*`),
        `  ${name}: { extends: command, command: sh crash.sh }`,
      ),
    );
    rig.script([{ next: "TEST", moves: { "M1-T1": "DOING" } }]);
    const { stdout, runId } = await rig.orchestrate(["--max-iterations", "1"]);
    const path = join(rig.state, "runs", runId, "turns", String(turn), "stderr.log");
    expect(stdout).toContain(`${role} turn failed`);
    expect(stdout).toContain("  | cannot load the model\n  | key missing in line 7\n");
    expect(stdout).toContain(path);
    expect((await rig.run(["show", runId])).stdout).toContain(path);
  },
);

test("show lists the open calls after a refused answer, in either language", async () => {
  const rig = new BoardRig();
  rig.script([{ next: "DEV", moves: { "M1-T1": "DOING" } }]);
  const { code, runId } = await rig.orchestrate();
  expect(code).toBe(3);
  const { stdout } = await rig.run(["show", runId]);
  expect(stdout.match(/open now/g)).toHaveLength(1);
  expect(stdout).toMatch(
    / open now: TEST on M1-T1\n +DEV on M1-T1, with `red_waiver:` in its order\n +REVIEW, `review_mode: investigate`\n +USER\n/,
  );
  expect((await rig.run(["show", runId, "--lang", "zh"])).stdout).toContain("现在可以选择：TEST（M1-T1）");
});
