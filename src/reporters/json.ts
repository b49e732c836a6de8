import { TextDecoder } from "node:util";
import type { RunEvent } from "../domain/event.ts";
import type { StreamName } from "../domain/protocol/write-turns.ts";
import type { RunState } from "../domain/state.ts";
import { writeQuietly } from "./page.ts";
import type { LiveEvent, Reporter } from "./reporter.ts";

/** For programs: one JSON value a line, and nothing else. */
export class JsonReporter implements Reporter {
  readonly #stream: NodeJS.WriteStream;
  readonly #verbose: boolean;
  #decoders = freshDecoders();
  #seq = 0;

  constructor(stream: NodeJS.WriteStream, verbose: boolean) {
    this.#stream = stream;
    this.#verbose = verbose;
  }

  readonly event = (event: RunEvent, state: RunState): void => {
    if (event.type !== "answer_refused") this.#flushOutput();
    this.#seq += 1;
    this.#line({ type: "event", run_id: state.runId, seq: this.#seq, at: state.updatedAt, event });
  };

  readonly live = (event: LiveEvent): void => {
    switch (event.type) {
      case "phase_started":
        this.#line({ type: "phase", attempt: event.attempt, phase: event.phase, command: event.command });
        break;
      case "output":
        if (this.#verbose)
          this.#output(event.stream, this.#decoders[event.stream].decode(event.chunk, { stream: true }));
        break;
      case "check_output": {
        const lines = event.lines.map((line) => ("text" in line ? line : { left_out: line.leftOut }));
        this.#line({ type: "check_output", path: event.path, lines });
        break;
      }
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
    this.#line({
      type: "left",
      run_id: state.runId,
      status: state.ended?.status ?? null,
      exit_code: state.ended?.exitCode ?? null,
      state: state.ended ? "ended" : state.question ? "waiting" : "stopped",
      report_path: state.ended ? state.settings.reportPath : null,
    });
  };

  readonly pause = (): void => undefined;

  #flushOutput(): void {
    for (const stream of ["stdout", "stderr"] as const) this.#output(stream, this.#decoders[stream].decode());
    this.#decoders = freshDecoders();
  }

  #output(stream: StreamName, text: string): void {
    if (text !== "") this.#line({ type: "output", stream, text });
  }

  #line(value: object): void {
    writeQuietly(this.#stream, `${escaped(JSON.stringify(value))}\n`);
  }
}

/** C1 codes and what reorders text; JSON itself escapes only C0. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const UNSAFE = /[\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The very same value, written so that it cannot steer a terminal. */
function escaped(json: string): string {
  return json.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function freshDecoders(): Readonly<Record<StreamName, TextDecoder>> {
  return { stdout: new TextDecoder(), stderr: new TextDecoder() };
}
