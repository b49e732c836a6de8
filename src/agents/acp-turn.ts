import { addUsage, type TurnFailure, type Usage } from "../core/agent-turn.ts";
import type { ProcessEnd } from "../platform/process/process-end.ts";
import type { ReadContext, TurnSummary } from "./adapter.ts";
import { classify, type ErrorClue } from "./classify.ts";
import { boundedEnd, Denials, failureOf, leadingStatus, TouchedFiles } from "./gather.ts";
import { isObject, type JsonObject, listIn, numberIn, objectIn, stringIn } from "./json-lines.ts";
import { oneLine } from "./one-line.ts";

const CHANGING = new Set(["edit", "delete", "move", "execute"]);
const FILING = new Set(["edit", "delete", "move"]);
const MAX_CALLS = 1000;
const MAX_ACTIVITY = 120;
/** GitHub's agent mixes its own remarks and errors with the model's words like this, and calls a failed turn successful. */
const REMARK = /^(?:Info|Error): /;

/** How an agent that failed at the start reports an error as plain text. */
const CONFESSION = /^(?:API )?Error\b/;
const MAX_TEXT = 4 * 1024 * 1024;

/** The known parts of a tool call, because agents report it bit by bit. */
export interface ToolCall {
  readonly kind: string;
  readonly title: string;
  readonly paths: readonly string[];
}

/**
 * Collects a turn's result from an Agent Client Protocol conversation. It reads both sides as messages pass, because the code
 * that holds the conversation may lag behind.
 */
export class AcpTurn {
  readonly #context: ReadContext;
  readonly #files: TouchedFiles;
  readonly #denials = new Denials();
  readonly #calls = new Map<string, ToolCall>();
  #promptId: unknown;
  #remarks = false;
  #sessionId: string | null;
  #model: string | null = null;
  #activity: string | null = null;
  #text = "";
  /** The next text starts a new message. */
  #cut = false;
  #messageId: string | undefined;
  #worked = false;
  #changed = false;
  #reported: Usage | null = null;
  #final: Usage | null = null;
  #sessionCost: number | null = null;
  #over = false;
  #error: ErrorClue | null = null;
  /** The last remark, if no words or actions followed it. */
  #remark: ErrorClue | null = null;
  #stopped: TurnFailure | null = null;
  #unknown = 0;

  constructor(context: ReadContext) {
    const { session } = context.request;
    this.#context = context;
    this.#files = new TouchedFiles(context.cwd);
    this.#sessionId = session.kind === "resume" ? session.id : null;
  }

  get finished(): boolean {
    return this.#over || this.#stopped !== null;
  }

  get activity(): string | null {
    return this.#activity;
  }

  get usage(): Usage | null {
    const tokens = this.#final ?? this.#reported;
    const cost = this.#cost();
    if (tokens === null) return cost === null ? null : { input: 0, cached: 0, output: 0, costUsd: cost };
    return { ...tokens, costUsd: cost };
  }

  agentIs(name: string): void {
    this.#remarks = name === "Copilot";
  }

  sessionIs(id: string, model: string | undefined): void {
    this.#sessionId = id;
    this.#model = model ?? this.#model;
  }

  /** Ends the conversation for a known reason. */
  stop(failure: TurnFailure["class"], message: string): void {
    this.#stopped ??= { class: failure, message: oneLine(message), retryAt: null };
    this.#context.changed();
  }

  /** Ends the conversation after an error that may explain why. */
  fail(error: ErrorClue): void {
    this.#over = true;
    this.#error = error;
    this.#context.changed();
  }

  deny(tool: string, subject: string): void {
    this.#denials.add(tool, subject);
  }

  call(id: string | undefined): ToolCall | undefined {
    return id === undefined ? undefined : this.#calls.get(id);
  }

  sent(message: JsonObject): void {
    if (message["method"] === "session/prompt") this.#promptId = message["id"];
  }

  received(message: JsonObject): void {
    const method = stringIn(message, "method");
    if (method === "session/update") this.#update(objectIn(message, "params"));
    else if (method === "session/request_permission")
      this.#toolCall(objectIn(objectIn(message, "params"), "toolCall"));
    else if (method !== undefined) this.#unknown += 1;
    else if (this.#promptId !== undefined && message["id"] === this.#promptId) this.#answer(message);
  }

  end(process: ProcessEnd, anything: boolean, text: string): TurnSummary {
    const failure = this.#failure(process, anything, text);
    return {
      failure,
      sessionId: this.#sessionId,
      model: this.#model,
      usage: this.usage,
      sessionTotals:
        this.#sessionCost === null ? null : { input: 0, cached: 0, output: 0, costUsd: this.#sessionCost },
      filesTouched: this.#files.list,
      denials: this.#denials.list,
      unknownLines: this.#unknown,
      finalText: failure === null ? boundedEnd(this.#text) : "",
    };
  }

  #failure(process: ProcessEnd, anything: boolean, text: string): TurnFailure | null {
    if (this.#stopped !== null) return this.#stopped;
    const now = this.#context.now();
    const confessed = this.#over && this.#idle() && CONFESSION.test(this.#text);
    const known = confessed ? classify(clueOf(this.#text), now) : null;
    if (known !== null) return known;
    const said = {
      over: this.#over,
      error: this.#error,
      anything,
      // A review may not write, so a denied write does not spoil it.
      denials: this.#context.request.tools === "all" ? this.#denials.list : [],
      changedSomething: this.#changed,
      lastWords: null,
      question: null,
      text,
    };
    return failureOf(said, this.#error ?? this.#remark, process, now);
  }

  /** No actions, and no tokens that we know of. */
  #idle(): boolean {
    return !this.#worked && this.#final === null && this.#reported === null;
  }

  /** Money is counted over the session, and some agents restart the count when they resume it. */
  #cost(): number | null {
    const before = this.#context.before?.costUsd ?? 0;
    if (this.#sessionCost === null) return null;
    return this.#sessionCost >= before ? this.#sessionCost - before : this.#sessionCost;
  }

  /** Ignores messages of another session, or after the answer. */
  #update(params: JsonObject | undefined): void {
    const session = stringIn(params, "sessionId") ?? this.#sessionId;
    const elsewhere = this.#promptId !== undefined && session !== this.#sessionId;
    if (elsewhere || this.#over) this.#unknown += 1;
    else this.#updated(objectIn(params, "update"));
  }

  #updated(update: JsonObject | undefined): void {
    // Before our prompt, an agent that loads a session repeats all of it.
    const now = this.#promptId !== undefined;
    switch (stringIn(update, "sessionUpdate")) {
      case "agent_message_chunk":
        if (now) this.#chunk(update);
        break;
      case "tool_call":
      case "tool_call_update":
        if (now) this.#toolCall(update);
        break;
      case "usage_update": {
        const cost = objectIn(update, "cost");
        if (stringIn(cost, "currency") === "USD")
          this.#sessionCost = numberIn(cost, "amount") ?? this.#sessionCost;
        break;
      }
      case "agent_thought_chunk":
      case "available_commands_update":
      case "config_option_update":
      case "current_mode_update":
      case "plan":
      case "session_info_update":
      case "user_message_chunk":
        break;
      default:
        this.#unknown += 1;
    }
  }

  #chunk(update: JsonObject | undefined): void {
    const reported = usageIn(objectIn(objectIn(update, "_meta"), "usage"));
    if (reported !== null)
      this.#reported = this.#reported === null ? reported : addUsage(this.#reported, reported);
    const text = stringIn(objectIn(update, "content"), "text") ?? "";
    if (text === "") return;
    if (this.#remarks && REMARK.test(text)) {
      this.#remark = clueOf(text.replace(REMARK, ""));
      if (text.startsWith("Error")) this.#error = this.#remark;
      this.#cut = true;
      return;
    }
    const messageId = stringIn(update, "messageId");
    if (this.#cut || messageId !== this.#messageId) this.#text = "";
    this.#cut = false;
    this.#messageId = messageId;
    this.#progress();
    this.#text += text;
    // Cut seldom: a copy for every word would be slow.
    if (this.#text.length > MAX_TEXT) this.#text = boundedEnd(this.#text);
  }

  #progress(): void {
    this.#error = null;
    this.#remark = null;
  }

  #toolCall(update: JsonObject | undefined): void {
    this.#cut = true;
    this.#worked = true;
    const id = stringIn(update, "toolCallId") ?? "";
    const known = this.#calls.get(id);
    // Earlier text was not the final message.
    if (!known && stringIn(update, "sessionUpdate") === "tool_call") this.#text = "";
    const paths = pathsIn(update);
    const call = {
      kind: stringIn(update, "kind") ?? known?.kind ?? "",
      title: stringIn(update, "title") ?? known?.title ?? "",
      paths: paths.length > 0 ? paths : (known?.paths ?? []),
    };
    if (this.#calls.size >= MAX_CALLS) this.#calls.clear();
    this.#calls.set(id, call);
    this.#activity = oneLine(call.title || call.kind).slice(0, MAX_ACTIVITY) || this.#activity;
    const status = stringIn(update, "status");
    if (status !== "completed" && status !== "failed") return;
    this.#calls.delete(id);
    this.#progress();
    if (status === "failed") return;
    if (CHANGING.has(call.kind)) this.#changed = true;
    if (FILING.has(call.kind)) for (const file of call.paths) this.#files.add(file);
  }

  #answer(message: JsonObject): void {
    const error = objectIn(message, "error");
    const result = objectIn(message, "result");
    const quota = objectIn(objectIn(result, "_meta"), "quota");
    this.#over = true;
    this.#final = usageIn(objectIn(result, "usage")) ?? usageIn(objectIn(quota, "token_count"));
    this.#model = stringIn(listIn(quota, "model_usage").find(isObject), "model") ?? this.#model;
    if (error !== undefined) this.#refused(error);
    else this.#ended(stringIn(result, "stopReason") ?? "");
  }

  #refused(error: JsonObject): void {
    if (isAuthRequired(error)) this.stop("auth", stringIn(error, "message") ?? "");
    else this.fail(clueOfError(error));
  }

  #ended(reason: string): void {
    switch (reason) {
      case "end_turn":
        break;
      case "refusal":
        this.stop("refused", this.#text || reason);
        break;
      case "max_tokens":
      case "max_turn_requests":
        this.stop("own_limit", reason);
        break;
      case "cancelled":
        this.fail(clueOf(reason));
        break;
      default:
        this.stop("protocol", `it stopped for a reason that is not known: ${reason}`);
    }
  }
}

/** The protocol's error number for it. */
export function isAuthRequired(error: JsonObject): boolean {
  return error["code"] === -32000;
}

/** The specific message is usually in the data, and `message` is generic. Some agents put the HTTP status in the code. */
export function clueOfError(error: JsonObject): ErrorClue {
  const data = objectIn(error, "data");
  const said = stringIn(data, "message") ?? stringIn(data, "details") ?? stringIn(error, "data");
  const message = said ?? stringIn(error, "message") ?? "";
  const number = numberIn(error, "code") ?? 0;
  return {
    status: number >= 400 && number < 600 ? number : leadingStatus(message),
    code: stringIn(data, "codex_error_info") ?? stringIn(data, "errorKind") ?? null,
    message,
  };
}

function clueOf(message: string): ErrorClue {
  return { status: leadingStatus(message), code: null, message };
}

function pathsIn(update: JsonObject | undefined): string[] {
  const places = [...listIn(update, "locations"), ...listIn(update, "content")];
  return places.flatMap((place) => (isObject(place) ? (stringIn(place, "path") ?? []) : []));
}

function usageIn(counts: JsonObject | undefined): Usage | null {
  const count = (...names: readonly string[]): number | undefined =>
    names.map((name) => numberIn(counts, name)).find((number) => number !== undefined);
  const input = count("inputTokens", "input_tokens");
  const output = count("outputTokens", "output_tokens");
  if (input === undefined || output === undefined) return null;
  const cached = count("cachedReadTokens", "cachedInputTokens", "cached_input_tokens") ?? 0;
  const written = count("cachedWriteTokens", "cacheWriteInputTokens") ?? 0;
  const total = count("totalTokens", "total_tokens");
  // Some agents count the cache as part of the input and some do not; the total shows which.
  const within = total !== undefined && total < input + cached + written + output;
  return { input: within ? Math.max(0, input - cached) : input + written, cached, output, costUsd: null };
}
