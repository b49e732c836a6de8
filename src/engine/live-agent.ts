import { join } from "node:path";
import type { ChatAdapter } from "../agents/chat.ts";
import { isBestEffort } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";
import type { ProcessEnd } from "../domain/process-end.ts";
import { writeFileAtomic } from "../files/write-file.ts";
import { endTagged, LIVE_TAG } from "../process/leftovers.ts";
import type { Machine } from "../process/run-command.ts";
import type { LiveHint } from "../reporters/live-hint.ts";
import { shellWord } from "../reports/shell-command.ts";
import { openTerminal } from "../terminal/open-terminal.ts";
import type { Sized, Terminal } from "../terminal/terminal.ts";
import type { Attention } from "./attention.ts";
import { keep, makeKeptDirectory } from "./keep.ts";
import { LiveEars } from "./live-ears.ts";
import { LiveVoice } from "./live-voice.ts";
import type { Live, LiveNews } from "./live.ts";
import { NewsFeed } from "./news-feed.ts";
import type { ReadyAgent } from "./ports.ts";

const LOOK_MS = 250;
/** For a status line of the person's own: the file that says what goes on. */
const STATUS_VARIABLE = "AGENT_FOREMAN_CHAT_STATUS";

export interface LiveSpec {
  readonly runId: string;
  readonly dir: string;
  readonly cwd: string;
  readonly agent: ReadyAgent;
  readonly adapter: ChatAdapter;
  readonly args: readonly string[];
  readonly machine: Machine;
  readonly attention: Attention;
  readonly stdout: Sized;
}

interface Parts {
  readonly terminal: Terminal;
  readonly ears: LiveEars;
  readonly voice: LiveVoice;
  readonly feed: NewsFeed;
}

/** The agent that the person works with, in their own terminal. */
export class LiveAgent implements Live {
  readonly #spec: LiveSpec;
  readonly #news: LiveNews[] = [];
  readonly #gone = new AbortController();
  #startedAt = performance.now();
  #parts: Parts | undefined;
  #looking: NodeJS.Timeout | undefined;
  #isLooking = false;
  #ended: Promise<void> | undefined;
  /** What went wrong where nobody could be told. */
  #broken: { readonly error: unknown } | undefined;
  readonly #status: string;
  #shown: string | null = null;

  constructor(spec: LiveSpec) {
    this.#spec = spec;
    this.#status = join(spec.dir, "status");
  }

  readonly start = async (resumes: string | null): Promise<void> => {
    const { agent, adapter, args, cwd, dir, machine, runId, stdout } = this.#spec;
    const news = join(dir, "news");
    makeKeptDirectory(news);
    const options = { ...agent.options, args: [...agent.options.args, ...(resumes === null ? args : [])] };
    const command = adapter.start({
      options,
      resume: resumes,
      cwd,
      dir,
      news,
      status: this.#status,
      env: { ...process.env, ...options.env },
    });
    for (const [path, text] of Object.entries(command.files ?? {})) keep(path, text);
    // Node would print them on the agent's screen.
    process.removeAllListeners("warning");
    this.#startedAt = performance.now();
    const env = { ...process.env, ...command.env, [LIVE_TAG]: runId, [STATUS_VARIABLE]: this.#status };
    const ears = new LiveEars({ adapter, cwd, env }, resumes, this.#add);
    const terminal = await openTerminal({
      words: command.words,
      env,
      cwd,
      contain: machine.container.contain,
      stdout,
    });
    if ("problem" in terminal) {
      if (terminal.problem !== "not_runnable") throw new Failure("no_pty", { why: terminal.detail });
      this.#add(this.#leaving({ kind: "not_started", message: terminal.detail }));
      return;
    }
    const voice = new LiveVoice(terminal, ears, adapter.pasteMs, this.#gone.signal);
    const feed = new NewsFeed(
      news,
      (message) => this.#guarded(() => ears.hook(message, terminal)),
      () => ears.loseHooks(),
    );
    this.#parts = { terminal, ears, voice, feed };
    this.#looking = setInterval(() => void this.#look(terminal, ears), LOOK_MS);
    // A key may take back a message that waits. Whether one waited can be seen only before the agent answers the key.
    terminal.onKeys(() => void this.#look(terminal, ears));
    this.#ended = terminal.ended.then((end) => this.#guarded(() => this.#left(end)));
  };

  readonly hasNews = (): boolean => this.#news.length > 0 || this.#broken !== undefined;

  readonly next = (): LiveNews | undefined => {
    if (this.#broken) throw this.#broken.error;
    return this.#news.shift();
  };

  readonly hint = (hint: LiveHint | null): void => {
    this.#parts?.terminal.hint(hint?.text ?? null, hint?.notify ?? false);
    this.#writeStatus(hint?.text ?? null);
  };

  readonly say = async (text: string, away: AbortSignal): Promise<"taken" | "not_taken" | null> =>
    this.#parts ? this.#parts.voice.say(text, away) : null;

  readonly close = async (): Promise<void> => {
    clearInterval(this.#looking);
    this.#parts?.feed.close();
    this.hint(null);
    this.#parts?.terminal.end();
    await this.#ended;
    await this.#parts?.terminal.close();
  };

  /** Only for people to look at: where it cannot be written, the run goes on. */
  #writeStatus(text: string | null): void {
    if (text === this.#shown) return;
    this.#shown = text;
    try {
      writeFileAtomic(this.#status, text === null ? "" : `agent-foreman: ${text}\n`);
    } catch {
      // The title says the same.
    }
  }

  /** One look at a time: a slow one must not come after a later one. */
  async #look(terminal: Terminal, ears: LiveEars): Promise<void> {
    if (this.#isLooking || this.#gone.signal.aborted) return;
    this.#isLooking = true;
    try {
      await ears.look(terminal);
    } catch (error) {
      this.#break(error);
    } finally {
      this.#isLooking = false;
    }
  }

  /** First what it told before it left. */
  #left(end: ProcessEnd): void {
    clearInterval(this.#looking);
    this.#parts?.feed.read();
    this.#parts?.feed.close();
    if (this.#parts) this.#parts.ears.end(this.#parts.terminal);
    this.#add(this.#leaving(end));
  }

  #leaving(end: ProcessEnd): LiveNews {
    const { runId, machine, agent } = this.#spec;
    const command = [agent.options.program, ...agent.options.args].map((word) => shellWord(word)).join(" ");
    const leaked = isBestEffort(machine.container.level) ? endTagged(runId, LIVE_TAG) : [];
    const durationMs = Math.round(performance.now() - this.#startedAt);
    return { kind: "ended", process: { command, end, durationMs, leaked } };
  }

  /** After it has left nothing can happen any more, whatever is told late. */
  readonly #add = (news: LiveNews): void => {
    if (this.#gone.signal.aborted) return;
    this.#news.push(news);
    if (news.kind === "ended") this.#gone.abort();
    this.#spec.attention.call();
  };

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#break(error);
    }
  }

  #break(error: unknown): void {
    this.#broken ??= { error };
    this.#spec.attention.call();
  }
}
