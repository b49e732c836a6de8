import http from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./model/anthropic.ts";
import { chat } from "./model/chat.ts";
import { gemini } from "./model/gemini.ts";
import type { Frame, Protocol } from "./model/protocol.ts";
import { responses } from "./model/responses.ts";
import { type Input, type Saying, type Step, toolCall } from "./model/script.ts";
import { processBehind } from "./process-behind.ts";

const PROTOCOLS = [anthropic, chat, responses, gemini];
const ASIDE: Step = { text: "ok" };
/** A client's request for a session title. */
const TITLE = /You are a title generator|Generate a concise, single-line task title/;

/** A request answered by a step. */
export interface Asked {
  readonly protocol: string;
  readonly tools: readonly string[];
  readonly prompt: string;
  /** The whole body as received. */
  readonly body: string;
  readonly pid: number | null;
}

export interface ModelServer {
  readonly url: string;
  /** The requests answered by steps, in order. */
  readonly requests: readonly Asked[];
  /** The n-th of them (from 1), once it arrives. */
  readonly asked: (count: number) => Promise<Asked>;
  /** The number of requests from each process, in order of arrival. */
  readonly byProcess: () => readonly number[];
  readonly close: () => Promise<void>;
}

/** A scripted model on loopback (see `model/script.ts`). */
export async function start({ steps }: { readonly steps: readonly Step[] }): Promise<ModelServer> {
  const requests: Asked[] = [];
  const used = new Set<number>();
  const waiting: { readonly count: number; readonly arrived: (asked: Asked) => void }[] = [];
  const stepFor = (asked: Asked): Step => {
    if (TITLE.test(asked.body)) return ASIDE;
    requests.push(asked);
    for (const { arrived } of waiting.filter(({ count }) => count === requests.length)) arrived(asked);
    const fits = ({ match = "" }: Step): boolean => asked.body.includes(JSON.stringify(match).slice(1, -1));
    const next = steps.findIndex((step, at) => !used.has(at) && fits(step));
    used.add(next);
    return steps[next] ?? steps.findLast(fits) ?? ASIDE;
  };

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      void respond(request, response, body, stepFor).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    asked: (count) =>
      new Promise((arrived) => {
        const there = requests[count - 1];
        if (there) arrived(there);
        else waiting.push({ count, arrived });
      }),
    byProcess: () => {
      const counts = new Map<number | null, number>();
      for (const { pid } of requests) counts.set(pid, (counts.get(pid) ?? 0) + 1);
      return [...counts.values()];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  body: string,
  stepFor: (asked: Asked) => Step,
): Promise<void> {
  const path = (request.url ?? "").split("?")[0] ?? "";
  const protocol = PROTOCOLS.find((known) => request.method === "POST" && known.path.test(path));
  if (!protocol) return other(request, response, path);
  const parsed = JSON.parse(body) as Input;
  const tools = protocol.tools(parsed);
  const step = stepFor({
    protocol: protocol.name,
    tools: tools.map(({ name }) => name),
    prompt: protocol.prompt(parsed),
    body,
    pid: processBehind(request.socket.remotePort ?? 0),
  });
  await step.after;
  if ("error" in step) {
    send(response, step.error.status, protocol.error(step.error), step.error.headers);
    return;
  }
  if ("drop" in step) {
    request.socket.destroy();
    return;
  }
  if ("hang" in step && step.hang === "request") return;
  const model = typeof parsed["model"] === "string" ? parsed["model"] : "scripted";
  const saying: Saying =
    "hang" in step || "cut" in step
      ? { text: "" }
      : "text" in step
        ? { text: step.text }
        : { call: toolCall(step, tools, protocol.usual) };
  if (!protocol.streams(parsed, path)) {
    if ("cut" in step) request.socket.destroy();
    else if (!("hang" in step)) send(response, 200, protocol.whole(saying, model));
    return;
  }
  stream(response, protocol, saying, model, "hang" in step || "cut" in step);
  if ("cut" in step) response.write(":\n\n", () => request.socket.destroy());
}

function stream(
  response: http.ServerResponse,
  protocol: Protocol,
  saying: Saying,
  model: string,
  hang: boolean,
): void {
  const frames = protocol.frames(saying, model);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const frame of hang ? frames.slice(0, 1) : frames) response.write(framed(frame));
  if (!hang) response.end();
}

function framed({ event, data }: Frame): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`;
}

/** Other requests of clients: health checks and token counts. */
function other(request: http.IncomingMessage, response: http.ServerResponse, path: string): void {
  if (request.method === "HEAD") response.writeHead(200).end();
  else if (/count_?tokens$/i.test(path)) send(response, 200, { input_tokens: 100, totalTokens: 100 });
  else send(response, 404, { error: { type: "not_found_error", message: `no ${path} here` } });
}

function send(
  response: http.ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
