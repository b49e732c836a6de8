import { attributesAfter } from "./attributes.ts";
import { Sequences } from "./sequences.ts";

const ALTERNATE_SCREENS: readonly number[] = [47, 1047, 1049];
/** Wrapping at the right margin, repeating keys, visible cursor: on in a new terminal. */
const ON_AT_START = new Set([7, 8, 25]);
/** A blinking cursor is a matter of taste, and its original state is unknown. */
const UNKNOWN_AT_START = new Set([12]);
/** The visible cursor and the held-back frame, which change with every picture that is drawn. */
const FLEETING: readonly number[] = [25, 2026];

const LETTER_M = 0x6d;
/** Final letters of sequences that change lasting state. */
const LASTING = new Set(Buffer.from("hlumqpr"));

type Screen = "main" | "alternate";

/** From the cursor to the end of the screen. */
const ERASE_BELOW = "\u001b[J";

/** CAN ends most unfinished sequences; in a device control string some terminals (tmux) heed only its end, ST. */
const ABORT = "\u0018\u001b\\";

/**
 * Follows the agent's output: whether the terminal is between two sequences, and which modes, keyboard protocols and attributes
 * an agent left on without resetting them.
 */
export class Ground {
  readonly #sequences = new Sequences({
    csi: (bytes, from, to) => this.#csi(bytes, from, to),
    esc: (body) => this.#esc(body),
    osc: (text) => this.#osc(text),
  });
  /** Numbers of private modes that differ from the start. */
  #changed = new Set<number>();
  /** Pushed keyboard protocols (kitty); each screen has its own stack. */
  readonly #keyboards: Record<Screen, number> = { main: 0, alternate: 0 };
  /** Sequences that undo one change each, by the kind of change. */
  #undo = new Map<string, string>();
  #attributes = 0;
  #lasting = 0;
  #title: string | null = null;

  push(chunk: Buffer): void {
    this.#sequences.push(chunk);
  }

  get between(): boolean {
    return this.#sequences.between;
  }

  /** The last title that the agent set. */
  get title(): string | null {
    return this.#title;
  }

  /** Counts changes that outlast a picture. */
  get changes(): number {
    return this.#lasting;
  }

  /** Resets whatever was left on; empty if nothing was. */
  resets(): string {
    return this.#resets(this.between ? "" : ABORT, this.#changed);
  }

  /**
   * The same without knowing the fleeting state, where the stream broke off, or how far down the picture goes. It erases the rest of
   * the picture: the shell may print its prompt earlier, and moving the cursor would then leave the prompt behind.
   */
  resetsFromAfar(): string {
    const isOnMain = !ALTERNATE_SCREENS.some((mode) => this.#changed.has(mode));
    const resets = this.#resets(ABORT, new Set([...this.#changed, ...FLEETING]));
    return `${resets}${isOnMain ? ERASE_BELOW : ""}`;
  }

  #resets(abort: string, changed: ReadonlySet<number>): string {
    const modes = [...changed].filter((mode) => !ALTERNATE_SCREENS.includes(mode));
    const leave = ALTERNATE_SCREENS.filter((mode) => changed.has(mode));
    return [
      abort,
      ...modes.map((mode) => `\u001b[?${mode}${ON_AT_START.has(mode) ? "h" : "l"}`),
      pops(this.#keyboards.alternate),
      ...leave.map((mode) => `\u001b[?${mode}l`),
      pops(this.#keyboards.main),
      ...this.#undo.values(),
      this.#attributes === 0 ? "" : "\u001b[m",
    ].join("");
  }

  /** Most of them set colours or move the cursor, and are not decoded to text. */
  #csi(bytes: Buffer, from: number, to: number): void {
    const first = bytes[from] ?? 0;
    if (bytes[to] === LETTER_M && first < 0x3c)
      this.#attributes = attributesAfter(this.#attributes, bytes, from, to);
    else if (LASTING.has(bytes[to] ?? 0))
      this.#applyLasting(bytes.toString("latin1", from, to), String.fromCodePoint(bytes[to] ?? 0));
  }

  #applyLasting(body: string, final: string): void {
    if (body.startsWith("?")) {
      if (final === "h" || final === "l") this.#setModes(numbers(body.slice(1)), final === "h");
    } else if (final === "u") this.#keyboard(body);
    else if (final === "m") this.#otherKeys(body);
    else if (final === "q" && body.endsWith(" "))
      this.#left("cursor", !["0 ", " "].includes(body), "\u001b[0 q");
    else if (final === "p" && body === "!") this.#softReset();
    // Setting the margins moves the cursor.
    else if (final === "r" && /^[\d;]*$/.test(body))
      this.#left("margins", body !== "", "\u001b7\u001b[r\u001b8");
    else if ((final === "h" || final === "l") && body === "4")
      this.#left("insert", final === "h", "\u001b[4l");
  }

  #setModes(modes: readonly number[], on: boolean): void {
    for (const mode of modes) {
      if (UNKNOWN_AT_START.has(mode)) continue;
      if (!FLEETING.includes(mode)) this.#lasting++;
      if (on === ON_AT_START.has(mode)) this.#changed.delete(mode);
      else this.#changed.add(mode);
    }
  }

  #keyboard(body: string): void {
    const screen = ALTERNATE_SCREENS.some((mode) => this.#changed.has(mode)) ? "alternate" : "main";
    const count = Number(body.slice(1)) || 1;
    if (body.startsWith(">")) this.#keyboards[screen]++;
    else if (body.startsWith("<")) this.#keyboards[screen] = Math.max(0, this.#keyboards[screen] - count);
    else if (body.startsWith("=")) this.#left(`keyboard ${screen}`, !/^=0?(;|$)/.test(body), "\u001b[=0u");
    else return;
    this.#lasting++;
  }

  #otherKeys(body: string): void {
    if (body.startsWith(">4")) this.#left("other keys", !/^>4(;0?)?$/.test(body), "\u001b[>4m");
  }

  #esc(body: string): void {
    if (body === "c") this.#hardReset();
    else if (body === "=" || body === ">") this.#left("keypad", body === "=", "\u001b>");
    else if (/^[()]./.test(body)) {
      const plain = `\u001b${body.charAt(0)}B`;
      this.#left(`letters ${body.charAt(0)}`, body.charAt(1) !== "B", `${plain}\u000f`);
    }
  }

  #osc(text: string): void {
    const title = /^[02];(.*)$/s.exec(text)?.[1];
    if (title !== undefined) this.#title = title;
    const progress = /^9;4;(\d)/.exec(text)?.[1];
    if (progress !== undefined) this.#left("progress", progress !== "0", "\u001b]9;4;0\u0007");
    const link = /^8;[^;]*;(.*)$/s.exec(text)?.[1];
    if (link !== undefined) this.#set("link", link !== "", "\u001b]8;;\u0007");
  }

  #left(what: string, on: boolean, undo: string): void {
    this.#lasting++;
    this.#set(what, on, undo);
  }

  #set(what: string, on: boolean, undo: string): void {
    if (on) this.#undo.set(what, undo);
    else this.#undo.delete(what);
  }

  #softReset(): void {
    for (const mode of [1, 6, 25]) this.#changed.delete(mode);
    for (const what of ["margins", "insert", "keypad", "letters (", "letters )"]) this.#undo.delete(what);
    this.#attributes = 0;
    this.#lasting++;
  }

  #hardReset(): void {
    this.#attributes = 0;
    this.#changed = new Set();
    this.#undo = new Map();
    this.#keyboards.main = 0;
    this.#keyboards.alternate = 0;
    this.#lasting++;
  }
}

function numbers(body: string): number[] {
  return body.split(";").flatMap((part) => (/^\d{1,5}$/.test(part) ? [Number(part)] : []));
}

function pops(count: number): string {
  return count === 0 ? "" : `\u001b[<${count}u`;
}
