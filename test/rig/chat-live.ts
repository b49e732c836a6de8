import fs from "node:fs";
import { spawn, type IPty } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { onTestFailed, onTestFinished } from "vitest";
import type { ChatRig } from "./chat.ts";
import { CLI, until } from "./rig.ts";

const COLUMNS = 80;
const ROWS = 24;
export const TERMINAL_RESTORED = "[the terminal is restored]";
/** A person's shell, which owns the terminal before and after the program. */
const SHELL = `before=$(stty -g)
"$@"
code=$?
[ "$(stty -g)" = "$before" ] && echo '${TERMINAL_RESTORED}'
exit "$code"`;

export interface LiveOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** Replaces `chat --supervisor`. */
  readonly words?: readonly string[];
}

/** A person at a terminal of 80 x 24 that runs `chat --supervisor`. */
export class LiveChat {
  readonly ended: Promise<number>;
  readonly #pty: IPty;
  readonly #screen: InstanceType<typeof xterm.Terminal>;
  #title = "";
  #alive = true;
  #raw = "";

  constructor(rig: ChatRig, flags: readonly string[] = [], options: LiveOptions = {}) {
    const { columns: cols = COLUMNS, rows = ROWS, env = {} } = options;
    const words = options.words ?? [
      ...[process.execPath, CLI],
      ...rig.words(["chat", "--supervisor", ...flags]),
    ];
    this.#screen = new xterm.Terminal({ cols, rows, allowProposedApi: true });
    this.#pty = spawn("/bin/sh", ["-c", SHELL, "sh", ...words], {
      name: "xterm-256color",
      cols,
      rows,
      cwd: rig.project,
      env: rig.env({ TERM: "xterm-256color", ...env }),
    });
    this.#screen.onTitleChange((title) => (this.#title = title));
    this.#pty.onData((data) => {
      this.#raw += data;
      this.#screen.write(data);
    });
    this.ended = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => {
        this.#alive = false;
        resolve(exitCode);
      });
    });
    let journal = "";
    onTestFailed(() => {
      process.stderr.write(`--- screen\n${this.text()}\n--- raw\n${JSON.stringify(this.#raw)}\n${journal}`);
    });
    onTestFinished(() => {
      // Failure hooks run after the rig is gone, so the journals are read early.
      journal = rig.journals();
      if (this.#alive) this.#pty.kill("SIGKILL");
      this.#screen.dispose();
    });
  }

  /** Everything written to the terminal. */
  get raw(): string {
    return this.#raw;
  }

  get title(): string {
    return this.#title;
  }

  /** Terminal modes that an agent may leave on. */
  get modes(): { readonly paste: boolean; readonly focus: boolean } {
    const { bracketedPasteMode, sendFocusMode } = this.#screen.modes;
    return { paste: bracketedPasteMode, focus: sendFocusMode };
  }

  /** The visible text, including scrolled lines. */
  text(): string {
    const { active } = this.#screen.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, y) => active.getLine(y)?.translateToString(true) ?? "",
    );
    return lines.join("\n").trimEnd();
  }

  /** Waits until the text is on the screen. */
  async shows(what: string | RegExp): Promise<string> {
    return until(() => {
      const text = this.text();
      return (typeof what === "string" ? text.includes(what) : what.test(text)) && text;
    });
  }

  /** Waits until the agent accepts input. */
  async ready(): Promise<this> {
    await this.shows(/^[❯›] /m);
    return this;
  }

  press(...keys: readonly string[]): void {
    for (const key of keys) this.#pty.write(key);
  }

  paste(text: string): void {
    this.#pty.write(`\u001B[200~${text}\u001B[201~`);
  }

  /** Types a line like a person: presses Enter once the text is visible. */
  async ask(text: string): Promise<void> {
    this.press(text);
    await this.shows(new RegExp(`^[❯›] ${text.replaceAll(/\W/g, "\\$&")}$`, "m"));
    this.press("\r");
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** Closes the window, which ends its shell at once. */
  close(): void {
    this.#pty.kill("SIGKILL");
  }

  /** Leaves the agent and waits for the exit code. */
  async leave(): Promise<number> {
    await this.ask("/exit");
    return this.ended;
  }

  /** The process id of the program itself. */
  foreman(): number {
    const { pid } = this.#pty;
    const [child] = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    return Number(child);
  }

  /** The one line after the agent has left. */
  async lastLine(): Promise<string> {
    await this.ended;
    // A notification begins with the same word, after a semicolon.
    const line = /(?<!;)agent-foreman: [^]*?(?: (?:show|resume) \S+|$)/.exec(this.#raw)?.[0] ?? "";
    // The line is wrapped between words.
    return line.replaceAll(/\s*[\r\n]+\s*/g, " ");
  }
}

/** Opens the terminal and waits until the agent accepts input. */
export async function talk(
  rig: ChatRig,
  flags: readonly string[] = [],
  options: LiveOptions = {},
): Promise<LiveChat> {
  return new LiveChat(rig, flags, options).ready();
}
