import type { AgentProfile } from "../../src/domain/agent-profile.ts";
import type { FailureClass } from "../../src/domain/agent-turn.ts";
import type {
  AgentRecord,
  Answer,
  AttemptJudged,
  CheckEnded,
  CheckPhase,
  RunEvent,
  RunResumed,
  RunStarted,
  TurnEnded,
  TurnFailed,
} from "../../src/domain/event.ts";
import type { SuperviseSettings } from "../../src/domain/settings.ts";
import type { ProcessEnd, ProcessRecord } from "../../src/domain/process-end.ts";
import type { Claim } from "../../src/domain/protocol/claim.ts";
import { begin, fold } from "../../src/domain/fold.ts";
import type { RunState } from "../../src/domain/state.ts";
import type { Reason } from "../../src/domain/reason.ts";

/** Events of a run that nobody ran, and the state they make. */

export const AT = "2026-11-15T09:00:00.000Z";
export const RUN_ID = "1115-k7m2";
export const NOTHING = {
  path: "/nowhere",
  bytes: 0,
  sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
};

/** Settings of a run with a command of the person's, without limits, whose checks run in the work tree itself. */
export const NO_AGENTS = {
  agents: [],
  session: "fresh",
  prompt: null,
  secrets: [],
  stallMs: 0,
  limits: { costUsd: null, tokens: null, timeMs: null, waitMs: 3_600_000 },
  room: null,
  sandbox: false,
} as const;

export const exited = (code: number): ProcessEnd => ({ kind: "exited", code });

export function started(
  settings: Partial<SuperviseSettings> = {},
  more: Partial<RunStarted> = {},
): RunStarted {
  return {
    type: "run_started",
    runId: RUN_ID,
    settings: {
      mode: "supervise",
      task: "the task",
      planFile: "/project/plan.md",
      plan: { sha256: NOTHING.sha256 },
      agentCmd: "agent",
      ...NO_AGENTS,
      testFast: ["fast"],
      testFull: ["full"],
      maxLoops: 3,
      cwd: "/project",
      calledFrom: "/project",
      reportPath: "/project/report.json",
      force: false,
      agentTimeoutMs: 0,
      testTimeoutMs: 0,
      maxOutputBytes: 1024 * 1024,
      onStuck: "continue",
      nonce: false,
      lang: "en",
      ...settings,
    },
    config: [],
    missingAgents: [],
    containment: "pid_namespace",
    interactive: false,
    baseCommit: null,
    toolVersion: "0.0.0",
    node: "v20.19.0",
    platform: "linux-x64",
    ...more,
  };
}

export function resumed(more: Partial<RunResumed> = {}): RunResumed {
  const containment = "pid_namespace";
  return {
    type: "run_resumed",
    askNow: false,
    interactive: false,
    containment,
    limits: started().settings.limits,
    toolVersion: "0.0.0",
    ended: [],
    ...more,
  };
}

export function ran(command: string, end: ProcessEnd): ProcessRecord {
  return { command, end, durationMs: 1, leaked: [] };
}

export const DONE: Claim = { status: "DONE", statusText: null, evidence: "seen", orderCertain: true };

export const turnStarted = (
  attempt: number,
  turn = attempt,
  agent: string | null = null,
  resumes: string | null = null,
): RunEvent => ({ type: "turn_started", role: "worker", attempt, turn, agent, resumes, tree: null });

export function turnEnded(
  attempt: number,
  claim: Partial<Claim> = {},
  end = exited(0),
  turn = attempt,
): TurnEnded {
  const process = ran("agent", end);
  return {
    type: "turn_ended",
    attempt,
    turn,
    process,
    stdout: NOTHING,
    stderr: NOTHING,
    claim: { ...DONE, ...claim },
    product: null,
    agent: null,
    changedInputs: [],
  };
}

export function profile(name: string, more: Partial<AgentProfile> = {}): AgentProfile {
  return {
    name,
    adapter: "claude",
    program: null,
    command: null,
    args: [],
    env: {},
    model: null,
    endpoint: null,
    price: null,
    ...more,
  };
}

/** What a named agent told of a turn that went well. */
export function told(name: string, more: Partial<AgentRecord> = {}): AgentRecord {
  return {
    name,
    failure: null,
    sessionId: `session of ${name}`,
    model: null,
    usage: null,
    sessionTotals: null,
    filesTouched: [],
    denials: [],
    unknownLines: 0,
    message: null,
    ...more,
  };
}

/** A turn in which the agent was not available. */
export function turnFailed(
  attempt: number,
  turn: number,
  agent: string,
  kind: FailureClass,
  retryAt: string | null = null,
): TurnFailed {
  const failure = { class: kind, message: `${agent}: ${kind}`, retryAt };
  return {
    type: "turn_failed",
    attempt,
    turn,
    process: ran(agent, exited(1)),
    stdout: NOTHING,
    stderr: NOTHING,
    agent: { ...told(agent), failure },
  };
}

/** The commands that `checkEnded` tells of, for settings with several. */
export const testsNamed = (phase: CheckPhase, count: number): string[] =>
  Array.from({ length: count }, (_, at) => (at === 0 ? phase : `${phase} ${at + 1}`));

export function checkEnded(attempt: number, phase: CheckPhase, index = 1, end = exited(0)): CheckEnded {
  const command = testsNamed(phase, index).at(-1) ?? phase;
  return { type: "check_ended", attempt, phase, index, process: ran(command, end), output: NOTHING };
}

export function judged(attempt: number, ...reasons: Reason[]): AttemptJudged {
  const verdict = reasons.length === 0 ? "accepted" : "rejected";
  return { type: "attempt_judged", attempt, verdict, reasons, feedback: NOTHING };
}

export function asked(id = "q1"): RunEvent {
  return { type: "question_asked", id };
}

export function answered(answer: Answer, id = "q1"): RunEvent {
  return { type: "question_answered", id, answer, note: null, via: "terminal", messageId: null };
}

/** An attempt that said it needs work, passed its fast test and was rejected for what it said. */
export function rejected(attempt: number, turn = attempt): RunEvent[] {
  return [
    turnStarted(attempt, turn),
    turnEnded(attempt, { status: "NEEDS_WORK" }, exited(0), turn),
    checkEnded(attempt, "fast"),
    judged(attempt, "agent_needs_work"),
  ];
}

/** An attempt that did all that is asked for. */
export function acceptedAt(attempt: number): RunEvent[] {
  return [
    turnStarted(attempt),
    turnEnded(attempt),
    checkEnded(attempt, "fast"),
    checkEnded(attempt, "full"),
    judged(attempt),
  ];
}

/** The state after a story. A number stands for so many seconds that pass. */
export function after(first: RunEvent, ...events: (RunEvent | number)[]): RunState {
  let now = Date.parse(AT);
  let state = begin(first, AT);
  for (const event of events) {
    if (typeof event === "number") now += event * 1000;
    else state = fold(state, event, new Date(now).toISOString());
  }
  return state;
}

export function later(seconds: number): string {
  return new Date(Date.parse(AT) + seconds * 1000).toISOString();
}
