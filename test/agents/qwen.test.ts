import { describe, expect, test } from "vitest";
import type { TurnRequest } from "../../src/agents/adapter.ts";
import { qwen } from "../../src/agents/qwen.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, type Table } from "./golden-tests.ts";

const HELLO = "/home/someone/project/hello.txt";
const REFUSED = [
  { tool: "write_file", about: HELLO },
  { tool: "run_shell_command", about: `echo hi > ${HELLO}` },
];

const RECORDED: Table = {
  denied: {
    class: "permission",
    session: "8db09624-13f2-484d-bfd5-c08708687fc4",
    text: "Done.",
    usage: [300, 0, 36, null],
    denials: REFUSED,
  },
  "err-drop": { class: "timeout", session: "f2ac2e0d-52f7-426a-81af-901c6e1aa2a9" },
  "err-e400": {
    class: "crashed",
    session: "51f994f6-3e8b-46f5-98c5-4b0c4a2a037c",
    usage: [0, 0, 0, null],
    says: "400 scripted error 400",
  },
  "err-e401": { class: "auth", session: "c0665394-54b6-4750-b455-7c959d289929", usage: [0, 0, 0, null] },
  // It says nothing while it tries again.
  "err-e429": { class: "timeout", session: "3691190d-4c89-4a62-adca-71e5e6136ab8" },
  "err-e429ra": { class: "timeout", session: "95804baf-d3bb-4fe6-9a09-d3b29e503053" },
  "err-e500": { class: "timeout", session: "63655518-a342-467e-af7f-b46eeeb1dc10" },
  "err-e500-to-the-end": {
    class: "overloaded",
    session: "f5fc4bbe-0ec2-4a0a-b8ca-d18f79cff0d5",
    usage: [0, 0, 0, null],
  },
  "err-e529": { class: "timeout", session: "dc8a096f-7c2e-42f1-951f-07ef14f761fb" },
  "err-hang": { class: "timeout", session: "011ccb17-d1d5-4820-8527-f3455eef4452" },
  "err-stall": { class: "timeout", session: "810fa419-091a-42f3-b116-e9c4884cf291" },
  fork: {
    session: "916cc711-87b7-4c3d-ac3f-25594009a8d5",
    before: { input: 400, cached: 0, output: 48, costUsd: null },
    text: "three",
    usage: [200, 0, 24, null],
  },
  maxturns: {
    class: "own_limit",
    session: "edec88f0-4f2a-4644-a0eb-f8f4f1d0fc25",
    usage: [200, 0, 24, null],
    says: "Reached max session turns",
  },
  "ok-json": {
    session: "2fb8e513-da68-49cd-8d3e-9e48c4f90485",
    text: "Created hello.txt.",
    usage: [200, 0, 24, null],
    files: ["hello.txt"],
  },
  "read-only": {
    session: "9d3318b6-b2df-4c18-aef8-0c05d7406335",
    readOnly: true,
    text: "Done.",
    usage: [300, 0, 36, null],
    denials: REFUSED,
  },
  resume: {
    session: "42378dcc-4a89-45cb-a577-4d45add15b5c",
    before: { input: 200, cached: 0, output: 24, costUsd: null },
    text: "two",
    usage: [200, 0, 24, null],
  },
  "resume-bogus": {
    class: "session_lost",
    session: "99999999-2222-4333-8444-555555555555",
    says: /^No saved session found/,
  },
  sess1: { session: "42378dcc-4a89-45cb-a577-4d45add15b5c", text: "one", usage: [200, 0, 24, null] },
  subagent: {
    session: "3dda3142-60e6-4939-9d6b-e4831b3b01fb",
    text: "main done",
    usage: [500, 0, 60, null],
    files: ["sub.txt"],
  },
  walltime: {
    class: "own_limit",
    session: "380597cb-9fb3-41d5-a67e-eb83b729eecd",
    says: "wall-clock budget of 6s exceeded",
  },
};

const RECORDED_0_15_10: Table = {
  "ok-json": {
    session: "9a815808-7226-4093-b756-ca8e5604ba2f",
    text: "Created hello.txt.",
    usage: [200, 0, 24, null],
    files: ["hello.txt"],
  },
};

const SUCCESS = /"is_error":false,"duration_ms"/;
goldenTests(qwen, "qwen", RECORDED, SUCCESS);
goldenTests(qwen, "qwen-0.15.10", RECORDED_0_15_10, SUCCESS);

const RESUMED = requestFor("qwen", { session: { kind: "resume", id: "s1" } });
const line = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

function assistant(usage: object, ...content: readonly object[]): Buffer {
  return line({ type: "assistant", message: { usage, content } });
}

describe("qwen: lines no recording has", () => {
  test("what came from the cache is not counted twice", () => {
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

  test("a resumed session whose count is not known is counted by its messages", () => {
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

  test("an edit that failed touched nothing; the activity is the last call", () => {
    const reader = readerOf(qwen);
    const input = { file_path: "src/a.ts" };
    reader.push("stdout", assistant({}, { type: "tool_use", id: "1", name: "edit", input }));
    const content = [{ type: "tool_result", tool_use_id: "1", is_error: true }];
    reader.push("stdout", line({ type: "user", message: { content } }));
    expect(reader.activity()).toBe("edit src/a.ts");
    expect(reader.finished()).toBe(false);
    expect(reader.end({ kind: "exited", code: 1 }).filesTouched).toEqual([]);
  });

  test("no result that says nothing of an error is a success", () => {
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

  test("a person's own choice of permissions is kept, but not where nothing may be written", () => {
    const options = optionsFor("qwen", { args: ["--approval-mode=auto-edit"] });
    expect(words({ options })).toBe("qwen --output-format stream-json --approval-mode=auto-edit");
    expect(words({ readOnly: true })).toBe("qwen --output-format stream-json --approval-mode plan");
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
