/**
 * The behaviour of the scripted model as data. A script is a list of steps, each the answer to one request; the last is repeated.
 *
 *   { text: "Done." }                            says it and ends its turn
 *   { write: { path: "/w/a.txt", text: "hi" } }  calls the client's own tool for writing a file (by the shell where it has none)
 *   { read: "/w/a.txt" }                         calls the client's own tool for reading a file (by the shell where it has none)
 *   { shell: "npm test" }                        calls the client's own shell tool
 *   { tool: "exit_plan_mode", input: {} }        calls just this tool, offered or not
 *   { error: { status: 429, headers, body } }    HTTP error in the form of the protocol; `body` is laid over its error object
 *   { hang: "request" }                          takes the request and never answers
 *   { hang: "stream" }                           begins the answer and never goes on
 *   { drop: true }                               closes the connection without an answer
 *   { cut: true }                                begins the answer and closes the connection
 *
 * Every step may have `after`, a promise of the test that the answer waits for. A step with `match` answers only a request that
 * contains this text, so that two clients of the same model get their own answers. Steps answer the requests of a client's work.
 * For a session title the model answers "ok" and uses no step.
 */
export type Step = { readonly after?: Promise<unknown>; readonly match?: string } & (
  | { readonly text: string }
  | Call
  | { readonly error: ModelError }
  | { readonly hang: "request" | "stream" }
  | { readonly drop: true }
  | { readonly cut: true }
);

export type Call =
  | { readonly write: { readonly path: string; readonly text: string } }
  | { readonly read: string }
  | { readonly shell: string }
  | { readonly tool: string; readonly input: Input };

export type Input = Readonly<Record<string, unknown>>;

export interface ModelError {
  readonly status: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A tool as a client offers it. */
export interface Tool {
  readonly name: string;
  /** OpenAI's groups of tools. */
  readonly group?: string;
  readonly properties: Input;
  readonly required: readonly string[];
}

/** A call of one tool with its own name and arguments. */
export interface ToolCall {
  readonly name: string;
  readonly group?: string;
  readonly input: Input;
}

/** The model's answer to one request. */
export type Saying = { readonly text: string } | { readonly call: ToolCall };

const READERS = ["Read", "read_file", "read"];
const WRITERS = ["Write", "write_file", "write", "create"];
const SHELLS = ["Bash", "bash", "run_shell_command", "exec_command", "shell"];

/** Translates a step's call for the client. Tools that are not offered are called as well, because a model may do that. */
export function toolCall(call: Call, tools: readonly Tool[], fallback: WriterAndShell): ToolCall {
  if ("tool" in call) return { name: call.tool, input: call.input };
  if ("shell" in call) return shellCall(call.shell, tools, fallback);
  if ("read" in call) {
    const reader = find(READERS, tools);
    if (!reader) return shellCall(`cat ${quoted(call.read)}`, tools, fallback);
    return named(reader, { [keyOf(reader, PATH_KEYS)]: call.read });
  }
  const { path, text } = call.write;
  const writer = find(WRITERS, tools) ?? fallback.writer;
  if (writer === null) return shellCall(`printf %s ${quoted(text)} > ${quoted(path)}`, tools, fallback);
  return named(writer, { [keyOf(writer, PATH_KEYS)]: path, [keyOf(writer, TEXT_KEYS)]: text });
}

/** The usual tools of a protocol's clients; null: they write through the shell. */
export interface WriterAndShell {
  readonly writer: Tool | null;
  readonly shell: Tool;
}

export function tool(name: string, ...properties: readonly string[]): Tool {
  return { name, properties: Object.fromEntries(properties.map((key) => [key, {}])), required: [] };
}

function shellCall(command: string, tools: readonly Tool[], fallback: WriterAndShell): ToolCall {
  const shell = find(SHELLS, tools) ?? fallback.shell;
  return named(shell, { [keyOf(shell, COMMAND_KEYS)]: command });
}

const PATH_KEYS = ["file_path", "filePath", "path"];
const TEXT_KEYS = ["content", "file_text"];
const COMMAND_KEYS = ["command", "cmd"];

function find(names: readonly string[], tools: readonly Tool[]): Tool | undefined {
  return names.flatMap((name) => tools.filter((offered) => offered.name === name))[0];
}

function keyOf({ properties }: Tool, keys: readonly string[]): string {
  return keys.find((key) => key in properties) ?? keys[0] ?? "";
}

/** Clients refuse a call without all required arguments, such as a description of the command. */
function named({ name, group, required }: Tool, known: Input): ToolCall {
  const rest = required.filter((key) => !(key in known)).map((key) => [key, "as scripted"]);
  return {
    name,
    ...(group === undefined ? {} : { group }),
    input: { ...Object.fromEntries(rest), ...known },
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
