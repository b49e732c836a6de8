/** Push and pop of the title stack that most terminals keep; the others ignore them. */
const SAVE = "\u001b[22;2t";
const RESTORE = "\u001b[23;2t";

/** Our title in place of the agent's. Inserted only where it breaks no sequence. */
export class Title {
  #wanted: string | null = null;
  #shown: string | null = null;
  #agentsBefore: string | null = null;
  #notify = false;

  /** `notify`: also send one notification when the title appears. */
  want(title: string | null, notify = false): void {
    this.#wanted = title;
    this.#notify = notify;
  }

  /** The bytes to write now that the terminal is between two sequences. */
  due(agents: string | null): string {
    if (this.#wanted === this.#shown) return "";
    const before = this.#shown;
    this.#shown = this.#wanted;
    if (this.#wanted === null) return RESTORE + (agents === this.#agentsBefore ? "" : set(agents ?? ""));
    const notice = this.#notify ? command(`9;agent-foreman: ${this.#wanted}`) : "";
    if (before !== null) return set(this.#wanted) + notice;
    this.#agentsBefore = agents;
    return SAVE + set(this.#wanted) + notice;
  }
}

function set(title: string): string {
  return command(`2;${title}`);
}

function command(text: string): string {
  // A control character would end it early.
  return `\u001b]${text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, " ")}\u0007`;
}
