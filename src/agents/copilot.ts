import type { Adapter, AgentCommand, TurnRequest } from "./adapter.ts";
import type { ErrorClue } from "./classify.ts";
import { about, leadingType } from "./gather.ts";
import {
  isObject,
  type JsonObject,
  listIn,
  numberIn,
  objectIn,
  stringIn,
  parseObject,
} from "./json-lines.ts";
import { StreamReader } from "./stream-reader.ts";

/** Lines that show how the turn goes; the prefix of the type is enough for all others. */
const RELEVANT = new Set([
  "assistant.message",
  "tool.execution_start",
  "tool.execution_complete",
  "model.call_failure",
  "session.error",
  "abort",
  "result",
]);
const FAMILIES = new Set([
  "agent",
  "assistant",
  "hook",
  "model",
  "permission",
  "session",
  "skill",
  "subagent",
  "system",
  "tool",
  "user",
]);
const MAX_CALLS = 1000;

export const copilot: Adapter = {
  name: "copilot",
  program: "copilot",
  install: "npm install -g @github/copilot",
  login: "copilot login",
  tested: ["1.0.102", "1.0.102"],
  can: { resume: true, fork: false, tools: "read", system: false, tokens: false, cost: false },
  stdin: "prompt",
  command,
  read: (context) => new CopilotReader(context),
};

function command({ options, session, tools }: TurnRequest): AgentCommand {
  const words = [options.program, "--output-format=json", "--allow-all-tools"];
  if (options.model !== null) words.push(`--model=${options.model}`);
  // With `=`, because the value is optional: a separate word might not be read as the value.
  if (session.kind !== "start") words.push(`--resume=${session.id}`);
  words.push(...options.args);
  if (tools !== "all") words.push("--available-tools=view,grep,glob");
  return {
    words,
    env: {
      COPILOT_AUTO_UPDATE: "false",
      ...(options.endpoint === null ? {} : { COPILOT_PROVIDER_BASE_URL: options.endpoint }),
      ...options.env,
    },
  };
}

/** Reads `--output-format json`. After nothing but failed requests, or an abort, its exit code may still be 0. */
class CopilotReader extends StreamReader {
  readonly #calls = new Map<string, { readonly tool: string; readonly about: string }>();
  /** Whether the last event is a message without further tool calls. */
  #answered = false;
  #finished = false;

  override finished(): boolean {
    return this.#finished;
  }

  protected override read(line: JsonObject): void {
    const type = stringIn(line, "type") ?? "";
    const data = objectIn(line, "data");
    switch (type) {
      case "assistant.message":
        this.#message(data);
        break;
      case "tool.execution_start":
        this.#toolStarts(data);
        break;
      case "tool.execution_complete":
        this.#toolEnds(data);
        break;
      case "model.call_failure":
        this.#failed(clueOfCall(data));
        break;
      case "session.error":
        this.#failed(clueOfSession(data));
        break;
      case "abort":
        this.#answered = false;
        break;
      case "result":
        this.#result(line);
        break;
      default:
        if (!FAMILIES.has(familyOf(type))) this.unknown += 1;
    }
  }

  /** Tool output is long, and matters only if a file was changed or the call was refused. */
  protected override wants(line: string): boolean {
    const type = leadingType(line);
    if (type === "tool.execution_complete")
      return line.includes('"fileEdits":') || line.includes('"success":false');
    return type === undefined || RELEVANT.has(type) || !FAMILIES.has(familyOf(type));
  }

  #message(data: JsonObject | undefined): void {
    this.model = stringIn(data, "model") ?? this.model;
    this.text = stringIn(data, "content") ?? "";
    this.error = null;
    this.#answered = listIn(data, "toolRequests").length === 0;
  }

  #failed(error: ErrorClue): void {
    this.error = error;
    this.#answered = false;
  }

  #result(line: JsonObject): void {
    this.#finished = true;
    this.sessionId = stringIn(line, "sessionId") ?? this.sessionId;
    this.over = line["exitCode"] === 0 && this.#answered;
  }

  #toolStarts(data: JsonObject | undefined): void {
    const tool = stringIn(data, "toolName") ?? "";
    const call = stringIn(data, "toolCallId") ?? "";
    const input = objectIn(data, "arguments");
    this.begins(tool, input, undefined);
    if (this.#calls.size >= MAX_CALLS) this.#calls.clear();
    this.#calls.set(call, { tool, about: about(input) });
  }

  #toolEnds(data: JsonObject | undefined): void {
    for (const edit of listIn(data, "fileEdits")) if (isObject(edit)) this.files.add(stringIn(edit, "path"));
    if (stringIn(objectIn(data, "error"), "code") !== "denied") return;
    const call = this.#calls.get(stringIn(data, "toolCallId") ?? "");
    this.denials.add(call?.tool, call?.about ?? "");
  }
}

function familyOf(type: string): string {
  return type.split(".", 1)[0] ?? "";
}

function clueOfSession(data: JsonObject | undefined): ErrorClue {
  return {
    status: numberIn(data, "statusCode") ?? null,
    code: stringIn(data, "errorType") ?? null,
    message: stringIn(data, "message") ?? "",
  };
}

/** The message contains the body of the service's answer as JSON. */
function clueOfCall(data: JsonObject | undefined): ErrorClue {
  const message = stringIn(data, "errorMessage") ?? "";
  const body = parseObject(message);
  const code = stringIn(body, "code") ?? stringIn(body, "type") ?? stringIn(data, "errorType");
  return {
    status: numberIn(data, "statusCode") ?? null,
    code: code ?? null,
    message: stringIn(body, "message") ?? message,
  };
}
