import type { CheckEnded, RunEvent } from "../../src/core/event.ts";
import { fold } from "../../src/core/fold.ts";
import { baseResult, checkSoFar, endedCheck } from "../../src/evidence/check.ts";
import type { CheckInRoom, OwnRun, TestRun, TestRunEnded } from "../../src/core/evidence/event.ts";
import * as plan from "../../src/evidence/plan.ts";
import { sameRun } from "../../src/evidence/runs.ts";
import type { RunState } from "../../src/core/state.ts";

/** A story gives the result of a check; this adds the test runs that lead to it. */
export function withRuns(state: RunState, event: RunEvent): readonly RunEvent[] {
  if (event.type !== "check_ended" || !event.room || !state.settings.room) return [event];
  const { attempt, phase, index, process } = event;
  const check = { attempt, phase, index, command: process.command };
  const base = baseResult(state, process.command);
  const runs: TestRunEnded[] = [];
  if (endedCheck(state, check)) return [event];
  const { room } = event;
  for (;;) {
    const due = plan.nextRun({ ...checkSoFar(state, check), runs }, base);
    if (due === "done") break;
    const shown = shownBy(event, room, due, runs);
    const last = runs.at(-1);
    if (shown)
      runs.push({
        type: "test_run_ended",
        attempt,
        phase,
        index,
        ...due,
        rewritten: { count: 0, some: [] },
        problem: null,
        ruledOut: [],
        ...(room.setUps && runs.length === 0 && { setUps: room.setUps }),
        ...shown,
        process: { ...shown.process, command: process.command },
      });
    else if (last) runs[runs.length - 1] = { ...last, ruledOut: [...last.ruledOut, due] };
    else throw new Error("the first run cannot be ruled out");
  }
  const state2 = runs.reduce<RunState>((before, run) => fold(before, run, before.updatedAt), state);
  return [...runs, endedCheck(state2, check) ?? event];
}

/** The state after an event of a story. */
export function foldWithRuns(state: RunState, event: RunEvent, at: string): RunState {
  return withRuns(state, event).reduce<RunState>((before, one) => fold(before, one, at), state);
}

type Shown = OwnRun & Partial<TestRunEnded>;

/** Null: the check does not include such a run. */
function shownBy(
  { process, output }: CheckEnded,
  room: CheckInRoom,
  run: TestRun,
  runs: readonly TestRunEnded[],
): Shown | null {
  const { rewritten, problem, flaky, findings, baseTests, candidateTests, lost, baseProduct, baseControl } =
    room;
  const result: Shown = { process, output, findings, rewritten, problem };
  if (sameRun(run, plan.BASE_TESTS)) {
    if (runs.length === 0 && flaky)
      return {
        process: { ...process, end: { kind: "exited", code: 1 } },
        output,
        findings: findings && { ...findings, failed: flaky.count, regressed: flaky },
      };
    return baseTests ?? result;
  }
  if (sameRun(run, plan.CANDIDATE_TESTS)) {
    if (baseTests) return { ...result, lost };
    return candidateTests && { ...candidateTests, lost };
  }
  if (sameRun(run, plan.BASE_PRODUCT)) {
    if (!baseProduct) return null;
    const { revived, unproven, ...shown } = baseProduct;
    return { ...shown, proof: { revived, unproven } };
  }
  return sameRun(run, plan.BASE_CONTROL) ? baseControl : null;
}
