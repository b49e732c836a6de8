import fs from "node:fs";
import path from "node:path";
import { acp } from "../../src/agents/acp.ts";
import type { ReadContext, TurnReader, TurnRequest, TurnSummary } from "../../src/agents/adapter.ts";
import { isObject, type JsonObject } from "../../src/agents/json-lines.ts";
import type { ProcessEnd } from "../../src/platform/process/process-end.ts";
import { CWD, type Expected, randomFrom, readerOf, requestFor } from "./golden.ts";

export const FINISHED: ProcessEnd = { kind: "finished" };
export const TIMEOUT: ProcessEnd = { kind: "timeout", afterMs: 1000 };
const RECORDINGS = path.join(import.meta.dirname, "../golden/agents/acp");

/** One output of the agent: a message, or bytes that are no message. */
export type Said = JsonObject | string;
/** The agent's outputs after a request, in this order. Without an answer among them, the request stays unanswered. */
export type Answer = (request: JsonObject, times: number) => readonly Said[];

/** A fake agent. It sends what `answer` returns, and waits after its own requests for our reply. */
export class FakeAgent {
  /** Messages that it received. */
  readonly heard: JsonObject[] = [];
  readonly #answer: Answer;
  readonly #random: () => number;
  readonly #times = new Map<string, number>();
  #queue: Said[] = [];
  #waitsFor: unknown;
  #reader: TurnReader | undefined;

  constructor(answer: Answer, seed = 1) {
    this.#answer = answer;
    this.#random = randomFrom(seed);
  }

  /** Keeps a turn open until the agent has no output and no request left. */
  async take(request: Partial<TurnRequest> = {}, more: Partial<ReadContext> = {}): Promise<TurnReader> {
    const reader = readerOf(acp, {
      request: requestFor("agent", request),
      send: (text) => this.#hear(text),
      ...more,
    });
    this.#reader = reader;
    for (let idle = 0; idle < 20; idle += 1) {
      const before = this.heard.length;
      this.#speak();
      await new Promise((resolve) => void setImmediate(resolve));
      if (this.heard.length !== before) idle = 0;
    }
    return reader;
  }

  heardOf(method: string): JsonObject | undefined {
    return this.heard.find((message) => message["method"] === method);
  }

  #hear(text: string): void {
    const message: unknown = JSON.parse(text);
    if (!isObject(message) || !text.endsWith("\n")) throw new Error(`not a message: ${text}`);
    this.heard.push(message);
    const { method } = message;
    if (typeof method === "string") {
      const times = this.#times.get(method) ?? 0;
      this.#times.set(method, times + 1);
      this.#queue.push(...this.#answer(message, times));
    } else if (message["id"] === this.#waitsFor) this.#waitsFor = undefined;
  }

  #speak(): void {
    while (this.#queue.length > 0 && this.#waitsFor === undefined) {
      const said = this.#queue.shift();
      if (isObject(said) && said["method"] !== undefined && said["id"] !== undefined)
        this.#waitsFor = said["id"];
      this.#push(Buffer.from(typeof said === "string" ? said : `${JSON.stringify(said)}\n`));
    }
  }

  #push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const chunk = Buffer.from(bytes.subarray(at, at + 1 + Math.floor(this.#random() * 500)));
      at += chunk.length;
      this.#reader?.push("stdout", chunk);
      chunk.fill("#");
    }
  }
}

/** Loaded early: otherwise the first conversation waits longer for the SDK than the fake agent waits. */
export async function loadSdk(): Promise<void> {
  await import("@agentclientprotocol/sdk");
}

/** `<name>.json`: the result of a turn with the agent of `<name>.ndjson`. */
export type Recorded = Omit<Expected, "unknown" | "before" | "says"> & {
  readonly model?: string;
  readonly says?: string;
  readonly costBefore?: number;
};

export function recordings(): string[] {
  return fs
    .readdirSync(RECORDINGS)
    .filter((name) => name.endsWith(".ndjson"))
    .map((name) => name.slice(0, -".ndjson".length))
    .toSorted();
}

export function expectedOf(name: string): Recorded {
  return JSON.parse(fs.readFileSync(path.join(RECORDINGS, `${name}.json`), "utf8")) as Recorded;
}

/**
 * Replays a recording: the n-th request of a method gets everything that followed it in the recording, with our id in the answer. Requests that are
 * not in the recording succeed.
 */
export function recorded(name: string): Answer {
  const text = fs.readFileSync(path.join(RECORDINGS, `${name}.ndjson`), "utf8").replaceAll("$CWD", CWD);
  const said = new Map<string, Said[][]>();
  let current: Said[] = [];
  for (const line of text.trimEnd().split("\n")) {
    const message = JSON.parse(line.slice(2)) as JsonObject;
    const method = message["method"];
    if (line.startsWith("< ")) current.push(message);
    else if (typeof method === "string") {
      current = [];
      said.set(method, [...(said.get(method) ?? []), current]);
    }
  }
  return (request, times) => {
    const id = request["id"];
    const then = said.get(String(request["method"]))?.[times];
    if (then === undefined) return [{ jsonrpc: "2.0", id, result: {} }];
    return then.map((each) => (isObject(each) && each["method"] === undefined ? { ...each, id } : each));
  };
}

/** The session that a recording resumes or forks, or a new one. */
export function sessionIn(name: string): TurnRequest["session"] {
  const text = fs.readFileSync(path.join(RECORDINGS, `${name}.ndjson`), "utf8");
  const found = /^> .*"method":"session\/(load|resume|fork)","params":\{"sessionId":"([^"]+)"/m.exec(text);
  if (!found) return { kind: "start" };
  return { kind: found[1] === "fork" ? "fork" : "resume", id: found[2] ?? "" };
}

export interface Script {
  readonly welcome?: JsonObject;
  readonly session?: JsonObject;
  /** Output between the prompt and its answer. */
  readonly during?: readonly Said[];
  readonly end?: JsonObject;
  readonly answers?: Readonly<Record<string, JsonObject>>;
}

/** A minimal agent with some special behaviour. */
export function agent(script: Script = {}): FakeAgent {
  return new FakeAgent(({ id, method }) => {
    const answer = (body: JsonObject): Said => ({ jsonrpc: "2.0", id, ...body });
    const given = script.answers?.[String(method)];
    if (given !== undefined) return [answer(given)];
    switch (method) {
      case "initialize":
        return [answer({ result: { protocolVersion: 1, ...script.welcome } })];
      case "session/new":
        return [answer({ result: { sessionId: "s1", ...script.session } })];
      case "session/prompt":
        return [...(script.during ?? []), answer(script.end ?? { result: { stopReason: "end_turn" } })];
      default:
        return [answer({ result: { ...script.session } })];
    }
  });
}

export function update(kind: string, more: JsonObject): Said {
  return { jsonrpc: "2.0", method: "session/update", params: { update: { sessionUpdate: kind, ...more } } };
}
export const said = (words: string, more: JsonObject = {}): Said =>
  update("agent_message_chunk", { content: { type: "text", text: words }, ...more });

/** The complete turn of such an agent. */
export async function turnOf(
  script: Script,
  request: Partial<TurnRequest> = {},
  more: Partial<ReadContext> = {},
): Promise<TurnSummary> {
  const reader = await agent(script).take(request, more);
  if (!reader.finished()) throw new Error("it did not come to an end");
  return reader.end(FINISHED);
}
