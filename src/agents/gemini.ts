import { join } from "node:path";
import { Failure } from "../platform/failure.ts";
import type { ProcessEnd } from "../platform/process/process-end.ts";
import type { Adapter, AgentCommand, TurnRequest } from "./adapter.ts";
import type { ErrorClue } from "./classify.ts";
import { unlessGiven, withoutFlags } from "./flags.ts";
import { about, leadingType, Tail } from "./gather.ts";
import { isObject, type JsonObject, listIn, numberIn, objectIn, stringIn } from "./json-lines.ts";
import { StreamReader } from "./stream-reader.ts";

const APPROVAL = ["--approval-mode", "--yolo", "-y"];
/** Arguments that a person may not set where our policy applies. */
const OURS = [...APPROVAL, "--policy", "--admin-policy", "--allowed-mcp-server-names", "--sandbox", "-s"];
const DENY_ALL = `[[rule]]
toolName = "*"
decision = "deny"
priority = 998
`;
const POLICIES = {
  read: `${DENY_ALL}
[[rule]]
toolName = ["read_file", "grep_search", "glob", "list_directory"]
decision = "allow"
priority = 999
`,
  none: DENY_ALL,
};
const MAX_CALLS = 1000;
/** Errors that it reports only as a sentence, with their codes. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^The model response was blocked/, "safety"],
  [/^Model response was truncated because it exceeded the token limit/, "context_window_exceeded"],
  [/^The model returned an empty response/, "unavailable"],
  [/^Model stream ended without a finish reason/, "response_stream_disconnected"],
];

export const gemini: Adapter = {
  name: "gemini",
  program: "gemini",
  install: "npm install -g @google/gemini-cli",
  // With an endpoint, the environment alone does not select the login.
  login: "gemini /auth  (GEMINI_API_KEY)",
  tested: ["0.61.0", "0.61.0"],
  can: { resume: true, fork: false, tools: "none", system: true, tokens: true, cost: false },
  stdin: "prompt",
  command,
  read: (context) => new GeminiReader(context),
};

function command({ options, session, tools, system, dir }: TurnRequest): AgentCommand {
  const words = [options.program, "--output-format=stream-json"];
  if (options.model !== null) words.push("--model", options.model);
  if (session.kind !== "start") words.push("--resume", session.id);
  const systemFile = join(dir, "system.md");
  const files = system === null ? {} : { [systemFile]: system };
  const env = {
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    ...(options.endpoint === null ? {} : { GOOGLE_GEMINI_BASE_URL: options.endpoint }),
    ...options.env,
    ...(system === null ? {} : { GEMINI_SYSTEM_MD: systemFile }),
  };
  if (tools === "all")
    return {
      words: [...words, ...unlessGiven(options.args, APPROVAL, ["--yolo"]), ...options.args],
      env,
      files,
    };
  const policy = join(dir, "policy.toml");
  return {
    words: [...words, ...kept(options.args, policy)],
    // In its own container it would not find the policy, and would silently skip it.
    env: { ...env, GEMINI_SANDBOX: "false" },
    files: { ...files, [policy]: POLICIES[tools] },
  };
}

/**
 * Uses a policy, because none of its modes is strict: without a person at the terminal, the agent may leave plan mode for one that
 * writes. Also passed as an administrator's policy, to replace one in the project's settings, which would take precedence.
 */
function kept(args: readonly string[], policy: string): readonly string[] {
  // It would split the path at the comma, find neither file, and stay silent.
  if (policy.includes(","))
    throw new Failure("state_write_failed", {
      path: policy,
      why: "gemini takes a comma for the end of a path",
    });
  return [
    ...withoutFlags(args, OURS),
    "--approval-mode=default",
    // A name that no server has: it crashes without one.
    "--allowed-mcp-server-names=foreman-none",
    `--policy=${policy}`,
    `--admin-policy=${policy}`,
  ];
}

/** Reads `stream-json`. It exits with 0 after a signal and after some errors, so only its result counts. */
class GeminiReader extends StreamReader {
  readonly #calls = new Map<string, { readonly tool: string; readonly input: JsonObject | undefined }>();
  /** Its standard error since the model's last answer: failed attempts. */
  #attempts = new Tail();
  /** The message continues: it comes in pieces. */
  #speaking = false;

  override push(stream: "stdout" | "stderr", chunk: Buffer): void {
    super.push(stream, chunk);
    if (stream === "stderr") this.#attempts.push(chunk);
  }

  protected override read(line: JsonObject): void {
    switch (stringIn(line, "type")) {
      case "init":
        this.sessionId = stringIn(line, "session_id") ?? this.sessionId;
        this.model = stringIn(line, "model") ?? this.model;
        break;
      case "message":
        if (line["role"] === "assistant") this.#speaks(stringIn(line, "content") ?? "");
        break;
      case "tool_use":
        this.#calling(line);
        break;
      case "tool_result":
        this.#called(line);
        break;
      case "error":
        if (line["severity"] === "error") this.error = clueOf(stringIn(line, "message") ?? "");
        break;
      case "result":
        this.#result(line);
        break;
      default:
        this.unknown += 1;
    }
  }

  /** It echoes the prompt, which may be long. */
  protected override wants(line: string): boolean {
    return leadingType(line) !== "message" || !line.slice(0, 96).includes('"role":"user"');
  }

  protected override atEnd(process: ProcessEnd): void {
    if (this.over) {
      this.error = this.error && withExitCode(this.error, process);
      return;
    }
    const failed = [...this.#attempts.text.matchAll(/^Attempt \d+ failed.*$/gm)].at(-1)?.[0];
    // It retries only what may pass.
    if (failed !== undefined)
      this.retrying = { status: statusIn(failed), code: "server_error", message: failed };
  }

  #speaks(piece: string): void {
    this.says(piece, this.#speaking);
    this.#answered();
    this.#speaking = true;
  }

  #calling(line: JsonObject): void {
    this.#answered();
    const tool = stringIn(line, "tool_name") ?? "";
    const input = objectIn(line, "parameters");
    const call = stringIn(line, "tool_id");
    this.begins(tool, input, call);
    if (this.#calls.size >= MAX_CALLS) this.#calls.clear();
    this.#calls.set(call ?? "", { tool, input });
  }

  #called(line: JsonObject): void {
    const id = stringIn(line, "tool_id") ?? "";
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    const isDone = stringIn(line, "status") === "success";
    this.writes.end(id, isDone);
    if (isDone || stringIn(objectIn(line, "error"), "type") !== "policy_violation") return;
    if (call?.tool === "ask_user") this.question = questionIn(call.input);
    else this.denials.add(call?.tool, about(call?.input));
  }

  #answered(): void {
    this.#speaking = false;
    this.#attempts = new Tail();
    this.error = null;
    this.over = false;
  }

  #result(line: JsonObject): void {
    this.over = true;
    const stats = objectIn(line, "stats");
    const [model] = Object.keys(objectIn(stats, "models") ?? {});
    if (this.model === null || this.model === "auto") this.model = model ?? this.model;
    this.#spent(stats);
    if (stringIn(line, "status") === "success") return;
    const error = objectIn(line, "error");
    const code = stringIn(error, "type");
    this.error = error
      ? { ...clueOf(stringIn(error, "message") ?? ""), code: code === "unknown" ? null : (code ?? null) }
      : (this.error ?? clueOf("its result is an error"));
  }

  #spent(stats: JsonObject | undefined): void {
    const all = numberIn(stats, "total_tokens");
    const input = numberIn(stats, "input_tokens");
    if (all === undefined || input === undefined) return;
    const cached = numberIn(stats, "cached") ?? 0;
    // Only the sum includes thoughts.
    this.usage = { input: Math.max(0, input - cached), cached, output: all - input, costUsd: null };
  }
}

function clueOf(message: string): ErrorClue {
  const code = SENTENCES.find(([sentence]) => sentence.test(message))?.[1] ?? null;
  return { status: null, code, message };
}

/** It exits with the HTTP status, truncated to a byte. */
function withExitCode(error: ErrorClue, process: ProcessEnd): ErrorClue {
  const status = process.kind === "exited" && process.code >= 400 - 256 ? process.code + 256 : null;
  return { ...error, status: error.status ?? status };
}

function statusIn(attempt: string): number | null {
  const found = /^Attempt \d+ failed with status (\d{3})/.exec(attempt);
  return found ? Number(found[1]) : null;
}

function questionIn(input: JsonObject | undefined): string {
  const [first] = listIn(input, "questions");
  return (isObject(first) ? stringIn(first, "question") : undefined) ?? "ask_user";
}
