import { beforeAll, describe, expect, test } from "vitest";
import { acp } from "../../src/agents/acp.ts";
import type { Tools, TurnSummary } from "../../src/agents/adapter.ts";
import type { JsonObject } from "../../src/agents/json-lines.ts";
import {
  agent,
  FakeAgent,
  FINISHED,
  loadSdk,
  said,
  type Said,
  TIMEOUT,
  turnOf,
  update,
} from "./acp-agent.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";

beforeAll(loadSdk);

const OPTIONS = [
  { optionId: "always", kind: "allow_always" },
  { optionId: "once", kind: "allow_once" },
  { optionId: "no", kind: "reject_once" },
];
function asks(kind: string, options: readonly JsonObject[] = OPTIONS): Said {
  const toolCall = { toolCallId: kind, kind, title: `${kind} it`, locations: [{ path: "a.ts" }] };
  return {
    jsonrpc: "2.0",
    id: `ask ${kind}`,
    method: "session/request_permission",
    params: { options, toolCall },
  };
}

const LOADING = { agentCapabilities: { loadSession: true } };
const RESUME = { session: { kind: "resume", id: "old" } } as const;
const MODES = { modes: { availableModes: [{ id: "default" }, { id: "https://x/y#Plan" }, { id: "YOLO" }] } };

describe("the conversation", () => {
  test("sends the whole prompt, and offers no abilities that it lacks", async () => {
    const fake = agent();
    await fake.take({}, { prompt: "é".repeat(300_000) });
    expect(fake.heardOf("session/prompt")?.["params"]).toEqual({
      sessionId: "s1",
      prompt: [{ type: "text", text: "é".repeat(300_000) }],
    });
    expect(fake.heardOf("initialize")?.["params"]).toMatchObject({
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
  });

  test("an agent that never answers", async () => {
    const reader = await new FakeAgent(() => []).take();
    expect(reader.finished()).toBe(false);
    expect(reader.end(TIMEOUT).failure?.class).toBe("timeout");
  });

  test.each([
    [{ kind: "exited", code: 1 }, "crashed"],
    [{ kind: "exited", code: 0 }, "protocol"],
    [{ kind: "signaled", signal: "SIGSEGV" }, "crashed"],
    [{ kind: "stalled", afterMs: 1000 }, "timeout"],
  ] as const)("an agent that dies over its work: %j", async (end, kind) => {
    const fake = new FakeAgent(({ id, method }) =>
      method === "session/prompt"
        ? [said("working")]
        : [{ jsonrpc: "2.0", id, result: { protocolVersion: 1, sessionId: "s1" } }],
    );
    const reader = await fake.take();
    expect(reader.end(end)).toMatchObject({ failure: { class: kind }, finalText: "" });
  });

  test("an agent that cannot start says why on stderr", async () => {
    const reader = await new FakeAgent(() => []).take();
    reader.push("stderr", Buffer.from("No authentication information found.\n"));
    expect(reader.end({ kind: "exited", code: 1 }).failure?.class).toBe("auth");
  });

  test("rejects an unknown version of the protocol", async () => {
    const { failure } = await turnOf({ welcome: { protocolVersion: 2 } });
    expect(failure).toMatchObject({ class: "protocol", message: "it speaks version 2 of the protocol" });
  });

  test("refuses requests for features that we do not offer", async () => {
    const during = [
      { jsonrpc: "2.0", id: 7, method: "fs/read_text_file", params: { path: "a" } },
      said("done"),
    ];
    const fake = agent({ during });
    const reader = await fake.take();
    expect(fake.heard.find(({ id, method }) => id === 7 && method === undefined)).toMatchObject({
      error: { code: -32601 },
    });
    expect(reader.end(FINISHED)).toMatchObject({ failure: null, finalText: "done" });
  });

  test.each([
    ["refusal", "refused"],
    ["max_tokens", "own_limit"],
    ["max_turn_requests", "own_limit"],
    ["cancelled", "crashed"],
    ["of later versions", "protocol"],
  ])("stopped by %s: %s", async (stopReason, kind) => {
    expect((await turnOf({ end: { result: { stopReason } } })).failure?.class).toBe(kind);
  });

  test.each([
    [{ code: 429, message: "slow down" }, "rate_limited"],
    [{ code: -32603, message: "Internal error", data: { details: "529 Overloaded" } }, "overloaded"],
    [
      {
        code: -32603,
        message: "Internal error",
        data: { message: "no", codex_error_info: "usage_limit_exceeded" },
      },
      "quota",
    ],
    [{ code: -32603, message: "Internal error", data: "401 Incorrect API key provided" }, "auth"],
    [{ code: -32000, message: "who are you" }, "auth"],
    [{ code: -32603, message: "it broke" }, "crashed"],
  ])("answered with %j: %s", async (error, kind) => {
    expect((await turnOf({ end: { error } })).failure?.class).toBe(kind);
    expect((await turnOf({ answers: { "session/new": { error } } })).failure?.class).toBe(kind);
  });

  test("a session without an id", async () => {
    expect((await turnOf({ answers: { "session/new": { result: {} } } })).failure?.class).toBe("protocol");
  });
});

describe("sessions", () => {
  test("ignores the history that a loaded session replays", async () => {
    const old = [
      said("old words"),
      update("tool_call", {
        toolCallId: "1",
        kind: "edit",
        status: "completed",
        locations: [{ path: "old.ts" }],
      }),
    ];
    const fake = new FakeAgent(({ id, method }) => {
      if (method === "initialize")
        return [{ jsonrpc: "2.0", id, result: { protocolVersion: 1, ...LOADING } }];
      if (method === "session/load") return [...old, { jsonrpc: "2.0", id, result: null }];
      return [said("new words"), { jsonrpc: "2.0", id, result: { stopReason: "end_turn" } }];
    });
    const reader = await fake.take(RESUME);
    expect(reader.end(FINISHED)).toMatchObject({
      failure: null,
      sessionId: "old",
      finalText: "new words",
      filesTouched: [],
    });
  });

  test.each([
    [{ loadSession: true, sessionCapabilities: { resume: {} } }, "resume", "session/resume"],
    [{ loadSession: true }, "resume", "session/load"],
    [{ sessionCapabilities: { fork: {} } }, "fork", "session/fork"],
  ] as const)("%j: %s by %s", async (agentCapabilities, kind, method) => {
    const fake = agent({ welcome: { agentCapabilities } });
    await fake.take({ session: { kind, id: "old" } });
    expect(fake.heardOf(method)?.["params"]).toMatchObject({ sessionId: "old", mcpServers: [] });
  });

  test("missing features of the agent, and lost sessions", async () => {
    expect((await turnOf({}, RESUME)).failure?.class).toBe("session_lost");
    expect(
      (await turnOf({ welcome: LOADING }, { session: { kind: "fork", id: "old" } })).failure?.class,
    ).toBe("session_lost");
    const lost = (error: JsonObject): Promise<TurnSummary> =>
      turnOf({ welcome: LOADING, answers: { "session/load": { error } } }, RESUME);
    expect((await lost({ code: -32002, message: "not found" })).failure?.class).toBe("session_lost");
    expect((await lost({ code: -32000, message: "log in" })).failure?.class).toBe("auth");
    expect((await lost({ code: 503, message: "later" })).failure?.class).toBe("overloaded");
  });
});

describe("permissions", () => {
  const permitted = async (during: readonly Said[], tools: Tools): Promise<[unknown[], TurnSummary]> => {
    const fake = agent({ during: [...during, said("done")], session: MODES });
    const reader = await fake.take({ tools });
    const chosen = fake.heard.filter(({ id }) => String(id).startsWith("ask"));
    return [
      chosen.map((message) => (message["result"] as { outcome: unknown }).outcome),
      reader.end(FINISHED),
    ];
  };

  test("allows everything, for each request", async () => {
    const [outcomes, { failure, denials }] = await permitted(
      [asks("edit"), asks("execute", OPTIONS.slice(0, 1))],
      "all",
    );
    expect(outcomes).toEqual([
      { outcome: "selected", optionId: "once" },
      { outcome: "selected", optionId: "always" },
    ]);
    expect([failure, denials]).toEqual([null, []]);
  });

  test("allows only reading in a read-only turn", async () => {
    const [outcomes, { failure, denials }] = await permitted(
      [asks("edit"), asks("read"), asks("switch_mode", [])],
      "read",
    );
    expect(outcomes).toEqual([
      { outcome: "selected", optionId: "no" },
      { outcome: "selected", optionId: "once" },
      { outcome: "cancelled" },
    ]);
    expect(failure).toBeNull();
    expect(denials).toEqual([
      { tool: "edit", about: "a.ts" },
      { tool: "switch_mode", about: "a.ts" },
    ]);
  });

  test("allows nothing in a turn without tools", async () => {
    const [outcomes] = await permitted([asks("edit"), asks("read")], "none");
    expect(outcomes).toEqual([
      { outcome: "selected", optionId: "no" },
      { outcome: "selected", optionId: "no" },
    ]);
  });

  test("an agent without an option to allow did not work", async () => {
    const [, { failure }] = await permitted([asks("edit", OPTIONS.slice(2))], "all");
    expect(failure).toMatchObject({ class: "permission", message: "denied: edit a.ts" });
  });

  test("chooses the widest mode, or the one that cannot write", async () => {
    for (const [tools, modeId] of [
      ["all", "YOLO"],
      ["read", "https://x/y#Plan"],
      ["none", "https://x/y#Plan"],
    ] as const) {
      const fake = agent({ session: MODES });
      await fake.take({ tools });
      expect(fake.heardOf("session/set_mode")?.["params"]).toEqual({ sessionId: "s1", modeId });
    }
    const configOptions = [{ id: "m", category: "mode", options: [{ value: "build" }, { value: "plan" }] }];
    const fake = agent({ session: { configOptions } });
    await fake.take({ tools: "read" });
    expect(fake.heardOf("session/set_config_option")?.["params"]).toEqual({
      sessionId: "s1",
      configId: "m",
      value: "plan",
    });
  });

  test("without a mode that cannot write, no review begins; without the widest, work does", async () => {
    const refused = {
      session: MODES,
      answers: { "session/set_mode": { error: { code: -32602, message: "no" } } },
    };
    for (const script of [{}, refused]) {
      expect((await turnOf(script, { tools: "read" })).failure?.class).toBe("permission");
      expect((await turnOf(script)).failure).toBeNull();
    }
  });
});

test("runs the command unchanged", () => {
  const options = optionsFor("gemini", { args: ["--acp"], env: { A: "b" } });
  expect(acp.command(requestFor("gemini", { options }))).toEqual({
    words: ["gemini", "--acp"],
    env: { A: "b" },
  });
  expect(readerOf(acp).usageSoFar()).toBeNull();
});
