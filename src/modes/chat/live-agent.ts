import { join } from "node:path";
import type { ChatAdapter } from "../../agents/chat.ts";
import { isBestEffort } from "../../core/event.ts";
import { Failure } from "../../platform/failure.ts";
import type { ProcessEnd } from "../../platform/process/process-end.ts";
import { writeFileAtomic } from "../../platform/files/write-file.ts";
import { endTagged, LIVE_TAG } from "../../platform/process/leftovers.ts";
import type { Machine } from "../../platform/process/run-command.ts";
import { liveHint, type LiveHint } from "./live-hint.ts";
import type { RunState } from "../../core/state.ts";
import { shellWord } from "../../text/shell-quote.ts";
import { openTerminal } from "../../platform/terminal/open-terminal.ts";
import type { Sized, Terminal } from "../../platform/terminal/terminal.ts";
import type { Interrupt } from "../../platform/process/interrupt.ts";
import { writeArtifact, makeKeptDirectory } from "../../platform/files/artifact.ts";
import { LiveObserver } from "./live-observer.ts";
import { LiveTypist } from "./live-typist.ts";
import type { Live, LiveNews } from "../../engine/live.ts";
import { NewsFeed } from "./news-feed.ts";
import type { ReadyAgent } from "../../engine/ports.ts";

const LOOK_MS = 250;
/** Names the file with the current state, for a person's own status line. */
const STATUS_VARIABLE = "AGENT_FOREMAN_CHAT_STATUS";

export interface LiveSpec {
  readonly runId: string;
  readonly dir: string;
  readonly cwd: string;
  readonly agent: ReadyAgent;
  readonly adapter: ChatAdapter;
  readonly args: readonly string[];
  readonly machine: Machine;
  readonly interrupt: Interrupt;
  readonly stdout: Sized;
}

interface Parts {
  readonly terminal: Terminal;
  readonly observer: LiveObserver;
  readonly typist: LiveTypist;
  readonly feed: NewsFeed;
}

/** The agent that the person works with in their own terminal. */
export class LiveAgent implements Live {
  readonly #spec: LiveSpec;
  readonly #news: LiveNews[] = [];
  readonly #gone = new AbortController();
  #startedAt = performance.now();
  #parts: Parts | undefined;
  #looking: NodeJS.Timeout | undefined;
  #isLooking = false;
  #ended: Promise<void> | undefined;
  /** An error from a callback that has no caller to throw to. */
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
    for (const [path, text] of Object.entries(command.files ?? {})) writeArtifact(path, text);
    // Node would print warnings on the agent's screen.
    process.removeAllListeners("warning");
    this.#startedAt = performance.now();
    const env = { ...process.env, ...command.env, [LIVE_TAG]: runId, [STATUS_VARIABLE]: this.#status };
    const observer = new LiveObserver({ adapter, cwd, env }, resumes, this.#add);
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
    const typist = new LiveTypist(terminal, observer, adapter.pasteMs, this.#gone.signal);
    const feed = new NewsFeed(
      news,
      (message) => this.#guarded(() => observer.hook(message, terminal)),
      () => observer.loseHooks(),
    );
    this.#parts = { terminal, observer, typist, feed };
    this.#looking = setInterval(() => void this.#look(terminal, observer), LOOK_MS);
    // A key may take back a waiting message. Whether one waited is visible only until the agent answers the key.
    terminal.onKeys(() => void this.#look(terminal, observer));
    this.#ended = terminal.ended.then((end) => this.#guarded(() => this.#left(end)));
  };

  readonly hasNews = (): boolean => this.#news.length > 0 || this.#broken !== undefined;

  readonly next = (): LiveNews | undefined => {
    if (this.#broken) throw this.#broken.error;
    return this.#news.shift();
  };

  readonly follow = (state: RunState): void => this.#hint(liveHint(state, state.settings.lang));

  #hint(hint: LiveHint | null): void {
    this.#parts?.terminal.hint(hint?.text ?? null, hint?.notify ?? false);
    this.#writeStatus(hint?.text ?? null);
  }

  readonly say = async (text: string, away: AbortSignal): Promise<"taken" | "not_taken" | null> =>
    this.#parts ? this.#parts.typist.say(text, away) : null;

  readonly close = async (): Promise<void> => {
    clearInterval(this.#looking);
    this.#parts?.feed.close();
    this.#hint(null);
    this.#parts?.terminal.end();
    await this.#ended;
    await this.#parts?.terminal.close();
  };

  /** The status is only for people: if it cannot be written, the run goes on. */
  #writeStatus(text: string | null): void {
    if (text === this.#shown) return;
    this.#shown = text;
    try {
      writeFileAtomic(this.#status, text === null ? "" : `agent-foreman: ${text}\n`);
    } catch {
      // The title shows the same.
    }
  }

  /** One look at a time, so that a slow look cannot report after a later one. */
  async #look(terminal: Terminal, observer: LiveObserver): Promise<void> {
    if (this.#isLooking || this.#gone.signal.aborted) return;
    this.#isLooking = true;
    try {
      await observer.look(terminal);
    } catch (error) {
      this.#break(error);
    } finally {
      this.#isLooking = false;
    }
  }

  /** The last news of the agent comes before its end. */
  #left(end: ProcessEnd): void {
    clearInterval(this.#looking);
    this.#parts?.feed.read();
    this.#parts?.feed.close();
    if (this.#parts) this.#parts.observer.end(this.#parts.terminal);
    this.#add(this.#leaving(end));
  }

  #leaving(end: ProcessEnd): LiveNews {
    const { runId, machine, agent } = this.#spec;
    const command = [agent.options.program, ...agent.options.args].map((word) => shellWord(word)).join(" ");
    const leaked = isBestEffort(machine.container.level) ? endTagged(runId, LIVE_TAG) : [];
    const durationMs = Math.round(performance.now() - this.#startedAt);
    return { kind: "ended", process: { command, end, durationMs, leaked } };
  }

  /** After the agent has left, late news is ignored. */
  readonly #add = (news: LiveNews): void => {
    if (this.#gone.signal.aborted) return;
    this.#news.push(news);
    if (news.kind === "ended") this.#gone.abort();
    this.#spec.interrupt.request();
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
    this.#spec.interrupt.request();
  }
}
