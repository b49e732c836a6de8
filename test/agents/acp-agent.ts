import fs from "node:fs";
import path from "node:path";
import { acp } from "../../src/agents/acp.ts";
import type { ReadContext, TurnReader, TurnRequest } from "../../src/agents/adapter.ts";
import { isObject, type JsonObject } from "../../src/agents/json-lines.ts";
import { CWD, randomFrom, readerOf, requestFor } from "./golden.ts";

const RECORDINGS = path.join(import.meta.dirname, "../golden/agents/acp");

/** One thing that the agent says: a message, or bytes that are none. */
export type Said = JsonObject | string;
/** What the agent says to a request of ours, in this order; the answer is among it, or it never comes. */
export type Answer = (request: JsonObject, times: number) => readonly Said[];

/** Speaks for an agent: says what `answer` tells, and waits where it asks something itself until it is told. */
export class FakeAgent {
  /** What was said to it. */
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

  /** Holds a turn until the agent has nothing more to say and nobody asks it anything. */
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

export function recordings(): string[] {
  return fs
    .readdirSync(RECORDINGS)
    .map((name) => name.slice(0, -".ndjson".length))
    .toSorted();
}

/**
 * Answers as it was recorded: to the n-th request of a method with all that followed the n-th request of that method, the answer
 * with the id of ours. What was never asked then is answered with success.
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

/** The session that a recording takes up or forks, or a new one. */
export function sessionIn(name: string): TurnRequest["session"] {
  const text = fs.readFileSync(path.join(RECORDINGS, `${name}.ndjson`), "utf8");
  const found = /^> .*"method":"session\/(load|resume|fork)","params":\{"sessionId":"([^"]+)"/m.exec(text);
  if (!found) return { kind: "start" };
  return { kind: found[1] === "fork" ? "fork" : "resume", id: found[2] ?? "" };
}
