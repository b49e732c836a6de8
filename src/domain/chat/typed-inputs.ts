/** What stood in the person's draft when they pressed Enter, as far as keys can tell. */
export interface EnteredText {
  readonly text: string;
  /** False after keys whose effect only the agent knows: history, completion. */
  readonly certain: boolean;
}

const MAX_WAITING = 100;
/** To the agent's program, or to a shell. */
const COMMAND = /^\s*[/!]/;

/**
 * Whether what an agent says it was told comes from the person: its own processes can say so as well. Each Enter accounts for one
 * input, of the text that was typed where that is certain.
 */
export class TypedInputs {
  #waiting: EnteredText[] = [];
  /** What was given with the command that started the agent. */
  #first = true;

  entered(text: EnteredText): void {
    // In a dialog, or in an empty box.
    if (text.certain && text.text.trim() === "") return;
    this.#waiting = [...this.#waiting, text].slice(-MAX_WAITING);
  }

  /** The person has typed something, and nobody has told of any input: there may have been one. */
  get untold(): boolean {
    return this.#first && this.#waiting.some(({ text, certain }) => certain && !COMMAND.test(text));
  }

  /** Whether it can be the person's; then it is accounted for. */
  accounts(told: string): boolean {
    const first = this.#first;
    this.#first = false;
    const words = flat(told);
    const exact = this.#waiting.findIndex(({ text }) => text.trim() !== "" && words.includes(flat(text)));
    const at = exact >= 0 ? exact : this.#waiting.findIndex(({ certain }) => !certain);
    if (at >= 0) this.#waiting = this.#waiting.toSpliced(at, 1);
    return at >= 0 || first;
  }
}

/** However it was wrapped. */
function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
