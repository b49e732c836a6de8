import type { Usage } from "../core/agent-turn.ts";
import type { ProcessEnd } from "../platform/process/process-end.ts";
import { activityOf, isEdit, isRun } from "./activity.ts";
import type { ReadContext, TurnReader, TurnSummary } from "./adapter.ts";
import { classify, type ErrorClue } from "./classify.ts";
import {
  boundedEnd,
  Denials,
  fileIn,
  failureOf,
  PendingWrites,
  subtractUsage,
  Tail,
  TouchedFiles,
} from "./gather.ts";
import { isObject, JsonLines, type JsonObject, listIn, stringIn } from "./json-lines.ts";

/** After this many tries to connect, the foreman ends the agent, so that the run can wait and use another agent. */
const MAX_CONNECTION_TRIES = 4;
/** For a message in pieces; cut rarely, because cutting copies. */
const MAX_SPEECH = 4 * 1024 * 1024;

/** The shared part of readers of JSON lines; an adapter interprets its lines. */
export abstract class StreamReader implements TurnReader {
  protected readonly context: ReadContext;
  protected readonly stderr = new Tail();
  protected readonly denials = new Denials();
  protected readonly files: TouchedFiles;
  protected readonly writes: PendingWrites;
  protected sessionId: string | null;
  protected model: string | null;
  protected over = false;
  protected error: ErrorClue | null = null;
  /** The error behind the agent's current retries, until it gets an answer. */
  protected retrying: ErrorClue | null = null;
  protected question: string | null = null;
  protected text = "";
  protected usage: Usage | null = null;
  protected totals: Usage | null = null;
  protected unknown = 0;
  protected compacted = false;
  readonly #lines = new JsonLines(
    (line) => this.read(line),
    (line) => this.wants(line),
  );
  #calls = 0;
  #ran = 0;
  #latest: { readonly tool: string; readonly input: JsonObject | undefined } | null = null;

  constructor(context: ReadContext) {
    const { session, options } = context.request;
    this.context = context;
    this.model = options.model;
    this.files = new TouchedFiles(context.cwd);
    this.writes = new PendingWrites(this.files);
    this.sessionId = session.kind === "resume" ? session.id : null;
  }

  protected abstract read(line: JsonObject): void;
  /** Whether a line has to be parsed at all. */
  protected abstract wants(line: string): boolean;
  /** A last look, when the process is gone. */
  protected atEnd(_process: ProcessEnd): void {}

  push(stream: "stdout" | "stderr", chunk: Buffer): void {
    if (stream === "stdout") this.#lines.push(chunk);
    else this.stderr.push(chunk);
  }

  finished(): boolean {
    return this.over;
  }

  activity(): string | null {
    return this.#latest && activityOf(this.#latest.tool, this.#latest.input, this.context.cwd);
  }

  usageSoFar(): Usage | null {
    return this.usage;
  }

  end(process: ProcessEnd): TurnSummary {
    this.#lines.end();
    this.atEnd(process);
    const { tools } = this.context.request;
    const said = {
      over: this.over,
      error: this.error,
      anything: this.#lines.objects > 0 || this.#lines.skipped > 0,
      // A review may not write, so a denied write does not spoil it.
      denials: tools === "all" ? this.denials.list : [],
      changedSomething: this.files.list.length > 0 || this.#ran > this.#deniedRuns(),
      lastWords: this.#calls === 0 ? this.text : null,
      question: this.question,
      text: `${this.#lines.text}\n${this.stderr.text}`,
    };
    return {
      failure: failureOf(said, this.retrying ?? this.error, process, this.context.now()),
      sessionId: this.sessionId,
      model: this.model,
      usage: this.usage,
      sessionTotals: this.totals,
      filesTouched: this.files.list,
      denials: this.denials.list,
      ...(this.compacted && { compacted: true as const }),
      unknownLines: this.unknown + this.#lines.strays + this.#lines.skipped,
      finalText: this.over && this.error === null ? boundedEnd(this.text) : "",
    };
  }

  /** This turn's usage, if the agent counts over its session; null: unknown. A lower count than before has restarted. */
  protected sinceBefore(totals: Usage): Usage | null {
    const { before, request } = this.context;
    if (request.session.kind === "start") return totals;
    if (before === null) return null;
    const hasRestarted = totals.input < before.input || totals.output < before.output;
    return hasRestarted ? totals : subtractUsage(totals, before);
  }

  /** The agent retries; `tries` counts consecutive calls without an answer. */
  protected triesAgain(clue: ErrorClue, tries: number): void {
    this.retrying = clue;
    if (tries < MAX_CONNECTION_TRIES) return;
    if (classify(clue, this.context.now())?.class !== "unreachable") return;
    this.error = clue;
    this.over = true;
  }

  #deniedRuns(): number {
    return this.denials.list.filter(({ tool }) => isRun(tool)).length;
  }

  protected says(piece: string, goesOn: boolean): void {
    const text = goesOn ? this.text + piece : piece;
    this.text = text.length > MAX_SPEECH ? boundedEnd(text) : text;
  }

  /** The agent calls a tool; its outcome will refer to `call`. */
  protected begins(tool: string, input: JsonObject | undefined, call: string | undefined): void {
    this.#latest = { tool, input };
    this.#calls += 1;
    if (isRun(tool)) this.#ran += 1;
    // Earlier text was not the final message.
    this.text = "";
    if (isEdit(tool)) this.writes.begin(call, fileIn(input));
  }

  /** The results of tool calls in a message, as Anthropic's API formats them. */
  protected toolResults(message: JsonObject | undefined): void {
    for (const item of listIn(message, "content"))
      if (isObject(item) && item["type"] === "tool_result")
        this.writes.end(stringIn(item, "tool_use_id"), item["is_error"] !== true);
  }
}
