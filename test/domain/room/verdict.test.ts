import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/core/event.ts";
import type { CandidateTaken, CheckInRoom } from "../../../src/core/evidence/event.ts";
import type { Reason } from "../../../src/core/reason.ts";
import type { Verdict } from "../../../src/core/verdict.ts";
import { verdictOn } from "../../../src/evidence/verdict.ts";
import * as room from "../../rig/room-story.ts";
import * as story from "../../rig/story.ts";

interface Case {
  readonly candidate?: Partial<CandidateTaken>;
  readonly fast?: Partial<CheckInRoom>;
  readonly last?: readonly RunEvent[];
}

/** An agent has finished, and its tests pass in the room. */
function verdict({ candidate = {}, fast = {}, last = [] }: Case): Verdict | null {
  const { findings } = room;
  return verdictOn(
    story.after(
      story.started({ room: room.ROOM }),
      room.baseTaken(),
      room.baseChecked("fast", "fast"),
      room.baseChecked("full", "full"),
      story.turnStarted(1),
      story.turnEnded(1),
      room.candidateTaken(1, candidate),
      room.checkInRoom(1, "fast", 0, { findings: findings(), ...fast }),
      room.checkInRoom(1, "full", 0, { findings: findings() }),
      ...last,
    ),
  );
}

describe("what the room saw rejects work whose tests pass", () => {
  test.each<[what: string, seen: Case, reasons: Reason[]]>([
    [
      "a program that the tests run has changed",
      { candidate: { programs: ["node_modules/.bin/vitest"] } },
      ["programs_changed"],
    ],
    ["the tree cannot be read", { candidate: { unreadable: true } }, ["tree_unreadable"]],
    [
      "protected files have changed",
      { candidate: { protected: [room.changed(".npmrc", { kind: "shadow" })] } },
      ["oracle_changed"],
    ],
    [
      "the tests rewrote a test",
      { fast: { rewritten: room.names("test/a.test.js") } },
      ["fast_test_failed", "tests_rewritten"],
    ],
  ])("%s", (_, seen, reasons) => {
    expect(verdict(seen)).toEqual({ verdict: "rejected", reasons });
  });
});

describe("nothing speaks against the work", () => {
  test.each<[what: string, seen: Case, is: Verdict["verdict"]]>([
    ["accepted once the tree is confirmed", { last: [room.confirmed(1)] }, "accepted"],
    ["not before", {}, "rejected"],
  ])("%s", (_, seen, is) => {
    expect(verdict(seen)).toEqual({ verdict: is, reasons: [] });
  });
});
