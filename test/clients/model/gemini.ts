import { type Frame, id, lastText, list, type Protocol, TOKENS, toolOf } from "./protocol.ts";
import { type ModelError, type Saying, tool } from "./script.ts";

/** Google's generateContent. */
export const gemini: Protocol = {
  name: "gemini",
  path: /\/models\/[^/:]+:(?:stream)?[gG]enerateContent$/,
  usual: {
    writer: tool("write_file", "file_path", "content"),
    shell: tool("run_shell_command", "command"),
  },
  tools: (body) =>
    list(body["tools"])
      .flatMap((offered) => list(offered["functionDeclarations"]))
      .map((offered) => toolOf(offered["name"], offered["parametersJsonSchema"] ?? offered["parameters"])),
  prompt: (body) => lastText(body["contents"], "parts"),
  streams: (_body, path) => path.endsWith(":streamGenerateContent"),
  whole: (saying, model) => answer([part(saying)], model, "STOP"),
  frames: (saying, model): Frame[] => [
    { data: answer([{ text: "" }], model) },
    { data: answer([part(saying)], model, "STOP") },
  ],
  error,
};

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

function error({ status, message = `scripted error ${status}`, body }: ModelError): unknown {
  return { error: { code: status, message, status: STATUSES[status] ?? "UNKNOWN", ...body } };
}

function part(saying: Saying): Record<string, unknown> {
  if ("text" in saying) return { text: saying.text };
  return { functionCall: { name: saying.call.name, args: saying.call.input } };
}

function answer(parts: readonly unknown[], model: string, finishReason?: string): unknown {
  const candidate = { content: { role: "model", parts }, index: 0 };
  return {
    candidates: [finishReason === undefined ? candidate : { ...candidate, finishReason }],
    usageMetadata: {
      promptTokenCount: TOKENS.input,
      candidatesTokenCount: TOKENS.output,
      totalTokenCount: TOKENS.input + TOKENS.output,
    },
    modelVersion: model,
    responseId: id("r"),
  };
}
