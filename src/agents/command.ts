import type { TurnFailure, Usage } from "../core/agent-turn.ts";
import type { ProcessEnd } from "../platform/process/process-end.ts";
import type { Adapter, TurnReader, TurnSummary } from "./adapter.ts";
import { classify, isOfTheService } from "./classify.ts";
import { conclude } from "./conclude.ts";
import { Tail } from "./gather.ts";
import { oneLine } from "./one-line.ts";

const MAX_OUTPUT = 1024 * 1024;
/** An agent that gives up says so at the end. Further up, the same words may be part of its work. */
const LAST_LINES = 3;

/** A person's own shell command: prompt in, text out. */
export const command: Adapter = {
  name: "command",
  program: "sh",
  install: "",
  login: "",
  tested: ["", ""],
  can: { resume: false, fork: false, tools: "all", system: false, tokens: false, cost: false },
  stdin: "prompt",
  command: ({ options }) => ({ words: [options.program, ...options.args], env: options.env }),
  read: ({ now }) => readText(now, MAX_OUTPUT),
};

/** Reads plain text of unknown format and keeps its end, up to `keep`. */
export function readText(now: () => Date, keep?: number): TurnReader {
  return new CommandReader(now, keep);
}

class CommandReader implements TurnReader {
  readonly #now: () => Date;
  readonly #stdout: Tail;
  readonly #stderr = new Tail();

  constructor(now: () => Date, keep?: number) {
    this.#now = now;
    this.#stdout = new Tail(keep);
  }

  push(stream: "stdout" | "stderr", chunk: Buffer): void {
    if (stream === "stdout") this.#stdout.push(chunk);
    else this.#stderr.push(chunk);
  }

  finished(): boolean {
    return false;
  }

  activity(): string | null {
    return null;
  }

  usageSoFar(): Usage | null {
    return null;
  }

  end(process: ProcessEnd): TurnSummary {
    const finalText = this.#stdout.text;
    return {
      failure: this.#failure(finalText, process),
      sessionId: null,
      model: null,
      usage: null,
      sessionTotals: null,
      filesTouched: [],
      denials: [],
      unknownLines: 0,
      finalText,
    };
  }

  #failure(output: string, process: ProcessEnd): TurnFailure | null {
    const now = this.#now();
    const stderr = this.#stderr.text;
    const known = ofTheService(stderr, now) ?? ofTheService(output, now);
    if (process.kind === "exited" && known !== null) return known;
    const said = {
      // The exit code is the only sign of success; evidence judges the work anyway.
      over: process.kind === "exited" && process.code === 0 && output.trim() !== "",
      error: null,
      anything: false,
      denials: [],
      changedSomething: false,
      lastWords: null,
      question: null,
      // Words were checked above.
      text: "",
    };
    const failure = conclude(said, process, now);
    if (failure?.class !== "missing" && failure?.class !== "crashed") return failure;
    // Exit code 127 does not say whether the command itself was missing or something in it.
    const message = [failure.message, oneLine(lastLines(stderr, 1))].filter((part) => part !== "").join(": ");
    return { ...failure, class: "crashed", message };
  }
}

function ofTheService(text: string, now: Date): TurnFailure | null {
  const message = lastLines(text);
  if (message === "") return null;
  const failure = classify({ status: null, code: null, message }, now);
  return failure !== null && isOfTheService(failure.class) ? failure : null;
}

function lastLines(text: string, count = LAST_LINES): string {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}
