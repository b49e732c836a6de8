import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { Lang } from "../../src/core/settings.ts";
import {
  baseTaken,
  candidateTaken,
  checkInRoom,
  confirmed,
  names,
  ORIGINALS_FAIL,
  ROOM,
} from "../rig/room-story.ts";
import { answered, asked, judged, started } from "../rig/story.ts";
import { open, pipe } from "./rig.ts";
import { added, CHANGES, CHECKED, HEAD, live, TURN } from "./room-rig.ts";
import { play } from "./steps-rig.ts";

const HELD: readonly RunEvent[] = [
  ...TURN,
  candidateTaken(1, { protected: CHANGES }),
  checkInRoom(1, "fast", 0),
  checkInRoom(1, "full", 0, ORIGINALS_FAIL),
];
/** Results of its checks that explain why it is held. */
const CONTRADICTED = [
  "full: with the original tests: exit 1, 213 passed (3 new), 1 failed, 0 skipped",
  "now failing (passed before)  api > adds",
  "full: with the agent's tests: exit 0, 214 passed (3 new), 0 skipped",
];
const PASSED = {
  type: "run_ended",
  status: "passed",
  exitCode: 0,
  reason: "accepted",
  messageId: null,
} as const;

describe("held for a person", () => {
  const head = [...HEAD, ...CHECKED];

  test("the changes, and how to decide", () => {
    const state = play(open({ stdout: pipe(), stderr: pipe() }), [...head, ...HELD, asked()]);
    expect(summary(state)).toEqual([
      "? HELD for you: the agent modified protected files (oracle_changed)",
      "  files   test/api.test.ts (changed), package.json: scripts.test (changed), .npmrc (new)",
      ...CONTRADICTED.map((line) => `          ${line}`),
      "  next    agent-foreman decide 1115-k7m2",
    ]);
    expect(summary(state, "zh")[0]).toBe("? 等待你决定：agent 修改了受保护的文件 (oracle_changed)");
    expect(added([...head, ...HELD], [asked()])).toEqual([
      "person  HELD for you: the agent modified protected files (oracle_changed)",
    ]);
  });

  test("marks an acceptance that a person allowed", () => {
    const allow = answered({ kind: "option", option: "allow" });
    const story = [...head, ...HELD, asked(), allow, confirmed(1), judged(1), PASSED];
    expect(added([...head, ...HELD, asked()], [allow])).toEqual([
      "person  a person decided: the changed tests may stay (allow)",
    ]);
    expect(summary(play(open({ stdout: pipe(), stderr: pipe() }), story))).toEqual([
      "✓ ACCEPTED at attempt 1 of 3 (changed tests allowed by a person)",
      "  full    full: 214 passed (3 new), 0 skipped (0.0s)",
      "  allowed test/api.test.ts (changed), package.json: scripts.test (changed), .npmrc (new)",
      "  report  /project/report.json",
      "  receipt /project/report.receipt.json",
      "  next    agent-foreman show 1115-k7m2",
    ]);
  });

  test("the reason for the rejection if no question is possible", () => {
    const story = [...head, ...HELD, judged(1, "oracle_changed")];
    const files = "test/api.test.ts (changed), package.json: scripts.test (changed), .npmrc (new)";
    expect(live([...head, ...HELD], story.slice(-1))).toEqual([
      `✗ 1 rejected  0.0s  said DONE; fast tests passed: 214 passed (3 new), 0 skipped; full tests passed only with the agent's tests; the agent modified protected files, and no person allowed it: ${files}`,
      ...CONTRADICTED.map((line) => `    ${line}`),
    ]);
    const ended = { ...PASSED, status: "failed", exitCode: 1, reason: "limit_reached" } as const;
    const limited = [started({ room: ROOM, maxLoops: 1 }), ...story.slice(1), ended];
    expect(summary(play(open({ stdout: pipe(), stderr: pipe() }), limited)).slice(1, 2)).toEqual([
      `  why     the agent modified protected files, and no person allowed it: ${files} (oracle_changed)`,
    ]);
  });

  test("weaknesses and flaky tests are in the summary", () => {
    const flaky = names("api > sometimes");
    const story = [
      started({ room: ROOM }),
      baseTaken({ weak: ["no_commit", "best_effort"] }),
      ...CHECKED,
      ...TURN,
      candidateTaken(1),
      checkInRoom(1, "fast", 0),
      checkInRoom(1, "full", 0, { flaky }),
      confirmed(1),
      judged(1),
      PASSED,
    ];
    expect(summary(play(open({ stdout: pipe(), stderr: pipe() }), story)).slice(1, 4)).toEqual([
      "  full    full: 214 passed (3 new), 0 skipped (0.0s)",
      "  tests   flaky  api > sometimes",
      "  weaker  no commit yet: work is compared with the files at the start of the run; best-effort containment: a hidden process could change files during the checks",
    ]);
  });
});

function summary(state: ReturnType<typeof play>, lang: Lang = "en"): readonly string[] {
  const streams = { stdout: pipe(), stderr: pipe() };
  open(streams, { lang, mode: "quiet" }).reporter.leave(state);
  return streams.stdout.text
    .replace(/ {2}0\.0s(?=\n)/, "")
    .split("\n")
    .slice(0, -1);
}
