import { begin } from "../../src/modes/registry.ts";
import assert from "node:assert/strict";
import fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { isBestEffort } from "../../src/core/event.ts";
import type { RunEvent } from "../../src/core/event.ts";
import { readJournal } from "../../src/core/journal/read.ts";
import { detectContainment } from "../../src/platform/process/containment.ts";
import { Rig, until, type Ended } from "../rig/rig.ts";
import { runOrHang } from "./points.ts";
import type { Scenario } from "./scenarios.ts";

/** The outcome of a run, without values that may differ between two equal runs. */
interface Outcome {
  readonly code: number | null;
  readonly report: unknown;
  readonly attemptFiles: readonly unknown[];
  readonly feedback: string;
  readonly gitStatus: string;
  readonly leftInState: readonly string[];
  readonly leftInRunDir: readonly string[];
  /** The number of test executions, for tests that count them. */
  readonly executions: number;
}

/** A path outside both the tree and the room. */
export function executionsFile(rig: Rig): string {
  return join(rig.root, "executions");
}

export interface Undisturbed {
  readonly outcome: Outcome;
  readonly events: readonly RunEvent[];
}

/** Runs the scenario once without disturbance and checks its expected course. */
export async function undisturbed(scenario: Scenario): Promise<Undisturbed> {
  const rig = new Rig();
  const ended = await superviseIn(rig, scenario);
  const runId = onlyRun(rig);
  expect(ended.code).toBe(scenario.exitCode);
  expect(rig.report(runId).attempts.map((attempt) => attempt.reasons)).toEqual(scenario.reasons);
  expectSoundJournal(rig, runId);
  const result = { outcome: outcomeOf(rig, runId, ended), events: rig.events(runId) };
  rig.dispose();
  return result;
}

export function superviseIn(
  rig: Rig,
  scenario: Scenario,
  start: Parameters<Rig["run"]>[1] = {},
): Promise<Ended> {
  scenario.prepare?.(rig);
  return runOrHang(rig, rig.superviseArgs(scenario.options), start);
}

export function onlyRun(rig: Rig): string {
  const ids = rig.runIds();
  expect(ids, "runs in the state directory").toHaveLength(1);
  return ids[0] ?? "";
}

/** The run ended as it would have without the disturbance. */
export function expectSameOutcome(rig: Rig, runId: string, ended: Ended, expected: Undisturbed): void {
  // Not `expect`: a message about many points must contain the difference.
  assert.deepEqual(outcomeOf(rig, runId, ended), expected.outcome);
  expectSoundJournal(rig, runId);
  expect(rig.survivors()).toEqual([]);
}

/** If these files cannot be written, the base stays, and the next run compares the tree with it. */
const FOR_NEXT_RUN = "left.";

function outcomeOf(rig: Rig, runId: string, ended: Ended): Outcome {
  const plain = (value: unknown): unknown => withoutChance(value, rig.root, runId);
  const { changes, ...report } = rig.report(runId);
  const runDir = join(rig.project, ".goldagent-supervise", runId);
  const attemptFile = (index: number): unknown =>
    JSON.parse(fs.readFileSync(join(runDir, `attempt-${index}.json`), "utf8"));
  const attemptFiles = report.attempts.map(({ index }) => attemptFile(index));
  assert.deepEqual(attemptFiles, report.attempts);
  const feedbackFile = join(runDir, "feedback.md");
  return {
    code: ended.code,
    // A full disk may prevent the diff, but never the counts.
    report: plain({ ...report, changes: changes && { ...changes, diff: null } }),
    attemptFiles: attemptFiles.map(plain),
    feedback: fs.existsSync(feedbackFile) ? String(plain(fs.readFileSync(feedbackFile, "utf8"))) : "",
    gitStatus: String(plain(rig.git("status", "--porcelain"))),
    leftInState: fs
      .readdirSync(join(rig.journalPath(runId), ".."))
      .filter((name) => !name.includes(".torn-") && !name.startsWith(FOR_NEXT_RUN))
      .sort(),
    leftInRunDir: fs.readdirSync(runDir).sort(),
    executions: linesIn(executionsFile(rig)),
  };
}

export function linesIn(path: string): number {
  return fs.existsSync(path) ? fs.readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

const CHANCE = /_ms$|Ms$|^interrupted_turns$|^turns_without_|^turn$|^records$|^session_id$/;

/** Removes ids, times, durations, paths and digests. Interruptions also shift the numbers of turns and records. */
export function withoutChance(value: unknown, root: string, runId: string): unknown {
  if (typeof value === "string")
    return value
      .replaceAll(root, "<root>")
      .replaceAll(runId, "<run>")
      .replaceAll(/\/turns\/\d+/g, "/turns/<turn>")
      .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| [\d:]+ [+-]\d\d:\d\d)/g, "<time>")
      .replaceAll(/\| \d+(?:\.\d)?s \|/g, "| <duration> |")
      .replaceAll(/\b[0-9a-f]{40,64}\b/g, "<digest>");
  if (Array.isArray(value)) return value.map((item) => withoutChance(item, root, runId));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !CHANCE.test(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutChance(item, root, runId)]));
}

/** The journal verifies and is possible: one end, one acceptance, no gap, nothing done twice. */
export function expectSoundJournal(rig: Rig, runId: string): void {
  const { records, state } = readJournal(rig.journalPath(runId), runId, begin);
  const events = records.map((record) => record.event);
  expectSoundTurns(events);
  const verdicts = events.filter((event) => event.type === "attempt_judged");
  expect(verdicts.filter((event) => event.verdict === "accepted").length).toBeLessThanOrEqual(1);
  expect(verdicts.map((event) => event.attempt)).toEqual(verdicts.map((_, index) => index + 1));
  expect(state.attempts.map((attempt) => attempt.index)).toEqual(state.attempts.map((_, index) => index + 1));
  const checks = events.filter((event) => event.type === "check_ended");
  const names = checks.map(({ attempt, phase, index }) => `${attempt} ${phase} ${index}`);
  expect(new Set(names).size, "no check is recorded twice").toBe(names.length);
}

/** Rules of every mode: one end as the last event; consecutive turns, each with one end. */
export function expectSoundTurns(events: readonly RunEvent[]): void {
  expect(events.filter((event) => event.type === "run_ended")).toHaveLength(1);
  expect(events.at(-1)?.type).toBe("run_ended");
  const starts = events.filter((event) => event.type === "turn_started");
  expect(starts.map((event) => event.turn)).toEqual(starts.map((_, index) => index + 1));
  const ends = events.filter(({ type }) => TURN_ENDS.has(type));
  expect(ends.map(turnOf)).toEqual(starts.map(turnOf));
  expectInterruptedTurns(events);
}

const TURN_ENDS: ReadonlySet<RunEvent["type"]> = new Set<RunEvent["type"]>([
  "turn_ended",
  "review_ended",
  "main_ended",
  "turn_failed",
  "turn_interrupted",
]);

function turnOf(event: RunEvent): unknown {
  return "turn" in event ? [event.attempt, event.turn] : undefined;
}

/** A turn without a recorded end is first recorded as interrupted, then repeated in the same attempt. */
function expectInterruptedTurns(events: readonly RunEvent[]): void {
  for (const [index, event] of events.entries()) {
    const next = events[index + 1];
    if (event.type === "turn_started" && next?.type === "run_resumed") {
      const after = events.slice(index + 1).find((later) => later.type !== "run_resumed");
      expect(after).toMatchObject({ type: "turn_interrupted", attempt: event.attempt, turn: event.turn });
    }
    if (event.type === "turn_interrupted") {
      const after = events.slice(index + 1).find((later) => later.type !== "run_resumed");
      expect(after).toMatchObject({ type: "turn_started", attempt: event.attempt, turn: event.turn + 1 });
    }
  }
}

const SURELY_GONE_MS = 15_000;

/** If the kernel offers only process groups, the resume ends the processes of a killed supervisor. */
const bestEffort = isBestEffort(detectContainment().level);

/** The kernel ends the processes of a killed supervisor with a delay. Any that stay are reported. */
export async function noSurvivors(rig: Rig): Promise<void> {
  if (bestEffort) return;
  const giveUp = performance.now() + SURELY_GONE_MS;
  await until(() => rig.survivors().length === 0 || performance.now() > giveUp);
  expect(rig.survivors(), "processes that survived").toEqual([]);
}
