import { describe, expect, test } from "vitest";
import { Rig, type Ended } from "../rig/rig.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { TestRunEnded } from "../../src/core/evidence/event.ts";
import * as faults from "./faults.ts";
import {
  executionsFile,
  expectSameOutcome,
  linesIn,
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
    // The checks consist of several runs. A foreman killed between them does not repeat finished runs.
    expect(expected.events.filter(({ type }) => type === "test_run_ended").length).toBeGreaterThan(6);
    expect(expected.outcome.executions).toBeGreaterThan(4);
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

  test("SIGKILL between two runs on the base: the resume goes on with the second", async () => {
    const expected = await undisturbed(inRoom);
    const at = expected.events.findIndex(({ type }) => type === "base_run_ended");
    const rig = new Rig();
    const start = { preload: KILL_AFTER, env: { SWEEP_KILL: `after:${at + 1}` } };
    expect((await superviseIn(rig, inRoom, start)).signal).toBe("SIGKILL");
    await noSurvivors(rig);
    expect(linesIn(executionsFile(rig))).toBe(1);
    await expectResumed(rig, expected);
    const resumed = rig.events(onlyRun(rig)).slice(at + 1, at + 4);
    expect(resumed.map(({ type }) => type)).toEqual(["run_resumed", "base_checked", "turn_started"]);
  });

  test("SIGKILL between two runs of a check, after which the tree changes: what was seen of the old tree does not count", async () => {
    const { events, outcome } = await undisturbed(inRoom);
    const at = events.findIndex((event, n) => isRun(event) && isRun(events[n + 1]) && event.phase === "full");
    const rig = new Rig();
    const start = { preload: KILL_AFTER, env: { SWEEP_KILL: `after:${at + 1}` } };
    expect((await superviseIn(rig, inRoom, start)).signal).toBe("SIGKILL");
    await noSurvivors(rig);
    rig.write("notes.txt", "by a person\n");
    expect((await runOrHang(rig, ["resume", onlyRun(rig)])).code).toBe(0);
    const resumed = rig.events(onlyRun(rig)).slice(at + 1, at + 4);
    expect(resumed.map(({ type }) => type)).toEqual(["run_resumed", "candidate_taken", "test_run_ended"]);
    expect(linesIn(executionsFile(rig))).toBe(outcome.executions + 1);
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

function isRun(event: RunEvent | undefined): event is TestRunEnded {
  return event?.type === "test_run_ended";
}

function isOfRoom(write = ""): boolean {
  return /\/(?:room|trial)(?:[/.]|$)/.test(write);
}

/** Nothing false was reported, and on a healthy disk the run reaches its normal outcome. */
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

/** Nothing was recorded, so the run can start from scratch. */
async function expectAnew(rig: Rig): Promise<void> {
  expect((await superviseIn(rig, inRoomAtOnce)).code).toBe(inRoomAtOnce.exitCode);
}
