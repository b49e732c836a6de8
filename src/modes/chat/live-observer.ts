import type { ChatAdapter, ChatNews, Look, RecordPlace } from "../../agents/chat.ts";
import { SeenTurns } from "./seen-turns.ts";
import { TypedInputs } from "../../platform/terminal/typed-inputs.ts";
import type { Terminal } from "../../platform/terminal/terminal.ts";
import type { LiveNews } from "../../engine/live.ts";

const UNKNOWN_INPUT = "(unknown: the agent did not report it)";
/** The id becomes part of a command line. */
const SESSION_ID = /^\w[\w.-]{0,127}$/;

export interface ObserverSpec {
  readonly adapter: ChatAdapter;
  readonly cwd: string;
  /** The agent's environment. */
  readonly env: NodeJS.ProcessEnv;
}

interface Input {
  readonly text: string;
  readonly isOurs: boolean;
}

/**
 * Turns an agent's hooks, its record and its screen into news. Processes of the agent can fake all three. So the person's keys have the last word on
 * what was asked, and in which session.
 */
export class LiveObserver {
  readonly #spec: ObserverSpec;
  readonly #report: (news: LiveNews) => void;
  readonly #turns = new SeenTurns();
  readonly #typed = new TypedInputs();
  readonly #since = new Date();
  #place: RecordPlace | null = null;
  #session: string | null;
  #entersAtSession = -1;
  /** The agent reported a stop. The screen has to confirm it, because the agent may go on with input typed meanwhile. */
  #stopped: { readonly session: string | null; readonly message: string | null } | null = null;
  /** Inputs of the person and of the foreman since the agent last stopped. */
  #inputs: Input[] = [];
  #hadQueue = false;
  /** Feedback that the foreman typed, which is no input of the person's, and whether the agent has acknowledged the last of it. */
  readonly #said: string[] = [];
  #wasTaken = false;
  /** Whether hooks have sent messages, and can still send them. */
  #hooks: "silent" | "heard" | "lost" = "silent";

  constructor(spec: ObserverSpec, session: string | null, report: (news: LiveNews) => void) {
    this.#spec = spec;
    this.#session = session;
    this.#report = report;
  }

  /** Call before the foreman types this. */
  saying(text: string): void {
    this.#said.push(text);
    this.#wasTaken = false;
    this.#inputs.push({ text, isOurs: true });
    this.#turns.reset();
  }

  /** The agent has acknowledged the foreman's last message. */
  get wasTaken(): boolean {
    return this.#wasTaken;
  }

  /** Whether inputs come as news: the machine's administrator can switch hooks off. */
  get reportsInputs(): boolean {
    const { reportsInputs, turns } = this.#spec.adapter;
    return reportsInputs && (turns !== "hooks" || this.#hooks === "heard");
  }

  hook(message: unknown, terminal: Terminal): void {
    if (this.#hooks === "silent") this.#hooks = "heard";
    for (const news of this.#spec.adapter.hook?.(message) ?? []) this.#take(news, terminal);
  }

  /** From now on only the screen shows what happens. */
  loseHooks(): void {
    this.#hooks = "lost";
  }

  readRecord(terminal: Terminal): void {
    const { adapter, cwd, env } = this.#spec;
    const read = adapter.record?.({ cwd, env, since: this.#since }, this.#place);
    if (!read) return;
    this.#place = read.place;
    for (const news of read.news) this.#take(news, terminal);
  }

  /** Call this regularly. */
  async look(terminal: Terminal): Promise<void> {
    this.readRecord(terminal);
    if (!this.reportsInputs) await this.#lookForTurns(terminal);
    await this.#lookForPutBack(terminal);
    const stopped = this.#stopped;
    if (stopped === null || (await this.view(terminal)).busy || this.#stopped !== stopped) return;
    this.#stopped = null;
    this.#inputs = [];
    this.#report({ kind: "turn_ended", ...stopped });
  }

  /**
   * An agent puts inputs back into its box if the person interrupts it before it answers, or takes back a waiting message. The keys have to confirm
   * that: a drawing on the screen alone takes nothing back.
   */
  async #lookForPutBack(terminal: Terminal): Promise<void> {
    // Without either, nothing can have been put back. Looking at the screen of a working agent costs time.
    if (!terminal.draft().brokeOff && this.#inputs.length < 2) return;
    const { busy, draft, queued } = await this.view(terminal);
    const hadQueue = this.#hadQueue;
    this.#hadQueue = queued === true;
    const { text, certain, brokeOff } = terminal.draft();
    const mayBeBack = (brokeOff && !busy) || (hadQueue && !certain);
    if (!mayBeBack || text !== "" || draft === null || draft === "") return;
    const count = lastIn(draft, this.#inputs);
    for (const { isOurs } of this.#inputs.splice(this.#inputs.length - count))
      if (!isOurs) this.#report({ kind: "taken_back" });
  }

  /** The agent has left. Without news something may still have been asked. The typed text may be a password. */
  end(terminal: Terminal): void {
    this.readRecord(terminal);
    for (const entered of terminal.takeEntered()) this.#typed.entered(entered);
    if (this.#typed.unreported) this.#report({ kind: "input", session: this.#session, text: UNKNOWN_INPUT });
  }

  async view(terminal: Terminal): Promise<Look> {
    return this.#spec.adapter.look(await terminal.screen());
  }

  async #lookForTurns(terminal: Terminal): Promise<void> {
    const screen = await terminal.screen();
    // News may have come meanwhile.
    if (this.reportsInputs) return;
    const { enters, entered } = terminal.draft();
    // A record may report the end of a turn before its input appears on the screen.
    const endsAreSeen = this.#spec.adapter.turns === "hooks";
    for (const news of this.#turns.look({ ...this.#spec.adapter.look(screen), enters, entered })) {
      if (endsAreSeen)
        this.#stopped =
          news.kind === "input" ? null : { session: this.#session, message: screen.rows.join("\n").trim() };
      if (news.kind === "input") this.#takeInput(news.text, terminal);
    }
  }

  #take(news: ChatNews, terminal: Terminal): void {
    const id = news.kind === "session" ? news.id : news.session;
    if (!SESSION_ID.test(id)) return;
    this.#inSession(id, terminal);
    switch (news.kind) {
      case "session":
        break;
      case "input":
        // An earlier stop no longer counts: the agent goes on.
        this.#stopped = null;
        this.#takeInput(news.text, terminal, id);
        break;
      case "turn_ended":
        // If the service did not answer, there is nothing to review. The person sees why.
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

  /** `session`: the session of the input, if the hook names it. */
  #takeInput(text: string, terminal: Terminal, session = this.#session): void {
    const rest = this.#said.reduce(without, text);
    const last = this.#said.at(-1);
    this.#wasTaken ||= last !== undefined && without(text, last) !== text;
    for (const entered of terminal.takeEntered()) this.#typed.entered(entered);
    if (rest.trim() === "" || !this.#typed.accounts(rest)) return;
    // The Enter was for this session and no other.
    this.#session = session;
    this.#entersAtSession = terminal.draft().enters;
    this.#inputs.push({ text: rest, isOurs: false });
    this.#report({ kind: "input", session, text: rest });
  }
}

/** How many of the last texts make up the draft, however it is wrapped; 0: the draft is something else. */
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

/** Removes the foreman's words from an input, however they were wrapped. */
function without(text: string, ours: string): string {
  const flat = (words: string): string => words.replaceAll(/\s+/g, " ").trim();
  const whole = flat(text);
  const at = whole.indexOf(flat(ours));
  return at < 0 ? text : `${whole.slice(0, at)}${whole.slice(at + flat(ours).length)}`;
}
