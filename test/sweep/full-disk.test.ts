import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, Rig } from "../rig/rig.ts";
import * as faults from "./faults.ts";
import { expectSameOutcome, expectSoundJournal, onlyRun, superviseIn, undisturbed } from "./outcome.ts";
import { accepted } from "./scenarios.ts";

/** A tool of util-linux. */
const UNSHARE = "unshare";
const REPORT = "goldagent-supervise-report-";

describe("the report", () => {
  test("once there is no room for it: the reserved space saves it", async () => {
    const expected = await undisturbed(accepted);
    const rig = new Rig();
    const fault = { at: 2, how: "half", errno: "ENOSPC", match: REPORT } as const;
    const ended = await superviseIn(rig, accepted, faults.faulty(rig, fault));
    expect(faults.hurt(rig)).toHaveLength(1);
    expectSameOutcome(rig, onlyRun(rig), ended, expected);
  });

  test("there is never room for it: exit 6, the end is recorded, and a later resume writes it", async () => {
    const expected = await undisturbed(accepted);
    const rig = new Rig();
    const fault = { at: 1, how: "fail", errno: "ENOSPC", forever: true, match: REPORT } as const;
    const ended = await superviseIn(rig, accepted, faults.faulty(rig, fault));
    expect(ended.code).toBe(6);
    faults.expectFailedClosed(ended, faults.recordedState(rig));
    const runId = onlyRun(rig);
    expect(ended.stderr).toContain(`agent-foreman resume ${runId}`);
    expect(faults.recordedState(rig)?.ended).toMatchObject({ status: "passed", exitCode: 0 });
    expect(rig.hasReport(runId)).toBe(false);

    const resumed = await rig.run(["resume", runId]);
    expectSameOutcome(rig, runId, resumed, expected);
  });
});

/** The reason why this machine cannot mount a small disk in a namespace; empty if it can. */
function whyNoMount(): string {
  if (process.platform !== "linux") return "not Linux";
  const tried = spawnSync(UNSHARE, ["--mount", "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "/mnt"]);
  return tried.status === 0 ? "" : `no mount: ${tried.error?.message ?? tried.stderr.toString().trim()}`;
}

const noMount = whyNoMount();

describe(`a disk of 1 MB${noMount && ` (skipped: ${noMount})`}`, () => {
  test.skipIf(noMount)(
    "that the agent's output fills: exit 6, and after making room the run comes to its end",
    async () => {
      const rig = new Rig();
      const kept = join(rig.root, "kept");
      const agent = "test -f ../room || head -c 5000000 /dev/zero | tr '\\0' x; agent done";
      const ended = await onSmallDisk(rig, rig.superviseArgs({ agent }), kept);
      expect(ended).toMatchObject({ code: 6 });
      expect(ended.stderr.match(/^error: /gm)).toHaveLength(1);
      expect(ended.stderr).toContain("ENOSPC");

      // The small disk disappeared with its namespace. Its files are now on a disk with space.
      fs.rmSync(rig.state, { recursive: true });
      fs.renameSync(kept, rig.state);
      const runId = onlyRun(rig);
      expect(faults.recordedState(rig)).toMatchObject({ turns: 1, ended: null });
      fs.writeFileSync(join(rig.root, "room"), "");
      expect((await rig.run(["resume", runId])).code).toBe(0);
      expectSoundJournal(rig, runId);
      expect(rig.report(runId).attempts.map((attempt) => attempt.decision)).toEqual(["accepted"]);
    },
  );

  test.skipIf(noMount)("is full from the start: exit 6, nothing half-written", async () => {
    const rig = new Rig();
    const kept = join(rig.root, "kept");
    const fill = 'head -c 1030000 /dev/zero > "$AGENT_FOREMAN_HOME/filler"';
    const ended = await onSmallDisk(rig, rig.superviseArgs({ agent: "agent done" }), kept, fill);
    expect(ended).toMatchObject({ code: 6 });
    expect(ended.stderr).toMatch(/^error: .*ENOSPC/m);
    expect(fs.existsSync(join(kept, "runs")) ? fs.readdirSync(join(kept, "runs")) : []).toEqual([]);
    faults.expectNothingHalfWritten(rig);
  });
});

/** Runs the program with its state directory on a disk of 1 MB, and saves that disk's files at the end. */
function onSmallDisk(
  rig: Rig,
  args: readonly string[],
  kept: string,
  before = "true",
): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = [
    'mkdir -p "$AGENT_FOREMAN_HOME" && mount -t tmpfs -o size=1m tmpfs "$AGENT_FOREMAN_HOME" || exit 99',
    before,
    '"$@"',
    "code=$?",
    `cp -r "$AGENT_FOREMAN_HOME" '${kept}' || exit 98`,
    "exit $code",
  ].join("\n");
  const command = ["--mount", "sh", "-c", script, "sh", process.execPath, CLI, ...args];
  return new Promise((resolve) => {
    execFile(UNSHARE, command, { cwd: rig.project, env: rig.env() }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
