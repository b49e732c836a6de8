import { join } from "node:path";
import type { Usage } from "../core/agent-turn.ts";
import type { Adapter, AgentCommand, TurnRequest } from "./adapter.ts";
import type { ErrorClue } from "./classify.ts";
import { unlessGiven, withoutFlags } from "./flags.ts";
import { isObject, type JsonObject, listIn, numberIn, objectIn, stringIn } from "./json-lines.ts";
import { StreamReader } from "./stream-reader.ts";

const BYPASS = "--dangerously-bypass-approvals-and-sandbox";
const PERMISSIONS = [
  BYPASS,
  "-s",
  "--sandbox",
  "--approve-for-me",
  "--full-auto",
  // As values of `-c`.
  "sandbox_mode",
  "approval_policy",
];
const SKIPPED = /^\{"type":"item\.completed","item":\{"id":"\w{0,40}","type":"(?:command_execution|error)"/;
const READ_ONLY = ["-c", 'sandbox_mode="read-only"'];

export const codex: Adapter = {
  name: "codex",
  program: "codex",
  install: "npm install -g @openai/codex",
  login: "codex login  (CODEX_API_KEY)",
  tested: ["0.166.0", "0.166.0"],
  can: { resume: true, fork: true, tools: "read", system: true, tokens: true, cost: false },
  stdin: "prompt",
  command,
  read: (context) => new CodexReader(context),
};

/** Options come before `resume` and `fork`, which do not accept all of them. */
function command({ options, session, tools, system, dir }: TurnRequest): AgentCommand {
  const words = [options.program, "exec", "--json", "--skip-git-repo-check"];
  if (options.model !== null) words.push("--model", options.model);
  if (options.endpoint !== null) words.push(...provider(options.endpoint));
  if (tools === "all") words.push(...unlessGiven(options.args, PERMISSIONS, [BYPASS]), ...options.args);
  else words.push(...withoutFlags(options.args, PERMISSIONS), ...READ_ONLY);
  const file = join(dir, "system.md");
  if (system !== null) words.push("-c", `model_instructions_file=${JSON.stringify(file)}`);
  // A fork is never resumed, and should not appear among the person's own sessions.
  if (session.kind === "fork") words.push("--ephemeral");
  if (session.kind !== "start") words.push(session.kind, session.id);
  return {
    words: [...words, "-"],
    env: options.env,
    ...(system === null ? {} : { files: { [file]: system } }),
  };
}

/** Uses our own provider name, because the built-in ones cannot be changed. */
export function provider(endpoint: string): readonly string[] {
  const settings = [
    'name="foreman"',
    `base_url=${JSON.stringify(endpoint)}`,
    'wire_api="responses"',
    'env_key="OPENAI_API_KEY"',
    "supports_websockets=false",
  ];
  return ["-c", 'model_provider="foreman"', "-c", `model_providers.foreman={${settings.join(",")}}`];
}

/** Reads `exec --json`. It counts tokens over the whole session. */
class CodexReader extends StreamReader {
  /** Consecutive messages that it waits for the network. */
  #waits = 0;

  protected override read(line: JsonObject): void {
    switch (stringIn(line, "type")) {
      case "thread.started":
        this.sessionId = stringIn(line, "thread_id") ?? this.sessionId;
        break;
      case "turn.started":
        this.over = false;
        break;
      case "item.started":
      case "item.updated":
      case "item.completed":
        this.#item(objectIn(line, "item"), line["type"] === "item.completed");
        break;
      case "turn.completed":
        this.over = true;
        this.error = null;
        this.retrying = null;
        this.#spent(objectIn(line, "usage"));
        break;
      case "turn.failed":
        this.over = true;
        this.error = clueOf(stringIn(objectIn(line, "error"), "message") ?? "");
        break;
      case "error":
        this.#error(stringIn(line, "message") ?? "");
        break;
      default:
        this.unknown += 1;
    }
  }

  /** A command's output comes with its end, and its start already names it. Warnings end nothing. */
  protected override wants(line: string): boolean {
    return !SKIPPED.test(line);
  }

  /** It accepts no prompt of more than a million characters, and reports that only here. */
  protected override atEnd(): void {
    const tooLong = /^Error: .*"input_error_code":"input_too_large".*$/m.exec(this.stderr.text);
    if (!this.over && tooLong) this.error = { ...clueOf(tooLong[0]), code: "request_too_large" };
  }

  #item(item: JsonObject | undefined, completed: boolean): void {
    const type = stringIn(item, "type");
    // A warning: an error that ends the turn has its own line.
    if (type === undefined || type === "error") return;
    this.retrying = null;
    this.#answered();
    switch (type) {
      case "agent_message":
        if (completed) this.text = stringIn(item, "text") ?? "";
        break;
      case "command_execution":
        this.begins(type, { command: unwrapped(stringIn(item, "command") ?? "") }, undefined);
        break;
      case "file_change":
        this.#change(item, completed && stringIn(item, "status") === "completed");
        break;
      case "mcp_tool_call":
        this.begins(stringIn(item, "tool") ?? type, objectIn(item, "arguments"), undefined);
        break;
      case "web_search":
        this.begins(type, item, undefined);
        break;
      default:
        break;
    }
  }

  #change(item: JsonObject | undefined, done: boolean): void {
    const paths = listIn(item, "changes").map((change) => (isObject(change) ? stringIn(change, "path") : ""));
    this.begins("file_change", { path: paths[0] }, undefined);
    if (done) for (const file of paths) this.files.add(file);
  }

  #answered(): void {
    if (this.#waits === 0) return;
    this.#waits = 0;
    this.over = false;
    this.error = null;
  }

  #error(message: string): void {
    const again = /^Reconnecting\.\.\. (\d+\/\d+|waiting for network) \((.*)\)$/s.exec(message);
    if (!again) {
      this.error = clueOf(message);
      return;
    }
    // Numbered tries end by themselves, but it waits for the network without end.
    if (again[1] === "waiting for network") this.#waits += 1;
    this.triesAgain(clueOf(again[2] ?? ""), this.#waits);
  }

  #spent(usage: JsonObject | undefined): void {
    const input = numberIn(usage, "input_tokens");
    const output = numberIn(usage, "output_tokens");
    if (input === undefined || output === undefined) return;
    const cached = numberIn(usage, "cached_input_tokens") ?? 0;
    // Here the input includes the cache.
    const totals: Usage = { input: Math.max(0, input - cached), cached, output, costUsd: null };
    this.totals = totals;
    this.usage = this.sinceBefore(totals);
  }
}

function clueOf(message: string): ErrorClue {
  return { status: null, code: null, message };
}

/** A login shell runs every command. */
function unwrapped(called: string): string {
  return /^\S*sh -lc (["']?)(.*)\1$/s.exec(called)?.[2] ?? called;
}
