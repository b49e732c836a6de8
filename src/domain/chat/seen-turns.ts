/** What can be seen of an agent that tells nothing by itself. */
export interface Seen {
  /** It works at something. */
  readonly busy: boolean;
  /** What stands in its input box; null: there is none. */
  readonly draft: string | null;
  /** How often the person has pressed Enter, and what they had typed then. */
  readonly enters: number;
  readonly entered: string;
}

/** So many looks in a row have to find it idle: between two calls of a tool it may seem so. */
const IDLE_LOOKS = 4;
/** So many looks it may take until the agent shows what became of an Enter; and so many where it shows nothing at all of it yet. */
const ENTER_LOOKS = 4;
const SLOW_LOOKS = 60;
/** A command to the agent's program, or to a shell, is no task. */
const NO_TASK = /^\s*(?:[/!]|$)/;

export type SeenNews = { readonly kind: "input"; readonly text: string } | { readonly kind: "turn_ended" };

interface Entered {
  readonly text: string;
  readonly shown: string;
  readonly looks: number;
}

/** Follows turns by looking, again and again: what was typed, that it works, that it has stopped. */
export class SeenTurns {
  #enters = 0;
  /** What was entered, while it still stands in the box, and what the box showed of it. */
  #entered: Entered | null = null;
  /** What stood in the box at the last look; null: a dialog, or whatever else, had taken its place. */
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
    // Without a box it is a dialog, or the agent still starts: neither is work.
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

  /** What was entered and has left the box, which may be gone for a moment. Where the text stays in the box, Enter was something else. */
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
