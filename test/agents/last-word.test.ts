import { describe, expect, test } from "vitest";
import { adapterFor } from "../../src/agents/registry.ts";
import type { AdapterName } from "../../src/core/agent-profile.ts";
import { requestFor } from "./golden.ts";

/** Text, then a tool call, then the end without more text. */
const STREAMS: [AdapterName, object[]][] = [
  [
    "codex",
    [
      { type: "thread.started", thread_id: "t" },
      { type: "item.completed", item: { id: "1", type: "agent_message", text: "GA_STATUS=DONE" } },
      {
        type: "item.started",
        item: { id: "2", type: "command_execution", command: "x", status: "in_progress" },
      },
      {
        type: "item.completed",
        item: { id: "2", type: "command_execution", command: "x", exit_code: 0, status: "completed" },
      },
      { type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } },
    ],
  ],
  [
    "gemini",
    [
      { type: "init", session_id: "s", model: "m" },
      { type: "message", role: "assistant", content: "GA_STATUS=DONE", delta: true },
      { type: "tool_use", tool_name: "run_shell_command", tool_id: "1", parameters: { command: "x" } },
      { type: "tool_result", tool_id: "1", status: "success" },
      { type: "result", status: "success", stats: { input_tokens: 1, output_tokens: 1 } },
    ],
  ],
];

describe("text before a tool call is not the last word", () => {
  test.each(STREAMS)("%s", (name, lines) => {
    const adapter = adapterFor(name);
    const reader = adapter.read({
      cwd: "/project",
      now: () => new Date(0),
      before: null,
      prompt: "",
      request: requestFor(adapter.program),
      send: () => undefined,
      changed: () => undefined,
    });
    for (const line of lines) reader.push("stdout", Buffer.from(`${JSON.stringify(line)}\n`));
    const { failure, finalText } = reader.end({ kind: "exited", code: 0 });
    expect({ failure, finalText }).toEqual({ failure: null, finalText: "" });
  });
});
