import { join } from "node:path";
import { addUsage, type Usage } from "../core/agent-turn.ts";
import type { Adapter, AgentCommand, Tools, TurnRequest } from "./adapter.ts";
import type { ErrorClue } from "./classify.ts";
import { NO_STATUS } from "./error-codes.ts";
import { unlessGiven, withoutFlags } from "./flags.ts";
import { about, leadingType } from "./gather.ts";
import { isObject, type JsonObject, listIn, numberIn, objectIn, stringIn } from "./json-lines.ts";
import { StreamReader } from "./stream-reader.ts";

/** Tools that ask the person. */
const ASKING = new Set(["AskUserQuestion", "ExitPlanMode"]);
/** Long, and repeated with every result. */
const INIT = '{"type":"system","subtype":"init"';
/**
 * Keeps even its subagents from other tools, and shuts out the project's hooks, servers and settings. An agent could have written
 * settings that name another service to answer for the model.
 */
const SOURCES = "--setting-sources";
const KEPT = ["--strict-mcp-config", `${SOURCES}=user`, '--settings={"disableAllHooks":true}'];
const DENY = "--permission-mode=dontAsk";
const SKIP = "--dangerously-skip-permissions";
const SYSTEM_PROMPT = "--system-prompt-file";
const SYSTEM_PROMPTS = [SYSTEM_PROMPT, "--system-prompt", "--system-prompt-snapshot"];
/** Some versions keep a session's first system prompt for ever unless an option turns that off. Older versions reject that option. */
const WITHOUT_SNAPSHOT = `case $("$0" --help) in
*--system-prompt-snapshot*) exec "$0" "$@" --system-prompt-snapshot=off ;;
esac
exec "$0" "$@"`;
const PERMISSIONS = [
  SKIP,
  "--permission-mode",
  "--permission-prompt-tool",
  "--permission-prompts",
  "--restricted",
];

export const claude: Adapter = {
  name: "claude",
  program: "claude",
  install: "npm install -g @anthropic-ai/claude-code",
  login: "claude /login  (ANTHROPIC_API_KEY)",
  tested: ["2.1.197", "2.1.325"],
  can: { resume: true, fork: true, tools: "none", system: true, tokens: true, cost: true },
  stdin: "prompt",
  command,
  read: (context) => new ClaudeReader(context),
};

function command({ options, session, tools, system, dir, maxCostUsd }: TurnRequest): AgentCommand {
  const words = [options.program, "--print", "--output-format=stream-json", "--verbose"];
  if (options.model !== null) words.push("--model", options.model);
  if (session.kind !== "start") words.push("--resume", session.id);
  // A fork is never resumed, and should not appear among the person's own sessions.
  if (session.kind === "fork") words.push("--fork-session", "--no-session-persistence");
  if (maxCostUsd !== null) words.push("--max-budget-usd", String(maxCostUsd));
  const file = join(dir, "system.md");
  if (system !== null) words.push(SYSTEM_PROMPT, file);
  const args = system === null ? options.args : withoutFlags(options.args, SYSTEM_PROMPTS);
  words.push(...permitted(args, tools));
  return {
    words:
      system !== null && session.kind !== "start" ? ["/bin/sh", "-c", WITHOUT_SNAPSHOT, ...words] : words,
    env: {
      DISABLE_AUTOUPDATER: "1",
      // As root it refuses to skip permissions outside of a sandbox.
      ...(process.getuid?.() === 0 ? { IS_SANDBOX: "1" } : {}),
      ...(options.endpoint === null ? {} : { ANTHROPIC_BASE_URL: options.endpoint }),
      ...options.env,
    },
    ...(system === null ? {} : { files: { [file]: system } }),
  };
}

function permitted(args: readonly string[], tools: Tools): readonly string[] {
  switch (tools) {
    case "all":
      return [...unlessGiven(args, PERMISSIONS, [SKIP]), ...args];
    case "read":
      return [
        ...withoutFlags(args, ["--tools", SOURCES, ...PERMISSIONS]),
        DENY,
        "--tools=Read,Grep,Glob",
        ...KEPT,
      ];
    case "none":
      // The model can use a server that the person names, whatever `--tools` says.
      return [
        ...withoutFlags(args, ["--tools", "--mcp-config", SOURCES, ...PERMISSIONS]),
        DENY,
        "--tools=",
        ...KEPT,
      ];
  }
}

/** Reads `stream-json`. A failed call of the service ends with the subtype `success`, so that field is never believed. */
class ClaudeReader extends StreamReader {
  /** Sum of earlier messages. The last one is separate, because every line repeats its numbers. */
  #earlier: Usage | null = null;
  #message: { readonly id: string; readonly usage: Usage } | null = null;
  /** Usage from the results so far. */
  #fromResults: Usage | null = null;
  #limitUntil: string | null = null;
  /** Its last output was a tool call, so it is not finished. */
  #calling = false;
  #begun = false;

  protected override read(line: JsonObject): void {
    switch (stringIn(line, "type")) {
      case "system":
        this.#system(line);
        break;
      case "assistant":
        this.#assistant(line);
        break;
      case "user":
        this.toolResults(objectIn(line, "message"));
        break;
      case "result":
        this.#result(line);
        break;
      case "rate_limit_event":
        this.#limit(objectIn(line, "rate_limit_info"));
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
    const type = leadingType(line);
    if (type === "system") return !this.#begun || !line.startsWith(INIT);
    return type !== "stream_event" && (type !== "user" || this.writes.waiting);
  }

  #system(line: JsonObject): void {
    this.sessionId = stringIn(line, "session_id") ?? this.sessionId;
    this.model = stringIn(line, "model") ?? this.model;
    this.#begun ||= line["subtype"] === "init";
    this.compacted ||= line["subtype"] === "compact_boundary";
    if (line["subtype"] !== "api_retry") return;
    const code = stringIn(line, "error") ?? "unknown";
    const status = numberIn(line, "error_status") ?? null;
    this.retrying = {
      status,
      // It retries only what may pass.
      code: code !== "unknown" ? code : status === null ? NO_STATUS : "server_error",
      message: `still trying after attempt ${numberIn(line, "attempt") ?? "?"}: ${code}`,
      retryAt: this.#limitUntil,
    };
  }

  #assistant(line: JsonObject): void {
    // The text of a service error looks like a message.
    if (stringIn(line, "error") !== undefined) return;
    const message = objectIn(line, "message");
    this.retrying = null;
    this.over = false;
    this.#count(message);
    const subagent = typeof line["parent_tool_use_id"] === "string";
    if (!subagent) this.#calling = false;
    for (const item of listIn(message, "content")) {
      if (!isObject(item)) continue;
      if (item["type"] === "tool_use") {
        this.#calling ||= !subagent;
        this.begins(stringIn(item, "name") ?? "", objectIn(item, "input"), stringIn(item, "id"));
      }
      if (item["type"] === "text" && !subagent) this.text = stringIn(item, "text") ?? "";
    }
  }

  #count(message: JsonObject | undefined): void {
    const usage = usageIn(message);
    const id = stringIn(message, "id");
    if (usage === null || id === undefined) return;
    if (this.#message && this.#message.id !== id)
      this.#earlier = addUsage(this.#earlier, this.#message.usage);
    this.#message = { id, usage };
    this.usage = addUsage(this.#earlier, usage);
  }

  #limit(info: JsonObject | undefined): void {
    const resetsAt = numberIn(info, "resetsAt");
    const until = resetsAt === undefined ? Number.NaN : resetsAt * 1000;
    const rejected = stringIn(info, "status") === "rejected" && Math.abs(until) <= 8.64e15;
    this.#limitUntil = rejected ? new Date(until).toISOString() : null;
  }

  /** There may be several: work in the background continues after a result. The last one counts. */
  #result(line: JsonObject): void {
    const error = this.#errorIn(line);
    const session = stringIn(line, "session_id") ?? this.sessionId;
    // A program that it runs can write to the same output. So a success does not count from another session, or while a tool runs.
    const foreign = (this.sessionId ?? session) !== session;
    if (!foreign) this.#spent(line);
    if (foreign || (error === null && this.#calling)) {
      this.unknown += 1;
      return;
    }
    this.over = true;
    this.retrying = null;
    this.sessionId = session;
    this.error = error;
    this.text = stringIn(line, "result") ?? this.text;
    for (const denial of listIn(line, "permission_denials")) {
      if (!isObject(denial)) continue;
      const tool = stringIn(denial, "tool_name") ?? "";
      const input = objectIn(denial, "tool_input");
      if (ASKING.has(tool)) this.question = questionIn(input) || tool;
      else this.denials.add(tool, about(input));
    }
  }

  #errorIn(line: JsonObject): ErrorClue | null {
    const reason = stringIn(line, "stop_reason");
    const refused = reason === "refusal";
    const failed =
      line["is_error"] !== false ||
      reason === "max_tokens" ||
      numberIn(line, "api_error_status") !== undefined ||
      stringIn(line, "subtype")?.startsWith("error_") === true;
    if (!refused && !failed) return null;
    const [first] = listIn(line, "errors");
    return {
      status: numberIn(line, "api_error_status") ?? null,
      code: refused ? "refusal" : this.#limitUntil ? "usage_limit_reached" : codeIn(line),
      message: stringIn(line, "result") ?? (typeof first === "string" ? first : ""),
      retryAt: this.#limitUntil,
    };
  }

  /**
   * `total_cost_usd` and `modelUsage` count over the whole session, including resumed and forked ones; newer versions report what each
   * result adds. `usage` covers this turn, but leaves out subagents and interrupted work.
   */
  #spent(line: JsonObject): void {
    const models = objectIn(line, "modelUsage");
    const costUsd = numberIn(line, "total_cost_usd") ?? null;
    const turn = usageIn(line);
    if (!models) {
      this.totals = null;
      this.usage = turn && {
        ...turn,
        costUsd: this.context.request.session.kind === "start" ? costUsd : null,
      };
      return;
    }
    this.totals = { ...modelsUsage(models), costUsd };
    const added = objectIn(line, "model_usage_since_last_result");
    if (added) this.#fromResults = addUsage(this.#fromResults, modelsUsage(added));
    this.usage = this.#fromResults ?? this.sinceBefore(this.totals) ?? turn ?? this.usage;
  }
}

/** Why it was stopped; older versions give only the subtype. */
function codeIn(line: JsonObject): string | null {
  if (stringIn(line, "stop_reason") === "max_tokens") return "max_output_tokens";
  const reason = stringIn(line, "terminal_reason");
  if (reason !== undefined && reason !== "api_error" && reason !== "completed") return reason;
  const subtype = stringIn(line, "subtype");
  // Here anything may have failed, so the words come from the failing part.
  const cause = subtype === "success" || subtype === "error_during_execution" ? null : (subtype ?? null);
  const kind = stringIn(line, "api_error_type") ?? stringIn(line, "api_error") ?? cause;
  return (
    kind ?? (reason === "api_error" && numberIn(line, "api_error_status") === undefined ? NO_STATUS : null)
  );
}

function questionIn(input: JsonObject | undefined): string {
  const [first] = listIn(input, "questions");
  return (isObject(first) ? stringIn(first, "question") : undefined) ?? stringIn(input, "plan") ?? "";
}

function usageIn(holder: JsonObject | undefined): Usage | null {
  const usage = objectIn(holder, "usage");
  const input = numberIn(usage, "input_tokens");
  const output = numberIn(usage, "output_tokens");
  if (input === undefined || output === undefined) return null;
  return {
    input: input + (numberIn(usage, "cache_creation_input_tokens") ?? 0),
    cached: numberIn(usage, "cache_read_input_tokens") ?? 0,
    output,
    costUsd: null,
  };
}

function modelsUsage(models: JsonObject | undefined): Usage {
  const each = Object.values(models ?? {}).map((value): Usage => {
    const model = isObject(value) ? value : undefined;
    return {
      input: (numberIn(model, "inputTokens") ?? 0) + (numberIn(model, "cacheCreationInputTokens") ?? 0),
      cached: numberIn(model, "cacheReadInputTokens") ?? 0,
      output: numberIn(model, "outputTokens") ?? 0,
      costUsd: numberIn(model, "costUSD") ?? null,
    };
  });
  return each.reduce(addUsage, { input: 0, cached: 0, output: 0, costUsd: 0 });
}
