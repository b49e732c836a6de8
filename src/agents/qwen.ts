import { addUsage, type Usage } from "../core/agent-turn.ts";
import type { Adapter, AgentCommand, TurnRequest } from "./adapter.ts";
import type { ErrorClue } from "./classify.ts";
import { unlessGiven } from "./flags.ts";
import { about, leadingType } from "./gather.ts";
import { isObject, type JsonObject, listIn, numberIn, objectIn, stringIn } from "./json-lines.ts";
import { StreamReader } from "./stream-reader.ts";

const NOTHING: Usage = { input: 0, cached: 0, output: 0, costUsd: null };

export const qwen: Adapter = {
  name: "qwen",
  program: "qwen",
  install: "npm install -g @qwen-code/qwen-code  (Node >= 22)",
  login: "qwen /auth  (OPENAI_API_KEY, --auth-type openai)",
  tested: ["0.15.10", "0.24.4"],
  can: { resume: true, fork: true, tools: "read", system: false, tokens: true, cost: false },
  stdin: "prompt",
  command,
  read: (context) => new QwenReader(context),
};

function command({ options, session, tools }: TurnRequest): AgentCommand {
  const { args, model, endpoint } = options;
  const words = [options.program, "--output-format", "stream-json"];
  if (tools === "all")
    words.push(...unlessGiven(args, ["--approval-mode", "--yolo", "-y"], ["--approval-mode", "yolo"]));
  if (model !== null) words.push("--model", model);
  if (endpoint !== null) words.push(...unlessGiven(args, ["--auth-type"], ["--auth-type", "openai"]));
  if (session.kind !== "start") words.push("--resume", session.id);
  if (session.kind === "fork") words.push("--fork-session");
  words.push(...args);
  // This mode refuses even its commands.
  if (tools !== "all") words.push("--approval-mode", "plan");
  return {
    words,
    env: {
      QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
      ...(endpoint === null ? {} : { OPENAI_BASE_URL: endpoint }),
      ...options.env,
    },
  };
}

/** Reads `stream-json`: one whole message per line, then the result. Its output while it retries is useless. */
class QwenReader extends StreamReader {
  /** Usage from the messages so far, which omits side requests. */
  #fromMessages: Usage | null = null;
  #begun = false;

  protected override read(line: JsonObject): void {
    switch (stringIn(line, "type")) {
      case "system":
        this.#begun = true;
        this.sessionId = stringIn(line, "session_id") ?? this.sessionId;
        this.model = stringIn(line, "model") ?? this.model;
        break;
      case "assistant":
        this.#assistant(objectIn(line, "message"));
        break;
      case "user":
        this.toolResults(objectIn(line, "message"));
        break;
      case "result":
        this.#result(line);
        break;
      case "stream_event":
      case "control_request":
      case "control_response":
        break;
      default:
        this.unknown += 1;
    }
  }

  /** Tool results are long, and matter only while the outcome of an edit is pending. */
  protected override wants(line: string): boolean {
    switch (leadingType(line)) {
      case "stream_event":
        return false;
      case "system":
        return !this.#begun;
      case "user":
        return this.writes.waiting;
      default:
        return true;
    }
  }

  #assistant(message: JsonObject | undefined): void {
    this.over = false;
    const usage = usageIn(message);
    if (usage !== null) {
      const { before } = this.context;
      this.#fromMessages = addUsage(this.#fromMessages ?? NOTHING, usage);
      this.usage = this.#fromMessages;
      this.totals = addUsage(before ?? NOTHING, this.#fromMessages);
    }
    for (const item of listIn(message, "content"))
      if (isObject(item) && item["type"] === "tool_use")
        this.begins(stringIn(item, "name") ?? "", objectIn(item, "input"), stringIn(item, "id"));
  }

  #result(line: JsonObject): void {
    this.over = true;
    this.sessionId = stringIn(line, "session_id") ?? this.sessionId;
    this.text = stringIn(line, "result") ?? "";
    this.error = line["is_error"] === false ? null : clueOf(line);
    this.totals = usageIn(line) ?? this.totals;
    // It counts over the whole session. With nothing to subtract, the messages' own numbers are closer.
    if (this.totals !== null) this.usage = this.sinceBefore(this.totals) ?? this.#fromMessages;
    for (const denial of listIn(line, "permission_denials"))
      if (isObject(denial))
        this.denials.add(stringIn(denial, "tool_name"), about(objectIn(denial, "tool_input")));
  }
}

/** `[API Error: 401 Incorrect key]`: its wrapping of service errors. */
function clueOf(result: JsonObject): ErrorClue {
  const message = stringIn(objectIn(result, "error"), "message") ?? stringIn(result, "subtype") ?? "";
  return { status: null, code: null, message: /^\[(API Error: .*)\]$/s.exec(message)?.[1] ?? message };
}

/** As OpenAI counts: the input includes the cache. */
function usageIn(holder: JsonObject | undefined): Usage | null {
  const usage = objectIn(holder, "usage");
  const input = numberIn(usage, "input_tokens");
  const output = numberIn(usage, "output_tokens");
  if (input === undefined || output === undefined) return null;
  const cached = numberIn(usage, "cache_read_input_tokens") ?? 0;
  return { input: Math.max(0, input - cached), cached, output, costUsd: null };
}
