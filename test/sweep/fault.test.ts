import { describe, expect, test } from "vitest";
import { Rig, type Ended } from "../rig/rig.ts";
import * as faults from "./faults.ts";
import type { Fault } from "./faults.ts";
import {
  expectSameOutcome,
  noSurvivors,
  onlyRun,
  superviseIn,
  undisturbed,
  type Undisturbed,
} from "./outcome.ts";
import { KILL_AFTER, runOrHang, sweep, upTo } from "./points.ts";
import { accepted, limitReached, rejectedOnce, takenOver, type Scenario } from "./scenarios.ts";

type Kind = Omit<Fault, "at">;
const ENOSPC_ONCE: Kind = { how: "fail", errno: "ENOSPC" };
const EIO_ONCE: Kind = { how: "fail", errno: "EIO" };
const ENOSPC_FOR_GOOD: Kind = { how: "fail", errno: "ENOSPC", forever: true };
const HALF_A_WRITE: Kind = { how: "half", errno: "ENOSPC" };

describe("every write of a run", () => {
  // Similar sweeps (another error code, a longer run) test every third write, because all writes would take minutes longer.
  const all = (): boolean => true;
  const third = (at: number): boolean => at % 3 === 0;

  test.each<[string, Scenario, Kind, (at: number) => boolean]>([
    ["fails once with ENOSPC", rejectedOnce, ENOSPC_ONCE, all],
    ["fails once with EIO", accepted, EIO_ONCE, third],
    ["fails once with ENOSPC, in a run that is not accepted", limitReached, ENOSPC_ONCE, third],
    ["is the last that the disk has room for", accepted, ENOSPC_FOR_GOOD, all],
    ["does half of its work, then fails", accepted, HALF_A_WRITE, all],
    ["fails once with ENOSPC, while agents take turns", takenOver, ENOSPC_ONCE, third],
  ])("%s", async (_, scenario, kind, isChosen) => {
    const expected = await undisturbed(scenario);
    const writes = await writesOf(scenario);
    await sweep(
      upTo(writes.length).filter(isChosen),
      (at) => `write ${at} (${writes[at - 1]})`,
      async (at, rig) => {
        const ended = await superviseIn(rig, scenario, faults.faulty(rig, { at, ...kind }));
        await noSurvivors(rig);
        await expectRecovery(rig, scenario, ended, expected);
      },
    );
  });

  test("is the last thing before SIGKILL", async () => {
    const expected = await undisturbed(rejectedOnce);
    const writes = await writesOf(rejectedOnce);
    await sweep(
      upTo(writes.length),
      (at) => `before write ${at} (${writes[at - 1]})`,
      async (at, rig) => {
        await superviseIn(rig, rejectedOnce, faults.faulty(rig, { at, how: "kill" }));
        await noSurvivors(rig);
        if (faults.recordedState(rig)) await expectResumed(rig, expected);
        else await expectNewRun(rig, rejectedOnce);
      },
    );
  });

  test("writes less than it was given", async () => {
    const expected = await undisturbed(rejectedOnce);
    const rig = new Rig();
    const ended = await superviseIn(rig, rejectedOnce, faults.faulty(rig, { at: 1, how: "short" }));
    expect(faults.hurt(rig)).not.toEqual([]);
    expectSameOutcome(rig, onlyRun(rig), ended, expected);
  });
});

describe("every write of a resume", () => {
  test.each<[string, string, Kind]>([
    ["fails once with ENOSPC", "after:2", ENOSPC_ONCE],
    ["fails once with EIO, after a torn append", "torn:3", EIO_ONCE],
  ])("%s", async (_, killed, kind) => {
    const expected = await undisturbed(accepted);
    const prepare = async (rig: Rig): Promise<string[]> => {
      const first = await superviseIn(rig, accepted, { preload: KILL_AFTER, env: { SWEEP_KILL: killed } });
      expect(first.signal).toBe("SIGKILL");
      return ["resume", onlyRun(rig)];
    };
    const counted = new Rig();
    const writes = await faults.operations(counted, await prepare(counted));
    await sweep(
      upTo(writes.length),
      (at) => `write ${at} (${writes[at - 1]})`,
      async (at, rig) => {
        const args = await prepare(rig);
        const ended = await runOrHang(rig, args, faults.faulty(rig, { at, ...kind }));
        await noSurvivors(rig);
        await expectRecovery(rig, accepted, ended, expected);
      },
    );
  });
});

async function writesOf(scenario: Scenario): Promise<string[]> {
  const rig = new Rig();
  scenario.prepare?.(rig);
  return faults.operations(rig, rig.superviseArgs(scenario.options));
}

/** After the fault: nothing false was reported, and on a healthy disk the run reaches its normal outcome. */
async function expectRecovery(
  rig: Rig,
  scenario: Scenario,
  ended: Ended,
  expected: Undisturbed,
): Promise<void> {
  const state = faults.recordedState(rig);
  faults.expectHonestSuccess(ended, state);
  const unharmed = faults.hurt(rig).length === 0 || (state?.ended && ended.code === state.ended.exitCode);
  if (unharmed) return expectSameOutcome(rig, onlyRun(rig), ended, expected);

  faults.expectFailedClosed(ended, state);
  if (!state) {
    faults.expectNothingHalfWritten(rig);
    const again = await superviseIn(rig, scenario);
    return expectSameOutcome(rig, onlyRun(rig), again, expected);
  }
  await expectResumed(rig, expected);
}

/** A run that never began does not block a new one. */
async function expectNewRun(rig: Rig, scenario: Scenario): Promise<void> {
  expect((await superviseIn(rig, scenario)).code).toBe(scenario.exitCode);
}

async function expectResumed(rig: Rig, expected: Undisturbed): Promise<void> {
  const resumed = await runOrHang(rig, ["resume", onlyRun(rig)]);
  expectSameOutcome(rig, onlyRun(rig), resumed, expected);
}
