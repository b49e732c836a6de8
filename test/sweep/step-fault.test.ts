import { describe, expect, test } from "vitest";
import { StepsRig } from "../rig/steps.ts";
import type { Ended } from "../rig/rig.ts";
import * as faults from "./faults.ts";
import type { Fault } from "./faults.ts";
import { noSurvivors, onlyRun } from "./outcome.ts";
import { runOrHang, sweepIn, upTo } from "./points.ts";
import { expectSameOutcome, expectTruth, start, undisturbed, type Undisturbed } from "./step-outcome.ts";
import { analysed, repaired, type StepScenario } from "./step-scenarios.ts";

type Kind = Omit<Fault, "at">;
const ENOSPC_ONCE: Kind = { how: "fail", errno: "ENOSPC" };
const ENOSPC_FOR_GOOD: Kind = { how: "fail", errno: "ENOSPC", forever: true };
const HALF_A_WRITE: Kind = { how: "half", errno: "EIO" };
const HALF_A_STEP: Kind = { ...HALF_A_WRITE, match: "/steps/" };

const newRig = (): StepsRig => new StepsRig();

describe("every write of a run", () => {
  // In the long scenario each write fails in one of three ways, because all ways would take minutes longer.
  const first = (at: number): boolean => at % 3 === 1;
  const second = (at: number): boolean => at % 3 === 2;
  const third = (at: number): boolean => at % 3 === 0;
  const all = (): boolean => true;

  test.each<[string, StepScenario, Kind, (at: number) => boolean]>([
    ["fails once with ENOSPC", repaired, ENOSPC_ONCE, first],
    ["is the last that the disk has room for", repaired, ENOSPC_FOR_GOOD, second],
    ["does half of its work, then fails, where the steps lie", repaired, HALF_A_STEP, all],
    ["fails once with ENOSPC, in analyze", analysed, ENOSPC_ONCE, all],
    ["does half of its work, then fails, in analyze", analysed, HALF_A_WRITE, third],
  ])("%s", async (_, scenario, kind, isChosen) => {
    const expected = await undisturbed(scenario);
    const match = new RegExp(kind.match ?? "");
    const writes = (await writesOf(scenario)).filter((write) => match.test(write));
    await sweepIn(
      newRig,
      upTo(writes.length).filter(isChosen),
      (at) => `write ${at} (${writes[at - 1]})`,
      async (at, rig) => {
        scenario.prepare(rig);
        const ended = await start(rig, scenario, faults.faulty(rig, { at, ...kind }));
        await noSurvivors(rig);
        expectTruth(rig, expected);
        await expectRecovery(rig, scenario, ended, expected);
      },
    );
  });

  // Includes the moment between the write of step files and its record.
  test.each([
    { scenario: repaired, isChosen: third },
    { scenario: analysed, isChosen: second },
  ])("is the last thing before SIGKILL: $scenario.name", async ({ scenario, isChosen }) => {
    const expected = await undisturbed(scenario);
    const writes = await writesOf(scenario);
    await sweepIn(
      newRig,
      upTo(writes.length).filter(isChosen),
      (at) => `before write ${at} (${writes[at - 1]})`,
      async (at, rig) => {
        scenario.prepare(rig);
        const killed = await start(rig, scenario, faults.faulty(rig, { at, how: "kill" }));
        expect(killed.signal).toBe("SIGKILL");
        await noSurvivors(rig);
        expectTruth(rig, expected);
        if (faults.recordedState(rig))
          expectSameOutcome(rig, await runOrHang(rig, ["resume", onlyRun(rig)]), expected);
        else await expectNewRun(rig, scenario);
      },
    );
  });
});

/** A run that never began does not block a new one. */
async function expectNewRun(rig: StepsRig, scenario: StepScenario): Promise<void> {
  expect((await start(rig, scenario)).code).toBe(scenario.exitCode);
}

async function writesOf(scenario: StepScenario): Promise<string[]> {
  const rig = new StepsRig();
  scenario.prepare(rig);
  return faults.operations(rig, scenario.args);
}

/** After the fault: nothing false was reported, and on a healthy disk the work reaches its normal outcome. */
async function expectRecovery(
  rig: StepsRig,
  scenario: StepScenario,
  ended: Ended,
  expected: Undisturbed,
): Promise<void> {
  const state = faults.recordedState(rig);
  faults.expectHonestSuccess(ended, state);
  if (state?.ended?.reason === "step_write_failed")
    return expectTakenUpByNewRun(rig, scenario, ended, expected);
  const unharmed = state?.ended && ended.code === state.ended.exitCode;
  if (unharmed) return expectSameOutcome(rig, ended, expected);

  faults.expectFailedClosed(ended, state);
  const again = state ? await runOrHang(rig, ["resume", onlyRun(rig)]) : await start(rig, scenario);
  expectSameOutcome(rig, again, expected);
}

/** If a step's file cannot be written, the run ends. A new run does the remaining steps. */
async function expectTakenUpByNewRun(
  rig: StepsRig,
  scenario: StepScenario,
  ended: Ended,
  expected: Undisturbed,
): Promise<void> {
  expect([6, null]).toContain(ended.code);
  expect(`${ended.stdout}${ended.stderr}`).toMatch(/ENOSPC|EIO/);
  const again = await start(rig, scenario);
  expect(again.code).toBe(scenario.exitCode);
  for (const file of expected.versions.keys())
    expect(rig.read(`steps/${file}`)).toBe(expected.outcome.files[`steps/${file}`]);
}
