import { TextDecoder } from "node:util";
import { outcomeOf } from "../core/end.ts";
import type { RunEvent } from "../core/event.ts";
import type { StreamName } from "../platform/process/write-turns.ts";
import type { RunState } from "../core/state.ts";
import { snakeCased } from "../text/snake-case.ts";
import { safeJson } from "../text/text.ts";
import { receiptPath } from "../evidence/receipt/receipt.ts";
import { isCongested, writeQuietly } from "../ui/page.ts";
import type { LiveEvent, Reporter } from "../engine/reporter.ts";

/** The most text kept back of an unfinished line. */
const MAX_PARTIAL = 64 * 1024;

interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** For programs: one JSON value per line, and nothing else. */
export class JsonReporter implements Reporter {
  readonly #stream: NodeJS.WriteStream;
  readonly #runId: string;
  readonly #redact: ((text: string) => string) | undefined;
  #decoders = freshDecoders();
  #partial: Record<StreamName, string> = { stdout: "", stderr: "" };

  /** With `redact` the agent's output is reported as it comes, in whole lines. Otherwise halves of a secret could pass the redaction. */
  constructor(stream: NodeJS.WriteStream, runId: string, redact: ((text: string) => string) | undefined) {
    this.#stream = stream;
    this.#runId = runId;
    this.#redact = redact;
  }

  readonly event = (event: RunEvent, state: RunState): void => {
    if (event.type !== "answer_refused") this.#flushOutput();
    this.#line({ type: "event", seq: state.events, event: snakeCased(event) }, state.updatedAt);
  };

  readonly live = (event: LiveEvent): void => {
    switch (event.type) {
      case "phase_started":
        this.#line({ type: "phase", attempt: event.attempt, phase: event.phase, command: event.command });
        break;
      case "output":
        if (this.#redact)
          this.#hear(event.stream, this.#decoders[event.stream].decode(event.chunk, { stream: true }));
        break;
      case "check_output": {
        const lines = event.lines.map((line) => ("text" in line ? line : { left_out: line.leftOut }));
        this.#line({ type: "check_output", path: event.path, lines });
        break;
      }
      case "review_words":
        this.#line({ type: "review_words", words: event.words, question: event.question });
        break;
      case "activity":
        this.#line({ type: "activity", text: event.text });
        break;
      // The event at the turn's end names the files.
      case "turn_output":
      case "life":
      case "waiting":
        break;
      case "stopping":
        this.#line({ type: "stopping", signal: event.signal });
        break;
      case "killing":
        this.#line({ type: "killing" });
        break;
    }
  };

  readonly leave = (state: RunState): void => {
    this.#flushOutput();
    const outcome = outcomeOf(state);
    this.#line({
      type: "left",
      status: outcome?.status ?? null,
      exit_code: outcome?.exitCode ?? null,
      reason: outcome?.reason ?? null,
      state: state.ended ? "ended" : state.question ? "waiting" : "stopped",
      report_path: outcome ? state.settings.reportPath : null,
      receipt_path: receiptPath(state),
    });
  };

  readonly pause = (): void => undefined;

  #flushOutput(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      this.#output(stream, this.#partial[stream] + this.#decoders[stream].decode());
      this.#partial[stream] = "";
    }
    this.#decoders = freshDecoders();
  }

  #hear(stream: StreamName, text: string): void {
    const all = this.#partial[stream] + text;
    const end = all.length > MAX_PARTIAL ? all.length : all.lastIndexOf("\n") + 1;
    this.#partial[stream] = all.slice(end);
    this.#output(stream, all.slice(0, end));
  }

  #output(stream: StreamName, text: string): void {
    if (text !== "" && !isCongested(this.#stream))
      this.#line({ type: "output", stream, text: this.#redact?.(text) ?? text });
  }

  #line({ type, ...fields }: Line, at = new Date().toISOString()): void {
    const line = { type, run_id: this.#runId, at, ...fields };
    writeQuietly(this.#stream, `${safeJson(JSON.stringify(line))}\n`);
  }
}

function freshDecoders(): Readonly<Record<StreamName, TextDecoder>> {
  return { stdout: new TextDecoder(), stderr: new TextDecoder() };
}
