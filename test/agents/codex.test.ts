import { describe, expect, test } from "vitest";
import { codex } from "../../src/agents/codex.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, type Table } from "./golden-tests.ts";

const RECORDED: Table = {
  "err-drop-json": { class: "overloaded", session: "01a1de9f-de71-7052-a478-463ade8e99d1" },
  "err-e400-json": { class: "crashed", session: "01a1de9f-b84e-7e52-9f8f-bf4698e9ef4e" },
  "err-e401-json": { class: "auth", session: "01a1de9f-a698-7412-98a4-ae83742f24f1" },
  "err-e429-json": { class: "rate_limited", session: "01a1de9f-acfb-7c61-901c-2f703fb288d4" },
  "err-e429ra-json": { class: "rate_limited", session: "01a1de9f-b288-7aa3-bf76-69b1a059361d" },
  "err-e500-json": { class: "overloaded", session: "01a1de9f-a75d-74b3-93be-0264adfdef7f" },
  "err-e529-json": { class: "overloaded", session: "01a1de9f-b635-72d3-baac-cfaf0d15dbc5" },
  "err-hang-json": { class: "timeout", session: "01a1de9f-bae8-7520-bce5-1d5f853b5952" },
  "err-ssectx-json": { class: "own_limit", session: "01a1de9f-f450-7853-8a1c-285699bae8d2" },
  "err-ssefail-json": { class: "overloaded", session: "01a1de9f-e30d-7bf0-85d4-190211fedeb1" },
  "err-ssequota-json": { class: "quota", session: "01a1de9f-f221-7cb0-bab5-08dfbb1ec649" },
  "err-sserate-json": {
    class: "rate_limited",
    retryAt: "2026-11-15T10:00:02.000Z",
    session: "01a1de9f-e6b5-7673-bcb4-94922a7f1297",
  },
  "err-stall-json": { class: "overloaded", session: "01a1de9f-c3ac-7cb2-b7f8-2709f1f4ad88" },
  "fork-json": {
    session: "01a1dea0-72ec-7013-b452-0904f93ee086",
    before: { input: 300, cached: 0, output: 36, costUsd: null },
    text: "three",
    usage: [100, 0, 12, null],
  },
  "fork-read-only": {
    session: "01a1dfe9-2322-7ae1-8ea8-1893fd17f5b5",
    before: { input: 300, cached: 0, output: 36, costUsd: null },
    readOnly: true,
    text: "three",
    usage: [200, 0, 24, null],
  },
  nokey: { class: "auth", session: "01a1dea0-48f6-7220-a342-84b7fd8247e5" },
  "ok-json": {
    session: "01a1de9e-d093-7b73-8cc9-dabb24442a94",
    text: "Created hello.txt.",
    usage: [200, 0, 24, null],
  },
  outschema: {
    session: "01a1dea0-afaa-7ed0-958b-b61489c72e2b",
    text: '{"verdict":"ok"}',
    usage: [100, 0, 12, null],
  },
  "outschema-violated": {
    session: "01a1dea0-c407-7052-9249-1cb2ae5682a7",
    text: "not json",
    usage: [100, 0, 12, null],
  },
  patch: {
    session: "01a1dfe8-bdde-7c21-9785-073a514fce4f",
    text: "patched",
    usage: [300, 0, 36, null],
    files: ["a/new.txt"],
  },
  resume: {
    session: "01a1dfe8-f4bf-7fc3-8d02-3c135f46d58c",
    before: { input: 200, cached: 0, output: 24, costUsd: null },
    text: "two",
    usage: [100, 0, 12, null],
  },
  "resume-bogus": { class: "session_lost", session: "99999999-2222-4333-8444-555555555555" },
  "resume-json": {
    session: "01a1dea0-4a55-7ce3-94d6-d1453c41fde3",
    before: { input: 200, cached: 0, output: 24, costUsd: null },
    text: "two",
    usage: [100, 0, 12, null],
  },
  "resume-last": { session: "01a1dea0-72ec-7013-b452-0904f93ee086", text: "four", usage: [500, 0, 60, null] },
  "retry-killed": {
    class: "overloaded",
    session: "01a1dfe8-d772-7111-b751-5c50e98df6be",
    says: /^unexpected status 503 /,
  },
  "sandbox-read-only": {
    session: "01a1de9f-f6ab-7613-95e8-3b9b6a1aada8",
    readOnly: true,
    text: "Created hello.txt.",
    usage: [200, 0, 24, null],
  },
  "sandbox2-read-only": {
    session: "01a1dec0-92d7-71e2-ae82-58db81fe6dc6",
    readOnly: true,
    text: "fin",
    usage: [200, 0, 24, null],
  },
  "sess1-json": { session: "01a1dea0-4a55-7ce3-94d6-d1453c41fde3", text: "one", usage: [200, 0, 24, null] },
  smoke: {
    session: "01a1dec0-1803-72e0-86dd-cd9d1beff600",
    text: "Created hello.txt.",
    usage: [200, 0, 24, null],
  },
  start: { session: "01a1dfe8-f4bf-7fc3-8d02-3c135f46d58c", text: "one", usage: [200, 0, 24, null] },
};

goldenTests(codex, "codex", RECORDED, /"type":"turn\.completed"/);

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
  test("what came from the cache is not read anew", () => {
    expect(reader(COMPLETED).end({ kind: "exited", code: 0 }).usage).toEqual({
      input: 30,
      cached: 60,
      output: 5,
      costUsd: null,
    });
  });

  test("an error that it got over is none", () => {
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

  test("an edit that failed touched nothing", () => {
    const item = { type: "file_change", changes: [{ path: "a.txt" }], status: "failed" };
    const summary = reader({ type: "item.completed", item }, COMPLETED).end({ kind: "exited", code: 0 });
    expect(summary.filesTouched).toEqual([]);
  });

  test.each([
    [{ type: "command_execution", command: "/bin/bash -lc 'npm test'" }, "run npm test"],
    [{ type: "command_execution", command: "/bin/bash -lc ls" }, "run ls"],
    [{ type: "file_change", changes: [{ path: "/home/someone/project/src/a.ts" }] }, "edit src/a.ts"],
    [{ type: "web_search", query: "weather" }, "browse weather"],
    [{ type: "mcp_tool_call", tool: "find", arguments: { path: "x" } }, "find x"],
  ])("what it does: %j", (item, activity) => {
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

  test("read-only holds whatever the person's arguments say", () => {
    const args = ["-s", "danger-full-access", "--dangerously-bypass-approvals-and-sandbox", "--search"];
    const request = { options: optionsFor("codex", { args }), readOnly: true };
    expect(words({ ...request, session: { kind: "fork", id: "1" } })).toBe(
      'codex exec --json --skip-git-repo-check --search -c sandbox_mode="read-only" fork 1 -',
    );
  });
});
