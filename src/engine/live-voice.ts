import { performance } from "node:perf_hooks";
import { pasteOf, SUBMIT, type Look } from "../agents/chat.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { LiveEars } from "./live-ears.ts";

const LOOK_MS = 250;
const CLOSE_LOOK_MS = 50;
/** A person who pauses for so long, with nothing typed, is not typing. */
const STILL_MS = 1500;
/** How long an agent may take to show what was typed, and to begin with it. */
const SHOW_MS = 3000;
const TAKE_MS = 10_000;

/** Types what the foreman has to say into the agent's box, when it is in nobody's way. */
export class LiveVoice {
  readonly #terminal: Terminal;
  readonly #ears: LiveEars;
  readonly #pasteMs: number;
  readonly #gone: AbortSignal;
  #lastKeys = -Infinity;

  /** `gone`: the agent is. */
  constructor(terminal: Terminal, ears: LiveEars, pasteMs: number, gone: AbortSignal) {
    this.#terminal = terminal;
    this.#ears = ears;
    this.#pasteMs = pasteMs;
    this.#gone = gone;
    terminal.onKeys(() => (this.#lastKeys = performance.now()));
  }

  /** Null: it was called away, or the agent has left. */
  async say(text: string, away: AbortSignal): Promise<"taken" | "not_taken" | null> {
    const leave = AbortSignal.any([away, this.#gone]);
    while (!((await this.#mayType()) && this.#terminal.hold())) {
      if (leave.aborted) return null;
      await pause(LOOK_MS, leave);
    }
    let pasted: string | null;
    try {
      if (leave.aborted) return null;
      this.#ears.saying(text);
      pasted = await this.#paste(text);
      if (pasted !== null) await this.#submit(pasted);
    } finally {
      this.#terminal.release();
    }
    if (pasted === null) return this.#gone.aborted ? null : "not_taken";
    const taken = await this.#isTaken(pasted, leave);
    if (taken || leave.aborted) return taken ? "taken" : null;
    return this.#again(pasted, leave);
  }

  /** The person neither types nor has typed something that still waits, and the agent waits for them. */
  async #mayType(): Promise<boolean> {
    if (!this.#isStill()) return false;
    const { busy, draft, atStart } = await this.#view();
    // What stands in the box although nobody typed it is a proposal of the agent's, which goes when something is typed.
    const free = !busy && (draft === "" || (atStart && this.#terminal.draft().text === ""));
    return free && this.#isStill();
  }

  #isStill(): boolean {
    return performance.now() - this.#lastKeys >= STILL_MS;
  }

  /** What the box then holds; null: it does not show it, and Enter could mean anything. */
  async #paste(text: string): Promise<string | null> {
    const { draft: before } = await this.#view();
    await this.#typed(pasteOf(text));
    // A proposal goes before the paste comes.
    const holds = ({ draft }: Look): boolean => draft !== null && draft !== "" && draft !== before;
    if (!(await this.#until(SHOW_MS, this.#gone, holds))) return null;
    await pause(this.#pasteMs, this.#gone);
    const look = await this.#view();
    return holds(look) ? look.draft : null;
  }

  async #submit(pasted: string): Promise<void> {
    await this.#typed(SUBMIT);
    await this.#until(
      SHOW_MS,
      this.#gone,
      ({ busy, draft }) => busy || draft !== pasted || this.#ears.wasTaken,
    );
  }

  /** What the agent shows of the text (a list of files, say) may have taken the key for itself. */
  async #again(pasted: string, leave: AbortSignal): Promise<"taken" | "not_taken" | null> {
    const { busy, draft } = await this.#view();
    const waits = !busy && draft === pasted && this.#isStill() && this.#terminal.hold();
    if (!waits) return "not_taken";
    try {
      await this.#submit(pasted);
    } finally {
      this.#terminal.release();
    }
    const taken = await this.#isTaken(pasted, leave);
    return taken || !leave.aborted ? (taken ? "taken" : "not_taken") : null;
  }

  /** One that does not tell may be done before it is seen at work: what was shown and is gone was taken. */
  #isTaken(pasted: string, leave: AbortSignal): Promise<boolean> {
    return this.#until(TAKE_MS, leave, ({ busy, draft }) => {
      this.#ears.readRecord(this.#terminal);
      return this.#ears.tells ? this.#ears.wasTaken : busy || (draft !== null && draft !== pasted);
    });
  }

  /** An agent that reads nothing is not waited for. */
  async #typed(bytes: string): Promise<void> {
    await Promise.race([this.#terminal.type(bytes), pause(SHOW_MS, this.#gone)]);
  }

  async #until(ms: number, leave: AbortSignal, done: (look: Look) => boolean): Promise<boolean> {
    for (const end = performance.now() + ms; performance.now() < end; await pause(CLOSE_LOOK_MS, leave)) {
      if (done(await this.#view())) return true;
      if (leave.aborted) return false;
    }
    return false;
  }

  #view(): Promise<Look> {
    return this.#ears.view(this.#terminal);
  }
}

async function pause(ms: number, away: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      // Each one that stays is a leak, of which Node warns on the person's screen.
      away.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, away.aborted ? 0 : ms);
    away.addEventListener("abort", over);
  });
}
