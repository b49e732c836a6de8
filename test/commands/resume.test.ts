import { join } from "node:path";
import { expect, test } from "vitest";
import { resume } from "../../src/cli/resume.ts";
import type { FlagsOf } from "../../src/cli/settings/table.ts";
import type { RunEnded, RunEvent, RunStarted } from "../../src/core/event.ts";
import { Failure } from "../../src/platform/failure.ts";
import { failureText } from "../../src/cli/words/failures.ts";
import { BoardStory } from "../rig/board-story.ts";
import { analyzeStarted, stepsStarted } from "../rig/steps-story.ts";
import { RUN_ID } from "../rig/story.ts";
import { fakeIo, makeRun, type FakeIo } from "./fixtures.ts";

/** The command that `resume` suggests without an id, after a run that has ended. */
async function nextAfter(
  eventsOf: (io: FakeIo) => readonly RunEvent[],
  flags: FlagsOf<"resume"> = {},
): Promise<string | undefined> {
  const io = fakeIo();
  makeRun(io.home, eventsOf(io) as [RunStarted, ...RunEvent[]]);
  const failure: unknown = await resume(undefined, flags, io).catch((error: unknown) => error);
  if (!(failure instanceof Failure)) throw failure;
  return failureText(failure, "en").next;
}

const here = ({ cwd }: FakeIo): { cwd: string; calledFrom: string } => ({ cwd, calledFrom: cwd });
const atLimit = (io: FakeIo): BoardStory =>
  new BoardStory({ ...here(io), boardDir: join(io.cwd, "plans"), maxLoops: 1 })
    .main({ nextAgent: "TEST" })
    .role()
    .checks(0)
    .judge();
const failed: RunEnded = {
  type: "run_ended",
  status: "failed",
  reason: "cancelled",
  exitCode: 1,
  messageId: null,
};

test("names the command that continues after a failed run", async () => {
  const board = (io: FakeIo): readonly RunEvent[] => atLimit(io).ends("failed", "limit_reached").events;
  expect(await nextAfter(board)).toBe("agent-foreman orchestrate --board plans");
  expect(await nextAfter(board, { maxIterations: 5 })).toContain(
    "agent-foreman orchestrate --board plans --max-iterations 5",
  );
  const steps = (io: FakeIo): readonly RunEvent[] => [
    stepsStarted({ ...here(io), stepsDir: join(io.cwd, "steps") }),
    failed,
  ];
  expect(await nextAfter(steps)).toBe("agent-foreman run steps");
  const analysis = (io: FakeIo): readonly RunEvent[] => [analyzeStarted(here(io)), failed];
  expect(await nextAfter(analysis)).toContain("agent-foreman analyze ");
});

test("shows a run that has passed", async () => {
  expect(await nextAfter((io) => new BoardStory(here(io)).finishes().events)).toBe(
    `agent-foreman show ${RUN_ID}`,
  );
});
