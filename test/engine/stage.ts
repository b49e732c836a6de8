import { claudeChat } from "../../src/agents/chat-claude.ts";
import type { ChatAdapter, Look } from "../../src/agents/chat.ts";
import type { Terminal } from "../../src/terminal/terminal.ts";
import { Typed } from "../../src/terminal/typed.ts";

const EMPTY_BOX: Look = { busy: false, draft: "", atStart: true };
/** More often than anybody asks who waits in between. A loop that does not could not be ended by the test's own limit. */
const PATIENCE = 1000;

/** An agent in a terminal of which a test says what it shows, and a person who presses keys. */
export class Stage {
  /** What the agent shows. */
  look: Look = EMPTY_BOX;
  /** What it does with what is typed by the foreman. */
  reads: (bytes: string) => void = () => undefined;
  /** Before a look at the screen is over. */
  onLook: () => void = () => undefined;
  /** False: somebody is in the middle of a paste. */
  mayHold = true;
  held = false;
  /** How often it was asked to hold the keys. */
  asked = 0;
  /** What was typed by the foreman, and whether the person's keys waited. */
  readonly typed: { readonly bytes: string; readonly held: boolean }[] = [];
  #looks = 0;
  readonly #keys = new Typed();
  readonly #observers: ((chunk: Buffer) => void)[] = [];

  readonly terminal: Terminal = {
    pid: undefined,
    onOutput: () => undefined,
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

  /** One whose hooks tell, and whose screen is this. */
  adapter(more: Partial<ChatAdapter> = {}): ChatAdapter {
    return { ...claudeChat, look: () => this.look, ...more };
  }

  shows(look: Partial<Look>): void {
    this.look = { ...this.look, ...look };
  }
}

/** What a hook of the agent writes. */
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
