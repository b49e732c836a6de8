import { begin } from "../../src/modes/registry.ts";
import { describe, expect, test } from "vitest";
import { readJournal } from "../../src/core/journal/read.ts";
import type { Ended, Rig } from "../rig/rig.ts";
import {
  ARGS,
  expectEvidence,
  expectSameOutcome,
  PrintRig,
  undisturbed,
  type Undisturbed,
} from "./chat-outcome.ts";
import * as faults from "./faults.ts";
import type { Fault } from "./faults.ts";
import { noSurvivors, onlyRun } from "./outcome.ts";
import { KILL_AFTER, runOrHang, sweepIn, upTo } from "./points.ts";

const newRig = (): PrintRig => new PrintRig();

describe("chat --print: SIGKILL at every journal append", () => {
  test.each(["after", "torn"] as const)("%s the append", async (how) => {
    const expected = await undisturbed();
    const types = expected.events.map(({ type }) => type);
    // How a line is torn does not depend on its place in the run.
    const isChosen = (n: number): boolean =>
      how === "after" || types.indexOf(types[n - 1] ?? "run_ended") === n - 1;
    await sweepIn(
      newRig,
      upTo(types.length).filter(isChosen),
      (n) => `${how} append ${n} (${types[n - 1]})`,
      async (n, rig) => {
        const env = { SWEEP_KILL: `${how}:${n}` };
        expect((await runOrHang(rig, ARGS, { preload: KILL_AFTER, env })).signal).toBe("SIGKILL");
        await noSurvivors(rig);
        expectOnRecord(rig, types.slice(0, how === "after" ? n : n - 1), how === "torn");
        await goOn(rig, expected);
      },
    );
  });
});

/** Every second write fails in one of these ways. Every write in all ways would take minutes longer. */
const WAYS: readonly Omit<Fault, "at">[] = [
  { how: "fail", errno: "ENOSPC" },
  { how: "fail", errno: "ENOSPC", forever: true },
  { how: "half", errno: "EIO" },
  { how: "kill" },
];

test("chat --print: every second write fails in one way or another", async () => {
  const expected = await undisturbed();
  const writes = await faults.operations(newRig(), ARGS);
  const points = writes.flatMap((write, index) => {
    const way = WAYS[Math.floor(index / 2) % WAYS.length];
    return way && index % 2 === 0 ? [{ write, fault: { at: index + 1, ...way } }] : [];
  });
  await sweepIn(
    newRig,
    points,
    ({ write, fault }) => `${write} ${JSON.stringify(fault)}`,
    async ({ fault }, rig) => {
      const ended = await runOrHang(rig, ARGS, faults.faulty(rig, fault));
      expect(ended.signal).toBe(fault.how === "kill" ? "SIGKILL" : null);
      await noSurvivors(rig);
      await expectRecovery(rig, ended, expected);
    },
  );
});

function expectOnRecord(rig: Rig, types: readonly string[], isTorn: boolean): void {
  if (types.length === 0) return;
  const runId = onlyRun(rig);
  const { records, tornBytes } = readJournal(rig.journalPath(runId), runId, begin);
  expect(records.map(({ event }) => event.type)).toEqual(types);
  expect(tornBytes > 0).toBe(isTorn);
}

/** Nothing false was reported, and on a healthy disk the run reaches its normal outcome. */
async function expectRecovery(rig: Rig, ended: Ended, expected: Undisturbed): Promise<void> {
  const state = faults.recordedState(rig);
  faults.expectHonestSuccess(ended, state);
  const unharmed = state?.ended && ended.code === state.ended.exitCode;
  if (unharmed) return expectSameOutcome(rig, ended, expected);
  if (ended.signal === null) faults.expectFailedClosed(ended, state);
  return goOn(rig, expected);
}

/** A run that began reaches its normal outcome. One that never began does not block a new run. */
async function goOn(rig: Rig, expected: Undisturbed): Promise<void> {
  if (faults.recordedState(rig)) {
    const runId = onlyRun(rig);
    expectEvidence(rig.events(runId));
    return expectSameOutcome(rig, await runOrHang(rig, ["resume", runId]), expected);
  }
  for (const runId of rig.runIds()) expect([2, 6]).toContain((await runOrHang(rig, ["resume", runId])).code);
  expect((await runOrHang(rig, ARGS)).code).toBe(0);
}
