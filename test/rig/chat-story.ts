import type { DropReason, Reviews } from "../../src/core/chat/event.ts";
import type { CheckEnded, ReviewEnded, RunStarted, TurnEnded } from "../../src/core/event.ts";
import type { Artifact, ProcessEnd } from "../../src/platform/process/process-end.ts";
import type { ChatSettings } from "../../src/core/settings.ts";
import { lastAttempt, taskOf } from "../../src/core/state.ts";
import { COMMON, exited, NOTHING, profile, ran, started, Story, agentRecord, turnEnded } from "./story.ts";

/**
 * Synthetic events of a `chat` run, for tests of the code that reads them. It numbers tasks, attempts and turns and judges by the evidence, so every
 * story is possible. `new ChatStory()`: a script asks. `ChatStory.live()`: a person works at the terminal.
 */

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

export class ChatStory extends Story {
  constructor(settings: Partial<ChatSettings> = {}, more: Partial<RunStarted> = {}) {
    super(chatStarted(settings, more));
  }

  /** The agent already runs in the person's terminal. */
  static live(settings: Partial<ChatSettings> = {}, more: Partial<RunStarted> = {}): ChatStory {
    const story = new ChatStory({ task: "", prompt: null, ...settings }, { interactive: true, ...more });
    return story.starts();
  }

  get settings(): ChatSettings {
    const { settings } = this.state;
    if (settings.mode !== "chat") throw new Error("it is another mode");
    return settings;
  }

  /** The script's agent starts its turn. */
  works(): this {
    const last = lastAttempt(this.state);
    const next = last && !last.turn ? last.index : (last?.index ?? 0) + 1;
    return this.opens("worker", next, this.settings.worker);
  }

  /** The script's agent ends its turn. */
  worked(more: Partial<TurnEnded> = {}): this {
    if (!this.state.openTurn) this.works();
    const { attempt, turn, agent } = this.openTurn;
    return this.add({
      ...turnEnded(attempt, {}, exited(0), turn),
      claim: null,
      agent: agentRecord(agent ?? "", { sessionId: SESSION }),
      ...more,
    });
  }

  /** The agent starts in the person's terminal. */
  starts(resumes: string | null = null): this {
    return this.add({ type: "live_started", resumes });
  }

  /** The person writes to the agent. */
  asks(text: Artifact = NOTHING, session: string | null = SESSION): this {
    return this.add({ type: "input_given", task: taskOf(this.state) + 1, text, session });
  }

  /** The agent in the terminal stops. */
  stops(message: Artifact | null = null): this {
    const attempt = (lastAttempt(this.state)?.index ?? 0) + 1;
    return this.add({ type: "live_turn_ended", attempt, session: SESSION, message });
  }

  /** Sends the review's feedback to the agent. */
  sends(): this {
    return this.add({ type: "feedback_sent", attempt: this.lastIndex });
  }

  drops(why: DropReason, messageId: string | null = null): this {
    return this.add({ type: "review_dropped", attempt: this.lastIndex, why, messageId });
  }

  sets(to: Reviews): this {
    return this.add({ type: "reviews_set", to, messageId: null });
  }

  /** The agent leaves the terminal. */
  leaves(end: ProcessEnd = exited(0)): this {
    return this.add({ type: "live_ended", process: ran("claude", end) });
  }

  /** Runs the checks. Missing exit codes are 0. */
  checks(...codes: readonly number[]): this {
    for (const [index] of this.settings.checks.entries()) this.check(codes[index] ?? 0);
    return this;
  }

  check(code: number, more: Partial<CheckEnded> = {}): this {
    const index = (lastAttempt(this.state)?.checks.length ?? 0) + 1;
    const command = this.settings.checks[index - 1];
    if (command === undefined) throw new Error("no check is due");
    return this.add({
      type: "check_ended",
      attempt: this.lastIndex,
      phase: "check",
      index,
      process: ran(command, exited(code)),
      output: NOTHING,
      ...more,
    });
  }

  /** The reviewer starts. */
  reviews(): this {
    return this.opens("reviewer", this.lastIndex, this.settings.reviewer);
  }

  /** The reviewer ends with a verdict. */
  reviewed(completed: boolean, more: Partial<ReviewEnded> = {}): this {
    if (!this.state.openTurn) this.reviews();
    const { attempt, turn, agent } = this.openTurn;
    return this.add({
      type: "review_ended",
      attempt,
      turn,
      process: ran("claude", exited(0)),
      stdout: NOTHING,
      stderr: NOTHING,
      agent: agentRecord(agent ?? "", { sessionId: null }),
      readOnly: true,
      items: [],
      completed,
      problem: null,
      changed: [],
      changedInputs: [],
      ...more,
    });
  }

  /** A complete attempt with passing checks, up to its verdict. In the terminal it begins when the agent stops. */
  attempt(completed: boolean): this {
    const begun = this.settings.prompt === null ? this.stops() : this.worked();
    return begun.checks().reviewed(completed).judge();
  }
}
