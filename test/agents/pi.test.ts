import { describe, expect, test } from "vitest";
import { pi } from "../../src/agents/pi.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, type Table } from "./golden-tests.ts";

const RECORDED: Table = {
  "err-drop": { class: "overloaded", session: "01a1deaa-de9e-77ac-9c9f-b4045c604816", usage: [0, 0, 0, 0] },
  "err-e400": { class: "crashed", session: "01a1deaa-14d0-77c4-b17a-4bb62d6a6e9a", usage: [0, 0, 0, 0] },
  "err-e401": {
    class: "auth",
    session: "01a1dea9-53d2-742b-8bb4-1fb7f841b540",
    usage: [0, 0, 0, 0],
    says: "401 scripted error 401",
  },
  "err-e429": { class: "rate_limited", session: "01a1dea9-5aa9-7792-8d27-1eb78448dc33", usage: [0, 0, 0, 0] },
  // Killed while it waited to try again.
  "err-e429ra": {
    class: "rate_limited",
    session: "01a1dea9-ac0e-73fc-960c-e8a710cb5ee4",
    usage: [0, 0, 0, 0],
  },
  "err-e500": { class: "overloaded", session: "01a1dea9-0194-7766-9b56-2b0111db67d6", usage: [0, 0, 0, 0] },
  "err-e529": { class: "overloaded", session: "01a1deaa-0d79-74d3-a481-45b058dcda20", usage: [0, 0, 0, 0] },
  "err-hang": { class: "timeout", session: "01a1deaa-1a43-7252-954f-449911f6e411" },
  "err-stall": { class: "timeout", session: "01a1deaa-7bc0-707c-b0cb-01a062f3b897" },
  fork: { session: "01a1deab-355b-74c4-95ec-7fcde1cd75d2", text: "three", usage: [100, 0, 12, 0.000124] },
  "ok-json": {
    session: "01a1dea0-0f37-7060-bd94-e3214d7375a8",
    text: "Created hello.txt.",
    usage: [200, 0, 24, 0.000248],
    files: ["hello.txt"],
  },
  "read-only": {
    session: "01a1dfd9-5857-7168-a9f2-f0da0d2a906b",
    readOnly: true,
    text: "Done.",
    usage: [300, 0, 36, 0.000372],
  },
  resume: { session: "01a1deab-2cd6-72a1-8b31-d3e3ff5f9ea0", text: "two", usage: [100, 0, 12, 0.000124] },
  "resume-bogus": { class: "session_lost", session: "99999999-2222-4333-8444-555555555555" },
  sess1: { session: "01a1deab-2cd6-72a1-8b31-d3e3ff5f9ea0", text: "one", usage: [100, 0, 12, 0.000124] },
};

goldenTests(pi, "pi", RECORDED, /"type":"turn_end".*"stopReason":"stop".*"toolResults":\[\]\}/);

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

  test("that it shortens the session at the end spoils nothing", () => {
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

  test("an edit that failed touched nothing", () => {
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

  test("what is written into the cache was read anew", () => {
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
  const start = pi.command(requestFor("pi", { options, readOnly: true }));
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
