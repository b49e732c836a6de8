import type { EnteredText } from "./typed-inputs.ts";

/** The user's input since the last Enter, as far as keys show. Only the agent knows what it made of them. */
export interface Draft {
  readonly text: string;
  /** False after keys whose effect only the agent knows: arrows, Tab, history, Escape. */
  readonly certain: boolean;
  /** In the middle of a paste: typed text would end up inside it. */
  readonly unfinished: boolean;
  /** Esc or Ctrl-C was pressed since the last Enter, and no later key recalls another text. */
  readonly brokeOff: boolean;
  /** Total number of Enters. */
  readonly enters: number;
  /** The draft at the last Enter. */
  readonly entered: string;
}

const ESC = "\u001b";
const ESC_CODE = 0x1b;
const PASTE_END = `${ESC}[201~`;
/** Enough to see that there is a draft, and how it begins. */
const MAX_TEXT = 256 * 1024;
/** No key and no answer of a terminal is longer, so longer text was no sequence. */
const MAX_SEQUENCE = 4096;

/** Limits the list if no caller takes the drafts. */
const MAX_WAITING = 100;

const SHIFT = 1;
const ALT = 2;
const CTRL = 4;

/** Follows the user's keys. The bytes of a key mostly arrive together: a lone Escape is the key itself. */
export class Typed {
  readonly #decoder = new TextDecoder();
  #text = "";
  #certain = true;
  #brokeOff = false;
  #enters = 0;
  #entered = "";
  #waiting: EnteredText[] = [];
  #pasting = false;
  /** A sequence, or the end of a paste, that has begun. */
  #rest = "";

  push(chunk: Buffer): void {
    let keys = this.#rest + this.#decoder.decode(chunk, { stream: true });
    this.#rest = "";
    while (keys !== "") keys = keys.slice(this.#pasting ? this.#paste(keys) : this.#key(keys));
  }

  get draft(): Draft {
    return {
      text: this.#text,
      certain: this.#certain,
      unfinished: this.#pasting,
      brokeOff: this.#brokeOff,
      enters: this.#enters,
      entered: this.#entered,
    };
  }

  /** Drafts submitted with Enter since the last call. */
  takeEntered(): readonly EnteredText[] {
    const entered = this.#waiting;
    this.#waiting = [];
    return entered;
  }

  /** Returns how much of it was used up. */
  #paste(keys: string): number {
    const end = keys.indexOf(PASTE_END);
    if (end >= 0) {
      this.#add(keys.slice(0, end));
      this.#pasting = false;
      return end + PASTE_END.length;
    }
    const begun = beginningAtEnd(keys, PASTE_END);
    this.#add(keys.slice(0, keys.length - begun));
    this.#rest = begun === 0 ? "" : keys.slice(-begun);
    return keys.length;
  }

  #key(keys: string): number {
    const plain = /^[^\u0000-\u001f\u007f]+/.exec(keys)?.[0];
    if (plain !== undefined) {
      this.#add(plain);
      return plain.length;
    }
    if (!keys.startsWith(ESC)) {
      this.#control(keys.codePointAt(0) ?? 0);
      return 1;
    }
    return this.#escape(keys);
  }

  #escape(keys: string): number {
    if (keys === ESC || keys.startsWith(ESC + ESC)) {
      this.#control(ESC_CODE);
      return 1;
    }
    const introducer = keys.charAt(1);
    const pattern = SEQUENCES[introducer];
    if (pattern === undefined) {
      this.#alt(introducer);
      return 2;
    }
    const whole = pattern.exec(keys)?.[0];
    if (whole !== undefined) {
      this.#sequence(whole);
      return whole.length;
    }
    if (keys.length === 2) {
      // Alt and a bracket; a terminal does not split a sequence here.
      this.#alt(introducer);
      return 2;
    }
    if (keys.length > MAX_SEQUENCE) return 2;
    this.#rest = keys;
    return keys.length;
  }

  #alt(key: string): void {
    if (key === "\r" || key === "\n") this.#add("\n");
    else this.#unsure();
  }

  #sequence(whole: string): void {
    if (whole === `${ESC}[200~`) this.#pasting = true;
    else if (whole.startsWith(`${ESC}[`)) {
      const [, body = "", final = ""] = /^..([\d;:<=>?!$ ]*)(.)/s.exec(whole) ?? [];
      this.#csi(body, final);
    } else if (whole.startsWith(`${ESC}O`)) {
      if (whole.endsWith("M")) this.#control(0x0d);
      else this.#unsure();
    }
  }

  /** Mouse, focus and answers of the terminal change nothing; a key reported in this form may. */
  #csi(body: string, final: string): void {
    if (final === "u" && /^\d/.test(body)) return this.#keyByNumber(body);
    if (/^27;\d+;\d+$/.test(body) && final === "~") {
      const [, modifiers = "1", code = "0"] = body.split(";");
      return this.#keyByNumber(`${code};${modifiers}`);
    }
    if (/^[\d;:]*$/.test(body) && /[A-HPQS~Z]/.test(final)) this.#unsure();
  }

  #keyByNumber(body: string): void {
    const [code = 0, modifiers = 1, event = 1] = body.split(/[;:]/).map(Number);
    // Key releases, where they are reported too.
    if (event === 3) return;
    const held = (modifiers - 1) & (SHIFT | ALT | CTRL);
    if (code === 13 && held !== 0) this.#add("\n");
    else if (held === CTRL && code >= 0x40 && code < 0x80) this.#control(code & 0x1f);
    else if (held === 0 && (code < 0x20 || code === 0x7f)) this.#control(code);
    else if ((held === 0 || held === SHIFT) && code >= 0x20 && code < 0xe000)
      this.#add(String.fromCodePoint(code));
    else if (code < 57_441 || code > 57_454) this.#unsure();
  }

  #control(code: number): void {
    switch (code) {
      case 0x0d:
        this.#enters++;
        this.#entered = this.#text;
        this.#waiting = [...this.#waiting, { text: this.#text, certain: this.#certain }].slice(-MAX_WAITING);
        this.#brokeOff = false;
        return this.#restart();
      case 0x03:
        this.#brokeOff = true;
        return this.#restart();
      case ESC_CODE:
        this.#unsure();
        this.#brokeOff = true;
        return;
      case 0x0a:
        return this.#add("\n");
      case 0x08:
      case 0x7f:
        this.#text = Array.from(this.#text).slice(0, -1).join("");
        return;
      case 0x15:
        this.#text = this.#text.slice(0, this.#text.lastIndexOf("\n") + 1);
        return;
      case 0x17:
        this.#text = this.#text.replace(/\S*\s*$/, "");
        return;
      default:
        return this.#unsure();
    }
  }

  #add(text: string): void {
    this.#text = (this.#text + text.replaceAll(/\r\n?/g, "\n")).slice(0, MAX_TEXT);
  }

  #restart(): void {
    this.#text = "";
    this.#certain = true;
  }

  #unsure(): void {
    this.#certain = false;
    this.#brokeOff = false;
  }
}

/** Whole sequences, by the character after the Escape. */
const SEQUENCES: Readonly<Record<string, RegExp>> = {
  // The oldest mouse report is M and three arbitrary characters.
  "[": /^..(?:M.{3}|[\u0020-\u003f]*[\u0040-\u007e])/s,
  O: /^..[\u0020-\u007e]/s,
  "]": /^..[^\u0007\u001b]*(\u0007|\u001b\\)/s,
  P: /^..[^\u001b]*\u001b\\/s,
  _: /^..[^\u001b]*\u001b\\/s,
};

/** How many characters at the end of the text may begin the word. */
function beginningAtEnd(text: string, word: string): number {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length--)
    if (text.endsWith(word.slice(0, length))) return length;
  return 0;
}
