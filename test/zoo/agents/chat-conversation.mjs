// A chat program in a terminal: an input box at the bottom, the conversation above it. `style` defines its look
// and how it reports events.
import fs from "node:fs";
import { act, next, script, shell } from "./chat-script.mjs";

const CSI = "\u001B[";
const PASTE_BEGINS = `${CSI}200~`;
const PASTE_ENDS = `${CSI}201~`;
/** Bracketed paste, focus events, and the cursor as a bar. */
const MODES_ON = `${CSI}?2004h${CSI}?1004h${CSI}5 q`;
const MODES_OFF = `${CSI}?2004l${CSI}?1004l${CSI}0 q`;
const KEY = /^\u001B(?:\[[0-9;?<]*[@-~]|O[A-Z]|[^[O])/;

export class Conversation {
  #style;
  #said = [];
  #draft = "";
  #drawn = 0;
  #keys = "";
  #queue = [];
  #leaving = null;
  #interrupt = null;
  #busy = false;

  constructor(style) {
    this.#style = style;
  }

  async begin(first) {
    const { start = {} } = script();
    await act(start);
    this.#put(MODES_ON);
    process.stdin.setRawMode(true).setEncoding("utf8");
    process.stdin.on("data", (text) => this.#read(text));
    process.stdout.on("resize", () => this.#redraw());
    this.#say(...this.#style.head());
    await this.#style.started();
    if (first !== undefined) await this.#submit(first);
  }

  #put(text) {
    process.stdout.write(text);
  }

  #read(text) {
    this.#keys += text;
    while (this.#keys !== "" && this.#key());
    this.#draw();
  }

  /** Takes one key or one paste; false: the rest of it is still to come. */
  #key() {
    const keys = this.#keys;
    if (keys.startsWith(PASTE_BEGINS)) {
      const end = keys.indexOf(PASTE_ENDS);
      if (end < 0) return false;
      this.#draft += keys.slice(PASTE_BEGINS.length, end).replaceAll(/\r\n?/g, "\n");
      this.#keys = keys.slice(end + PASTE_ENDS.length);
      return true;
    }
    if (keys.length > 1 && PASTE_BEGINS.startsWith(keys)) return false;
    const sequence = KEY.exec(keys)?.[0];
    const key = sequence ?? String.fromCodePoint(keys.codePointAt(0));
    this.#keys = keys.slice(key.length);
    if (sequence === undefined) this.#press(key);
    return true;
  }

  #press(key) {
    const leaving = this.#leaving;
    this.#leaving = null;
    switch (key) {
      case "\r": {
        const text = this.#draft;
        this.#draft = "";
        if (text.trim() !== "") void this.#submit(text);
        break;
      }
      case "\u001B":
        this.#interrupt?.abort();
        break;
      case "\u0003":
      case "\u0004":
        if (this.#interrupt) this.#interrupt.abort();
        else if (this.#draft !== "") this.#draft = "";
        else if (leaving === key) void this.#leave(0);
        else this.#leaving = key;
        break;
      case "\u007F":
        this.#draft = this.#draft.replace(/.$/su, "");
        break;
      case "\u0015":
        this.#draft = "";
        break;
      default:
        this.#draft += key;
    }
  }

  async #submit(text) {
    if (text === "/exit" || text === "/quit") return this.#leave(0);
    if (text === "/clear") return this.#style.cleared();
    if (text.startsWith("!")) {
      this.#say(...this.#style.input(text));
      const output = await shell(text.slice(1));
      this.#say(...this.#style.answered(output.trimEnd()));
      return this.#style.stopped("You ran a command.");
    }
    if (this.#busy) {
      this.#queue.push(text);
      this.#draw();
      return this.#style.given(text);
    }
    await act(script().begin ?? {});
    this.#busy = true;
    this.#draw();
    await this.#style.given(text);
    await this.#work(text);
    for (let queued = this.#queue.shift(); queued !== undefined; queued = this.#queue.shift())
      await this.#work(queued);
    this.#busy = false;
    this.#draw();
  }

  async #work(text) {
    this.#say(...this.#style.input(text));
    this.#interrupt = new AbortController();
    const item = next("work", { agent: this.#style.name, session: this.#style.session(), prompt: text });
    const done = await act(item, this.#interrupt.signal);
    this.#interrupt = null;
    if (!done && item.back === true) {
      this.#draft = text;
      return this.#draw();
    }
    if (!done) return this.#say(...this.#style.interrupted());
    if (item.fails !== undefined) {
      this.#say(...this.#style.answered(item.fails));
      return this.#style.failed(item.fails);
    }
    const answer = item.say ?? "Done.";
    this.#style.keep(text, answer);
    this.#say(...this.#style.answered(answer));
    await this.#style.stopped(answer);
    if (item.exit !== undefined) await this.#leave(item.exit);
  }

  async #leave(code) {
    await this.#style.left();
    this.#erase();
    // Written at once: the process is about to end.
    fs.writeSync(1, `${MODES_OFF}bye\r\n`);
    process.exit(code);
  }

  #say(...lines) {
    this.#said.push(...lines);
    this.#draw(lines);
  }

  /** From the cursor, which is in the box, to the start of the box. */
  #erase() {
    this.#put(`\r${this.#drawn > 0 ? `${CSI}${this.#drawn}A` : ""}${CSI}J`);
    this.#drawn = 0;
  }

  #draw(lines = []) {
    this.#erase();
    const columns = process.stdout.columns || 80;
    const shown = this.#shownDraft(columns);
    const box = this.#style.box({
      busy: this.#busy,
      queue: this.#queue,
      draft: shown,
      leaving: this.#leaving,
      columns,
    });
    const cut = box.rows.map((row) => row.slice(0, columns));
    const below = cut.length - 1 - box.cursor.row;
    const up = below > 0 ? `${CSI}${below}A` : "";
    this.#put(`${[...lines, ...cut].join("\r\n")}\r${up}${CSI}${box.cursor.col + 1}G`);
    this.#drawn = box.cursor.row;
  }

  #shownDraft(columns) {
    const lines = this.#draft.split("\n");
    if (lines.length > 4 || this.#draft.length > 1000) return [`[Pasted text #1 +${lines.length} lines]`];
    const width = Math.max(columns - 4, 1);
    return lines.flatMap((line) => line.match(new RegExp(`.{1,${width}}`, "gu")) ?? [""]);
  }

  #redraw() {
    this.#put(`${CSI}2J${CSI}H`);
    this.#drawn = 0;
    this.#draw(this.#said.slice(-Math.max((process.stdout.rows || 24) - 6, 0)));
  }
}
