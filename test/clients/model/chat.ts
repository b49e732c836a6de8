import { openaiError } from "./openai-errors.ts";
import { type Frame, id, lastText, list, type Protocol, TOKENS, toolOf } from "./protocol.ts";
import { type Saying, tool } from "./script.ts";

/** OpenAI Chat Completions, which many other providers also use. */
export const chat: Protocol = {
  name: "chat",
  path: /\/chat\/completions$/,
  usual: { writer: tool("write", "filePath", "content"), shell: tool("bash", "command", "description") },
  tools: (body) =>
    list(body["tools"]).map((offered) => {
      const { name, parameters } = offered["function"] as { name: string; parameters: unknown };
      return toolOf(name, parameters);
    }),
  prompt: (body) => lastText(body["messages"], "content"),
  streams: (body) => body["stream"] === true,
  whole: (saying, model) => ({
    ...answer("chat.completion", model),
    choices: [{ index: 0, finish_reason: finish(saying), message: { role: "assistant", ...said(saying) } }],
    usage: USAGE,
  }),
  frames,
  error: openaiError,
};

const USAGE = {
  prompt_tokens: TOKENS.input,
  completion_tokens: TOKENS.output,
  total_tokens: TOKENS.input + TOKENS.output,
};

function answer(object: string, model: string): Record<string, unknown> {
  return { id: id("chatcmpl-"), object, created: 0, model };
}

function said(saying: Saying): Record<string, unknown> {
  if ("text" in saying) return { content: saying.text };
  const { name, input } = saying.call;
  const call = { name, arguments: JSON.stringify(input) };
  return { content: null, tool_calls: [{ index: 0, id: id("call_"), type: "function", function: call }] };
}

function finish(saying: Saying): string {
  return "text" in saying ? "stop" : "tool_calls";
}

function frames(saying: Saying, model: string): Frame[] {
  const chunk = answer("chat.completion.chunk", model);
  const deltas = [
    { delta: { role: "assistant", content: "" }, finish_reason: null },
    { delta: said(saying), finish_reason: null },
    { delta: {}, finish_reason: finish(saying) },
  ];
  return [
    ...deltas.map((delta) => ({ data: { ...chunk, choices: [{ index: 0, ...delta }] } })),
    { data: { ...chunk, choices: [], usage: USAGE } },
    { data: "[DONE]" },
  ];
}
