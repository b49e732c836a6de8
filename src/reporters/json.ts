import { TextDecoder } from "node:util";
import type { RunEvent } from "../domain/event.ts";
import type { StreamName } from "../domain/protocol/write-turns.ts";
import type { RunState } from "../domain/state.ts";
import { safeJson } from "../domain/text.ts";
import { writeQuietly } from "./page.ts";
import type { LiveEvent, Reporter } from "./reporter.ts";

/** For programs: one JSON value a line, and nothing else. */
export class JsonReporter implements Reporter {
  readonly #stream: NodeJS.WriteStream;
  readonly #verbose: boolean;
  #decoders = freshDecoders();

  constructor(stream: NodeJS.WriteStream, verbose: boolean) {
    this.#stream = stream;
    this.#verbose = verbose;
  }

  readonly event = (event: RunEvent, state: RunState): void => {
    if (event.type !== "answer_refused") this.#flushOutput();
    this.#line({ type: "event", run_id: state.runId, seq: state.events, at: state.updatedAt, event });
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
    writeQuietly(this.#stream, `${safeJson(JSON.stringify(value))}\n`);
  }
}

function freshDecoders(): Readonly<Record<StreamName, TextDecoder>> {
  return { stdout: new TextDecoder(), stderr: new TextDecoder() };
}
