import { claudeChat } from "../../src/agents/chat-claude.ts";
import type { ChatAdapter, Look } from "../../src/agents/chat.ts";
import type { Terminal } from "../../src/platform/terminal/terminal.ts";
import { Typed } from "../../src/platform/terminal/typed.ts";

const EMPTY_BOX: Look = { busy: false, draft: "", atStart: true };
/** More polls than any wait needs. The test's own limit could not end a loop that never waits. */
const PATIENCE = 1000;

/** An agent whose screen the test controls, and a person who presses keys. */
export class Stage {
  /** The agent's current screen. */
  look: Look = EMPTY_BOX;
  /** The agent's reaction to the foreman's typing. */
  reads: (bytes: string) => void = () => undefined;
  /** Runs during each look at the screen. */
  onLook: () => void = () => undefined;
  /** False: the person is in the middle of a paste. */
  mayHold = true;
  held = false;
  /** How often the foreman asked to hold the keys. */
  asked = 0;
  /** The foreman's typing, and whether the person's keys were held. */
  readonly typed: { readonly bytes: string; readonly held: boolean }[] = [];
  #looks = 0;
  readonly #keys = new Typed();
  readonly #observers: ((chunk: Buffer) => void)[] = [];

  readonly terminal: Terminal = {
    onKeys: (observe) => void this.#observers.push(observe),
    type: async (bytes) => {
      this.typed.push({ bytes, held: this.held });
      this.reads(bytes);
    },
    hold: () => {
      this.#restless(++this.asked);
      return (this.held = this.mayHold);
    },
    release: () => (this.held = false),
    hint: () => undefined,
    screen: async () => {
      this.#restless(++this.#looks);
      this.onLook();
      return { rows: ["what", "is seen", ""], cursor: { row: 0, col: 0 } };
    },
    draft: () => this.#keys.draft,
    takeEntered: () => this.#keys.takeEntered(),
    ended: new Promise(() => undefined),
    end: () => undefined,
    close: async () => undefined,
  };

  #restless(times: number): void {
    if (times > PATIENCE) throw new Error("asked again and again without a break");
  }

  press(keys: string): void {
    const chunk = Buffer.from(keys);
    this.#keys.push(chunk);
    for (const observe of this.#observers) observe(chunk);
  }

  /** An adapter with working hooks and this screen. */
  adapter(more: Partial<ChatAdapter> = {}): ChatAdapter {
    return { ...claudeChat, look: () => this.look, ...more };
  }

  shows(look: Partial<Look>): void {
    this.look = { ...this.look, ...look };
  }
}

/** Messages that the agent's hooks write. */
export const hookMessage = {
  session: (id: string) => ({ hook_event_name: "SessionStart", session_id: id }),
  input: (prompt: string, id = "s1") => ({ hook_event_name: "UserPromptSubmit", session_id: id, prompt }),
  stop: (said: string, id = "s1") => ({
    hook_event_name: "Stop",
    session_id: id,
    last_assistant_message: said,
  }),
  failure: (said: string, id = "s1") => ({
    hook_event_name: "StopFailure",
    session_id: id,
    last_assistant_message: said,
  }),
} as const;
