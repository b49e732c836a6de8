import { addUsage, type Usage } from "../core/agent-turn.ts";
import type { Adapter, AgentCommand, TurnRequest } from "./adapter.ts";
import { leadingStatus, leadingType } from "./gather.ts";
import { isObject, type JsonObject, listIn, numberIn, objectIn, stringIn } from "./json-lines.ts";
import { StreamReader } from "./stream-reader.ts";

const BY_THE_ASSISTANT = '{"type":"message_end","message":{"role":"assistant"';

export const pi: Adapter = {
  name: "pi",
  program: "pi",
  install: "npm install -g @mariozechner/pi-coding-agent",
  login: "pi /login  (OPENAI_API_KEY, ANTHROPIC_API_KEY, …)",
  tested: ["0.73.1", "0.73.1"],
  can: { resume: true, fork: true, tools: "read", system: false, tokens: true, cost: true },
  stdin: "prompt",
  command,
  read: (context) => new PiReader(context),
};

function command({ options, session, tools }: TurnRequest): AgentCommand {
  const words = [options.program, "--print", "--mode", "json"];
  if (options.model !== null) words.push("--model", options.model);
  if (session.kind === "resume") words.push("--session", session.id);
  if (session.kind === "fork") words.push("--fork", session.id);
  words.push(...options.args);
  if (tools !== "all") words.push("--tools", "read,grep,find,ls");
  return { words, env: options.env };
}

/** Reads `--mode json`. Its exit code is always 0, so only the stop reason of the last message counts. */
class PiReader extends StreamReader {
  #stop = "";
  #gaveUp = false;

  /** After an error it may retry, until it reports that it gives up. */
  override finished(): boolean {
    return this.over && (this.error === null || this.#gaveUp);
  }

  protected override read(line: JsonObject): void {
    switch (stringIn(line, "type")) {
      case "session":
        this.sessionId = stringIn(line, "id") ?? this.sessionId;
        break;
      case "agent_start":
      case "turn_start":
        this.over = false;
        break;
      case "message_end":
        this.#message(objectIn(line, "message"));
        break;
      case "turn_end":
        this.over = this.#stop !== "toolUse";
        break;
      case "auto_retry_end":
        this.#gaveUp = line["success"] === false;
        this.over ||= this.#gaveUp;
        break;
      case "tool_execution_start":
        this.begins(stringIn(line, "toolName") ?? "", objectIn(line, "args"), stringIn(line, "toolCallId"));
        break;
      case "compaction_end":
        this.compacted = true;
        break;
      case "tool_execution_end":
        this.writes.end(stringIn(line, "toolCallId"), line["isError"] === false);
        break;
      case "agent_end":
      case "message_start":
      case "message_update":
      case "tool_execution_update":
      case "auto_retry_start":
      case "compaction_start":
      case "queue_update":
      case "session_info_changed":
      case "thinking_level_changed":
        break;
      default:
        this.unknown += 1;
    }
  }

  /** Updates repeat the whole message so far, and `agent_end` the whole conversation, which may exceed the line limit. */
  protected override wants(line: string): boolean {
    switch (leadingType(line)) {
      case "message_update":
      case "message_start":
      case "agent_end":
      case "tool_execution_update":
        return false;
      case "message_end":
        return line.startsWith(BY_THE_ASSISTANT);
      case "turn_end":
        return this.#stop !== "toolUse";
      case "tool_execution_end":
        return this.writes.waiting;
      default:
        return true;
    }
  }

  #message(message: JsonObject | undefined): void {
    if (stringIn(message, "role") !== "assistant") return;
    this.model = stringIn(message, "model") ?? this.model;
    this.text = textOf(message);
    const usage = usageIn(message);
    if (usage !== null) this.usage = this.usage === null ? usage : addUsage(this.usage, usage);
    this.#stop = stringIn(message, "stopReason") ?? "";
    const said = stringIn(message, "errorMessage") ?? this.#stop;
    // A message cut off for its length is not the final one.
    if (this.#stop === "length") this.error = { status: null, code: "max_output_tokens", message: said };
    else if (this.#stop === "stop" || this.#stop === "toolUse") this.error = null;
    else this.error = { status: leadingStatus(said), code: null, message: said };
  }
}

function textOf(message: JsonObject | undefined): string {
  const parts = listIn(message, "content").map((item) =>
    isObject(item) && item["type"] === "text" ? (stringIn(item, "text") ?? "") : "",
  );
  return parts.filter((text) => text !== "").join("\n");
}

function usageIn(message: JsonObject | undefined): Usage | null {
  const usage = objectIn(message, "usage");
  const input = numberIn(usage, "input");
  const output = numberIn(usage, "output");
  if (input === undefined || output === undefined) return null;
  return {
    input: input + (numberIn(usage, "cacheWrite") ?? 0),
    cached: numberIn(usage, "cacheRead") ?? 0,
    output,
    costUsd: numberIn(objectIn(usage, "cost"), "total") ?? null,
  };
}
