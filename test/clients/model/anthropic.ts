import { type Frame, id, lastText, list, type Protocol, TOKENS, toolOf } from "./protocol.ts";
import { type ModelError, type Saying, tool } from "./script.ts";

/** Anthropic Messages. */
export const anthropic: Protocol = {
  name: "anthropic",
  path: /\/messages$/,
  usual: { writer: tool("Write", "file_path", "content"), shell: tool("Bash", "command") },
  tools: (body) => list(body["tools"]).map((offered) => toolOf(offered["name"], offered["input_schema"])),
  prompt: (body) => lastText(body["messages"], "content"),
  streams: (body) => body["stream"] === true,
  whole: (saying, model) => ({ ...head(model), content: [block(saying)], stop_reason: stop(saying) }),
  frames,
  error,
};

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function error({ status, message = `scripted error ${status}`, body }: ModelError): unknown {
  return { type: "error", error: { type: TYPES[status] ?? "api_error", message, ...body } };
}

function head(model: string): Record<string, unknown> {
  const usage = {
    input_tokens: TOKENS.input,
    output_tokens: TOKENS.output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  return { id: id("msg_"), type: "message", role: "assistant", model, stop_sequence: null, usage };
}

function block(saying: Saying): Record<string, unknown> {
  if ("text" in saying) return { type: "text", text: saying.text };
  return { type: "tool_use", id: id("toolu_"), name: saying.call.name, input: saying.call.input };
}

function stop(saying: Saying): string {
  return "text" in saying ? "end_turn" : "tool_use";
}

function frames(saying: Saying, model: string): Frame[] {
  const whole = block(saying);
  const [empty, delta] =
    "text" in saying
      ? [
          { ...whole, text: "" },
          { type: "text_delta", text: saying.text },
        ]
      : [
          { ...whole, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(saying.call.input) },
        ];
  return [
    { type: "message_start", message: { ...head(model), content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: empty },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: stop(saying), stop_sequence: null },
      usage: { output_tokens: TOKENS.output },
    },
    { type: "message_stop" },
  ].map((data) => ({ event: data.type, data }));
}
