import { begin } from "../../src/modes/registry.ts";
import { describe, expect, test } from "vitest";
import { readJournal } from "../../src/core/journal/read.ts";
import { BoardRig } from "../rig/board.ts";
import type { StartOptions } from "../rig/rig.ts";
import {
  drive,
  expectSameOutcome,
  expectTruth,
  goOn,
  STAGES,
  undisturbed,
  type Stage,
  type Undisturbed,
} from "./board-outcome.ts";
import { everything, sessionLost, type BoardScenario } from "./board-scenarios.ts";
import { noSurvivors, onlyRun } from "./outcome.ts";
import { KILL_AFTER, runOrHang, sweepIn } from "./points.ts";

interface At {
  readonly how: "after" | "torn";
  readonly stage: Stage;
  /** Number of the process's own append. */
  readonly n: number;
  /** The number of events recorded before it, and the type of its own event. */
  readonly before: number;
  readonly type: string;
}

const newRig = (): BoardRig => new BoardRig();

function killing({ how, n }: Pick<At, "how" | "n">): StartOptions {
  return { preload: KILL_AFTER, env: { SWEEP_KILL: `${how}:${n}` } };
}

function pointsOf({ events, stages }: Undisturbed, how: At["how"]): readonly At[] {
  let first = 0;
  return STAGES.flatMap((stage) => {
    const own = events.slice(first, stages[stage]);
    const points = own.map(({ type }, at) => ({ how, stage, n: at + 1, before: first + at, type }));
    first = Math.max(first, stages[stage]);
    return points;
  });
}

/** The first of each kind. How a line is torn does not depend on its place in the run. */
function oneOfEach(points: readonly At[]): readonly At[] {
  return points.filter((point, at) => points.findIndex(({ type }) => type === point.type) === at);
}

function nameOf({ how, stage, n, type }: At): string {
  return `${how} append ${n} of ${stage} (${type})`;
}

describe("SIGKILL around journal appends", () => {
  test.each<[string, BoardScenario, (expected: Undisturbed) => readonly At[]]>([
    ["after every append", everything, (expected) => pointsOf(expected, "after")],
    ["amid an append of each kind", everything, (expected) => oneOfEach(pointsOf(expected, "torn"))],
    ["after every append where MAIN's session is lost", sessionLost, aroundTheLoss],
  ])("%s", async (_, scenario, pointsIn) => {
    const expected = await undisturbed(scenario);
    await sweepIn(newRig, pointsIn(expected), nameOf, (at, rig) => crashAndGoOn(rig, scenario, expected, at));
  });
});

function aroundTheLoss(expected: Undisturbed): readonly At[] {
  const types = expected.events.map(({ type }) => type);
  const lost = types.indexOf("turn_failed");
  expect(lost).toBeGreaterThan(0);
  const decided = types.indexOf("main_ended", lost);
  return pointsOf(expected, "after").filter(({ before }) => before >= lost - 1 && before <= decided);
}

test("SIGKILL of the resume as well", async () => {
  const expected = await undisturbed(everything);
  const begun = new Set(["turn_started", "main_ended", "check_ended", "question_answered"]);
  const points = oneOfEach(pointsOf(expected, "after"))
    .filter(({ type }) => begun.has(type))
    .flatMap((at) => [1, 2, 3].map((m) => ({ at, m })));
  await sweepIn(
    newRig,
    points,
    ({ at, m }) => `${nameOf(at)}, then after append ${m} of the resume`,
    async ({ at, m }, rig) => {
      await crash(rig, everything, expected, at);
      const again = await runOrHang(rig, ["resume", onlyRun(rig)], killing({ how: "after", n: m }));
      expect(again.signal).toBe("SIGKILL");
      await noSurvivors(rig);
      expectTruth(rig, expected);
      await expectSameOutcome(rig, await goOn(rig), expected);
    },
  );
});

async function crash(rig: BoardRig, scenario: BoardScenario, expected: Undisturbed, at: At): Promise<void> {
  scenario.prepare(rig);
  const ended = await drive(rig, { [at.stage]: killing(at) });
  expect(ended.signal).toBe("SIGKILL");
  await noSurvivors(rig);
  expectTruth(rig, expected);
}

async function crashAndGoOn(
  rig: BoardRig,
  scenario: BoardScenario,
  expected: Undisturbed,
  at: At,
): Promise<void> {
  await crash(rig, scenario, expected, at);
  const runId = onlyRun(rig);
  const recorded = at.how === "after" ? at.before + 1 : at.before;
  if (recorded === 0) return expectNeverStarted(rig, runId);

  const crashed = readJournal(rig.journalPath(runId), runId, begin);
  expect(crashed.records.map((record) => record.event.type)).toEqual(
    expected.events.slice(0, recorded).map((event) => event.type),
  );
  expect(crashed.tornBytes > 0).toBe(at.how === "torn");
  await expectSameOutcome(rig, await goOn(rig), expected);
}

/** Killed before its first record: nothing to resume, and a new run can start. */
async function expectNeverStarted(rig: BoardRig, runId: string): Promise<void> {
  const refused = await runOrHang(rig, ["resume", runId]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(`run ${runId} never began`);
  expect(rig.runIds()).toEqual([]);
  expect((await runOrHang(rig, ["orchestrate", "--lang", "en"])).code).not.toBe(2);
}
