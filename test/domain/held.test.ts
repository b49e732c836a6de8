import { describe, expect, test } from "vitest";
import { heldChanges } from "../../src/evidence/held.ts";
import type { TestFindings } from "../../src/core/evidence/findings.ts";
import type { ProtectedChange } from "../../src/core/evidence/change.ts";
import { lastAttempt } from "../../src/core/state.ts";
import {
  baseChecked,
  baseTaken,
  candidateTaken,
  changed,
  checkInRoom,
  findings,
  names,
  ownRun,
  ROOM,
} from "../rig/room-story.ts";
import { after, exited, started, turnEnded, turnStarted } from "../rig/story.ts";

const EDITED_TEST = changed("test/api.test.ts");
const EDITED_CONFIG = changed("vitest.config.ts", { kind: "config" });

/** The paths for the person, after a check that failed with the original protected files and passed with the agent's. */
function heldWith(
  originals: TestFindings | null,
  edits: readonly ProtectedChange[] = [EDITED_TEST],
): string[] {
  const state = after(
    started({ room: ROOM }),
    baseTaken(),
    baseChecked("fast", "fast"),
    baseChecked("full", "full"),
    turnStarted(1),
    turnEnded(1, {}, exited(0)),
    candidateTaken(1, { protected: edits }),
    checkInRoom(1, "fast", 0, { baseTests: ownRun(1, { findings: originals }), candidateTests: ownRun(0) }),
  );
  const attempt = lastAttempt(state);
  return attempt ? heldChanges(state, attempt).map(({ path }) => path) : [];
}

describe("the check fails with the original tests and passes with the agent's", () => {
  test.each<[what: string, originals: TestFindings | null]>([
    ["an original test fails", findings({ failed: 1, regressed: names("api > adds") })],
    ["no test reported a result", null],
    ["the test run was cut short", findings({ complete: false })],
    ["a test is missing", findings({ vanished: names("api > adds") })],
    ["a test is skipped", findings({ skippedNow: names("api > adds") })],
    ["the product ended the test process", findings({ exitedBy: ["src/api.js"] })],
  ])("%s: a person decides", (_, originals) => {
    expect(heldWith(originals)).toEqual([EDITED_TEST.path]);
  });

  test("all original tests pass, so the command failed for another reason, such as coverage: no question", () => {
    expect(heldWith(findings())).toEqual([]);
  });

  test("a config edit may have switched off the failing check: a person decides", () => {
    expect(heldWith(findings(), [EDITED_TEST, EDITED_CONFIG])).toEqual([
      EDITED_TEST.path,
      EDITED_CONFIG.path,
    ]);
  });
});
