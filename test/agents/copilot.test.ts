import { describe, expect, test } from "vitest";
import { copilot } from "../../src/agents/copilot.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, recordedTable } from "./golden-tests.ts";

goldenTests(copilot, "copilot", recordedTable("copilot"), /"type":"result".*"exitCode":0/);

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

  test("an abort after an answer, or an answer that requests tools, is no success", () => {
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

  test("a denied tool is no failure if a file was changed", () => {
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
  const { words, env } = copilot.command(requestFor("copilot", { options, session, tools: "read" }));
  expect(words.join(" ")).toBe(
    "copilot --output-format=json --allow-all-tools --model=m --resume=s1 --no-color --available-tools=view,grep,glob",
  );
  expect(env).toEqual({ COPILOT_AUTO_UPDATE: "false", COPILOT_PROVIDER_BASE_URL: "http://e/v1" });
});
