import fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { Rig } from "../rig/rig.ts";
import { executionsFile, noSurvivors, onlyRun } from "./outcome.ts";
import type { Scenario } from "./scenarios.ts";

/** Tests that need only sh. The product does not exist yet. */
const TEST = "grep -qx done product.txt\n";

/** Weakens its test first and must restore it. */
const WORKS = `
case $GA_LOOP_INDEX in
1) echo done > product.txt; echo exit 0 > test/product.sh ;;
*) printf '%s' "$TEST_TEXT" > test/product.sh; echo more > test/more.sh ;;
esac
claim
`;

function prepare(rig: Rig, test = TEST): void {
  rig.alwaysWith({ cleanRoom: true, env: { TEST_TEXT: test } });
  rig.write("test/product.sh", test);
  fs.writeFileSync(join(rig.root, "agent.sh"), WORKS);
}

/** Compares the tree before, during and after; the first attempt changes a test. */
export const inRoom: Scenario = {
  name: "in a room, rejected for a changed test, then accepted with a new one",
  options: { agent: 'sh "$HOME/../agent.sh"', fast: ["true"], full: ["sh test/product.sh"], loops: 2 },
  prepare: (rig) => prepare(rig, `echo ran >> '${executionsFile(rig)}'\n${TEST}`),
  exitCode: 0,
  reasons: [["oracle_changed"], []],
};

/** The same without the rejected attempt. */
export const inRoomAtOnce: Scenario = {
  name: "in a room, accepted at round 1",
  options: {
    agent: "echo done > product.txt; claim",
    fast: ["sh test/product.sh"],
    full: ["sh test/product.sh"],
  },
  prepare: (rig) => prepare(rig),
  exitCode: 0,
  reasons: [[]],
};

/** Nothing created for a check is left: no process, mount or room. */
export async function nothingLeft(rig: Rig): Promise<void> {
  await noSurvivors(rig);
  expect(fs.readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(rig.root);
  const runId = onlyRun(rig);
  const names = fs.readdirSync(join(rig.journalPath(runId), ".."));
  expect(names.filter((name) => name.startsWith("room"))).toEqual([]);
}

/** One acceptance of the recorded tree, after every command and a final look at the tree, with nothing left out. */
export function expectEvidence(events: readonly RunEvent[]): void {
  const accepted = events.filter((event) => event.type === "attempt_judged" && event.verdict === "accepted");
  expect(accepted).toHaveLength(1);
  const told = events.slice(
    0,
    events.findIndex((event) => event === accepted[0]),
  );
  const since = told.slice(told.findLastIndex(({ type }) => type === "candidate_taken"));
  const taken = since[0]?.type === "candidate_taken" ? since[0].tree : "";
  const confirmed = since.findLast((event) => event.type === "candidate_confirmed");
  expect(confirmed?.tree).toBe(taken);
  const checks = since.filter((event) => event.type === "check_ended");
  expect(checks.map(({ phase, room }) => [phase, room?.problem])).toEqual([
    ["fast", null],
    ["full", null],
  ]);
  expect(told.filter(({ type }) => type === "base_taken")).toHaveLength(1);
}
