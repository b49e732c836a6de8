import { createHash } from "node:crypto";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { onTestFinished } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import type {
  Answer,
  AttemptJudged,
  CheckEnded,
  CheckPhase,
  EndReason,
  FinalStatus,
  QuestionAnswered,
  RunEnded,
  RunEvent,
  RunStarted,
  TurnEnded,
} from "../../src/core/event.ts";
import type { Lang, SuperviseSettings } from "../../src/core/settings.ts";
import { COMMON } from "../rig/story.ts";
import type { Artifact } from "../../src/platform/process/process-end.ts";
import { foldWithRuns, withRuns } from "../rig/room-runs.ts";
import { begin } from "../../src/modes/registry.ts";
import type { Reason } from "../../src/core/reason.ts";
import type { Moment } from "../../src/screens/show/run-story.ts";
import type { RunState } from "../../src/core/state.ts";
import { Journal } from "../../src/core/journal/journal.ts";
import { RunStore, type RunPaths } from "../../src/core/journal/run-store.ts";

/** Colours, cursor moves, C1 codes and a bidi override, none of which may reach a terminal. */
export const HOSTILE = "evil\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnp.exe";
export const STEERS_TERMINAL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

export interface FakeIo extends Io {
  readonly home: string;
  readonly text: () => string;
}

/** An environment with its own state and work directories. `columns`: standard output is a terminal of this width. */
export function fakeIo(
  options: { lang?: Lang; columns?: number; env?: Record<string, string>; home?: string } = {},
): FakeIo {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "foreman-commands-")));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const home = options.home ?? join(root, "state");
  const cwd = join(root, "work");
  fs.mkdirSync(cwd);
  let text = "";
  const stream = (shown: boolean): NodeJS.WriteStream => {
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (shown) text += chunk.toString();
        done();
      },
    });
    const terminal = options.columns === undefined ? {} : { isTTY: true, columns: options.columns };
    return Object.assign(sink, terminal) as unknown as NodeJS.WriteStream;
  };
  return {
    stdin: {} as NodeJS.ReadStream,
    stdout: stream(true),
    stderr: stream(false),
    env: { PATH: process.env["PATH"], AGENT_FOREMAN_HOME: home, NO_COLOR: "1", ...options.env },
    cwd,
    args: [],
    lang: options.lang ?? "en",
    home,
    text: () => text,
  };
}

function settings(change: Partial<SuperviseSettings> = {}): SuperviseSettings {
  return {
    ...COMMON,
    mode: "supervise",
    task: "Add pagination",
    planFile: "/home/me/plan.md",
    plan: { sha256: "0".repeat(64) },
    agentCmd: "claude -p go",
    agents: [],
    prompt: null,
    testFast: ["npm test"],
    testFull: ["npm run test:all"],
    onStuck: "continue",
    maxLoops: 6,
    cwd: "/home/me",
    calledFrom: "/home/me",
    reportPath: "/home/me/report.json",
    maxOutputBytes: 1_000_000,
    nonce: false,
    ...change,
  };
}

export function started(
  runId: string,
  change: Partial<SuperviseSettings> = {},
  baseCommit: string | null = "a1b2c3d4e5",
): RunStarted & { readonly settings: SuperviseSettings } {
  return {
    type: "run_started",
    runId,
    settings: settings(change),
    config: [],
    missingAgents: [],
    containment: "pid_namespace",
    interactive: true,
    baseCommit,
    toolVersion: "1.0.0",
    node: "v20.19.0",
    platform: "linux-x64",
  };
}

const NOWHERE: Artifact = { path: "/nowhere", bytes: 0, sha256: "" };

/** A file and its record in a journal. */
export function captured(path: string, text: string): Artifact {
  fs.mkdirSync(join(path, ".."), { recursive: true });
  fs.writeFileSync(path, text);
  return { path, bytes: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") };
}

export const turnStarted = (attempt: number, turn = attempt): RunEvent => ({
  type: "turn_started",
  role: "worker",
  attempt,
  turn,
  agent: null,
  resumes: null,
  tree: null,
});

export function turnEnded(attempt: number, change: Partial<TurnEnded> = {}): TurnEnded {
  return {
    type: "turn_ended",
    attempt,
    turn: attempt,
    process: { command: "claude -p go", end: { kind: "exited", code: 0 }, durationMs: 252_000, leaked: [] },
    stdout: NOWHERE,
    stderr: NOWHERE,
    claim: { status: "DONE", statusText: null, evidence: "all tests pass", orderCertain: true },
    product: null,
    agent: null,
    changedInputs: [],
    ...change,
  };
}

export function check(
  attempt: number,
  phase: CheckPhase,
  code: number,
  change: Partial<CheckEnded> = {},
): CheckEnded {
  const command = phase === "fast" ? "npm test" : "npm run test:all";
  return {
    type: "check_ended",
    attempt,
    phase,
    index: 1,
    process: { command, end: { kind: "exited", code }, durationMs: 15_000, leaked: [] },
    output: NOWHERE,
    ...change,
  };
}

/** The reasons must match the turn and its checks. */
export const rejected = (attempt: number, ...reasons: readonly [Reason, ...Reason[]]): AttemptJudged => ({
  type: "attempt_judged",
  attempt,
  verdict: "rejected",
  reasons,
  feedback: { ...NOWHERE, bytes: 1229 },
});

export const accepted = (attempt: number): AttemptJudged => ({
  type: "attempt_judged",
  attempt,
  verdict: "accepted",
  reasons: [],
  feedback: NOWHERE,
});

export const ended = (status: FinalStatus, reason: EndReason): RunEnded => ({
  type: "run_ended",
  status,
  exitCode: status === "passed" || status === "manually_passed" ? 0 : 1,
  reason,
  messageId: null,
});

export const asked: RunEvent = { type: "question_asked", id: "q1-secret" };
export const answered = (answer: Answer, change: Partial<QuestionAnswered> = {}): QuestionAnswered => ({
  type: "question_answered",
  id: "q1-secret",
  answer,
  note: null,
  via: "terminal",
  messageId: null,
  ...change,
});
export const failedAttempt = (attempt: number): RunEvent[] => [
  turnStarted(attempt),
  turnEnded(attempt),
  check(attempt, "fast", 1),
  rejected(attempt, "fast_test_failed"),
];
export const passedAttempt = (attempt: number): RunEvent[] => [
  turnStarted(attempt),
  turnEnded(attempt),
  check(attempt, "fast", 0),
  check(attempt, "full", 0),
  accepted(attempt),
];

const START = Date.parse("2026-03-01T09:00:00Z");

/** Adds one minute between two events. */
export function timed(events: readonly RunEvent[]): { at: string; event: RunEvent }[] {
  return events.map((event, index) => ({ at: new Date(START + index * 60_000).toISOString(), event }));
}

export function stateOf(events: readonly RunEvent[]): RunState {
  const [first, ...rest] = timed(events);
  if (!first) throw new Error("a state needs an event");
  return rest.reduce((state, { at, event }) => foldWithRuns(state, event, at), begin(first.event, first.at));
}

/** The events of a run as `show` reads them. */
export function moments(records: readonly { at: string; event: RunEvent }[]): readonly Moment[] {
  let last: RunState | undefined;
  return records.map(({ at, event }) => {
    last = last ? foldWithRuns(last, event, at) : begin(event, at);
    return { event, state: last };
  });
}

/** A run in the state directory, as the engine leaves it. `later`: hours after the first one was started. */
export function makeRun(home: string, events: readonly [RunStarted, ...RunEvent[]], later = 0): RunPaths {
  const paths = new RunStore(home, begin).paths(events[0].runId);
  fs.mkdirSync(paths.turns, { recursive: true });
  const journal = Journal.create(paths.journal, begin);
  for (const [index, { at, event }] of timed(events).entries())
    for (const one of index === 0 ? [event] : withRuns(journal.state, event))
      journal.append(one, new Date(Date.parse(at) + later * 3_600_000).toISOString());
  journal.close();
  return paths;
}

/** Changes one line of a journal; the first is line 1. */
export function editLine(path: string, number: number, edit: (line: string) => string): void {
  const lines = fs.readFileSync(path, "utf8").split("\n");
  lines[number - 1] = edit(lines[number - 1] ?? "");
  fs.writeFileSync(path, lines.join("\n"));
}
