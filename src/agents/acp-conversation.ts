import type * as Sdk from "@agentclientprotocol/sdk";
import type { AnyMessage, ClientContext, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { AcpTurn } from "./acp-turn.ts";
import { clueOfError, isAuthRequired } from "./acp-turn.ts";
import type { ReadContext, Tools } from "./adapter.ts";
import { classify } from "./classify.ts";
import { VERSION } from "../version.ts";
import { isObject, type JsonObject, listIn, objectIn, stringIn } from "./json-lines.ts";

/**
 * Matched with the last part of a mode's name, because some agents use addresses. The first one offered wins. Excludes `autopilot`:
 * there GitHub's agent prompts itself to continue after every answer.
 */
const FULL_ACCESS = ["full-access", "agent-full-access", "bypasspermissions", "yolo"];
const READ_ONLY = ["read-only", "plan"];
/** Tools that are allowed in a turn that may change nothing. */
const HARMLESS = new Set(["read", "search", "think", "fetch"]);

export interface Conversation {
  /** The agent's requests and answers. */
  readonly hear: (message: JsonObject) => void;
  readonly close: () => void;
}

/**
 * Runs our side of the conversation with the official SDK. Only this file loads it, because it is large. Lines are split and
 * notifications are read elsewhere, because the SDK prints what it dislikes to our terminal.
 */
export function converse(context: ReadContext, turn: AcpTurn): Conversation {
  const asked = new Set<unknown>();
  let incoming: ReadableStreamDefaultController<AnyMessage> | undefined;
  let closed = false;
  const readable = new ReadableStream<AnyMessage>({
    start: (controller) => {
      incoming = controller;
    },
    cancel: () => {
      incoming = undefined;
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      if (closed) return;
      if ("method" in message && "id" in message) asked.add(message.id);
      turn.sent(message);
      context.send(`${JSON.stringify(message)}\n`);
    },
  });
  void hold({ readable, writable }, context, turn).catch((error: unknown) => {
    if (!closed) turn.fail({ status: null, code: null, message: String(error) });
  });
  return {
    hear: (message) => {
      const isAnswer = message["method"] === undefined && asked.delete(message["id"]);
      const isRequest = message["method"] !== undefined && message["id"] !== undefined;
      if (!closed && (isAnswer || isRequest)) incoming?.enqueue(message as unknown as AnyMessage);
    },
    close: () => {
      if (closed) return;
      closed = true;
      incoming?.close();
    },
  };
}

interface Streams {
  readonly readable: ReadableStream<AnyMessage>;
  readonly writable: WritableStream<AnyMessage>;
}

/** Loaded on demand, because only users of such an agent need it. */
export function loadSdk(): Promise<typeof Sdk> {
  return import("@agentclientprotocol/sdk");
}

async function hold(streams: Streams, context: ReadContext, turn: AcpTurn): Promise<void> {
  const { client } = await loadSdk();
  const app = client({ name: "agent-foreman" }).onRequest(
    "session/request_permission",
    (params: unknown) => (isObject(params) ? params : {}),
    ({ params }) => permit(params, context.request.tools, turn),
  );
  const connection = app.connect(streams);
  await talk(new Agent(connection.agent, turn, context), context, turn);
}

/** From the handshake to the prompt. A step that fails has already reported it to the turn. */
async function talk(agent: Agent, context: ReadContext, turn: AcpTurn): Promise<void> {
  const welcome = await agent.ask("initialize", {
    protocolVersion: 1,
    // Some agents cannot create a file that they would have to read through us first, so we offer no file access.
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "agent-foreman", version: VERSION },
  });
  if (welcome === undefined) return;
  if (welcome["protocolVersion"] !== 1) {
    turn.stop("protocol", `it speaks version ${String(welcome["protocolVersion"])} of the protocol`);
    return;
  }
  turn.agentIs(stringIn(objectIn(welcome, "agentInfo"), "name") ?? "");
  const session = await openSession(agent, welcome, context, turn);
  if (session === undefined) return;
  const sessionId = stringIn(session, "sessionId");
  if (sessionId === undefined) {
    turn.stop("protocol", "it opened a session without an id");
    return;
  }
  turn.sessionIs(sessionId, modelOf(session));
  if (!(await chooseMode(agent, session, sessionId, context.request.tools, turn))) return;
  if (!(await chooseModel(agent, session, sessionId, context.request.options.model, turn))) return;
  await agent.ask("session/prompt", { sessionId, prompt: [{ type: "text", text: context.prompt }] });
}

class Agent {
  readonly #agent: ClientContext;
  readonly #turn: AcpTurn;
  readonly #context: ReadContext;

  constructor(agent: ClientContext, turn: AcpTurn, context: ReadContext) {
    this.#agent = agent;
    this.#turn = turn;
    this.#context = context;
  }

  /** The answer as an object; undefined after an error, which ends the turn. */
  async ask(method: string, params: JsonObject, lost = false): Promise<JsonObject | undefined> {
    const answer = await this.tryTo(method, params);
    if (!("error" in answer)) return answer.result;
    const clue = clueOfError(answer.error);
    if (isAuthRequired(answer.error)) this.#turn.stop("auth", clue.message);
    else if (lost && classify(clue, this.#context.now()) === null)
      this.#turn.stop("session_lost", clue.message);
    else this.#turn.fail(clue);
    return undefined;
  }

  async tryTo(
    method: string,
    params: JsonObject,
  ): Promise<{ readonly result: JsonObject } | { readonly error: JsonObject }> {
    try {
      const result: unknown = await this.#agent.request(method, params);
      return { result: isObject(result) ? result : {} };
    } catch (error) {
      return { error: isObject(error) ? { ...error, message: wordsOf(error) } : {} };
    }
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

async function openSession(
  agent: Agent,
  welcome: JsonObject,
  { request, cwd }: ReadContext,
  turn: AcpTurn,
): Promise<JsonObject | undefined> {
  const { session } = request;
  const where = { cwd, mcpServers: [] };
  if (session.kind === "start") return agent.ask("session/new", where);
  const method = methodFor(session.kind, objectIn(welcome, "agentCapabilities"));
  if (method === undefined) {
    turn.stop("session_lost", `it cannot ${session.kind} a session`);
    return undefined;
  }
  const opened = await agent.ask(method, { sessionId: session.id, ...where }, true);
  return opened && { sessionId: session.id, ...opened };
}

/** Prefers to resume, which is silent: loading repeats the whole session. */
function methodFor(kind: "resume" | "fork", can: JsonObject | undefined): string | undefined {
  const sessions = objectIn(can, "sessionCapabilities");
  if (objectIn(sessions, kind) !== undefined) return `session/${kind}`;
  return kind === "resume" && can?.["loadSession"] === true ? "session/load" : undefined;
}

/**
 * An agent in full access does not ask for every step; without such a mode, it asks and we allow. But only the agent's own mode
 * keeps it from changing files, because some agents never ask.
 */
async function chooseMode(
  agent: Agent,
  session: JsonObject,
  sessionId: string,
  tools: Tools,
  turn: AcpTurn,
): Promise<boolean> {
  const option = optionOf(session, "mode");
  const modes = listIn(objectIn(session, "modes"), "availableModes").flatMap((mode) => idIn(mode, "id"));
  const values = listIn(option, "options").flatMap((value) => idIn(value, "value"));
  const mode = pick(modes.length > 0 ? modes : values, tools === "all" ? FULL_ACCESS : READ_ONLY);
  const set =
    mode !== undefined &&
    (modes.length > 0
      ? await agent.tryTo("session/set_mode", { sessionId, modeId: mode })
      : await agent.tryTo("session/set_config_option", configured(sessionId, option, mode)));
  if (tools === "all" || (set !== false && !("error" in set))) return true;
  turn.stop("permission", "it has no mode in which it cannot change files");
  return false;
}

function pick(offered: readonly string[], liked: readonly string[]): string | undefined {
  const named = new Map(offered.map((id) => [(id.split("#").at(-1) ?? id).toLowerCase(), id]));
  return liked.map((name) => named.get(name)).find((id) => id !== undefined);
}

async function chooseModel(
  agent: Agent,
  session: JsonObject,
  sessionId: string,
  model: string | null,
  turn: AcpTurn,
): Promise<boolean> {
  if (model === null) return true;
  const option = optionOf(session, "model");
  const set =
    option === undefined
      ? await agent.tryTo("session/set_model", { sessionId, modelId: model })
      : await agent.tryTo("session/set_config_option", configured(sessionId, option, model));
  if (!("error" in set)) {
    turn.sessionIs(sessionId, model);
    return true;
  }
  turn.stop("protocol", `it does not take the model ${model}: ${stringIn(set.error, "message") ?? ""}`);
  return false;
}

function configured(sessionId: string, option: JsonObject | undefined, value: string): JsonObject {
  return { sessionId, configId: stringIn(option, "id"), value };
}

function optionOf(session: JsonObject, category: string): JsonObject | undefined {
  return listIn(session, "configOptions").find(
    (option): option is JsonObject => isObject(option) && option["category"] === category,
  );
}

function modelOf(session: JsonObject): string | undefined {
  return (
    stringIn(objectIn(session, "models"), "currentModelId") ??
    stringIn(optionOf(session, "model"), "currentValue")
  );
}

function idIn(value: unknown, key: string): string[] {
  const id = isObject(value) ? stringIn(value, key) : undefined;
  return id === undefined ? [] : [id];
}

/** Allows each request only once: some agents write a permanent permission into the project's settings. */
function permit(request: JsonObject, tools: Tools, turn: AcpTurn): RequestPermissionResponse {
  const asked = objectIn(request, "toolCall");
  const call = turn.call(stringIn(asked, "toolCallId"));
  const options = listIn(request, "options").filter(isObject);
  const allow = tools === "all" || (tools === "read" && HARMLESS.has(call?.kind ?? ""));
  const liked = allow ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const option = liked
    .map((kind) => options.find((each) => each["kind"] === kind))
    .find((found) => found !== undefined);
  const optionId = stringIn(option, "optionId");
  if (!allow || optionId === undefined) turn.deny(call?.kind || "tool", call?.paths[0] ?? call?.title ?? "");
  if (optionId === undefined) return { outcome: { outcome: "cancelled" } };
  return { outcome: { outcome: "selected", optionId } };
}
