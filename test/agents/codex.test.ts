import { describe, expect, test } from "vitest";
import { codex } from "../../src/agents/codex.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, recordedTable } from "./golden-tests.ts";

goldenTests(codex, "codex", recordedTable("codex"), /"type":"turn\.completed"/);

function reader(...lines: readonly object[]): ReturnType<typeof readerOf> {
  const made = readerOf(codex);
  for (const line of lines) made.push("stdout", Buffer.from(`${JSON.stringify(line)}\n`));
  return made;
}

const COMPLETED = {
  type: "turn.completed",
  usage: { input_tokens: 90, cached_input_tokens: 60, output_tokens: 5 },
};

describe("codex: lines no recording has", () => {
  test("cached tokens do not count as fresh input", () => {
    expect(reader(COMPLETED).end({ kind: "exited", code: 0 }).usage).toEqual({
      input: 30,
      cached: 60,
      output: 5,
      costUsd: null,
    });
  });

  test("an error that it recovered from is no failure", () => {
    const summary = reader({ type: "error", message: "Unauthorized" }, COMPLETED);
    expect(summary.end({ kind: "exited", code: 0 }).failure).toBeNull();
  });

  test("after an answer, a later hang is not the fault of the service", () => {
    const hung = reader(
      { type: "error", message: "Reconnecting... 1/5 (unexpected status 503 Service Unavailable: x)" },
      { type: "item.completed", item: { type: "agent_message", text: "now" } },
    );
    expect(hung.end({ kind: "stalled", afterMs: 1000 }).failure?.class).toBe("timeout");
  });

  test("is ended when it waits for the network again and again, unless it gets an answer", () => {
    const waits = {
      type: "error",
      message: "Reconnecting... waiting for network (Connection failed: error sending request)",
    };
    const answer = { type: "item.completed", item: { type: "agent_message", text: "now" } };
    expect(reader(waits, waits, waits).finished()).toBe(false);
    const waiting = reader(waits, waits, waits, waits);
    expect(waiting.finished()).toBe(true);
    expect(waiting.end({ kind: "finished" }).failure).toMatchObject({
      class: "unreachable",
      message: "Connection failed: error sending request",
    });
    expect(reader(waits, waits, waits, waits, answer).finished()).toBe(false);
    expect(reader(waits, waits, answer, waits, waits).finished()).toBe(false);
  });

  test("a failed edit touches no file", () => {
    const item = { type: "file_change", changes: [{ path: "a.txt" }], status: "failed" };
    const summary = reader({ type: "item.completed", item }, COMPLETED).end({ kind: "exited", code: 0 });
    expect(summary.filesTouched).toEqual([]);
  });

  test.each([
    [{ type: "command_execution", command: "/bin/bash -lc 'npm test'" }, "run npm test"],
    [{ type: "command_execution", command: "/bin/bash -lc ls" }, "run ls"],
    [{ type: "file_change", changes: [{ path: "/home/someone/project/src/a.ts" }] }, "edit src/a.ts"],
    [{ type: "web_search", query: "weather" }, "browse weather"],
    [{ type: "mcp_tool_call", tool: "fetch_page", arguments: { url: "x" } }, "fetch_page x"],
  ])("its actions: %j", (item, activity) => {
    expect(reader({ type: "item.started", item }).activity()).toBe(activity);
  });
});

describe("codex: its command", () => {
  const words = (more: Parameters<typeof requestFor>[1]): string =>
    codex.command(requestFor("codex", more)).words.join(" ");

  test("a new session", () => {
    expect(words({})).toBe(
      "codex exec --json --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -",
    );
  });

  test("resumed, with a model and an endpoint", () => {
    const options = optionsFor("codex", { model: "gpt", endpoint: "http://gate/v1", args: ["--search"] });
    expect(words({ options, session: { kind: "resume", id: "1" } })).toBe(
      'codex exec --json --skip-git-repo-check --model gpt -c model_provider="foreman" -c model_providers.foreman={name="foreman",base_url="http://gate/v1",wire_api="responses",env_key="OPENAI_API_KEY",supports_websockets=false} --dangerously-bypass-approvals-and-sandbox --search resume 1 -',
    );
  });

  test.each([[["-s", "workspace-write"]], [["-c", "sandbox_mode=workspace-write"]]])(
    "a person who wants a sandbox gets it: %j",
    (args) => {
      expect(words({ options: optionsFor("codex", { args }) })).not.toContain("--dangerously");
    },
  );

  test("read-only overrides the person's arguments", () => {
    const args = ["-s", "danger-full-access", "--dangerously-bypass-approvals-and-sandbox", "--search"];
    const options = optionsFor("codex", { args });
    expect(words({ options, tools: "read", session: { kind: "fork", id: "1" } })).toBe(
      'codex exec --json --skip-git-repo-check --search -c sandbox_mode="read-only" --ephemeral fork 1 -',
    );
  });

  test("passes a system prompt as a file, in any session", () => {
    const session = { kind: "fork", id: "1" } as const;
    const made = codex.command(requestFor("codex", { session, system: "Be strict.", dir: "/turns/7" }));
    expect(made.words.slice(5)).toEqual([
      "-c",
      'model_instructions_file="/turns/7/system.md"',
      "--ephemeral",
      ...["fork", "1", "-"],
    ]);
    expect(made.files).toEqual({ "/turns/7/system.md": "Be strict." });
  });
});
