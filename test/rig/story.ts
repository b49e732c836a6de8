import type { AgentProfile } from "../../src/core/agent-profile.ts";
import type { FailureClass } from "../../src/core/agent-turn.ts";
import type {
  AgentRecord,
  Answer,
  AttemptJudged,
  CheckEnded,
  CheckPhase,
  Role,
  RunEnded,
  RunEvent,
  RunResumed,
  RunStarted,
  TurnEnded,
  TurnFailed,
} from "../../src/core/event.ts";
import type { SuperviseSettings } from "../../src/core/settings.ts";
import type { ProcessEnd, ProcessRecord } from "../../src/platform/process/process-end.ts";
import type { Claim } from "../../src/core/claim/claim.ts";
import type { Decision } from "../../src/core/decision.ts";
import { exitCodeOfEnd } from "../../src/core/end.ts";
import { verdictOn } from "../../src/evidence/verdict-on.ts";
import { fold } from "../../src/core/fold.ts";
import { begin } from "../../src/modes/registry.ts";
import { lastAttempt, type OpenTurn, type RunState } from "../../src/core/state.ts";
import type { Reason } from "../../src/core/reason.ts";
import { foldWithRuns, withRuns } from "./room-runs.ts";

/** Synthetic events of a run, and the state that they lead to. */

export const AT = "2026-11-15T09:00:00.000Z";
export const RUN_ID = "1115-k7m2";
export const NOTHING = {
  path: "/nowhere",
  bytes: 0,
  sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
};

/** Settings of all modes: no limits, and checks run in the work tree itself. */
export const COMMON = {
  session: "fresh",
  secrets: [],
  stallMs: 0,
  limits: { costUsd: null, tokens: null, timeMs: null, waitMs: 3_600_000 },
  room: null,
  sandbox: false,
  cwd: "/project",
  calledFrom: "/project",
  reportPath: "/project/report.json",
  force: false,
  agentTimeoutMs: 0,
  testTimeoutMs: 0,
  maxOutputBytes: 1024 * 1024,
  lang: "en",
} as const;

export const A_PROMPT = { text: "", sha256: NOTHING.sha256, path: null };

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
      ...COMMON,
      task: "the task",
      planFile: "/project/plan.md",
      plan: { sha256: NOTHING.sha256 },
      agents: [],
      agentCmd: "agent",
      prompt: null,
      testFast: ["fast"],
      testFull: ["full"],
      maxLoops: 3,
      onStuck: "continue",
      nonce: false,
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

/** The record of a named agent after a successful turn. */
export function agentRecord(name: string, more: Partial<AgentRecord> = {}): AgentRecord {
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

/** A turn in which the agent was unavailable. */
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
    agent: { ...agentRecord(agent), failure },
  };
}

/** The commands in `checkEnded`, for settings with several. */
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

/** An attempt that passed its fast test but reported that it needs work, so it was rejected. */
export function rejected(attempt: number, turn = attempt): RunEvent[] {
  return [
    turnStarted(attempt, turn),
    turnEnded(attempt, { status: "NEEDS_WORK" }, exited(0), turn),
    checkEnded(attempt, "fast"),
    judged(attempt, "agent_needs_work"),
  ];
}

/** An attempt that meets all requirements. */
export function acceptedAt(attempt: number): RunEvent[] {
  return [
    turnStarted(attempt),
    turnEnded(attempt),
    checkEnded(attempt, "fast"),
    checkEnded(attempt, "full"),
    judged(attempt),
  ];
}

/** The state after a story. A number means that so many seconds pass. */
export function after(first: RunEvent, ...events: (RunEvent | number)[]): RunState {
  let now = Date.parse(AT);
  let state = begin(first, AT);
  for (const event of events) {
    if (typeof event === "number") now += event * 1000;
    else state = foldWithRuns(state, event, new Date(now).toISOString());
  }
  return state;
}

/** A run built event by event. It judges by the evidence, so every story is possible. Modes add their own events. */
export class Story {
  readonly #events: RunEvent[];
  #state: RunState;

  constructor(first: RunStarted) {
    this.#events = [first];
    this.#state = begin(first, AT);
  }

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  get state(): RunState {
    return this.#state;
  }

  /** Throws if the event is impossible. */
  add(...events: readonly RunEvent[]): this {
    for (const one of events)
      for (const event of withRuns(this.#state, one)) {
        this.#state = fold(this.#state, event, AT);
        this.#events.push(event);
      }
    return this;
  }

  /** Adds the verdict that the evidence supports. */
  judge(): this {
    return this.add(judgedBy(this.#state));
  }

  ends(status: RunEnded["status"], reason: RunEnded["reason"], more: Partial<RunEnded> = {}): this {
    const exitCode = exitCodeOfEnd(status, reason);
    return this.add({ type: "run_ended", status, reason, exitCode, messageId: null, ...more });
  }

  /** Index of the last attempt. */
  protected get lastIndex(): number {
    return lastAttempt(this.#state)?.index ?? 0;
  }

  protected get openTurn(): OpenTurn {
    const { openTurn } = this.#state;
    if (!openTurn) throw new Error("no turn is open");
    return openTurn;
  }

  protected opens(role: Role, attempt: number, agent: string, tree: string | null = null): this {
    const turn = this.#state.turns + 1;
    return this.add({ type: "turn_started", role, attempt, turn, agent, resumes: null, tree });
  }
}

/** The verdict that the evidence supports. */
function judgedBy(state: RunState): AttemptJudged {
  const verdict = verdictOn(state);
  if (!verdict) throw new Error("nothing can be judged");
  return { ...judged(lastAttempt(state)?.index ?? 0), ...verdict };
}

/** The event of a decision whose result does not depend on chance, in every mode. `tree`: at the start of a turn. */
export function happensAlways(decision: Decision, state: RunState, tree: string | null = null): RunEvent {
  switch (decision.do) {
    case "record_interrupted":
      return { type: "turn_interrupted", attempt: decision.attempt, turn: decision.turn };
    case "open_turn": {
      const { do: _, ...turn } = decision;
      return { type: "turn_started", ...turn, tree };
    }
    case "judge":
      return judgedBy(state);
    case "start_wait":
      return { type: "wait_started", agent: decision.agent, class: decision.class, until: decision.until };
    case "sit_out":
      return { type: "wait_ended" };
    case "stop":
      return { type: "run_stopped", by: decision.by };
    case "ask":
      return asked(`q${state.questionsAsked + 1}`);
    case "end": {
      const { do: _, ...end } = decision;
      return { type: "run_ended", ...end, messageId: null };
    }
    default:
      throw new Error(`no such thing here: ${decision.do}`);
  }
}

export function later(seconds: number): string {
  return new Date(Date.parse(AT) + seconds * 1000).toISOString();
}
