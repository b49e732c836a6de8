import { begin } from "../../src/modes/registry.ts";
import { describe, expect, test } from "vitest";
import { readJournal } from "../../src/core/journal/read.ts";
import { StepsRig } from "../rig/steps.ts";
import { noSurvivors, onlyRun } from "./outcome.ts";
import { KILL_AFTER, runOrHang, sweepIn, upTo } from "./points.ts";
import { expectSameOutcome, expectTruth, start, undisturbed, type Undisturbed } from "./step-outcome.ts";
import { analysed, gaveUp, reopened, repaired, type StepScenario } from "./step-scenarios.ts";

const HOWS = ["after", "torn"] as const;
type How = (typeof HOWS)[number];
interface At {
  readonly how: How;
  readonly n: number;
}

const newRig = (): StepsRig => new StepsRig();

function killing({ how, n }: At): { preload: string; env: Record<string, string> } {
  return { preload: KILL_AFTER, env: { SWEEP_KILL: `${how}:${n}` } };
}

describe.each([repaired, reopened, gaveUp, analysed])(
  "SIGKILL at every journal append: $name",
  (scenario) => {
    test.each(HOWS)("%s the append", async (how) => {
      const expected = await undisturbed(scenario);
      await sweepIn(
        newRig,
        upTo(expected.events.length),
        (n) => `${how} append ${n} (${expected.events[n - 1]?.type})`,
        (n, rig) => crashAndResume(rig, scenario, expected, { how, n }),
      );
    });
  },
);

describe("SIGKILL of the resume as well", () => {
  test.each([repaired, analysed])("after every append of it: $name", async (scenario) => {
    const expected = await undisturbed(scenario);
    const begun = new Set(["turn_started", "attempt_judged", "step_marked"]);
    const points = upTo(expected.events.length)
      .filter((n) => begun.has(expected.events[n - 1]?.type ?? ""))
      .flatMap((n) => [1, 2, 3].map((m) => ({ n, m })));
    await sweepIn(
      newRig,
      points,
      ({ n, m }) => `after append ${n}, then after append ${m} of the resume`,
      async ({ n, m }, rig) => {
        await crash(rig, scenario, expected, { how: "after", n });
        const second = await runOrHang(rig, ["resume", onlyRun(rig)], killing({ how: "after", n: m }));
        await noSurvivors(rig);
        expectTruth(rig, expected);
        // After the last kills, the resume has fewer appends than that.
        if (second.signal === "SIGKILL") await resumeToTheEnd(rig, expected);
        else expectSameOutcome(rig, second, expected);
      },
    );
  });
});

async function crash(rig: StepsRig, scenario: StepScenario, expected: Undisturbed, at: At): Promise<void> {
  scenario.prepare(rig);
  const killed = await start(rig, scenario, killing(at));
  expect(killed.signal).toBe("SIGKILL");
  await noSurvivors(rig);
  expectTruth(rig, expected);
}

async function crashAndResume(
  rig: StepsRig,
  scenario: StepScenario,
  expected: Undisturbed,
  at: At,
): Promise<void> {
  await crash(rig, scenario, expected, at);
  const runId = onlyRun(rig);
  const recorded = at.how === "after" ? at.n : at.n - 1;
  if (recorded === 0) return expectNeverStarted(rig, scenario, runId);

  const crashed = readJournal(rig.journalPath(runId), runId, begin);
  expect(crashed.records.map((record) => record.event.type)).toEqual(
    expected.events.slice(0, recorded).map((event) => event.type),
  );
  expect(crashed.tornBytes > 0).toBe(at.how === "torn");
  await resumeToTheEnd(rig, expected);
}

async function resumeToTheEnd(rig: StepsRig, expected: Undisturbed): Promise<void> {
  const ended = await runOrHang(rig, ["resume", onlyRun(rig)]);
  expectSameOutcome(rig, ended, expected);
}

/** Killed before its first record: nothing to resume, and a new run can start. */
async function expectNeverStarted(rig: StepsRig, scenario: StepScenario, runId: string): Promise<void> {
  const refused = await runOrHang(rig, ["resume", runId]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(`run ${runId} never began`);
  expect(rig.runIds()).toEqual([]);
  expect((await start(rig, scenario)).code).toBe(scenario.exitCode);
  expect(rig.survivors()).toEqual([]);
}
