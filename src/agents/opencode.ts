import { join } from "node:path";
import { addUsage, type Usage } from "../core/agent-turn.ts";
import type { Adapter, AgentCommand, AgentOptions, TurnRequest } from "./adapter.ts";
import type { ErrorClue } from "./classify.ts";
import { unlessGiven, withoutFlags } from "./flags.ts";
import { about, leadingType } from "./gather.ts";
import { isObject, type JsonObject, numberIn, objectIn, stringIn, parseObject } from "./json-lines.ts";
import { StreamReader } from "./stream-reader.ts";
import { TextLines } from "./text-lines.ts";

const CONFIG = "OPENCODE_CONFIG_CONTENT";
const DENIED = {
  "*": "deny",
  edit: "deny",
  write: "deny",
  bash: "deny",
  task: "deny",
  external_directory: "deny",
};
/** Our own agent definitions, because the project's settings for its own agents override those for all agents. */
const KEPT = {
  read: {
    name: "foreman-read-only",
    permission: { ...DENIED, read: "allow", grep: "allow", glob: "allow", list: "allow" },
  },
  none: { name: "foreman-no-tools", permission: DENIED },
};
/** For full permissions with a system prompt. */
const FREE = { name: "foreman", permission: {} };
const REJECTED = /^The user rejected permission to use/;
const FORBIDDEN = /^The user has specified a rule which prevents you/;
/** A failed call in its log, and the field with the error. */
const STREAM_ERROR = ' message="stream error" ';
const LOGGED_ERROR = ' error.error="';

export const opencode: Adapter = {
  name: "opencode",
  program: "opencode",
  install: "npm install -g opencode-ai",
  login: "opencode auth login",
  tested: ["1.18.33", "1.18.33"],
  can: { resume: true, fork: true, tools: "none", system: true, tokens: true, cost: true },
  stdin: "prompt",
  command,
  read: (context) => new OpencodeReader(context),
};

/** An endpoint must speak OpenAI's protocol, and needs a model: `provider/model`, or a name alone. */
function command({ options, session, tools, system, dir }: TurnRequest): AgentCommand {
  // It retries for minutes silently; only its log says why.
  const words = [options.program, "run", "--format=json", "--print-logs", "--log-level=ERROR"];
  const model = modelName(options);
  if (model !== null) words.push("--model", model);
  if (session.kind !== "start") words.push("--session", session.id);
  if (session.kind === "fork") words.push("--fork");
  const own = tools !== "all" ? KEPT[tools] : system === null ? null : FREE;
  const args = own === null ? options.args : withoutFlags(options.args, ["--agent"]);
  if (tools === "all") words.push(...unlessGiven(args, ["--auto", "--no-auto"], ["--auto"]), ...args);
  else words.push(...withoutFlags(args, ["--auto"]), "--pure");
  if (own !== null) words.push(`--agent=${own.name}`);
  const file = join(dir, "system.md");
  const config = {
    ...(own === null
      ? {}
      : { agent: { [own.name]: agentOf(own.permission, system === null ? null : file) } }),
    ...provider(options),
  };
  return {
    words,
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      // A fork has a tool that asks the person, and waits for the answer for ever.
      OPENCODE_PERMISSION: process.env["OPENCODE_PERMISSION"] ?? '{"question":"deny"}',
      ...options.env,
      ...withConfig(config, options),
    },
    ...(system === null ? {} : { files: { [file]: system } }),
  };
}

function agentOf(permission: JsonObject, systemFile: string | null): JsonObject {
  return { mode: "primary", permission, ...(systemFile === null ? {} : { prompt: `{file:${systemFile}}` }) };
}

/** The model's name in opencode's form. */
export function modelName({ model, endpoint }: AgentOptions): string | null {
  return model !== null && endpoint !== null && !model.includes("/") ? `foreman/${model}` : model;
}

/** Configuration of the endpoint. */
export function endpointEnv(options: AgentOptions): Readonly<Record<string, string>> {
  return withConfig(provider(options), options);
}

function provider(options: AgentOptions): JsonObject {
  const model = modelName(options);
  if (options.endpoint === null || model === null) return {};
  const [name = "", ...rest] = model.split("/");
  const settings = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: options.endpoint, apiKey: "{env:OPENAI_API_KEY}" },
    models: { [rest.join("/")]: {} },
  };
  return { provider: { [name]: settings } };
}

/** One variable holds all configuration, so the person's is kept; ours wins a conflict. */
function withConfig(ours: JsonObject, { env }: AgentOptions): Readonly<Record<string, string>> {
  if (Object.keys(ours).length === 0) return {};
  const given = parseObject(env[CONFIG] ?? process.env[CONFIG] ?? "");
  const merged = Object.entries(ours).map(([key, value]) => [
    key,
    { ...objectIn(given, key), ...asObject(value) },
  ]);
  return { [CONFIG]: JSON.stringify({ ...given, ...Object.fromEntries(merged) }) };
}

const BROKEN_OFF: ErrorClue = {
  status: null,
  code: "response_stream_disconnected",
  message: "the model's answer broke off",
};

/** Reads `run --format json`: one line per action. */
class OpencodeReader extends StreamReader {
  readonly #log = new TextLines((line) => this.#readLog(line));
  /** Calls that failed since the model's last answer. */
  #failedCalls = 0;
  #message = "";
  #stepIsOpen = false;
  /** Consecutive answers that broke off: it asks again, and does not say why. */
  #brokenOff = 0;
  /** The context was too long: the next message is a summary, not the final one. */
  #compacting = false;

  override push(stream: "stdout" | "stderr", chunk: Buffer): void {
    super.push(stream, chunk);
    if (stream === "stderr") this.#log.push(chunk);
  }

  protected override atEnd(): void {
    this.#log.end();
  }

  protected override read(line: JsonObject): void {
    this.sessionId = stringIn(line, "sessionID") ?? this.sessionId;
    const part = objectIn(line, "part");
    switch (stringIn(line, "type")) {
      case "step_start":
        this.#answered();
        if (this.#stepIsOpen) this.#brokenOff += 1;
        this.#stepIsOpen = true;
        if (this.#brokenOff > 0) this.triesAgain(BROKEN_OFF, this.#brokenOff);
        break;
      case "text":
        this.#text(part);
        break;
      case "tool_use":
        this.#tool(part);
        break;
      case "step_finish":
        this.#finish(part);
        break;
      case "error":
        this.#failed(objectIn(line, "error"));
        break;
      case "reasoning":
        break;
      default:
        this.unknown += 1;
    }
  }

  protected override wants(line: string): boolean {
    return leadingType(line) !== "reasoning";
  }

  #readLog(line: string): void {
    const entry = line.indexOf(STREAM_ERROR);
    const at = entry === -1 ? -1 : line.indexOf(LOGGED_ERROR, entry);
    if (at === -1 || this.over) return;
    const message = line.slice(at + LOGGED_ERROR.length).replace(/"$/, "");
    this.#failedCalls += 1;
    // It retries only what may pass.
    this.triesAgain({ status: null, code: "server_error", message }, this.#failedCalls);
  }

  #answered(): void {
    this.#failedCalls = 0;
    this.over = false;
    if (this.#compacting) return;
    this.error = null;
    this.retrying = null;
  }

  #text(part: JsonObject | undefined): void {
    if (part?.["synthetic"] === true) {
      // The conversation was shortened and continues; until the model answers, it may still be too long.
      const tooLong = this.error;
      this.#compacting = false;
      this.compacted = true;
      this.#answered();
      this.retrying = tooLong;
      return;
    }
    const message = stringIn(part, "messageID") ?? "";
    const goesOn = message === this.#message;
    this.says(`${goesOn ? "\n" : ""}${stringIn(part, "text") ?? ""}`, goesOn);
    this.#message = message;
  }

  #tool(part: JsonObject | undefined): void {
    const state = objectIn(part, "state");
    const input = objectIn(state, "input");
    const tool = stringIn(part, "tool") ?? "";
    const call = stringIn(part, "callID");
    this.begins(tool, input, call);
    const isDone = stringIn(state, "status") === "completed";
    this.writes.end(call, isDone);
    if (isDone) return;
    const why = stringIn(state, "error") ?? "";
    if (!REJECTED.test(why) && !FORBIDDEN.test(why)) return;
    this.denials.add(tool, about(input));
    // A rejected permission ends the turn, without an error and with exit code 0.
    if (REJECTED.test(why)) this.error = { status: null, code: "permission_rejected", message: why };
  }

  #finish(part: JsonObject | undefined): void {
    this.usage = addUsage(this.usage, usageIn(part));
    const reason = stringIn(part, "reason");
    this.#stepIsOpen = false;
    if (reason === "unknown") {
      this.error = BROKEN_OFF;
      this.triesAgain(BROKEN_OFF, (this.#brokenOff += 1));
      return;
    }
    if (this.#brokenOff > 0) this.#answered();
    this.#brokenOff = 0;
    switch (reason) {
      case undefined:
      case "tool-calls":
        return;
      case "length":
        this.error = {
          status: null,
          code: "context_window_exceeded",
          message: "the model's answer was cut off",
        };
        break;
      case "content-filter":
        this.error = {
          status: null,
          code: "content_filter",
          message: "blocked by the provider's content filter",
        };
        break;
      default:
        break;
    }
    this.over = !this.#compacting;
  }

  #failed(error: JsonObject | undefined): void {
    this.#stepIsOpen = false;
    const name = stringIn(error, "name") ?? null;
    const data = objectIn(error, "data");
    this.error = {
      status: numberIn(data, "statusCode") ?? null,
      code: name === "ContentFilterError" ? "content_filter" : name,
      message: stringIn(data, "message") ?? name ?? "",
      retryAt: this.#retryAfter(objectIn(data, "responseHeaders")),
    };
    this.#compacting = name === "ContextOverflowError";
    this.over = !this.#compacting;
  }

  #retryAfter(headers: JsonObject | undefined): string | null {
    const seconds = Number(stringIn(headers, "retry-after") ?? Number.NaN);
    const at = this.context.now().getTime() + seconds * 1000;
    return seconds >= 0 && at <= 8.64e15 ? new Date(at).toISOString() : null;
  }
}

function usageIn(part: JsonObject | undefined): Usage {
  const tokens = objectIn(part, "tokens");
  const cache = objectIn(tokens, "cache");
  return {
    input: (numberIn(tokens, "input") ?? 0) + (numberIn(cache, "write") ?? 0),
    cached: numberIn(cache, "read") ?? 0,
    output: (numberIn(tokens, "output") ?? 0) + (numberIn(tokens, "reasoning") ?? 0),
    // Zero: it does not know the price of the model.
    costUsd: numberIn(part, "cost") || null,
  };
}

function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
