import { describe, expect, test } from "vitest";
import { copilot } from "../../src/agents/copilot.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, type Table } from "./golden-tests.ts";

const HELLO = "/home/someone/project/hello.txt";

const RECORDED: Table = {
  denied: {
    class: "permission",
    session: "4090e678-8942-4ee6-96e5-26b47b6133f1",
    text: "Done.",
    denials: [
      { tool: "create", about: HELLO },
      { tool: "bash", about: `echo hi > ${HELLO}` },
    ],
    says: /^denied: create /,
  },
  "err-drop": { class: "overloaded", session: "66d8b43e-5ca6-41ce-95e6-668bca7f8a3a" },
  "err-e400": { class: "crashed", session: "eae54e89-b9e3-4c66-be04-a1ac86b15e23" },
  "err-e401": { class: "auth", session: "2a75edad-0a0f-477f-8b10-09016a3aeaf4" },
  // Killed while it tried again; it then ends with exit code 0.
  "err-e429": { class: "rate_limited", session: "be6c888a-878b-49cf-bd31-25a1a9ba1051" },
  "err-e429-to-the-end": { class: "rate_limited", session: "5fdd3b52-d8b6-43a1-99d0-b549d8ed1f54" },
  "err-e429ra": { class: "rate_limited", session: "b3634a4c-1920-4129-97b9-de21bf2d77cf" },
  "err-e500": { class: "overloaded", session: "cefbfa71-f246-4673-b974-e8ceac760aa9" },
  "err-e529": { class: "overloaded", session: "0067d640-815f-4d85-a7e3-cefaef3e533a" },
  "err-hang": { class: "timeout", session: "447e4de9-4124-46f4-a629-25a9d7ecca17" },
  "err-stall": { class: "timeout" },
  "ok-json": {
    session: "0ce7427c-7a27-46df-86a9-e4e95f79f9fe",
    text: "Created hello.txt.",
    files: ["hello.txt"],
  },
  "read-only": { session: "59b8beaa-5afc-42c5-ae16-0391b2a93837", readOnly: true, text: "Done." },
  resume: { session: "5b7ab3b2-e424-40e1-b72b-e4687216a098", text: "two" },
  "resume-bogus": { class: "session_lost" },
  sess1: { session: "5b7ab3b2-e424-40e1-b72b-e4687216a098", text: "one" },
};

goldenTests(copilot, "copilot", RECORDED, /"type":"result".*"exitCode":0/);

const EXITED = { kind: "exited", code: 0 } as const;
const ANSWER = { type: "assistant.message", data: { content: "done", toolRequests: [] } };
const FAILURE = {
  type: "model.call_failure",
  data: { statusCode: 429, errorMessage: '{"message":"out of it","code":"insufficient_quota"}' },
};
const RESULT = { type: "result", sessionId: "s1", exitCode: 0 };

function reader(...lines: readonly object[]): ReturnType<typeof readerOf> {
  const made = readerOf(copilot);
  for (const line of lines) made.push("stdout", Buffer.from(`${JSON.stringify(line)}\n`));
  return made;
}

describe("copilot: lines no recording has", () => {
  test("an exit code of 0 without an answer after the last failure is no success", () => {
    const { failure, finalText } = reader(ANSWER, FAILURE, RESULT).end(EXITED);
    expect(failure).toMatchObject({ class: "quota", message: "out of it" });
    expect(finalText).toBe("");
  });

  test("an answer after a failure is a success", () => {
    expect(reader(FAILURE, ANSWER, RESULT).end(EXITED).failure).toBeNull();
  });

  test("an abort after an answer, or an answer that still wants tools, is no success", () => {
    const wanting = { type: "assistant.message", data: { content: "", toolRequests: [{ name: "bash" }] } };
    for (const lines of [
      [ANSWER, { type: "abort", data: {} }, RESULT],
      [wanting, RESULT],
    ])
      expect(reader(...lines).end(EXITED).failure?.class).toBe("protocol");
  });

  test("it is finished with the result, and not before", () => {
    expect(reader(ANSWER).finished()).toBe(false);
    expect(reader(ANSWER, RESULT).finished()).toBe(true);
  });

  test("a denied tool besides a changed file is no failure", () => {
    const start = { toolCallId: "1", toolName: "bash", arguments: { command: "rm -rf /" } };
    const denied = { toolCallId: "1", success: false, error: { code: "denied" } };
    const edited = { success: true, fileEdits: [{ path: "/home/someone/project/a.ts" }, { path: "/etc/x" }] };
    const made = reader(
      { type: "tool.execution_start", data: start },
      { type: "tool.execution_complete", data: denied },
      { type: "tool.execution_complete", data: edited },
      ANSWER,
      RESULT,
    );
    expect(made.activity()).toBe("run rm -rf /");
    expect(made.end(EXITED)).toMatchObject({
      failure: null,
      filesTouched: ["a.ts", "/etc/x"],
      denials: [{ tool: "bash", about: "rm -rf /" }],
    });
  });
});

test("copilot: how it is called", () => {
  const options = optionsFor("copilot", { model: "m", endpoint: "http://e/v1", args: ["--no-color"] });
  const session = { kind: "resume", id: "s1" } as const;
  const { words, env } = copilot.command(requestFor("copilot", { options, session, readOnly: true }));
  expect(words.join(" ")).toBe(
    "copilot --output-format=json --allow-all-tools --model=m --resume=s1 --no-color --available-tools=view,grep,glob",
  );
  expect(env).toEqual({ COPILOT_AUTO_UPDATE: "false", COPILOT_PROVIDER_BASE_URL: "http://e/v1" });
});
