import type { RunEvent } from "../core/event.ts";
import { runTime } from "../core/run-time.ts";
import type { RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import type { LivePhase } from "../engine/live-phase.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";
import { Activity } from "./activity.ts";
import { countdown } from "../ui/agent-wording.ts";
import type { Clock } from "./clock.ts";
import { duration } from "../text/time-text.ts";
import { stopwatch } from "../ui/format.ts";
import { Frame } from "./frame.ts";
import { History, phaseLines, phaseText } from "./describe.ts";
import { stamped } from "../ui/history.ts";
import { viewOf } from "../modes/registry.ts";
import { costBudget, spentText, tokenBudget } from "../ui/money.ts";
import { quoted, type OutputLines } from "../ui/output-lines.ts";
import { writeQuietly, type Line, type Page } from "../ui/page.ts";
import type { LiveEvent, Parting, Reporter } from "../engine/reporter.ts";
import { summaryLines } from "./summary.ts";
import { timeText } from "../ui/wording.ts";

const FRAME_MS = 100;
/** The most waiting lines that are kept back for the next frame. */
const MAX_WAITING = 500;
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const BELL = "\u0007";
const KEEP_TITLE = "\u001b[22;0t";
const RESTORE_TITLE = "\u001b[23;0t";

interface LiveParts {
  readonly page: Page;
  /** History goes through a pipe. It gets times, and frames wait for it, because it may end on the same screen (`| tee`). */
  readonly historyIsPiped: boolean;
  /** Gets the redrawn lines, title and bell. */
  readonly terminal: NodeJS.WriteStream;
  readonly color: boolean;
  readonly texts: TerminalTexts;
  /** Shows the agent's output as it comes. */
  readonly output: OutputLines | undefined;
  readonly clock: Clock;
}

/** Shows a history that scrolls, and up to three redrawn lines below it about the current work. */
export class LiveReporter implements Reporter {
  readonly #parts: LiveParts;
  readonly #frame: Frame;
  readonly #history: History;
  readonly #output: OutputLines | undefined;
  #waiting: Line[] = [];
  #activity: Activity | undefined;
  #stopTicking: (() => void) | undefined;
  #hint: (phase: LivePhase) => string;
  #printedAt = 0;
  #eventAt = 0;
  #spins = 0;
  #titled = false;
  #doing: string | null = null;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#frame = new Frame(parts.terminal, parts.color);
    this.#output = parts.output;
    const style = { verbose: parts.output !== undefined, isRedrawn: !parts.historyIsPiped };
    this.#history = new History(style, parts.texts);
    this.#hint = parts.texts.hintStop;
  }

  readonly event = (event: RunEvent, state: RunState): void => {
    this.#eventAt = this.#parts.clock.now();
    if (event.type !== "answer_refused") this.#endPhase();
    this.#print(this.#history.add(event, state));
    if (event.type === "question_asked") this.#control(BELL);
  };

  readonly live = (event: LiveEvent): void => {
    switch (event.type) {
      case "phase_started":
        this.#endPhase();
        this.#print(this.#phaseLines(event));
        this.#activity = new Activity(event, this.#parts.clock.now());
        this.#stopTicking = this.#parts.clock.every(FRAME_MS, () => this.#tick());
        if (this.#history.state)
          this.#title(viewOf(this.#history.state).title(this.#history.state, event.attempt));
        break;
      case "output":
        this.#activity?.sawOutput(this.#parts.clock.now());
        if (this.#output && this.#activity?.isReadable)
          this.#wait(this.#output.add(event.stream, event.chunk));
        break;
      case "life":
        this.#activity?.sawLife(event.sign, this.#parts.clock.now());
        break;
      case "activity":
        this.#doing = event.text;
        if (this.#output) this.#wait([quoted(visible(event.text))]);
        break;
      case "waiting":
        this.#endPhase();
        this.#stopTicking = this.#parts.clock.every(FRAME_MS, () => this.#tick());
        break;
      case "check_output":
      case "turn_output":
      case "review_words":
        this.#history.quote(event);
        break;
      case "stopping":
        this.#hint = this.#parts.texts.hintStopping;
        break;
      case "killing":
        this.#hint = () => this.#parts.texts.hintKilling;
        break;
    }
  };

  readonly leave = (state: RunState, parting: Parting = {}): void => {
    this.pause();
    this.#parts.page.print([{ text: "" }, ...summaryLines(state, parting, this.#parts.texts)]);
    if (state.ended) this.#control(BELL);
  };

  readonly pause = (): void => {
    this.#endPhase();
    this.#frame.erase();
    if (this.#titled) this.#control(RESTORE_TITLE);
    this.#titled = false;
  };

  /** The frame stays until the next one or the next line of history, so that phases follow each other without a flicker. */
  #endPhase(): void {
    this.#stopTicking?.();
    this.#stopTicking = undefined;
    this.#activity = undefined;
    this.#doing = null;
    if (this.#output) this.#waiting.push(...this.#output.flush());
    this.#print([]);
  }

  #phaseLines(event: Extract<LiveEvent, { type: "phase_started" }>): readonly Line[] {
    const { texts, historyIsPiped, clock } = this.#parts;
    const lines = phaseLines(event, this.#history.state, texts);
    return historyIsPiped ? stamped(lines, clock.now()) : lines;
  }

  #wait(lines: readonly Line[]): void {
    this.#waiting = [...this.#waiting, ...lines];
    if (this.#waiting.length > MAX_WAITING) this.#print([]);
  }

  #print(lines: readonly Line[]): void {
    const all = [...this.#waiting, ...lines];
    if (all.length === 0) return;
    this.#waiting = [];
    this.#frame.erase();
    this.#parts.page.print(all);
    this.#printedAt = this.#parts.clock.now();
  }

  /** All drawing happens here, so there are never more frames than ticks. */
  #tick(): void {
    const lines = this.#frameLines();
    if (lines.length === 0) return;
    this.#print([]);
    if (this.#parts.historyIsPiped && this.#parts.clock.now() - this.#printedAt < FRAME_MS) return;
    this.#spins += 1;
    this.#frame.draw(lines);
  }

  #frameLines(): Line[] {
    if (!this.#history.state) return [];
    return this.#activity
      ? this.#workLines(this.#activity, this.#history.state)
      : this.#waitLines(this.#history.state);
  }

  #waitLines(state: RunState): Line[] {
    const { texts, clock } = this.#parts;
    const text = countdown(state, clock.now(), texts);
    if (text === null) return [];
    return [
      { text: `~ ${text}`, tone: "warn" },
      { text: `  ${viewOf(state).words(texts).hintWait}`, tone: "faint" },
    ];
  }

  #workLines(activity: Activity, state: RunState): Line[] {
    const { texts, clock } = this.#parts;
    const now = clock.now();
    const elapsed = activity.elapsedMs(now);
    const { attempt, phase, command } = activity.started;
    const spinner = SPINNER[this.#spins % SPINNER.length] ?? SPINNER[0];
    const life = activity.signOfLife(now, texts);
    const where = `${spinner} ${phaseText(phase, attempt, state, texts)}`;
    return [
      { text: `${where}  ${stopwatch(elapsed)}${life === null ? "" : `  ${life}`}`, tone: "busy" },
      { text: `  ${visible(this.#doing ?? command)}` },
      { text: `  ${this.#soFar(state, now)}  ${this.#hint(phase)}`, tone: "faint" },
    ];
  }

  #soFar(state: RunState, now: number): string {
    const { texts } = this.#parts;
    const time = runTime(state, now - this.#eventAt);
    const { timeMs } = state.limits;
    // Waiting counts against a limit, too.
    const used = stopwatch(time.workedMs + time.waitedMs);
    const parts = [
      timeMs === null || time.waitedMs > 0 ? texts.total(timeText(time, texts, stopwatch)) : null,
      timeMs === null ? null : texts.of(used, duration(timeMs)),
      costBudget(state, texts) ?? spentText(state, texts),
      tokenBudget(state, texts),
    ];
    return parts.filter((part) => part !== null).join("  ");
  }

  #title(title: string): void {
    this.#control(`${this.#titled ? "" : KEEP_TITLE}\u001b]0;${title} agent-foreman${BELL}`);
    this.#titled = true;
  }

  #control(code: string): void {
    writeQuietly(this.#parts.terminal, code);
  }
}
