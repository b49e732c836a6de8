import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { redactEvent } from "../../src/core/events/index.ts";
import { BASE_PRODUCT } from "../../src/evidence/plan.ts";
import { Redactor } from "../../src/text/redact.ts";
import { journalRecordSchema } from "../../src/core/events/journal-schema.ts";
import { anyCourse as anyRoomCourse } from "../policies/room-chance.ts";
import { anyCourse as anyBoardCourse } from "../rig/board-chance.ts";
import { anyWorld, courseOf } from "../rig/chat-chance.ts";
import {
  BAD,
  baseChecked,
  candidateTaken,
  changed,
  checkInRoom,
  names,
  ownRun,
  testRun,
} from "../rig/room-story.ts";
import { marked, reviewed, stepsStarted, worked } from "../rig/steps-story.ts";
import { answered, resumed, started, agentRecord, turnEnded, turnFailed, turnStarted } from "../rig/story.ts";

const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const redactor = new Redactor([]);
const eventSchema = journalRecordSchema.shape.event;

const EVENTS: readonly RunEvent[] = [
  started(),
  stepsStarted(),
  resumed({ ended: [{ pid: 7, command: "sleep 9" }] }),
  turnStarted(1, 1),
  { ...turnEnded(1), agent: agentRecord("claude") },
  turnFailed(1, 1, "claude", "quota"),
  worked(1, 1),
  marked(1, "🟡 进行中"),
  reviewed(1, 1),
  baseChecked("full", "npm test"),
  candidateTaken(1, { protected: [changed("test/a.test.js")], programs: ["/usr/bin/node"] }),
  checkInRoom(1, "full", 1, { findings: BAD, candidateTests: ownRun(1), flaky: names("a") }),
  testRun(BASE_PRODUCT, {
    findings: BAD,
    rewritten: names("test/a.sh"),
    lost: names("a"),
    proof: { revived: names("b"), unproven: names() },
    blamed: BAD,
  }),
  answered({ kind: "option", option: "allow" }),
];

/** Checks that only fields described as ours survive. */
function expectSound(event: RunEvent): void {
  const emptied = redactEvent(event, { text: () => "[redacted]" });
  // The stories use invalid digests.
  expect(eventSchema.safeParse(emptied).error).toEqual(eventSchema.safeParse(event).error);
}

describe("an event without its foreign strings", () => {
  test.each(EVENTS.map((event) => [event.type, event] as const))("is still valid: %s", (_, event) => {
    expectSound(event);
  });

  test("is still valid in any run", () => {
    fc.assert(
      fc.property(anyBoardCourse, anyRoomCourse, anyWorld, (board, room, world) => {
        for (const event of board.events) expectSound(event);
        for (const { event } of [...room.steps, ...courseOf(world).steps]) expectSound(event);
      }),
      { numRuns: 3 },
    );
  });
});

describe("a secret", () => {
  test("is removed from paths, names and words, and nothing else changes", () => {
    const path = `test/${TOKEN}.test.js`;
    const event = candidateTaken(1, {
      protected: [changed(path, { entries: [TOKEN] }), changed("test/b.test.js")],
      allowed: [path],
      newTests: names(path),
      programs: [path],
    });
    const clean = "test/[redacted].test.js";
    expect(redactEvent(event, redactor)).toEqual({
      ...event,
      protected: [changed(clean, { entries: ["[redacted]"] }), changed("test/b.test.js")],
      allowed: [clean],
      newTests: names(clean),
      programs: [clean],
    });
  });

  test("is removed from a field without a description", () => {
    const event = { ...candidateTaken(1), later: { deep: [TOKEN] } };
    expect(JSON.stringify(redactEvent(event, redactor))).not.toContain(TOKEN);
  });

  test("that looks like our code or digest changes neither", () => {
    const event = candidateTaken(1, { protected: [changed("extended.js", { how: "extended" })] });
    const words = new Redactor([
      { name: "A_KEY", value: "extended" },
      { name: "B_KEY", value: event.tree },
    ]);
    expect(redactEvent(event, words)).toEqual({
      ...event,
      protected: [changed("[redacted A_KEY].js", { how: "extended" })],
    });
  });
});
