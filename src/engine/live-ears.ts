import type { ChatAdapter, ChatNews, Look, RecordPlace } from "../agents/chat.ts";
import { SeenTurns } from "../domain/chat/seen-turns.ts";
import { TypedInputs } from "../domain/chat/typed-inputs.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { LiveNews } from "./live.ts";

const UNTOLD = "(unknown: the agent did not tell)";
/** It goes into a command line. */
const SESSION_ID = /^\w[\w.-]{0,127}$/;

export interface Hearing {
  readonly adapter: ChatAdapter;
  readonly cwd: string;
  /** That of the agent. */
  readonly env: NodeJS.ProcessEnv;
}

interface Input {
  readonly text: string;
  readonly isOurs: boolean;
}

/**
 * Makes news of what an agent's hooks and record tell and its screen shows. All of that can be made up by processes of the agent,
 * so the person's keys have the last word on what was asked, and in which session.
 */
export class LiveEars {
  readonly #spec: Hearing;
  readonly #tell: (news: LiveNews) => void;
  readonly #turns = new SeenTurns();
  readonly #typed = new TypedInputs();
  readonly #since = new Date();
  #place: RecordPlace | null = null;
  #session: string | null;
  #entersAtSession = -1;
  /** It said that it has stopped; whether it has, the screen tells: it may go on with what was typed meanwhile. */
  #stopped: { readonly session: string | null; readonly message: string | null } | null = null;
  /** Inputs of the person and of the foreman since the agent last stopped. */
  #inputs: Input[] = [];
  #hadQueue = false;
  /** What the foreman said, which is nobody's input, and whether the agent has told of the last of it. */
  readonly #said: string[] = [];
  #wasTaken = false;
  /** Its hooks have told something, and can go on to. */
  #hooks: "silent" | "heard" | "lost" = "silent";

  constructor(spec: Hearing, session: string | null, tell: (news: LiveNews) => void) {
    this.#spec = spec;
    this.#session = session;
    this.#tell = tell;
  }

  /** The foreman is about to say this. */
  saying(text: string): void {
    this.#said.push(text);
    this.#wasTaken = false;
    this.#inputs.push({ text, isOurs: true });
    this.#turns.reset();
  }

  /** The agent has told that it was told what the foreman said last. */
  get wasTaken(): boolean {
    return this.#wasTaken;
  }

  /** Whether inputs come as news: hooks can be switched off by whoever looks after the machine. */
  get tells(): boolean {
    const { tellsInputs, turns } = this.#spec.adapter;
    return tellsInputs && (turns !== "hooks" || this.#hooks === "heard");
  }

  /** A message of a hook. */
  hook(message: unknown, terminal: Terminal): void {
    if (this.#hooks === "silent") this.#hooks = "heard";
    for (const news of this.#spec.adapter.hook?.(message) ?? []) this.#hear(news, terminal);
  }

  /** From now on only the screen tells. */
  loseHooks(): void {
    this.#hooks = "lost";
  }

  readRecord(terminal: Terminal): void {
    const { adapter, cwd, env } = this.#spec;
    const read = adapter.record?.({ cwd, env, since: this.#since }, this.#place);
    if (!read) return;
    this.#place = read.place;
    for (const news of read.news) this.#hear(news, terminal);
  }

  /** To be called again and again. */
  async look(terminal: Terminal): Promise<void> {
    this.readRecord(terminal);
    if (!this.tells) await this.#lookForTurns(terminal);
    await this.#lookForPutBack(terminal);
    const stopped = this.#stopped;
    if (stopped === null || (await this.view(terminal)).busy || this.#stopped !== stopped) return;
    this.#stopped = null;
    this.#inputs = [];
    this.#tell({ kind: "turn_ended", ...stopped });
  }

  /**
   * An agent puts inputs back into its box where the person breaks it off before it answers, or takes back what waits. The keys have to
   * bear it out: a drawing alone takes nothing back.
   */
  async #lookForPutBack(terminal: Terminal): Promise<void> {
    // Without either there is nothing to be put back, and a look at the screen of an agent at work costs something.
    if (!terminal.draft().brokeOff && this.#inputs.length < 2) return;
    const { busy, draft, queued } = await this.view(terminal);
    const hadQueue = this.#hadQueue;
    this.#hadQueue = queued === true;
    const { text, certain, brokeOff } = terminal.draft();
    const mayBeBack = (brokeOff && !busy) || (hadQueue && !certain);
    if (!mayBeBack || text !== "" || draft === null || draft === "") return;
    const count = lastIn(draft, this.#inputs);
    for (const { isOurs } of this.#inputs.splice(this.#inputs.length - count))
      if (!isOurs) this.#tell({ kind: "taken_back" });
  }

  /** The agent has left. That one told of nothing does not mean that nothing was asked. What was typed may be a password. */
  end(terminal: Terminal): void {
    this.readRecord(terminal);
    for (const entered of terminal.takeEntered()) this.#typed.entered(entered);
    if (this.#typed.untold) this.#tell({ kind: "input", session: this.#session, text: UNTOLD });
  }

  async view(terminal: Terminal): Promise<Look> {
    return this.#spec.adapter.look(await terminal.screen());
  }

  async #lookForTurns(terminal: Terminal): Promise<void> {
    const screen = await terminal.screen();
    // It may have told meanwhile.
    if (this.tells) return;
    const { enters, entered } = terminal.draft();
    // A record may report the end of a turn before its input is seen on the screen.
    const endsAreSeen = this.#spec.adapter.turns === "hooks";
    for (const news of this.#turns.look({ ...this.#spec.adapter.look(screen), enters, entered })) {
      if (endsAreSeen)
        this.#stopped =
          news.kind === "input" ? null : { session: this.#session, message: screen.rows.join("\n").trim() };
      if (news.kind === "input") this.#hearInput(news.text, terminal);
    }
  }

  #hear(news: ChatNews, terminal: Terminal): void {
    const id = news.kind === "session" ? news.id : news.session;
    if (!SESSION_ID.test(id)) return;
    this.#inSession(id, terminal);
    switch (news.kind) {
      case "session":
        break;
      case "input":
        // Whatever it had stopped with, it goes on.
        this.#stopped = null;
        this.#hearInput(news.text, terminal, id);
        break;
      case "turn_ended":
        // Where the service did not answer there is nothing to review: the person sees why.
        if (news.failed) this.#inputs = [];
        this.#stopped = news.failed ? null : { session: this.#session, message: news.message };
        break;
    }
  }

  /** Only the person changes to another session, and presses Enter for that. */
  #inSession(id: string, terminal: Terminal): void {
    const { enters } = terminal.draft();
    if (id === this.#session || enters === this.#entersAtSession) return;
    this.#session = id;
    this.#entersAtSession = enters;
  }

  /** `session`: that which it was told in, where somebody says so. */
  #hearInput(text: string, terminal: Terminal, session = this.#session): void {
    const rest = this.#said.reduce(without, text);
    const last = this.#said.at(-1);
    this.#wasTaken ||= last !== undefined && without(text, last) !== text;
    for (const entered of terminal.takeEntered()) this.#typed.entered(entered);
    if (rest.trim() === "" || !this.#typed.accounts(rest)) return;
    // The Enter was for this, and for no other session.
    this.#session = session;
    this.#entersAtSession = terminal.draft().enters;
    this.#inputs.push({ text: rest, isOurs: false });
    this.#tell({ kind: "input", session, text: rest });
  }
}

/** How many of the last texts make up the draft, however it is wrapped; 0: it is something else. */
function lastIn(draft: string, inputs: readonly Input[]): number {
  const bare = (text: string): string => text.replaceAll(/\s+/g, "");
  for (let count = 1; count <= inputs.length; count++)
    if (
      bare(draft) ===
      bare(
        inputs
          .slice(-count)
          .map(({ text }) => text)
          .join(""),
      )
    )
      return count;
  return 0;
}

/** What is left of an input when the foreman's words, however they were wrapped, are taken out of it. */
function without(text: string, ours: string): string {
  const flat = (words: string): string => words.replaceAll(/\s+/g, " ").trim();
  const whole = flat(text);
  const at = whole.indexOf(flat(ours));
  return at < 0 ? text : `${whole.slice(0, at)}${whole.slice(at + flat(ours).length)}`;
}
