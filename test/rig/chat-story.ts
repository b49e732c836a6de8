import type { DropReason, Reviews } from "../../src/domain/chat/event.ts";
import { taskOf } from "../../src/domain/chat/reviews.ts";
import { exitCodeOfEnd } from "../../src/domain/end.ts";
import type {
  CheckEnded,
  ReviewEnded,
  Role,
  RunEnded,
  RunEvent,
  RunStarted,
  TurnEnded,
} from "../../src/domain/event.ts";
import { verdictOn } from "../../src/domain/evidence.ts";
import { begin, fold } from "../../src/domain/fold.ts";
import type { Captured, ProcessEnd } from "../../src/domain/process-end.ts";
import type { ChatSettings } from "../../src/domain/settings.ts";
import { lastAttempt, type RunState } from "../../src/domain/state.ts";
import { AT, exited, NO_AGENTS, NOTHING, profile, ran, started, told, turnEnded } from "./story.ts";

/**
 * Events of a `chat` run that nobody ran, for whoever tests what is made of them: it numbers tasks, attempts and turns and judges by
 * the evidence, so that every story is one that can happen. `new ChatStory()`: a script asks; `ChatStory.live()`: a person sits at
 * the terminal.
 */

const { prompt: _, ...COMMON } = NO_AGENTS;
export const SESSION = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

/** claude works and reviews, in a fork; one check. */
export function chatStarted(
  settings: Partial<ChatSettings> = {},
  more: Partial<RunStarted> = {},
): RunStarted {
  return {
    ...started({}, more),
    settings: {
      mode: "chat",
      ...COMMON,
      task: "Add a refund endpoint",
      agents: [profile("claude")],
      maxLoops: 5,
      cwd: "/project",
      calledFrom: "/project",
      reportPath: "/project/report.json",
      force: false,
      agentTimeoutMs: 0,
      testTimeoutMs: 0,
      maxOutputBytes: 1024 * 1024,
      lang: "en",
      prompt: "Add a refund endpoint",
      worker: "claude",
      reviewer: "claude",
      forks: true,
      agentArgs: [],
      supervisor: { text: "You review.", sha256: NOTHING.sha256, path: "/project/.claude/SUPERVISOR.md" },
      marker: "[TASK_COMPLETED]",
      waitingMarker: "[WAITING_FOR_USER]",
      checks: ["npm test"],
      ...settings,
    },
  };
}

export class ChatStory {
  readonly #events: RunEvent[] = [];
  #state: RunState;

  constructor(settings: Partial<ChatSettings> = {}, more: Partial<RunStarted> = {}) {
    const first = chatStarted(settings, more);
    this.#events.push(first);
    this.#state = begin(first, AT);
  }

  /** The agent is started in the person's terminal already. */
  static live(settings: Partial<ChatSettings> = {}, more: Partial<RunStarted> = {}): ChatStory {
    const story = new ChatStory({ task: "", prompt: null, ...settings }, { interactive: true, ...more });
    return story.starts();
  }

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  get state(): RunState {
    return this.#state;
  }

  get settings(): ChatSettings {
    const { settings } = this.#state;
    if (settings.mode !== "chat") throw new Error("it is another mode");
    return settings;
  }

  /** Throws where it cannot happen. */
  add(...events: readonly RunEvent[]): this {
    for (const event of events) {
      this.#state = fold(this.#state, event, AT);
      this.#events.push(event);
    }
    return this;
  }

  /** The script's agent has begun. */
  works(): this {
    const last = lastAttempt(this.#state);
    const next = last && !last.turn ? last.index : (last?.index ?? 0) + 1;
    return this.#opens("worker", next, this.settings.worker);
  }

  /** The script's agent has done its turn. */
  worked(more: Partial<TurnEnded> = {}): this {
    if (!this.#state.openTurn) this.works();
    const { attempt, turn, agent } = this.#open;
    return this.add({
      ...turnEnded(attempt, {}, exited(0), turn),
      claim: null,
      agent: told(agent ?? "", { sessionId: SESSION }),
      ...more,
    });
  }

  /** The agent is started in the person's terminal. */
  starts(resumes: string | null = null): this {
    return this.add({ type: "live_started", resumes });
  }

  /** The person says something to the agent. */
  asks(text: Captured = NOTHING, session: string | null = SESSION): this {
    return this.add({ type: "input_given", task: taskOf(this.#state) + 1, text, session });
  }

  /** The agent in the terminal stops. */
  stops(message: Captured | null = null): this {
    const attempt = (lastAttempt(this.#state)?.index ?? 0) + 1;
    return this.add({ type: "live_turn_ended", attempt, session: SESSION, message });
  }

  /** What the review said is sent. */
  sends(): this {
    return this.add({ type: "feedback_sent", attempt: this.#attempt });
  }

  drops(why: DropReason, messageId: string | null = null): this {
    return this.add({ type: "review_dropped", attempt: this.#attempt, why, messageId });
  }

  sets(to: Reviews): this {
    return this.add({ type: "reviews_set", to, messageId: null });
  }

  /** The agent is gone from the terminal. */
  leaves(end: ProcessEnd = exited(0)): this {
    return this.add({ type: "live_ended", process: ran("claude", end) });
  }

  /** The checks; they exit with these codes, and with 0 where none is given. */
  checks(...codes: readonly number[]): this {
    for (const [index] of this.settings.checks.entries()) this.check(codes[index] ?? 0);
    return this;
  }

  check(code: number, more: Partial<CheckEnded> = {}): this {
    const index = (lastAttempt(this.#state)?.checks.length ?? 0) + 1;
    const command = this.settings.checks[index - 1];
    if (command === undefined) throw new Error("no check is due");
    return this.add({
      type: "check_ended",
      attempt: this.#attempt,
      phase: "check",
      index,
      process: ran(command, exited(code)),
      output: NOTHING,
      ...more,
    });
  }

  /** The reviewer has begun. */
  reviews(): this {
    return this.#opens("reviewer", this.#attempt, this.settings.reviewer);
  }

  /** The reviewer has spoken. */
  reviewed(completed: boolean, more: Partial<ReviewEnded> = {}): this {
    if (!this.#state.openTurn) this.reviews();
    const { attempt, turn, agent } = this.#open;
    return this.add({
      type: "review_ended",
      attempt,
      turn,
      process: ran("claude", exited(0)),
      stdout: NOTHING,
      stderr: NOTHING,
      agent: told(agent ?? "", { sessionId: null }),
      readOnly: true,
      items: [],
      completed,
      problem: null,
      changed: [],
      changedInputs: [],
      ...more,
    });
  }

  /** The verdict that the evidence bears. */
  judge(): this {
    const verdict = verdictOn(this.#state);
    if (!verdict) throw new Error("nothing can be judged");
    return this.add({ type: "attempt_judged", attempt: this.#attempt, ...verdict, feedback: NOTHING });
  }

  /** An attempt from its beginning (in the terminal: from the agent's stop) to its verdict; the checks are green. */
  attempt(completed: boolean): this {
    const begun = this.settings.prompt === null ? this.stops() : this.worked();
    return begun.checks().reviewed(completed).judge();
  }

  ends(status: RunEnded["status"], reason: RunEnded["reason"]): this {
    const exitCode = exitCodeOfEnd(status, reason);
    return this.add({ type: "run_ended", status, reason, exitCode, messageId: null });
  }

  get #attempt(): number {
    return lastAttempt(this.#state)?.index ?? 0;
  }

  get #open() {
    const { openTurn } = this.#state;
    if (!openTurn) throw new Error("nobody's turn is open");
    return openTurn;
  }

  #opens(role: Role, attempt: number, agent: string): this {
    const turn = this.#state.turns + 1;
    return this.add({ type: "turn_started", role, attempt, turn, agent, resumes: null, tree: null });
  }
}
