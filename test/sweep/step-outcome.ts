import { begin } from "../../src/modes/registry.ts";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { RunState } from "../../src/core/state.ts";
import { readJournal } from "../../src/core/journal/read.ts";
import type { Ended, StartOptions } from "../rig/rig.ts";
import { DONE, StepsRig } from "../rig/steps.ts";
import { recordedState } from "./faults.ts";
import { expectSoundTurns, onlyRun, withoutChance } from "./outcome.ts";
import { runOrHang } from "./points.ts";
import { ANALYSED, type StepScenario } from "./step-scenarios.ts";

/** The outcome of a run: all project files, and the files left in its state directory. */
interface Outcome {
  readonly code: number | null;
  readonly files: Readonly<Record<string, unknown>>;
  readonly leftInState: readonly string[];
}

export interface Undisturbed {
  readonly outcome: Outcome;
  readonly events: readonly RunEvent[];
  /** All digests that each step's file had over time. */
  readonly versions: ReadonlyMap<string, ReadonlySet<string>>;
}

export function start(rig: StepsRig, scenario: StepScenario, options: StartOptions = {}): Promise<Ended> {
  return runOrHang(rig, scenario.args, options);
}

/** Runs the scenario once without disturbance and checks its expected course. */
export async function undisturbed(scenario: StepScenario): Promise<Undisturbed> {
  const rig = new StepsRig();
  scenario.prepare(rig);
  const ended = await start(rig, scenario);
  const runId = onlyRun(rig);
  expect(ended.code, ended.stderr).toBe(scenario.exitCode);
  const events = rig.events(runId);
  const reasons = events.flatMap((event) => (event.type === "attempt_judged" ? [event.reasons] : []));
  expect(reasons).toEqual(scenario.reasons);
  expectSound(rig, runId);
  const result = { outcome: outcomeOf(rig, runId, ended), events, versions: versionsIn(events) };
  rig.dispose();
  return result;
}

export function expectSameOutcome(rig: StepsRig, ended: Ended, expected: Undisturbed): void {
  const runId = onlyRun(rig);
  // Not `expect`: a message about many points must contain the difference.
  assert.deepEqual(outcomeOf(rig, runId, ended), expected.outcome);
  expectSound(rig, runId);
  expect(rig.survivors()).toEqual([]);
}

function outcomeOf(rig: StepsRig, runId: string, ended: Ended): Outcome {
  const plain = (value: unknown): unknown => withoutChance(value, rig.root, runId);
  const files = filesOf(rig).map(([path, text]) => {
    const isReport = path.startsWith("goldagent-");
    return [plain(path), plain(isReport ? JSON.parse(text) : text)] as const;
  });
  return {
    code: ended.code,
    files: Object.fromEntries(files) as Record<string, unknown>,
    leftInState: fs
      .readdirSync(join(rig.journalPath(runId), ".."))
      .filter((name) => !name.includes(".torn-"))
      .sort(),
  };
}

/** Every file of the project except git's own. */
function filesOf(rig: StepsRig): (readonly [path: string, text: string])[] {
  return fs
    .readdirSync(rig.project, { recursive: true, encoding: "utf8" })
    .filter((path) => !path.startsWith(".git") && fs.statSync(join(rig.project, path)).isFile())
    .sort()
    .map((path) => [path, rig.read(path)] as const);
}

function versionsIn(events: readonly RunEvent[]): Undisturbed["versions"] {
  const versions = new Map<string, Set<string>>();
  const files: string[] = [];
  for (const event of events) {
    if (event.type === "run_started" && event.settings.mode === "run")
      for (const { file, sha256 } of event.settings.steps) {
        files.push(file);
        versions.set(file, new Set([sha256]));
      }
    if (event.type === "step_marked") versions.get(files[event.step - 1] ?? "")?.add(event.sha256);
  }
  return versions;
}

/** The journal verifies: one end, at most one acceptance per step, no gap, nothing done twice. */
function expectSound(rig: StepsRig, runId: string): void {
  const { records, state } = readJournal(rig.journalPath(runId), runId, begin);
  const events = records.map((record) => record.event);
  expectSoundTurns(events);
  for (const { step, judged } of state.attempts) {
    expect(judged, "an ended run leaves nothing unjudged").not.toBeNull();
    const own = state.attempts.filter((attempt) => attempt.step === step);
    const first = own[0]?.index ?? 1;
    expect(own.map(({ index }) => index)).toEqual(own.map((_, at) => first + at));
    expect(own.filter((each) => each.judged?.verdict === "accepted").length).toBeLessThanOrEqual(1);
  }
  const checks = state.attempts.reduce((count, attempt) => count + attempt.checks.length, 0);
  expect(
    events.filter(({ type }) => type === "check_ended"),
    "no check is recorded twice",
  ).toHaveLength(checks);
  expect(state.attempts.every((attempt) => attempt.checks.length <= 1)).toBe(true);
  if (state.settings.mode === "run" && state.ended?.status === "passed")
    expect(state.steps.map(({ status }) => status)).toEqual(state.steps.map(() => DONE));
}

/** While no process supervises: no step's file is ahead of the journal or half-written, and an analysis has written all steps or none. */
export function expectTruth(rig: StepsRig, expected: Undisturbed): void {
  const state = recordedState(rig);
  for (const [file, versions] of expected.versions) {
    const bytes = fs.readFileSync(join(rig.project, rig.dir, file));
    expect(
      versions.has(createHash("sha256").update(bytes).digest("hex")),
      `${file} is whole: ${bytes.toString()}`,
    ).toBe(true);
    if (rig.stepNow(file)["status"] === DONE)
      expect(mayBeDone(file, rig, state), `${file} is green`).toBe(true);
  }
  expectTrueProgress(rig, state);
  const written = join(rig.project, ANALYSED);
  if (!fs.existsSync(written)) return;
  expect(state?.attempts.at(-1)?.judged?.verdict, "steps of an answer that was accepted").toBe("accepted");
  expect(fs.readdirSync(written).sort()).toEqual(["001-hello.json", "002-bye.json"]);
}

/** The step was done before, or one of its attempts was judged. */
function mayBeDone(file: string, rig: StepsRig, state: RunState | undefined): boolean {
  const at = state?.steps.findIndex(({ step }) => step.file === file) ?? -1;
  // Before the run's first record: unchanged.
  if (!state || at < 0) return rig.runIds().length <= 1;
  const last = state.attempts.findLast(({ step, judged }) => step === at + 1 && judged !== null)?.judged;
  return last
    ? last.verdict === "accepted" || state.steps[at]?.status === DONE
    : state.steps[at]?.step.status === DONE;
}

/** The progress file may be slightly behind the journal, but never ahead of it. */
function expectTrueProgress(rig: StepsRig, state: RunState | undefined): void {
  if (!rig.exists(join(rig.dir, "run-progress.md"))) return;
  const lines = rig.progress().split("\n");
  expect(lines.at(-1), "whole to its last line").toBe("");
  for (const [index, { step }] of (state?.steps ?? []).entries()) {
    const cells = lines.find((line) => line.startsWith(`| ${step.number} |`))?.split(" | ") ?? [];
    const said = ["成功", "succeeded"].includes(cells[6] ?? "");
    const accepted = state?.attempts.some(
      (each) => each.step === index + 1 && each.judged?.verdict === "accepted",
    );
    expect(said && accepted !== true, `${step.file} is said to have succeeded`).toBe(false);
  }
}
