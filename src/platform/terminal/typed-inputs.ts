/** The person's draft when they pressed Enter, as far as keys show. */
export interface EnteredText {
  readonly text: string;
  /** False after keys whose effect only the agent knows: history, completion. */
  readonly certain: boolean;
}

const MAX_WAITING = 100;
/** To the agent's program, or to a shell. */
const COMMAND = /^\s*[/!]/;

/**
 * Decides whether an input that the agent reports came from the person, because its own processes can report one too. Each Enter
 * accounts for one input, with the typed text where that is certain.
 */
export class TypedInputs {
  #waiting: EnteredText[] = [];
  /** The input in the command that started the agent. */
  #first = true;

  entered(text: EnteredText): void {
    // In a dialog, or in an empty box.
    if (text.certain && text.text.trim() === "") return;
    this.#waiting = [...this.#waiting, text].slice(-MAX_WAITING);
  }

  /** The person has typed, and the agent has reported no input yet: there may have been one. */
  get unreported(): boolean {
    return this.#first && this.#waiting.some(({ text, certain }) => certain && !COMMAND.test(text));
  }

  /** Whether the input can be the person's. If so, it is used up. */
  accounts(input: string): boolean {
    const first = this.#first;
    this.#first = false;
    const words = flat(input);
    const exact = this.#waiting.findIndex(({ text }) => text.trim() !== "" && words.includes(flat(text)));
    const at = exact >= 0 ? exact : this.#waiting.findIndex(({ certain }) => !certain);
    if (at >= 0) this.#waiting = this.#waiting.toSpliced(at, 1);
    return at >= 0 || first;
  }
}

/** Ignores wrapping. */
function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
