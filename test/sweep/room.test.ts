import { describe, expect, test } from "vitest";
import { Rig, type Ended } from "../rig/rig.ts";
import * as faults from "./faults.ts";
import {
  expectSameOutcome,
  noSurvivors,
  onlyRun,
  superviseIn,
  undisturbed,
  type Undisturbed,
} from "./outcome.ts";
import { KILL_AFTER, runOrHang, sweep, upTo } from "./points.ts";
import { expectEvidence, inRoom, inRoomAtOnce, nothingLeft } from "./room-outcome.ts";

describe("a run whose checks are kept apart", () => {
  test("SIGKILL after every journal append", async () => {
    const expected = await undisturbed(inRoom);
    await sweep(
      upTo(expected.events.length),
      (n) => `after append ${n} (${expected.events[n - 1]?.type})`,
      async (n, rig) => {
        const start = { preload: KILL_AFTER, env: { SWEEP_KILL: `after:${n}` } };
        expect((await superviseIn(rig, inRoom, start)).signal).toBe("SIGKILL");
        await noSurvivors(rig);
        await expectResumed(rig, expected);
      },
    );
  });

  test("every second write fails once; of those that make rooms, which are many and alike, every twelfth", async () => {
    const expected = await undisturbed(inRoomAtOnce);
    const writes = await writesOf();
    const isChosen = (at: number): boolean => at % (isOfRoom(writes[at - 1]) ? 12 : 2) === 1;
    await sweep(
      upTo(writes.length).filter(isChosen),
      (at) => `write ${at} (${writes[at - 1]})`,
      async (at, rig) => {
        const fault = faults.faulty(rig, { at, how: "fail", errno: "ENOSPC" });
        const ended = await superviseIn(rig, inRoomAtOnce, fault);
        await noSurvivors(rig);
        await expectRecovery(rig, ended, expected);
      },
    );
  });

  test("SIGKILL while a room is made, or is taken away", async () => {
    const expected = await undisturbed(inRoomAtOnce);
    const writes = await writesOf();
    await sweep(
      upTo(writes.length).filter((at) => at % 30 === 0 && isOfRoom(writes[at - 1])),
      (at) => `before write ${at} (${writes[at - 1]})`,
      async (at, rig) => {
        await superviseIn(rig, inRoomAtOnce, faults.faulty(rig, { at, how: "kill" }));
        await noSurvivors(rig);
        await (faults.recordedState(rig) ? expectResumed(rig, expected) : expectAnew(rig));
      },
    );
  });
});

async function writesOf(): Promise<readonly string[]> {
  const rig = new Rig();
  inRoomAtOnce.prepare?.(rig);
  return faults.operations(rig, rig.superviseArgs(inRoomAtOnce.options));
}

function isOfRoom(write = ""): boolean {
  return /\/(?:room|trial)(?:[/.]|$)/.test(write);
}

/** Nothing false was said, and on a sound disk the run comes to what it would have come to. */
async function expectRecovery(rig: Rig, ended: Ended, expected: Undisturbed): Promise<void> {
  const state = faults.recordedState(rig);
  faults.expectHonestSuccess(ended, state);
  if (state?.ended && ended.code === state.ended.exitCode) return expectEnded(rig, ended, expected);
  faults.expectFailedClosed(ended, state);
  if (state) return expectResumed(rig, expected);
  const again = await superviseIn(rig, inRoomAtOnce);
  expect(again.code).toBe(inRoomAtOnce.exitCode);
}

async function expectResumed(rig: Rig, expected: Undisturbed): Promise<void> {
  await expectEnded(rig, await runOrHang(rig, ["resume", onlyRun(rig)]), expected);
}

async function expectEnded(rig: Rig, ended: Ended, expected: Undisturbed): Promise<void> {
  const runId = onlyRun(rig);
  expectSameOutcome(rig, runId, ended, expected);
  expectEvidence(rig.events(runId));
  await nothingLeft(rig);
}

/** Nothing was recorded: it can be begun again. */
async function expectAnew(rig: Rig): Promise<void> {
  expect((await superviseIn(rig, inRoomAtOnce)).code).toBe(inRoomAtOnce.exitCode);
}
