import { openaiError } from "./openai-errors.ts";
import { type Frame, id, lastText, list, type Protocol, TOKENS, toolOf } from "./protocol.ts";
import { type Saying, tool } from "./script.ts";

/** OpenAI Responses. */
export const responses: Protocol = {
  name: "responses",
  path: /\/responses$/,
  usual: { writer: null, shell: tool("exec_command", "cmd") },
  tools: (body) =>
    list(body["tools"]).flatMap((offered) =>
      offered["type"] === "namespace"
        ? list(offered["tools"]).map((inner) =>
            toolOf(inner["name"], inner["parameters"], String(offered["name"])),
          )
        : [toolOf(offered["name"] ?? offered["type"], offered["parameters"])],
    ),
  prompt: (body) => lastText(body["input"], "content"),
  streams: (body) => body["stream"] === true,
  whole: (saying, model) => response(model, "completed", [item(saying)]),
  frames,
  error: openaiError,
};

const USAGE = {
  input_tokens: TOKENS.input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: TOKENS.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: TOKENS.input + TOKENS.output,
};

function response(model: string, status: string, output: readonly unknown[]): Record<string, unknown> {
  const usage = status === "completed" ? USAGE : null;
  return { id: id("resp_"), object: "response", created_at: 0, status, model, output, usage, error: null };
}

function item(saying: Saying): Record<string, unknown> {
  if ("text" in saying) {
    const content = [{ type: "output_text", text: saying.text, annotations: [] }];
    return { id: id("msg_"), type: "message", status: "completed", role: "assistant", content };
  }
  const { name, group, input } = saying.call;
  const call = {
    name,
    ...(group === undefined ? {} : { namespace: group }),
    arguments: JSON.stringify(input),
  };
  return { id: id("fc_"), type: "function_call", status: "completed", call_id: id("call_"), ...call };
}

function frames(saying: Saying, model: string): Frame[] {
  const whole = item(saying);
  const started = response(model, "in_progress", []);
  const ended = { ...response(model, "completed", [whole]), id: started["id"] };
  const events = [
    { type: "response.created", response: started },
    { type: "response.output_item.added", output_index: 0, item: { ...whole, status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item: whole },
    { type: "response.completed", response: ended },
  ];
  return events.map((data, index) => ({ event: data.type, data: { ...data, sequence_number: index } }));
}
