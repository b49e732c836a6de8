import type { CheckPhase, RunEvent } from "../domain/event.ts";
import type { RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import type { Change } from "../workspace/git.ts";
import { Activity } from "./activity.ts";
import type { Clock } from "./clock.ts";
import { stopwatch } from "./format.ts";
import { Frame } from "./frame.ts";
import type { FailedOutput, History } from "./history.ts";
import { OutputLines } from "./output-lines.ts";
import { writeQuietly, type Line, type Page } from "./page.ts";
import type { LiveEvent, Reporter } from "./reporter.ts";
import { summaryLines } from "./summary.ts";
import { totalWorkedMs } from "./wording.ts";

const FRAME_MS = 100;
/** More waiting lines than this are not kept back for the next frame. */
const MAX_WAITING = 500;
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const BELL = "\u0007";
const KEEP_TITLE = "\u001b[22;0t";
const RESTORE_TITLE = "\u001b[23;0t";

interface LiveParts {
  readonly page: Page;
  readonly history: History;
  /** History goes through a pipe that may end on the same screen (`| tee`): a frame waits until it has arrived. */
  readonly historyMayLag: boolean;
  /** Where the redrawn lines, title and bell go. */
  readonly terminal: NodeJS.WriteStream;
  readonly color: boolean;
  readonly texts: TerminalTexts;
  readonly verbose: boolean;
  readonly clock: Clock;
}

/** History that scrolls and stays, and up to three lines below it that say what is under way. */
export class LiveReporter implements Reporter {
  readonly #parts: LiveParts;
  readonly #frame: Frame;
  readonly #output: OutputLines | undefined;
  #waiting: Line[] = [];
  #activity: Activity | undefined;
  #stopTicking: (() => void) | undefined;
  #state: RunState | undefined;
  #failed: FailedOutput | undefined;
  #hint: (phase: "agent" | CheckPhase) => string;
  #printedAt = 0;
  #spins = 0;
  #titled = false;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#frame = new Frame(parts.terminal, parts.color);
    this.#output = parts.verbose ? new OutputLines() : undefined;
    this.#hint = parts.texts.hintStop;
  }

  readonly event = (event: RunEvent, state: RunState): void => {
    this.#state = state;
    if (event.type !== "answer_refused") this.#endPhase();
    if (event.type === "turn_started") this.#failed = undefined;
    this.#print(this.#parts.history(event, state, this.#failed, this.#parts.texts));
    if (event.type === "question_asked") this.#control(BELL);
  };

  readonly live = (event: LiveEvent): void => {
    switch (event.type) {
      case "phase_started":
        this.#endPhase();
        this.#activity = new Activity(event, this.#parts.clock.now());
        this.#stopTicking = this.#parts.clock.every(FRAME_MS, () => this.#tick());
        this.#title(event.attempt);
        break;
      case "output":
        this.#activity?.sawOutput(this.#parts.clock.now());
        if (this.#output && this.#activity?.started.phase === "agent")
          this.#wait(this.#output.add(event.stream, event.chunk));
        break;
      case "check_output":
        this.#failed = event;
        break;
      case "stopping":
        this.#hint = this.#parts.texts.hintStopping;
        break;
      case "killing":
        this.#hint = () => this.#parts.texts.hintKilling;
        break;
    }
  };

  readonly leave = (state: RunState, change: Change | undefined): void => {
    this.pause();
    this.#parts.page.print([{ text: "" }, ...summaryLines(state, change, this.#parts.texts)]);
    if (state.ended) this.#control(BELL);
  };

  readonly pause = (): void => {
    this.#endPhase();
    this.#frame.erase();
    if (this.#titled) this.#control(RESTORE_TITLE);
    this.#titled = false;
  };

  /** The frame stays until the next one or the next line of history: phases follow each other without a flicker. */
  #endPhase(): void {
    this.#stopTicking?.();
    this.#stopTicking = undefined;
    this.#activity = undefined;
    if (this.#output) this.#waiting.push(...this.#output.flush());
    this.#print([]);
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
    if (!this.#activity || !this.#state) return;
    this.#print([]);
    if (this.#parts.historyMayLag && this.#parts.clock.now() - this.#printedAt < FRAME_MS) return;
    this.#spins += 1;
    this.#frame.draw(this.#frameLines(this.#activity, this.#state));
  }

  #frameLines(activity: Activity, state: RunState): Line[] {
    const { texts, clock } = this.#parts;
    const now = clock.now();
    const elapsed = activity.elapsedMs(now);
    const { attempt, phase, command } = activity.started;
    const spinner = SPINNER[this.#spins % SPINNER.length] ?? SPINNER[0];
    const life = activity.signOfLife(now, texts);
    const where = `${spinner} ${attempt}/${state.maxLoops} ${texts.phase[phase]}`;
    return [
      { text: `${where}  ${stopwatch(elapsed)}${life === null ? "" : `  ${life}`}`, tone: "busy" },
      { text: `  ${visible(command)}` },
      {
        text: `  ${texts.total(stopwatch(totalWorkedMs(state) + elapsed))}  ${this.#hint(phase)}`,
        tone: "faint",
      },
    ];
  }

  #title(attempt: number): void {
    const limit = this.#state?.maxLoops ?? attempt;
    this.#control(`${this.#titled ? "" : KEEP_TITLE}\u001b]0;${attempt}/${limit} agent-foreman${BELL}`);
    this.#titled = true;
  }

  #control(code: string): void {
    writeQuietly(this.#parts.terminal, code);
  }
}
