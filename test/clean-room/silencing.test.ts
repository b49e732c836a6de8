import { expect, test } from "vitest";
import { journalRecordSchema } from "../../src/core/events/journal-schema.ts";
import { superviseReportSchema } from "../../src/modes/supervise/schema-report.ts";
import { put, reasonsOf, RIGHT, RoomRig } from "./project.ts";

const IGNORES = put("src/add.js", `${RIGHT}/* node:coverage ignore next */\nexports.more = () => {};\n`);

test("comments that keep a checker quiet are counted and named; the verdict is the same", async () => {
  const rig = new RoomRig();
  const { code, report, runId, stdout } = await rig.rounds([IGNORES], {
    full: ["node --test --experimental-test-coverage"],
  });
  expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
  expect(report.attempts[0]?.candidate?.silenced).toEqual([
    { comment: "c8 ignore", count: 1, files: { count: 1, some: ["src/add.js"] } },
  ]);
  expect(stdout).toContain("silence 1 × c8 ignore added: src/add.js");
  expect(superviseReportSchema.safeParse(report).error).toBeUndefined();
  for (const record of rig.records(runId))
    expect(journalRecordSchema.safeParse(record).error).toBeUndefined();
});

test("are not mentioned unless a test command is that checker", async () => {
  const { report, stdout } = await new RoomRig().rounds([IGNORES]);
  expect(report.attempts[0]?.candidate?.silenced).toEqual([]);
  expect(stdout).not.toContain("ignore");
});
