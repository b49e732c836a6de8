import { describe, expect, test } from "vitest";
import { pi } from "../../src/agents/pi.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, recordedTable } from "./golden-tests.ts";

goldenTests(pi, "pi", recordedTable("pi"), /"type":"turn_end".*"stopReason":"stop".*"toolResults":\[\]\}/);

const EXITED = { kind: "exited", code: 0 } as const;

function reader(...lines: readonly object[]): ReturnType<typeof readerOf> {
  const made = readerOf(pi);
  for (const line of lines) made.push("stdout", Buffer.from(`${JSON.stringify(line)}\n`));
  return made;
}

function said(stopReason: string, text = "", errorMessage?: string): object {
  const content = [{ type: "text", text }];
  return {
    type: "message_end",
    message: {
      role: "assistant",
      content,
      stopReason,
      ...(errorMessage === undefined ? {} : { errorMessage }),
    },
  };
}
const TURN_END = { type: "turn_end" };

describe("pi: lines no recording has", () => {
  test("an answer that came after an error is a success", () => {
    const made = reader(
      said("error", "", "429 slow down"),
      TURN_END,
      { type: "auto_retry_start", errorMessage: "429 slow down" },
      { type: "agent_start" },
      said("stop", "done"),
    );
    expect(made.finished()).toBe(false);
    made.push("stdout", Buffer.from(`${JSON.stringify(TURN_END)}\n`));
    expect(made.finished()).toBe(true);
    expect(made.end(EXITED)).toMatchObject({ failure: null, finalText: "done" });
  });

  test("after an error it is finished only once it gives up", () => {
    const made = reader(said("error", "", "500 broken"), TURN_END);
    expect(made.finished()).toBe(false);
    made.push("stdout", Buffer.from('{"type":"auto_retry_end","success":false}\n'));
    expect(made.finished()).toBe(true);
  });

  test("a compaction at the end does no harm", () => {
    const made = reader(said("stop", "done"), TURN_END, { type: "compaction_start", reason: "threshold" });
    expect(made.end(EXITED).failure).toBeNull();
  });

  test.each([
    ["aborted", "crashed"],
    ["of a later version", "crashed"],
  ])("stopped by %s: %s", (stop, kind) => {
    expect(reader(said(stop, "half"), TURN_END).end(EXITED)).toMatchObject({
      failure: { class: kind },
      finalText: "",
    });
  });

  test("an answer that was cut off is no success", () => {
    expect(reader(said("length", "half"), TURN_END).end(EXITED).failure).not.toBeNull();
  });

  test("a turn that ended with calls of tools is not the last", () => {
    expect(reader(said("toolUse"), { willGoOn: true, ...TURN_END }).end(EXITED).failure?.class).toBe(
      "protocol",
    );
  });

  test("a failed edit touches no file", () => {
    const start = { type: "tool_execution_start", toolCallId: "1", toolName: "edit", args: { path: "a.ts" } };
    const made = reader(start, {
      type: "tool_execution_end",
      toolCallId: "1",
      toolName: "edit",
      isError: true,
    });
    expect(made.activity()).toBe("edit a.ts");
    expect(made.end(EXITED).filesTouched).toEqual([]);
  });

  test("tokens written to the cache count as fresh input", () => {
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: { total: 0.5 } };
    const made = reader({
      type: "message_end",
      message: { role: "assistant", stopReason: "toolUse", usage },
    });
    expect(made.usageSoFar()).toEqual({ input: 5, cached: 3, output: 2, costUsd: 0.5 });
  });
});

test("pi: how it is called", () => {
  const options = optionsFor("pi", { model: "p/m", args: ["--thinking", "low"], env: { A: "b" } });
  const start = pi.command(requestFor("pi", { options, tools: "read" }));
  expect(start.words.join(" ")).toBe(
    "pi --print --mode json --model p/m --thinking low --tools read,grep,find,ls",
  );
  expect(start.env).toEqual({ A: "b" });
  for (const [kind, flag] of [
    ["resume", "--session"],
    ["fork", "--fork"],
  ] as const)
    expect(pi.command(requestFor("pi", { session: { kind, id: "s1" } })).words).toEqual([
      "pi",
      "--print",
      "--mode",
      "json",
      flag,
      "s1",
    ]);
});
