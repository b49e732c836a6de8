import fs from "node:fs";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { encodeRecord, FIRST_PREV, type JournalRecord } from "../../src/core/journal/record.ts";
import { StepsRig } from "../rig/steps.ts";

test("a run of an older build: listed, refused with what to do, and no obstacle to a new run", async () => {
  const rig = StepsRig.inWorkTree();
  rig.step(1);
  const { runId } = await rig.steps();
  asOlderBuild(rig.journalPath(runId));

  const listed = await rig.run(["runs"]);
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining("journal_older at line 1") });
  for (const command of ["show", "resume"]) {
    const { code, stderr } = await rig.run([command, runId]);
    expect({ command, code, stderr }).toEqual({
      command,
      code: 6,
      stderr: expect.stringMatching(
        /error: journal of run \S+ was written by an older agent-foreman: it has format version 1 .*\n {2}next {4}start a new run/,
      ),
    });
  }

  rig.step(2);
  const { code, stderr } = await rig.steps();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect((await rig.run(["show"])).code).toBe(0);
});

/** Version 1, without a field that was added later. */
function asOlderBuild(path: string): void {
  let prev = FIRST_PREV;
  const lines = fs.readFileSync(path, "utf8").trimEnd().split("\n");
  const older = lines.map((text) => {
    const { seq, at, event } = JSON.parse(text) as JournalRecord;
    const { line, hash } = encodeRecord({ v: 1, seq, at, prev, event: withoutMarkedBefore(event) });
    prev = hash;
    return line;
  });
  fs.writeFileSync(path, older.join(""));
}

function withoutMarkedBefore(event: RunEvent): RunEvent {
  if (event.type !== "run_started") return event;
  const { markedBefore: _, ...settings } = event.settings as typeof event.settings & {
    markedBefore?: unknown;
  };
  return { ...event, settings: settings as typeof event.settings };
}
