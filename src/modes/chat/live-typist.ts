import { performance } from "node:perf_hooks";
import { pasteOf, SUBMIT, type Look } from "../../agents/chat.ts";
import type { Terminal } from "../../platform/terminal/terminal.ts";
import type { LiveObserver } from "./live-observer.ts";

const LOOK_MS = 250;
const CLOSE_LOOK_MS = 50;
/** A person who has typed nothing for this long, and left nothing typed, is not typing. */
const STILL_MS = 1500;
/** How long an agent may take to show typed text, and to start working on it. */
const SHOW_MS = 3000;
const TAKE_MS = 10_000;

/** Types the foreman's feedback into the agent's box when that disturbs neither the person nor the agent. */
export class LiveTypist {
  readonly #terminal: Terminal;
  readonly #observer: LiveObserver;
  readonly #pasteMs: number;
  readonly #gone: AbortSignal;
  #lastKeys = -Infinity;

  /** `gone` aborts when the agent has left. */
  constructor(terminal: Terminal, observer: LiveObserver, pasteMs: number, gone: AbortSignal) {
    this.#terminal = terminal;
    this.#observer = observer;
    this.#pasteMs = pasteMs;
    this.#gone = gone;
    terminal.onKeys(() => (this.#lastKeys = performance.now()));
  }

  /** Null: `away` aborted, or the agent has left. */
  async say(text: string, away: AbortSignal): Promise<"taken" | "not_taken" | null> {
    const leave = AbortSignal.any([away, this.#gone]);
    while (!((await this.#mayType()) && this.#terminal.hold())) {
      if (leave.aborted) return null;
      await pause(LOOK_MS, leave);
    }
    let pasted: string | null;
    try {
      if (leave.aborted) return null;
      this.#observer.saying(text);
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

  /** The person does not type, nothing typed is waiting, and the agent waits for input. */
  async #mayType(): Promise<boolean> {
    if (!this.#isStill()) return false;
    const { busy, draft, atStart } = await this.#view();
    // Text in the box that the person did not type is the agent's suggestion. It disappears when something is typed.
    const free = !busy && (draft === "" || (atStart && this.#terminal.draft().text === ""));
    return free && this.#isStill();
  }

  #isStill(): boolean {
    return performance.now() - this.#lastKeys >= STILL_MS;
  }

  /** Returns the new content of the box; null: the box does not show the text, so Enter could mean anything. */
  async #paste(text: string): Promise<string | null> {
    const { draft: before } = await this.#view();
    await this.#typed(pasteOf(text));
    // A suggestion disappears before the paste appears.
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
      ({ busy, draft }) => busy || draft !== pasted || this.#observer.wasTaken,
    );
  }

  /** A popup of the agent (a list of files, say) may have taken the key. */
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

  /** An agent without hooks may finish before it is seen at work: text that was shown and is gone counts as taken. */
  #isTaken(pasted: string, leave: AbortSignal): Promise<boolean> {
    return this.#until(TAKE_MS, leave, ({ busy, draft }) => {
      this.#observer.readRecord(this.#terminal);
      return this.#observer.reportsInputs
        ? this.#observer.wasTaken
        : busy || (draft !== null && draft !== pasted);
    });
  }

  /** Do not wait for an agent that reads nothing. */
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
    return this.#observer.view(this.#terminal);
  }
}

async function pause(ms: number, away: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      // Each listener that stays is a leak, and Node would warn about it on the person's screen.
      away.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, away.aborted ? 0 : ms);
    away.addEventListener("abort", over);
  });
}
