/** The visible state of an agent without hooks or record. */
export interface Seen {
  readonly busy: boolean;
  /** Text in its input box; null: there is no box. */
  readonly draft: string | null;
  /** How often the person has pressed Enter, and the text they had typed at the last one. */
  readonly enters: number;
  readonly entered: string;
}

/** The agent counts as idle after this many idle looks in a row, because it may seem idle between two tool calls. */
const IDLE_LOOKS = 4;
/** How many looks to wait for the effect of an Enter. The second number applies if the agent shows no effect yet. */
const ENTER_LOOKS = 4;
const SLOW_LOOKS = 60;
/** A command to the agent's program, or to a shell, is not a task. */
const NO_TASK = /^\s*(?:[/!]|$)/;

export type SeenNews = { readonly kind: "input"; readonly text: string } | { readonly kind: "turn_ended" };

interface Entered {
  readonly text: string;
  readonly shown: string;
  readonly looks: number;
}

/** Follows turns by repeated looks at the screen: typed text, start of work, end of work. */
export class SeenTurns {
  #enters = 0;
  /** The entered text, while it is still in the box, and what the box showed of it. */
  #entered: Entered | null = null;
  /** Text in the box at the last look; null: a dialog or something else was in its place. */
  #drafted: string | null = "";
  #sawBox = false;
  #working = false;
  #idle = 0;

  look({ busy, draft, enters, entered }: Seen): readonly SeenNews[] {
    const news: SeenNews[] = [];
    if (enters > this.#enters) {
      const drafted = this.#drafted;
      const text = drafted !== null && drafted.length > entered.length ? drafted : entered;
      this.#entered = drafted === null ? null : { text, shown: drafted, looks: 0 };
      this.#enters = enters;
    }
    const text = this.#gone(busy, draft);
    if (text !== null && !NO_TASK.test(text)) {
      this.reset();
      news.push({ kind: "input", text });
    }
    this.#sawBox ||= draft !== null;
    this.#drafted = draft ?? (this.#sawBox ? null : "");
    // Without a box there is a dialog, or the agent is still starting. Neither is work.
    this.#working ||= busy && draft !== null;
    this.#idle = busy || draft === null ? 0 : this.#idle + 1;
    if (this.#working && this.#idle >= IDLE_LOOKS) {
      this.#working = false;
      news.push({ kind: "turn_ended" });
    }
    return news;
  }

  /** Forgets the work seen so far: it belongs to an earlier input. */
  reset(): void {
    this.#working = false;
    this.#idle = 0;
  }

  /** The entered text once it has left the box, which may disappear for a moment. If the text stays in the box, Enter meant something else. */
  #gone(busy: boolean, draft: string | null): string | null {
    const entered = this.#entered;
    if (entered === null) return null;
    const { text, shown, looks } = entered;
    const isGone = draft !== null && (busy || draft === "");
    const patience = draft === null || draft === shown || draft === text ? SLOW_LOOKS : ENTER_LOOKS;
    const waits = !isGone && looks + 1 < patience;
    this.#entered = waits ? { ...entered, looks: looks + 1 } : null;
    return isGone ? text : null;
  }
}
