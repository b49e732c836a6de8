import type { FailureClass } from "../../src/core/agent-turn.ts";
import type { CheckPhase, Containment, RunEvent, TurnEnded } from "../../src/core/event.ts";
import type { SuperviseSettings } from "../../src/core/settings.ts";
import type { Leaked, ProcessEnd, ProcessRecord } from "../../src/platform/process/process-end.ts";
import type { Claim } from "../../src/core/claim/claim.ts";
import { fold } from "../../src/core/fold.ts";
import { begin } from "../../src/modes/registry.ts";
import type { RunState } from "../../src/core/state.ts";
import type { Reason } from "../../src/core/reason.ts";
import type { Reporter } from "../../src/engine/reporter.ts";
import { NO_LOST_FILES, type RunChanges } from "../../src/core/evidence/changes.ts";
import { COMMON, NOTHING, agentRecord } from "../rig/story.ts";
import { FakeClock } from "./rig.ts";

const SETTINGS: SuperviseSettings = {
  ...COMMON,
  mode: "supervise",
  task: "Add pagination",
  planFile: "/repo/PLAN.md",
  plan: { sha256: "0" },
  agentCmd: "claude -p",
  agents: [],
  prompt: null,
  testFast: ["npm test"],
  testFull: ["npm run test:all"],
  maxLoops: 6,
  cwd: "/repo",
  calledFrom: "/repo",
  reportPath: "goldagent-supervise-report-1115-k3f7.json",
  maxOutputBytes: 1 << 26,
  onStuck: "continue",
  nonce: false,
};

const DONE: Claim = { status: "DONE", statusText: null, evidence: "all tests pass", orderCertain: true };
const exit = (code: number): ProcessEnd => ({ kind: "exited", code });
const file = (path: string): { path: string; bytes: number; sha256: string } => ({
  path,
  bytes: 1,
  sha256: "0",
});

interface Ran {
  readonly ms?: number;
  readonly end?: ProcessEnd;
  readonly leaked?: readonly Leaked[];
}

/** The changes of a run that has ended. */
export const CHANGES: RunChanges = {
  files: 1,
  added: 0,
  deleted: 0,
  insertions: 2,
  deletions: 0,
  lost: NO_LOST_FILES,
  outside: [],
  kept: { listing: NOTHING, pack: NOTHING, diff: NOTHING },
};

export class Run {
  readonly #reporter: Reporter | undefined;
  readonly #clock: FakeClock;
  readonly #settings: SuperviseSettings;
  #state: RunState;

  constructor(
    to?: { reporter: Reporter; clock: FakeClock },
    settings: Partial<SuperviseSettings> = {},
    started: {
      containment?: Containment;
      interactive?: boolean;
      baseCommit?: string | null;
      planMissing?: boolean;
    } = {},
  ) {
    this.#reporter = to?.reporter;
    this.#clock = to?.clock ?? new FakeClock();
    this.#settings = {
      ...SETTINGS,
      ...(started.planMissing && { plan: { problem: "plan_file_missing" } as const }),
      ...settings,
    };
    const event: RunEvent = {
      type: "run_started",
      runId: "1115-k3f7",
      settings: this.#settings,
      config: [],
      missingAgents: [],
      containment: started.containment ?? "pid_namespace",
      interactive: started.interactive ?? false,
      baseCommit: started.baseCommit === undefined ? "a1b2c3d4e5f6" : started.baseCommit,
      toolVersion: "0.1.0",
      node: "v20",
      platform: "linux-x64",
    };
    this.#state = begin(event, this.#at());
    this.#reporter?.event(event, this.#state);
  }

  get state(): RunState {
    return this.#state;
  }

  emit(event: RunEvent): this {
    // A test with its own clock controls the time itself.
    if (!this.#reporter && "process" in event) this.#clock.advance(event.process.durationMs);
    this.#state = fold(this.#state, event, this.#at());
    this.#reporter?.event(event, this.#state);
    return this;
  }

  /** A turn until the agent works. */
  startTurn(attempt: number, by?: string): this {
    const { agentCmd, agents } = this.#settings;
    const agent = agents.length === 0 ? null : (by ?? agents[0]?.name ?? null);
    this.emit({
      type: "turn_started",
      role: "worker",
      attempt,
      turn: this.#state.turns + 1,
      agent,
      resumes: null,
      tree: null,
    });
    this.#reporter?.live({
      type: "phase_started",
      attempt,
      phase: "agent",
      command: agentCmd ?? `${agent} --headless`,
      encoded: agent !== null,
    });
    return this;
  }

  /** A turn whose agent is unavailable. */
  failTurn(kind: FailureClass, retryIn: number | null = null, message = "not now"): this {
    const { attempt, turn, agent } = this.#state.openTurn ?? { attempt: 0, turn: 0, agent: null };
    const retryAt = retryIn === null ? null : new Date(this.#clock.now() + retryIn).toISOString();
    return this.emit({
      type: "turn_failed",
      attempt,
      turn,
      process: this.#ran(agent ?? "", {}),
      stdout: file("out"),
      stderr: file("err"),
      agent: { ...agentRecord(agent ?? ""), failure: { class: kind, message, retryAt } },
    });
  }

  wait(agent: string, kind: FailureClass, forMs: number): this {
    const until = new Date(this.#clock.now() + forMs).toISOString();
    this.emit({ type: "wait_started", agent, class: kind, until });
    this.#reporter?.live({ type: "waiting" });
    return this;
  }

  doing(text: string): this {
    this.#reporter?.live({ type: "activity", text });
    return this;
  }

  output(text: string | Buffer, stream: "stdout" | "stderr" = "stdout"): this {
    this.#reporter?.live({ type: "output", stream, chunk: Buffer.from(text) });
    return this;
  }

  endTurn(ran: Ran = {}, claim: Partial<Claim> = {}, more: Partial<TurnEnded> = {}): this {
    const { attempt, turn } = this.#state.openTurn ?? { attempt: 0, turn: 0 };
    const process = this.#ran(this.#settings.agentCmd ?? "claude --headless", ran);
    const [stdout, stderr] = [file("out"), file("err")];
    return this.emit({
      type: "turn_ended",
      attempt,
      turn,
      process,
      stdout,
      stderr,
      claim: { ...DONE, ...claim },
      product: null,
      agent: null,
      changedInputs: [],
      ...more,
    });
  }

  turn(attempt: number, ran: Ran = {}, claim: Partial<Claim> = {}): this {
    return this.startTurn(attempt).endTurn(ran, claim);
  }

  startCheck(phase: CheckPhase): this {
    const command = this.#settings[phase === "fast" ? "testFast" : "testFull"][0] ?? "";
    this.#reporter?.live({ type: "phase_started", attempt: this.#attempt(), phase, command, encoded: false });
    return this;
  }

  endCheck(phase: CheckPhase, ran: Ran = {}, output: readonly string[] = []): this {
    const path = `attempt-${this.#attempt()}/${phase}-1.txt`;
    const command = this.#settings[phase === "fast" ? "testFast" : "testFull"][0] ?? "";
    const failed = ran.end !== undefined;
    if (failed && output.length > 0)
      this.#reporter?.live({
        type: "check_output",
        path,
        lines: [...output.map((text) => ({ text })), { leftOut: 38 }],
      });
    const process = this.#ran(command, ran);
    return this.emit({
      type: "check_ended",
      attempt: this.#attempt(),
      phase,
      index: 1,
      process,
      output: file(path),
    });
  }

  check(phase: CheckPhase, ran: Ran = {}, output: readonly string[] = []): this {
    return this.startCheck(phase).endCheck(phase, ran, output);
  }

  judged(...reasons: Reason[]): this {
    const verdict = reasons.length === 0 ? "accepted" : "rejected";
    return this.emit({
      type: "attempt_judged",
      attempt: this.#attempt(),
      verdict,
      reasons,
      feedback: file("feedback.md"),
    });
  }

  /** A complete attempt that fails its fast test. */
  rejected(attempt: number): this {
    return this.turn(attempt, { ms: 252_000 })
      .check("fast", { ms: 15_000, end: exit(1) }, ["FAIL pager > keeps the last page"])
      .judged("fast_test_failed");
  }

  accepted(attempt: number): this {
    return this.turn(attempt, { ms: 320_000 })
      .check("fast", { ms: 9000 })
      .check("full", { ms: 61_000 })
      .judged();
  }

  passed(): this {
    return this.emit({
      type: "run_ended",
      status: "passed",
      exitCode: 0,
      reason: "accepted",
      messageId: null,
    });
  }

  failed(): this {
    return this.emit({
      type: "run_ended",
      status: "failed",
      exitCode: 1,
      reason: "limit_reached",
      messageId: null,
    });
  }

  #attempt(): number {
    return this.#state.attempts.at(-1)?.index ?? 0;
  }

  #ran(command: string, { ms = 1000, end = exit(0), leaked = [] }: Ran): ProcessRecord {
    return { command, end, durationMs: ms, leaked };
  }

  #at(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}
