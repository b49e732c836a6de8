import { describe, expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import type { Ended } from "../rig/rig.ts";
import {
  drive,
  expectSameOutcome,
  expectTruth,
  goOn,
  undisturbed,
  type Stage,
  type Undisturbed,
} from "./board-outcome.ts";
import { everything } from "./board-scenarios.ts";
import * as faults from "./faults.ts";
import type { Fault } from "./faults.ts";
import { noSurvivors } from "./outcome.ts";
import { sweepIn } from "./points.ts";

type Kind = Omit<Fault, "at">;

interface Write {
  readonly stage: Stage;
  /** Number of the process's own write. */
  readonly at: number;
  /** The kind of content, whatever the turn, iteration or role; for the journal, the event. */
  readonly kind: string;
}

const newRig = (): BoardRig => new BoardRig();
/** Excludes writes of all modes, which other sweeps cover. */
const NEW_HERE = /\/blackboard|\/journal\.jsonl|\/inbox\/|-report-/;

describe("the last write of each kind", () => {
  test.each<[string, Kind, RegExp]>([
    ["fails once with ENOSPC", { how: "fail", errno: "ENOSPC" }, NEW_HERE],
    [
      "is the last that the disk has room for",
      { how: "fail", errno: "ENOSPC", forever: true },
      /^open .*\/blackboard\//,
    ],
    ["does half of its work, then fails", { how: "half", errno: "EIO" }, /^write .*\/blackboard\//],
  ])("%s", async (_, kind, which) => {
    const expected = await undisturbed(everything);
    const writes = (await lastOfEach(expected)).filter((write) => which.test(write.kind));
    await sweepIn(newRig, writes, nameOf, async ({ stage, at }, rig) => {
      everything.prepare(rig);
      const ended = await drive(rig, { [stage]: faults.faulty(rig, { at, ...kind }) });
      expect(faults.hurt(rig), "writes that were hurt").not.toEqual([]);
      await noSurvivors(rig);
      expectTruth(rig, expected);
      await expectRecovery(rig, ended, expected);
    });
  });

  test("comes right before SIGKILL, below the board's directory", async () => {
    const expected = await undisturbed(everything);
    const writes = (await lastOfEach(expected)).filter(({ kind }) =>
      /^(?:write|rename) .*\/blackboard\//.test(kind),
    );
    await sweepIn(newRig, writes, nameOf, async ({ stage, at }, rig) => {
      everything.prepare(rig);
      const ended = await drive(rig, { [stage]: faults.faulty(rig, { at, how: "kill" }) });
      expect(ended.signal).toBe("SIGKILL");
      await noSurvivors(rig);
      expectTruth(rig, expected);
      await goOnOrBegin(rig, expected);
    });
  });
});

function nameOf({ stage, at, kind }: Write): string {
  return `write ${at} of ${stage} (${kind})`;
}

/** The last write of each kind in a successful run. */
async function lastOfEach({ events }: Undisturbed): Promise<readonly Write[]> {
  const rig = new BoardRig();
  everything.prepare(rig);
  const tell = faults.faulty(rig, { at: 1, how: "tell", forever: true });
  const writes: Write[] = [];
  let appends = 0;
  await drive(rig, { start: tell, decide: tell, resume: tell }, (stage) => {
    const own = faults.hurt(rig).slice(writes.length);
    for (const [index, line] of own.entries()) {
      const isAppend = /^write .*\/journal\.jsonl$/.test(line);
      if (isAppend) appends += 1;
      const about = isAppend ? ` ${events[appends - 1]?.type}` : "";
      writes.push({ stage, at: index + 1, kind: `${plain(line, rig)}${about}` });
    }
  });
  expect(appends).toBe(events.length);
  rig.dispose();
  return writes.filter((write, index) => writes.findLastIndex(({ kind }) => kind === write.kind) === index);
}

function plain(line: string, rig: BoardRig): string {
  return line
    .replace(rig.root, "")
    .replace(rig.runIds()[0] ?? "", "<run>")
    .replace(/\/turns\/\d+/, "/turns/<turn>")
    .replace(/\/\d{4}-[A-Z]+\.md/, "/<iteration>.md")
    .replace(/\d{8,}-answer/, "<answer>")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>");
}

/** Nothing false was reported, and on a healthy disk the run reaches its normal outcome. */
async function expectRecovery(rig: BoardRig, ended: Ended, expected: Undisturbed): Promise<void> {
  const state = faults.recordedState(rig);
  faults.expectHonestSuccess(ended, state);
  const unharmed = state?.ended && ended.code === state.ended.exitCode;
  if (unharmed) return expectSameOutcome(rig, ended, expected);
  faults.expectFailedClosed(ended, state);
  return goOnOrBegin(rig, expected);
}

/** A run that never began does not block a new one. */
async function goOnOrBegin(rig: BoardRig, expected: Undisturbed): Promise<void> {
  if (faults.recordedState(rig)) return expectSameOutcome(rig, await goOn(rig), expected);
  const ended = await drive(rig, {});
  expect(ended.code, ended.stderr).toBe(0);
}
