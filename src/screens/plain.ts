import type { RunEvent } from "../core/event.ts";
import type { RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import { isTurn } from "../engine/live-phase.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";
import { Activity } from "./activity.ts";
import { countdown } from "../ui/agent-wording.ts";
import type { Clock } from "./clock.ts";
import { clockTime, roughly } from "../ui/format.ts";
import { History, subjectLead, phaseLines, phasePlace, phaseText } from "./describe.ts";
import { stamped } from "../ui/history.ts";
import { viewOf } from "../modes/registry.ts";
import { quoted, type OutputLines } from "../ui/output-lines.ts";
import type { Line, Page, Tone } from "../ui/page.ts";
import type { Subject } from "../ui/statement.ts";
import type { LiveEvent, Parting, Reporter } from "../engine/reporter.ts";
import { summaryLines } from "./summary.ts";

const HEARTBEAT_MS = 5 * 60_000;

/** One line per event. Nothing is redrawn, nothing is cut. */
export class PlainReporter implements Reporter {
  readonly #page: Page;
  readonly #warnings: Page;
  readonly #texts: TerminalTexts;
  readonly #clock: Clock;
  readonly #output: OutputLines | undefined;
  readonly #history: History;
  #activity: Activity | undefined;
  #stopHeartbeat: (() => void) | undefined;

  constructor(
    page: Page,
    warnings: Page,
    texts: TerminalTexts,
    output: OutputLines | undefined,
    clock: Clock,
  ) {
    this.#page = page;
    this.#warnings = warnings;
    this.#texts = texts;
    this.#clock = clock;
    this.#output = output;
    this.#history = new History({ verbose: output !== undefined, isRedrawn: false }, texts);
  }

  readonly event = (event: RunEvent, state: RunState): void => {
    if (event.type !== "answer_refused") this.#endPhase();
    this.#page.print(this.#history.add(event, state));
  };

  readonly live = (event: LiveEvent): void => {
    switch (event.type) {
      case "phase_started":
        this.#endPhase();
        this.#page.print(stamped(phaseLines(event, this.#history.state, this.#texts), this.#clock.now()));
        this.#activity = new Activity(event, this.#clock.now());
        this.#stopHeartbeat = this.#clock.every(HEARTBEAT_MS, () => this.#heartbeat());
        break;
      case "output":
        this.#activity?.sawOutput(this.#clock.now());
        if (this.#output && this.#activity?.isReadable && !this.#page.isCongested)
          this.#page.print(this.#output.add(event.stream, event.chunk));
        break;
      case "life":
        this.#activity?.sawLife(event.sign, this.#clock.now());
        break;
      case "activity":
        if (this.#output) this.#page.print([quoted(visible(event.text))]);
        break;
      case "waiting":
        this.#endPhase();
        this.#stopHeartbeat = this.#clock.every(HEARTBEAT_MS, () => this.#waitHeartbeat());
        break;
      case "check_output":
      case "turn_output":
      case "review_words":
        this.#history.quote(event);
        break;
      case "stopping":
        // A wait ends at once.
        if (this.#activity)
          this.#warn(`${event.signal}: ${this.#texts.hintStopping(this.#activity.started.phase)}`);
        break;
      case "killing":
        this.#warn(this.#texts.hintKilling);
        break;
    }
  };

  readonly leave = (state: RunState, parting: Parting = {}): void => {
    this.pause();
    this.#page.print([{ text: "" }, ...summaryLines(state, parting, this.#texts)]);
  };

  readonly pause = (): void => this.#endPhase();

  #endPhase(): void {
    this.#stopHeartbeat?.();
    this.#stopHeartbeat = undefined;
    this.#activity = undefined;
    if (this.#output) this.#page.print(this.#output.flush());
  }

  #heartbeat(): void {
    if (!this.#activity || !this.#history.state) return;
    const now = this.#clock.now();
    const { phase, attempt } = this.#activity.started;
    const running = this.#texts.running(roughly(this.#activity.elapsedMs(now)));
    const life = this.#activity.signOfLife(now, this.#texts);
    const facts = life === null ? running : `${running}${this.#texts.listSeparator}${life}`;
    const where =
      phase === "agent" && this.#hasSubjects
        ? phasePlace(phase, attempt, this.#history.state)
        : `${phaseText(phase, attempt, this.#history.state, this.#texts)} `;
    const subject = phase === "base" ? "base" : isTurn(phase) ? "agent" : "check";
    this.#page.print([this.#line(subject, "~", where + facts)]);
  }

  #waitHeartbeat(): void {
    const text = this.#history.state ? countdown(this.#history.state, this.#clock.now(), this.#texts) : null;
    if (text !== null) this.#page.print([this.#line("agent", "~", text)]);
  }

  #warn(text: string): void {
    this.#warnings.print([this.#line("run", "!", text, "warn")]);
  }

  /** The lines of the other modes are fixed to the letter and have a sign instead of a subject. */
  get #hasSubjects(): boolean {
    return this.#history.state === undefined || viewOf(this.#history.state).hasSubjects(false);
  }

  #line(subject: Subject, sign: string, text: string, tone?: Tone): Line {
    const now = this.#clock.now();
    if (this.#hasSubjects) return { lead: subjectLead(now, subject, this.#texts), text, tone };
    return { lead: `${clockTime(now)} `, text: `${sign} ${text}`, tone };
  }
}
