import { begin } from "../../src/modes/registry.ts";
import { expect, test } from "vitest";
import type { SuperviseReport } from "../../src/modes/supervise/report.ts";
import { Journal } from "../../src/core/journal/journal.ts";
import { Rig, type Ended } from "../rig/rig.ts";
import * as faults from "./faults.ts";
import { expectSoundJournal, onlyRun, superviseIn } from "./outcome.ts";
import { KILL_AFTER, runOrHang, sweep, upTo } from "./points.ts";
import { limitReached } from "./scenarios.ts";

const APPENDS_UNTIL_THE_LIMIT = 11;

/** A run whose supervisor died while it waited for a person. It is recorded here, because this test needs no terminal. */
async function askingRun(rig: Rig): Promise<string> {
  const env = { SWEEP_KILL: `after:${APPENDS_UNTIL_THE_LIMIT}` };
  await superviseIn(rig, limitReached, { preload: KILL_AFTER, env });
  const runId = onlyRun(rig);
  expect(rig.events(runId).at(-1)?.type).toBe("attempt_judged");
  const journal = Journal.open(rig.journalPath(runId), runId, begin);
  const at = new Date().toISOString();
  const { containment, toolVersion } = journal.state.started;
  journal.append(
    {
      type: "run_resumed",
      askNow: false,
      interactive: true,
      containment,
      limits: { costUsd: null, tokens: null, timeMs: null, waitMs: 0 },
      toolVersion,
      ended: [],
    },
    at,
  );
  journal.append({ type: "question_asked", id: "q1-known-to-the-person-only" }, at);
  journal.close();
  return runId;
}

interface Command {
  readonly name: string;
  readonly args: (runId: string) => string[];
  readonly errno: "ENOSPC" | "EIO";
  readonly outcome: Partial<SuperviseReport>;
}
const COMMANDS: Command[] = [
  {
    name: "decide pass",
    args: (runId) => ["decide", runId, "pass", "--note", "looked at it"],
    errno: "ENOSPC",
    outcome: { final_status: "manually_passed", exit_code: 0 },
  },
  {
    name: "cancel",
    args: (runId) => ["cancel", runId],
    errno: "EIO",
    outcome: { final_status: "failed", end_reason: "cancelled", exit_code: 1 },
  },
];

test.each(COMMANDS)("every write of $name fails once with $errno", async ({ args, outcome, errno }) => {
  const counted = new Rig();
  const writes = await faults.operations(counted, args(await askingRun(counted)));
  expect(writes.length).toBeGreaterThan(5);
  await sweep(
    upTo(writes.length),
    (at) => `write ${at} (${writes[at - 1]})`,
    async (at, rig) => {
      const runId = await askingRun(rig);
      const ended = await runOrHang(rig, args(runId), faults.faulty(rig, { at, how: "fail", errno }));
      expectHonest(rig, ended);
      await bringToTheEnd(rig, runId, args(runId));
      expect(rig.report(runId)).toMatchObject(outcome);
      expect(rig.report(runId).manual_decision_history.length).toBeLessThanOrEqual(1);
      expectSoundJournal(rig, runId);
    },
  );
});

/** Exit code 0 means that the answer was recorded. Any other code must come with the cause. */
function expectHonest(rig: Rig, ended: Ended): void {
  const state = faults.recordedState(rig);
  if (ended.code !== 0) return faults.expectFailedClosed(ended, state);
  expect(state?.ended).not.toBeNull();
}

/** Repeats the answer. If it was already recorded, the repetition is refused, and resume does the rest. */
async function bringToTheEnd(rig: Rig, runId: string, args: readonly string[]): Promise<void> {
  const again = await runOrHang(rig, args);
  const refused = / has ended: | asks nothing now: /.test(again.stderr);
  expect(again.code, again.stderr).toBe(refused ? 2 : 0);
  await runOrHang(rig, ["resume", runId]);
}
