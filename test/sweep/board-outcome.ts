import { begin } from "../../src/modes/registry.ts";
import assert from "node:assert/strict";
import fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { readJournal } from "../../src/core/journal/read.ts";
import { BoardRig } from "../rig/board.ts";
import type { Ended, StartOptions } from "../rig/rig.ts";
import { ARGS, CHOICE, EDITED_CONTEXT, type BoardScenario } from "./board-scenarios.ts";
import { recordedState } from "./faults.ts";
import { expectSoundTurns, noSurvivors, onlyRun, withoutChance } from "./outcome.ts";
import { runOrHang } from "./points.ts";

const WAITS_FOR_PERSON = 3;
/** The processes of an undisturbed run in order. The last two exist only if a person is asked. */
export const STAGES = ["start", "decide", "resume"] as const;
export type Stage = (typeof STAGES)[number];
/** The disturbance of each process of a run. */
export type Hurt = Readonly<Partial<Record<Stage, StartOptions>>>;

export interface Undisturbed {
  readonly code: number | null;
  /** Compared byte for byte, except for random parts of reports. */
  readonly files: Readonly<Record<string, string>>;
  readonly leftInState: readonly string[];
  readonly events: readonly RunEvent[];
  /** The number of recorded events at the end of each process. */
  readonly stages: Readonly<Record<Stage, number>>;
}

/** Runs the scenario once without disturbance and checks its expected course. */
export async function undisturbed(
  scenario: BoardScenario,
  newRig = (): BoardRig => new BoardRig(),
): Promise<Undisturbed> {
  const rig = newRig();
  scenario.prepare(rig);
  const stages = { start: 0, decide: 0, resume: 0 };
  const ended = await drive(rig, {}, (stage) => (stages[stage] = rig.events(onlyRun(rig)).length));
  expect(ended.code, ended.stderr).toBe(0);
  const runId = onlyRun(rig);
  const events = rig.events(runId);
  const reasons = events.flatMap((event) => (event.type === "attempt_judged" ? [event.reasons] : []));
  expect(reasons).toEqual(scenario.reasons);
  expect(rig.board("global_context.md")).toBe(scenario.finalContext);
  expectSound(rig, runId);
  const result = { ...outcomeOf(rig, runId, ended), events, stages };
  rig.dispose();
  return result;
}

/** Starts the run, answers its question and resumes it, until it ends or a process fails. */
export async function drive(
  rig: BoardRig,
  hurt: Hurt,
  after: (stage: Stage) => void = () => undefined,
): Promise<Ended> {
  const started = await runOrHang(rig, ARGS, hurt.start);
  after("start");
  if (started.code !== WAITS_FOR_PERSON) return started;
  const decided = await answer(rig, hurt.decide);
  after("decide");
  if (decided.code !== 0) return decided;
  const ended = await runOrHang(rig, ["resume", onlyRun(rig)], hurt.resume);
  after("resume");
  return ended;
}

/** Resumes an unsupervised run without disturbance and answers every question. */
export async function goOn(rig: BoardRig): Promise<Ended> {
  const ended = await runOrHang(rig, ["resume", onlyRun(rig)]);
  if (ended.code !== WAITS_FOR_PERSON) return ended;
  expect((await answer(rig)).code).toBe(0);
  return runOrHang(rig, ["resume", onlyRun(rig)]);
}

/** The person looks at the board before the answer, which also writes missing files. */
export function answer(rig: BoardRig, options: StartOptions = {}): Promise<Ended> {
  rig.write(join(rig.dir, "global_context.md"), EDITED_CONTEXT);
  return runOrHang(rig, ["decide", onlyRun(rig), ...CHOICE], options);
}

/** Once the disturbance is over, the run reaches its normal outcome. */
export async function expectSameOutcome(rig: BoardRig, ended: Ended, expected: Undisturbed): Promise<void> {
  const runId = onlyRun(rig);
  const { code, files, leftInState } = expected;
  // Not `expect`: a message about many points must contain the difference.
  assert.deepEqual(outcomeOf(rig, runId, ended), { code, files, leftInState });
  expectSound(rig, runId);
  await noSurvivors(rig);
}

/** Compares only the board byte for byte, except for reports of changes to it. */
export function expectSameBoard(rig: BoardRig, { files }: Undisturbed): void {
  const now = filesOf(rig).map(
    ([path, text]) => [path, text.replace(/\nBoard files were changed during the turn\. .*\n/, "")] as const,
  );
  const isBoard = ([path]: readonly [string, string]): boolean => path.startsWith(`${rig.dir}/`);
  assert.deepEqual(now.filter(isBoard), Object.entries(files).filter(isBoard));
  expect(fs.lstatSync(join(rig.project, rig.dir)).isDirectory()).toBe(true);
}

type Outcome = Pick<Undisturbed, "code" | "files" | "leftInState">;

function outcomeOf(rig: BoardRig, runId: string, ended: Ended): Outcome {
  const plain = (value: unknown): string => JSON.stringify(withoutChance(value, rig.root, runId), null, 1);
  const files = filesOf(rig).map(([path, text]) =>
    path.startsWith("goldagent-") ? (["report", plain(JSON.parse(text))] as const) : ([path, text] as const),
  );
  return {
    code: ended.code,
    files: Object.fromEntries(files),
    leftInState: fs
      .readdirSync(join(rig.journalPath(runId), ".."))
      .filter((name) => !name.includes(".torn-"))
      .sort(),
  };
}

/** Every file of the project except git's own. A non-file is marked as such. */
function filesOf(rig: BoardRig): (readonly [path: string, text: string])[] {
  return fs
    .readdirSync(rig.project, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name).slice(rig.project.length + 1) }))
    .filter(({ entry, path }) => !path.startsWith(".git") && !entry.isDirectory())
    .map(({ entry, path }) => [path, entry.isFile() ? rig.read(path) : "no plain file"] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The journal verifies: one end, consecutive iterations, each judged once, nothing done twice. */
function expectSound(rig: BoardRig, runId: string): void {
  const { records, state } = readJournal(rig.journalPath(runId), runId, begin);
  const events = records.map((record) => record.event);
  expectSoundTurns(events);
  const numbers = state.attempts.map(({ index }) => index);
  expect(numbers, "iterations are counted once").toEqual(numbers.map((_, at) => at + 1));
  const judged = events.flatMap((event) => (event.type === "attempt_judged" ? [event.attempt] : []));
  expect(new Set(judged).size, "no iteration is judged twice").toBe(judged.length);
  const finished = state.attempts.filter(
    ({ call, judged: verdict }) => call?.answer.nextAgent === "FINISH" && verdict?.verdict === "accepted",
  );
  expect(finished, "one acceptance").toHaveLength(1);
  const answered = events.filter(({ type }) => type === "question_answered");
  expect(answered.length, "an answered question is not asked again").toBeLessThanOrEqual(1);
  const checks = events.flatMap((event) =>
    event.type === "check_ended" ? [`${event.attempt} ${event.index}`] : [],
  );
  expect(new Set(checks).size, "no check is recorded twice").toBe(checks.length);
}

/** While no process supervises: no board file is half-written, and none is ahead of the journal. */
export function expectTruth(rig: BoardRig, expected: Undisturbed): void {
  const state = recordedState(rig);
  const calls = state?.attempts.flatMap(({ call }) => (call ? [call.answer] : [])) ?? [];
  const plans = plansOf(expected, calls.length);
  // Temporary files of the board do not count.
  const boardFiles = filesOf(rig).filter(
    ([path]) => path.startsWith(`${rig.dir}/`) && !path.endsWith(".tmp"),
  );
  for (const [path, text] of boardFiles) {
    const name = path.slice(rig.dir.length + 1);
    const final = expected.files[path] ?? "";
    const iteration = Number(/^(?:orders|reports)\/(\d+)-/.exec(name)?.[1] ?? 0);
    const attempt = state?.attempts[iteration - 1];
    if (name === "dev_plan.md") expect(plans, "the plan").toContain(text);
    else if (name === "project_history.md")
      expect(historiesOf(final, calls.length), "the history").toContain(text);
    else if (iteration > 0) {
      expect(text, name).toBe(final);
      const isKnown = name.startsWith("orders") ? attempt?.call : attempt?.judged;
      expect(isKnown, `${name} is on record`).toBeTruthy();
    } else if (name === "user_decisions.md") {
      expect(text).toBe(final);
      expect(state?.decisions, "decisions on record").toHaveLength(1);
    }
  }
}

/** All versions of the plan, up to the n-th accepted answer of MAIN. */
function plansOf({ events }: Undisturbed, answers: number): readonly string[] {
  const [first] = events;
  const given =
    first?.type === "run_started" && first.settings.mode === "orchestrate" ? first.settings.plan : "";
  const standing = events
    .filter((event) => event.type === "main_ended")
    .filter(({ broken }) => broken.every(({ rule }) => rule === "finish_with_update"))
    .slice(0, answers);
  return [given, ...standing.flatMap(({ answer: said }) => said?.devPlanNext ?? [])];
}

/** All versions of the history, up to n entries. */
function historiesOf(whole: string, answers: number): readonly string[] {
  const entries = whole.trimEnd().split(/\n\n(?=## Iteration )/);
  return Array.from({ length: answers }, (_, at) => `${entries.slice(0, at + 1).join("\n\n")}\n`);
}
