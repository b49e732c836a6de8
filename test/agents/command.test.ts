import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { TurnSummary } from "../../src/agents/adapter.ts";
import { command } from "../../src/agents/command.ts";
import type { ProcessEnd } from "../../src/platform/process/process-end.ts";
import { optionsFor, pushInChunks, readerOf, requestFor } from "./golden.ts";

const OK: ProcessEnd = { kind: "exited", code: 0 };

function run(stdout: string, stderr = "", end = OK): TurnSummary {
  const reader = readerOf(command);
  pushInChunks(reader, { stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) }, stdout.length);
  expect(reader.finished()).toBe(false);
  return reader.end(end);
}

describe("command: a person's own", () => {
  test("its output is its final message, and all that is known", () => {
    expect(run("Made it.\nGA_STATUS=done\n", "some noise\n")).toEqual({
      failure: null,
      sessionId: null,
      model: null,
      usage: null,
      sessionTotals: null,
      filesTouched: [],
      denials: [],
      unknownLines: 0,
      finalText: "Made it.\nGA_STATUS=done\n",
    });
  });

  test.each([
    ["You've hit your usage limit · resets 3pm\n", "", OK, "quota"],
    ["", "API Error: 429 Too many requests\n", { kind: "exited", code: 1 }, "rate_limited"],
    ["working\n", "Error: 401 Incorrect API key provided\n", { kind: "exited", code: 1 }, "auth"],
    ["half of it\n", "Segmentation fault\n", { kind: "exited", code: 139 }, "crashed"],
    ["half of it\n", "", { kind: "signaled", signal: "SIGKILL" }, "crashed"],
    ["", "", OK, "no_output"],
    [" \n", "a warning\n", OK, "no_output"],
    ["", "sh: 1: agnet: not found\n", { kind: "exited", code: 127 }, "crashed"],
    ["rate limit exceeded\n", "", { kind: "timeout", afterMs: 1000 }, "timeout"],
    ["", "", { kind: "not_started", message: "no such program" }, "crashed"],
  ] as const)("%j %j: %s", (stdout, stderr, end, kind) => {
    expect(run(stdout, stderr, end).failure?.class).toBe(kind);
  });

  test("text about limits in its work is not an error of its own", () => {
    const diff = "diff --git a/x b/x\n+  throw new Error('429 Too many requests: rate limit exceeded')\n";
    expect(run(`${diff}I now handle 429 and "rate limit exceeded".\nDone.\n`).failure).toBeNull();
    expect(
      run(`API Error: 429 Too many requests\n${"line\n".repeat(5)}All tests pass.\n`).failure,
    ).toBeNull();
  });

  test("a long output keeps its end, in bounded memory", () => {
    const reader = readerOf(command);
    const chunk = Buffer.from(`${"x".repeat(65_535)}\n`);
    for (let count = 0; count < 400; count += 1) reader.push("stdout", chunk);
    reader.push("stdout", Buffer.from("GA_STATUS=done\n"));
    const { finalText } = reader.end(OK);
    expect(finalText.length).toBe(1024 * 1024);
    expect(finalText).toMatch(/x\nGA_STATUS=done\n$/);
  });

  test("real failures that tests talk about do not count", () => {
    const corpus = fs.readFileSync(path.join(import.meta.dirname, "command.test.ts"), "utf8");
    expect(run(corpus).failure).toBeNull();
  });

  test("runs the command unchanged", () => {
    const options = optionsFor("sh", { args: ["-c", "my agent"], env: { A: "b" } });
    expect(command.command(requestFor("sh", { options }))).toEqual({
      words: ["sh", "-c", "my agent"],
      env: { A: "b" },
    });
  });
});
