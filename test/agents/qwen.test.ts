import { describe, expect, test } from "vitest";
import type { TurnRequest } from "../../src/agents/adapter.ts";
import { qwen } from "../../src/agents/qwen.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, recordedTable } from "./golden-tests.ts";

const SUCCESS = /"is_error":false,"duration_ms"/;
goldenTests(qwen, "qwen", recordedTable("qwen"), SUCCESS);
goldenTests(qwen, "qwen-0.15.10", recordedTable("qwen-0.15.10"), SUCCESS);

const RESUMED = requestFor("qwen", { session: { kind: "resume", id: "s1" } });
const line = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

function assistant(usage: object, ...content: readonly object[]): Buffer {
  return line({ type: "assistant", message: { usage, content } });
}

describe("qwen: lines no recording has", () => {
  test("cached tokens are not counted twice", () => {
    const reader = readerOf(qwen);
    const usage = { input_tokens: 100, cache_read_input_tokens: 80, output_tokens: 5 };
    reader.push("stdout", line({ type: "result", is_error: false, result: "", usage }));
    expect(reader.end({ kind: "exited", code: 0 }).usage).toEqual({
      input: 20,
      cached: 80,
      output: 5,
      costUsd: null,
    });
  });

  test("counts a resumed session with unknown usage by its messages", () => {
    const reader = readerOf(qwen, { request: RESUMED });
    reader.push("stdout", assistant({ input_tokens: 10, output_tokens: 1 }));
    const usage = { input_tokens: 900, output_tokens: 90 };
    reader.push("stdout", line({ type: "result", is_error: false, result: "", usage }));
    const summary = reader.end({ kind: "exited", code: 0 });
    expect(summary.usage).toMatchObject({ input: 10, output: 1 });
    expect(summary.sessionTotals).toMatchObject({ input: 900, output: 90 });
  });

  test("a turn that was cut off adds to the count of its session", () => {
    const before = { input: 100, cached: 0, output: 10, costUsd: null };
    const reader = readerOf(qwen, { request: RESUMED, before });
    reader.push("stdout", assistant({ input_tokens: 10, output_tokens: 1 }));
    expect(reader.usageSoFar()).toMatchObject({ input: 10, output: 1 });
    expect(reader.end({ kind: "timeout", afterMs: 1 }).sessionTotals).toMatchObject({
      input: 110,
      output: 11,
    });
  });

  test("a failed edit touches no file; the activity is the last call", () => {
    const reader = readerOf(qwen);
    const input = { file_path: "src/a.ts" };
    reader.push("stdout", assistant({}, { type: "tool_use", id: "1", name: "edit", input }));
    const content = [{ type: "tool_result", tool_use_id: "1", is_error: true }];
    reader.push("stdout", line({ type: "user", message: { content } }));
    expect(reader.activity()).toBe("edit src/a.ts");
    expect(reader.finished()).toBe(false);
    expect(reader.end({ kind: "exited", code: 1 }).filesTouched).toEqual([]);
  });

  test("work after a result has its own result", () => {
    const reader = readerOf(qwen);
    reader.push("stdout", line({ type: "result", is_error: false, result: "done" }));
    reader.push("stdout", assistant({}, { type: "text", text: "the task in the background is over" }));
    expect(reader.finished()).toBe(false);
    expect(reader.end({ kind: "exited", code: 0 }).failure?.class).toBe("protocol");
  });

  test("a missing result is no success, even without an error", () => {
    const reader = readerOf(qwen);
    reader.push("stdout", line({ type: "result", result: "done" }));
    expect(reader.finished()).toBe(true);
    expect(reader.end({ kind: "exited", code: 0 }).failure?.class).toBe("crashed");
  });
});

describe("qwen: how it is called", () => {
  const words = (more: Partial<TurnRequest> = {}): string =>
    qwen.command(requestFor("qwen", more)).words.join(" ");

  test("sessions", () => {
    expect(words()).toBe("qwen --output-format stream-json --approval-mode yolo");
    expect(words({ session: { kind: "resume", id: "s1" } })).toMatch(/ --resume s1$/);
    expect(words({ session: { kind: "fork", id: "s1" } })).toMatch(/ --resume s1 --fork-session$/);
  });

  test("keeps a person's own permissions, except in a read-only turn", () => {
    const options = optionsFor("qwen", { args: ["--approval-mode=auto-edit"] });
    expect(words({ options })).toBe("qwen --output-format stream-json --approval-mode=auto-edit");
    expect(words({ tools: "read" })).toBe("qwen --output-format stream-json --approval-mode plan");
  });

  test("model and endpoint", () => {
    const options = optionsFor("qwen", { model: "m", endpoint: "http://e/v1", env: { A: "b" } });
    expect(words({ options })).toMatch(/ --model m --auth-type openai$/);
    expect(qwen.command(requestFor("qwen", { options })).env).toEqual({
      QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
      OPENAI_BASE_URL: "http://e/v1",
      A: "b",
    });
  });
});
