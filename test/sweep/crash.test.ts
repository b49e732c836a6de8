import { begin } from "../../src/modes/registry.ts";
import { describe, expect, test } from "vitest";
import { readJournal } from "../../src/core/journal/read.ts";
import type { Rig } from "../rig/rig.ts";
import {
  expectSameOutcome,
  noSurvivors,
  onlyRun,
  superviseIn,
  undisturbed,
  type Undisturbed,
} from "./outcome.ts";
import { KILL_AFTER, runOrHang, sweep, upTo } from "./points.ts";
import * as scenarios from "./scenarios.ts";
import type { Scenario } from "./scenarios.ts";

const { accepted, feedbackDriven, limitReached, mixed, manyTests, timedOut, planMissing } = scenarios;
const { takenOver, waited } = scenarios;
const SWEPT = [
  ...[accepted, feedbackDriven, limitReached, mixed, manyTests, timedOut, planMissing],
  ...[takenOver, waited],
];
const HOWS = ["after", "torn"] as const;
type How = (typeof HOWS)[number];

function killing(how: How, n: number): { preload: string; env: Record<string, string> } {
  return { preload: KILL_AFTER, env: { SWEEP_KILL: `${how}:${n}` } };
}

describe.each(SWEPT)("SIGKILL at every journal append: $name", (scenario) => {
  test.each(HOWS)("%s the append", async (how) => {
    const expected = await undisturbed(scenario);
    await sweep(
      upTo(expected.events.length),
      (n) => `${how} append ${n} (${expected.events[n - 1]?.type})`,
      (n, rig) => crashAndResume(rig, scenario, expected, { how, n }),
    );
  });
});

describe("SIGKILL of the resume as well", () => {
  test.each(HOWS)("%s every append of a resume", async (how) => {
    const expected = await undisturbed(feedbackDriven);
    const points = upTo(expected.events.length)
      .filter((n) => ["turn_started", "turn_ended"].includes(expected.events[n - 1]?.type ?? ""))
      .flatMap((n) => [1, 2, 3, 4].map((m) => ({ n, m })));
    await sweep(
      points,
      ({ n, m }) => `after append ${n}, then ${how} append ${m} of the resume`,
      async ({ n, m }, rig) => {
        await crash(rig, feedbackDriven, { how: "after", n });
        const second = await runOrHang(rig, ["resume", onlyRun(rig)], killing(how, m));
        expect(second.signal).toBe("SIGKILL");
        await noSurvivors(rig);
        await resumeToTheEnd(rig, expected);
      },
    );
  });

  // With fewer than four the run makes no progress: resumed, lost turn recorded, turn started, turn ended.
  test.each([feedbackDriven, manyTests, timedOut])(
    "a supervisor that lives for four appends only: $name",
    async (scenario) => {
      const expected = await undisturbed(scenario);
      await sweep(HOWS, String, async (how, rig) => {
        await crash(rig, scenario, { how: "after", n: 2 });
        for (const _ of expected.events) {
          const ended = await runOrHang(rig, ["resume", onlyRun(rig)], killing(how, how === "after" ? 4 : 5));
          await noSurvivors(rig);
          if (ended.signal !== "SIGKILL") break;
        }
        await resumeToTheEnd(rig, expected);
      });
    },
  );
});

async function crash(rig: Rig, scenario: Scenario, at: { how: How; n: number }): Promise<void> {
  const killed = await superviseIn(rig, scenario, killing(at.how, at.n));
  expect(killed.signal).toBe("SIGKILL");
  await noSurvivors(rig);
}

async function crashAndResume(
  rig: Rig,
  scenario: Scenario,
  expected: Undisturbed,
  at: { how: How; n: number },
): Promise<void> {
  await crash(rig, scenario, at);
  const runId = onlyRun(rig);
  const recorded = at.how === "after" ? at.n : at.n - 1;
  if (recorded === 0) return expectNeverStarted(rig, scenario, runId);

  const crashed = readJournal(rig.journalPath(runId), runId, begin);
  expect(crashed.records.map((record) => record.event.type)).toEqual(
    expected.events.slice(0, recorded).map((event) => event.type),
  );
  expect(crashed.tornBytes > 0).toBe(at.how === "torn");
  expect(rig.hasReport(runId)).toBe(false);
  await resumeToTheEnd(rig, expected);

  const lostTurn = expected.events[recorded - 1]?.type === "turn_started";
  expect(rig.report(runId).interrupted_turns).toHaveLength(lostTurn ? 1 : 0);
}

async function resumeToTheEnd(rig: Rig, expected: Undisturbed): Promise<void> {
  const runId = onlyRun(rig);
  const ended = await runOrHang(rig, ["resume", runId]);
  expectSameOutcome(rig, runId, ended, expected);
}

/** Killed before its first record: nothing to resume, and a new run can start. */
async function expectNeverStarted(rig: Rig, scenario: Scenario, runId: string): Promise<void> {
  const refused = await runOrHang(rig, ["resume", runId]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(`run ${runId} never began`);
  expect(rig.runIds()).toEqual([]);
  const again = await superviseIn(rig, scenario);
  expect(again.code).toBe(scenario.exitCode);
  expect(rig.survivors()).toEqual([]);
}
