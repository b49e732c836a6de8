import fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { acp } from "../../src/agents/acp.ts";
import type { ReadContext, TurnRequest, TurnSummary } from "../../src/agents/adapter.ts";
import type { JsonObject } from "../../src/agents/json-lines.ts";
import type { Denial, FailureClass } from "../../src/domain/agent-turn.ts";
import type { ProcessEnd } from "../../src/domain/process-end.ts";
import { type Answer, FakeAgent, recorded, recordings, type Said, sessionIn } from "./acp-agent.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";

interface Expected {
  readonly class?: FailureClass;
  readonly says?: string;
  readonly session?: string;
  readonly text?: string;
  /** Input, cached, output, dollars. */
  readonly usage?: readonly [number, number, number, number | null];
  readonly files?: readonly string[];
  readonly denials?: readonly Denial[];
  readonly model?: string;
  readonly readOnly?: true;
  readonly costBefore?: number;
}

const CREATED = { text: "Created hello.txt.", files: ["hello.txt"] };
const QWEN = "$runtime|openai|fake-model(openai)";
const RECORDED: Readonly<Record<string, Expected>> = {
  "acp-codex-acp": {
    session: "01a1deb0-6d66-7140-bd3e-1e6708809605",
    model: "gpt-5.1-codex",
    text: "Created hello.txt.",
    usage: [200, 0, 24, null],
  },
  "claude-agent-acp-0.49": {
    session: "c26df859-c9c4-4a0c-93b8-d9fa0bc1b239",
    model: "default",
    usage: [200, 0, 24, 0.0024],
    ...CREATED,
  },
  "claude-agent-acp-0.99": {
    session: "9a7999c4-0420-44e9-a0a0-42eec505517a",
    model: "claude-opus-5-5",
    usage: [200, 0, 24, 0.00192],
    ...CREATED,
  },
  "claude-agent-acp-0.99-err401": {
    class: "auth",
    session: "7adbfcbc-a933-417f-8223-a597241a1e7d",
    model: "default",
  },
  "claude-agent-acp-0.99-err500": {
    class: "overloaded",
    session: "775d5ca2-ca1a-47a6-a562-e0033482889d",
    model: "default",
  },
  cline: { class: "auth", says: "Authentication required: Call authenticate before starting a session" },
  copilot: { session: "b9a58aec-b93f-4686-9174-ab7e1b1cacb4", usage: [200, 0, 24, null], ...CREATED },
  // It calls these turns well ended.
  "copilot-err401": { class: "auth", session: "ffef49aa-d43c-4d25-bac4-8c70834a90ab" },
  "copilot-err500": { class: "overloaded", session: "64f13de4-dbb9-413a-a48d-dbcb8ded5604" },
  "copilot-lost": { class: "session_lost", session: "99999999-2222-4333-8444-555555555555" },
  "copilot-read-only": {
    session: "91bbe769-72be-41fe-80a8-d49b45a6523b",
    readOnly: true,
    text: "Done.",
    usage: [300, 0, 36, null],
  },
  "copilot-resume": {
    session: "cebdc6b2-1db6-4738-9173-b26332f4b21e",
    text: "two",
    usage: [100, 0, 12, null],
  },
  gemini: {
    session: "d06be1d6-ca8d-4cd4-b01a-753a082032da",
    model: "gemini-2.5-flash",
    text: "Created hello.txt.",
    usage: [200, 0, 24, null],
  },
  "gemini-err401": {
    class: "auth",
    session: "a45e7bd5-c880-4a45-aa03-e80d5feac3b9",
    model: "gemini-2.5-flash",
  },
  // The recording ends while it tries again, which it does not tell.
  "gemini-err500": {
    class: "timeout",
    session: "6f1ab604-dacb-4291-bc82-712dd4b165f7",
    model: "gemini-2.5-flash",
  },
  "gemini-lost": { class: "session_lost", session: "99999999-2222-4333-8444-555555555555" },
  "gemini-nofs1": {
    session: "6e3f0ddc-497f-45d2-a8a5-2f01efbc37ec",
    model: "gemini-2.5-flash",
    usage: [200, 0, 24, null],
    ...CREATED,
  },
  "gemini-nofs2": {
    session: "0547fcf1-4fff-4216-92e1-a79efed8d790",
    model: "gemini-2.5-flash",
    usage: [200, 0, 24, null],
    ...CREATED,
  },
  "gemini-yolo": {
    session: "538f337e-e1dc-44d8-833e-381437aa6197",
    model: "gemini-2.5-flash",
    usage: [200, 0, 24, null],
    ...CREATED,
  },
  opencode: {
    session: "ses_e2150dff2ffev2lm3H5UaugRib",
    model: "fake/fake-model",
    usage: [100, 0, 12, 0.000248],
    ...CREATED,
  },
  "opencode-err401": {
    class: "crashed",
    says: "Internal error: scripted error 401",
    session: "ses_e214f5c8fffeCGDVv4vx48T28d",
    model: "fake/fake-model",
    usage: [0, 0, 0, 0],
  },
  "opencode-err500": {
    class: "timeout",
    session: "ses_e214e2214ffeQsneaG6Mh0orzf",
    model: "fake/fake-model",
  },
  "opencode-fork": {
    session: "ses_e200f4aefffe7T3mmMM1Ud4Qmf",
    model: "fake/fake-model",
    costBefore: 0.000248,
    text: "three",
    usage: [100, 0, 12, 0.000124],
  },
  "opencode-lost": { class: "session_lost", session: "99999999-2222-4333-8444-555555555555" },
  "opencode-resume": {
    session: "ses_e200f9d6affe8EhSwxLFgZ7XCM",
    model: "fake/fake-model",
    costBefore: 0.000124,
    text: "two",
    usage: [100, 0, 12, 0.000124],
  },
  qwen: {
    session: "b6ab48cd-49be-475a-afd3-77adef6097d0",
    model: QWEN,
    usage: [200, 0, 24, null],
    ...CREATED,
  },
  "qwen-err401": { class: "auth", session: "39139a15-901e-4036-b8ab-03ecaaf2b060", model: QWEN },
  "qwen-err500": {
    class: "crashed",
    says: "cancelled",
    session: "74c938e0-4802-472b-b1c8-39f964071bf6",
    model: QWEN,
  },
  "qwen-resume": {
    session: "e1dcf4a0-4915-4aaa-a491-2d1d028ab33c",
    model: QWEN,
    text: "two",
    usage: [100, 0, 12, null],
  },
  "qwen-yolo": {
    session: "973ed0cc-fa55-4633-a738-be064ef45b4f",
    model: QWEN,
    usage: [200, 0, 24, null],
    ...CREATED,
  },
  "zed-claude-code-acp": {
    session: "0b4120fe-07b1-4f58-b633-b5059bb3198d",
    model: "default",
    text: "Created hello.txt.",
  },
  "zed-codex-acp": {
    session: "01a1deb0-5dc2-78e3-ac54-468b82486556",
    model: "gpt-5.1-codex",
    text: "Created hello.txt.",
  },
  "zed-codex-acp-err401": {
    class: "auth",
    session: "01a1deb0-d4ce-7983-a825-6676dfa5980b",
    model: "gpt-5.1-codex",
  },
  "zed-codex-acp-err500": {
    class: "overloaded",
    session: "01a1deb2-d8ae-70d0-a595-de3845a4f2b5",
    model: "gpt-5.1-codex",
  },
};

const TIMEOUT: ProcessEnd = { kind: "timeout", afterMs: 1000 };
const printed = vi.spyOn(console, "error");

// Otherwise the first conversation waits longer for the SDK than the fake agent does for it.
beforeAll(async () => {
  await import("@agentclientprotocol/sdk");
});

function contextOf(name: string): [Partial<TurnRequest>, Partial<ReadContext>] {
  const { readOnly = false, costBefore } = RECORDED[name] ?? {};
  const before = costBefore === undefined ? null : { input: 0, cached: 0, output: 0, costUsd: costBefore };
  return [{ session: sessionIn(name), readOnly }, { before }];
}

async function replay(name: string, seed: number, answer = recorded(name)): Promise<TurnSummary> {
  const reader = await new FakeAgent(answer, seed).take(...contextOf(name));
  return reader.end(reader.finished() ? { kind: "finished" } : TIMEOUT);
}

function outline({ usage, ...summary }: TurnSummary): object {
  return {
    class: summary.failure?.class ?? "completed",
    session: summary.sessionId,
    model: summary.model,
    text: summary.finalText,
    usage: usage && [
      usage.input,
      usage.cached,
      usage.output,
      usage.costUsd && Number(usage.costUsd.toFixed(9)),
    ],
    files: summary.filesTouched,
    denials: summary.denials,
  };
}

function outlineOf(expected: Expected): object {
  return {
    class: expected.class ?? "completed",
    session: expected.session ?? null,
    model: expected.model ?? null,
    text: expected.text ?? "",
    usage: expected.usage ?? null,
    files: expected.files ?? [],
    denials: expected.denials ?? [],
  };
}

test("every recorded conversation is expected to be something", () => {
  expect(Object.keys(RECORDED).toSorted()).toEqual(recordings());
});

describe("recorded conversations", () => {
  test.each(Object.entries(RECORDED))("%s", async (name, expected) => {
    for (let seed = 0; seed < 3; seed += 1) {
      const summary = await replay(name, seed);
      expect(outline(summary)).toEqual(outlineOf(expected));
      if (expected.says !== undefined) expect(summary.failure?.message).toBe(expected.says);
    }
  });

  test.each(Object.keys(RECORDED))("%s: broken off before its answer it is no success", async (name) => {
    const answer = recorded(name);
    for (let kept = 0; kept < 12; kept += 1) {
      const cut: Answer = (request, times) => {
        const said = answer(request, times);
        if (request["method"] !== "session/prompt") return said;
        const last = said.findIndex((each) => typeof each === "object" && each["method"] === undefined);
        return said.slice(0, Math.min(kept, last === -1 ? kept : last));
      };
      for (const end of [
        TIMEOUT,
        { kind: "exited", code: 0 },
        { kind: "signaled", signal: "SIGKILL" },
      ] as const) {
        const reader = await new FakeAgent(cut, kept).take(...contextOf(name));
        expect(reader.end(end).failure).not.toBeNull();
      }
    }
  });

  test("lines and messages of no known kind change nothing", async () => {
    const noise: fc.Arbitrary<Said> = fc.oneof(
      fc.string({ unit: "binary" }).map((text) => `${text.replaceAll("\n", "")}\n`),
      fc.json().map((text) => `${text}\n`),
      fc.json().map((text) => `${text.slice(0, -1)}\n`),
      fc.string().map((name) => ({ jsonrpc: "2.0", method: `_later/${name}`, params: {} })),
      fc.string().map((name) => ({ jsonrpc: "2.0", id: `x${name}`, method: `_ask/${name}`, params: [] })),
      fc.nat().map((id) => ({ jsonrpc: "2.0", id: `unasked ${id}`, result: {} })),
      fc.string().map((kind) => ({
        jsonrpc: "2.0",
        method: "session/update",
        params: { update: { sessionUpdate: `later ${kind}`, content: { text: "x" } } },
      })),
    );
    printed.mockClear();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...recordings()),
        fc.array(fc.tuple(fc.nat(), noise), { minLength: 1, maxLength: 6 }),
        async (name, inserted) => {
          const answer = recorded(name);
          const noisy: Answer = (request, times) => {
            const said = [...answer(request, times)];
            for (const [place, each] of inserted) said.splice(place % (said.length + 1), 0, each);
            return said;
          };
          expect(outline(await replay(name, 1, noisy))).toEqual(outlineOf(RECORDED[name] ?? {}));
        },
      ),
      { numRuns: 60 },
    );
    expect(printed).not.toHaveBeenCalled();
  });
});

interface Script {
  readonly welcome?: JsonObject;
  readonly session?: JsonObject;
  /** What comes between the prompt and its answer. */
  readonly during?: readonly Said[];
  readonly end?: JsonObject;
  readonly answers?: Readonly<Record<string, JsonObject>>;
}

const LOADING = { agentCapabilities: { loadSession: true } };

/** An agent as plain as can be, with something about it. */
function agent(script: Script = {}): FakeAgent {
  return new FakeAgent(({ id, method }) => {
    const answer = (body: JsonObject): Said => ({ jsonrpc: "2.0", id, ...body });
    const given = script.answers?.[String(method)];
    if (given !== undefined) return [answer(given)];
    switch (method) {
      case "initialize":
        return [answer({ result: { protocolVersion: 1, ...script.welcome } })];
      case "session/new":
        return [answer({ result: { sessionId: "s1", ...script.session } })];
      case "session/prompt":
        return [...(script.during ?? []), answer(script.end ?? { result: { stopReason: "end_turn" } })];
      default:
        return [answer({ result: { ...script.session } })];
    }
  });
}

function update(kind: string, more: JsonObject): Said {
  return { jsonrpc: "2.0", method: "session/update", params: { update: { sessionUpdate: kind, ...more } } };
}
const text = (words: string, more: JsonObject = {}): Said =>
  update("agent_message_chunk", { content: { type: "text", text: words }, ...more });

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

const RESUME = { session: { kind: "resume", id: "old" } } as const;
const FINISHED: ProcessEnd = { kind: "finished" };
const MODES = { modes: { availableModes: [{ id: "default" }, { id: "https://x/y#Plan" }, { id: "YOLO" }] } };

async function summary(
  script: Script,
  request: Partial<TurnRequest> = {},
  more: Partial<ReadContext> = {},
): Promise<TurnSummary> {
  const reader = await agent(script).take(request, more);
  expect(reader.finished()).toBe(true);
  return reader.end(FINISHED);
}

describe("the conversation", () => {
  test("the prompt goes out whole, and nothing is offered that we do not have", async () => {
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
        ? [text("working")]
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

  test("a version of the protocol that we do not speak", async () => {
    const { failure } = await summary({ welcome: { protocolVersion: 2 } });
    expect(failure).toMatchObject({ class: "protocol", message: "it speaks version 2 of the protocol" });
  });

  test("what it wants of us and we do not have is told so", async () => {
    const during = [
      { jsonrpc: "2.0", id: 7, method: "fs/read_text_file", params: { path: "a" } },
      text("done"),
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
    expect((await summary({ end: { result: { stopReason } } })).failure?.class).toBe(kind);
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
    expect((await summary({ end: { error } })).failure?.class).toBe(kind);
    expect((await summary({ answers: { "session/new": { error } } })).failure?.class).toBe(kind);
  });

  test("a session without an id", async () => {
    expect((await summary({ answers: { "session/new": { result: {} } } })).failure?.class).toBe("protocol");
  });
});

describe("sessions", () => {
  test("what a loaded session tells again is not of this turn", async () => {
    const old = [
      text("old words"),
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
      return [text("new words"), { jsonrpc: "2.0", id, result: { stopReason: "end_turn" } }];
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

  test("what the agent cannot do, and what it has lost", async () => {
    expect((await summary({}, RESUME)).failure?.class).toBe("session_lost");
    expect(
      (await summary({ welcome: LOADING }, { session: { kind: "fork", id: "old" } })).failure?.class,
    ).toBe("session_lost");
    const lost = (error: JsonObject): Promise<TurnSummary> =>
      summary({ welcome: LOADING, answers: { "session/load": { error } } }, RESUME);
    expect((await lost({ code: -32002, message: "not found" })).failure?.class).toBe("session_lost");
    expect((await lost({ code: -32000, message: "log in" })).failure?.class).toBe("auth");
    expect((await lost({ code: 503, message: "later" })).failure?.class).toBe("overloaded");
  });
});

describe("permissions", () => {
  const permitted = async (during: readonly Said[], readOnly: boolean): Promise<[unknown[], TurnSummary]> => {
    const fake = agent({ during: [...during, text("done")], session: MODES });
    const reader = await fake.take({ readOnly });
    const chosen = fake.heard.filter(({ id }) => String(id).startsWith("ask"));
    return [
      chosen.map((message) => (message["result"] as { outcome: unknown }).outcome),
      reader.end(FINISHED),
    ];
  };

  test("everything is allowed, each time anew", async () => {
    const [outcomes, { failure, denials }] = await permitted(
      [asks("edit"), asks("execute", OPTIONS.slice(0, 1))],
      false,
    );
    expect(outcomes).toEqual([
      { outcome: "selected", optionId: "once" },
      { outcome: "selected", optionId: "always" },
    ]);
    expect([failure, denials]).toEqual([null, []]);
  });

  test("where nothing may be written, only reading is allowed", async () => {
    const [outcomes, { failure, denials }] = await permitted(
      [asks("edit"), asks("read"), asks("switch_mode", [])],
      true,
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

  test("an agent that lets nobody allow anything did not work", async () => {
    const [, { failure }] = await permitted([asks("edit", OPTIONS.slice(2))], false);
    expect(failure).toMatchObject({ class: "permission", message: "denied: edit a.ts" });
  });

  test("the mode is the widest, or the one that cannot write", async () => {
    for (const [readOnly, modeId] of [
      [false, "YOLO"],
      [true, "https://x/y#Plan"],
    ] as const) {
      const fake = agent({ session: MODES });
      await fake.take({ readOnly });
      expect(fake.heardOf("session/set_mode")?.["params"]).toEqual({ sessionId: "s1", modeId });
    }
    const configOptions = [{ id: "m", category: "mode", options: [{ value: "build" }, { value: "plan" }] }];
    const fake = agent({ session: { configOptions } });
    await fake.take({ readOnly: true });
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
      expect((await summary(script, { readOnly: true })).failure?.class).toBe("permission");
      expect((await summary(script)).failure).toBeNull();
    }
  });
});

describe("what is said and done", () => {
  test("the last message is what is said after the last tool call", async () => {
    const during = [
      text("I will "),
      text("try."),
      update("tool_call", { toolCallId: "1", kind: "edit", title: "Edit", status: "pending" }),
      update("tool_call_update", {
        toolCallId: "1",
        status: "completed",
        locations: [{ path: "/home/someone/project/src/a.ts" }],
      }),
      text("Do"),
      text("ne."),
      update("tool_call_update", { toolCallId: "1", status: "completed" }),
    ];
    const reader = await agent({ during }).take();
    expect(reader.activity()).toBe("Edit");
    expect(reader.end(FINISHED)).toMatchObject({ finalText: "Done.", filesTouched: ["src/a.ts"] });
    const apart = [text("A warning.", {}), text("Done.", { messageId: "m1" })];
    expect((await summary({ during: apart })).finalText).toBe("Done.");
  });

  test("a call that failed, or only read, touched nothing", async () => {
    const locations = [{ path: "a.ts" }];
    const during = [
      update("tool_call", { toolCallId: "1", kind: "edit", status: "failed", locations }),
      update("tool_call", { toolCallId: "2", kind: "read", status: "completed", locations }),
    ];
    expect((await summary({ during })).filesTouched).toEqual([]);
  });

  test.each([
    [
      {
        usage: {
          inputTokens: 10,
          cachedReadTokens: 7,
          cachedWriteTokens: 2,
          outputTokens: 3,
          totalTokens: 22,
        },
      },
      [12, 7, 3],
    ],
    [{ usage: { inputTokens: 10, cachedReadTokens: 7, outputTokens: 3, totalTokens: 13 } }, [3, 7, 3]],
    [{ _meta: { quota: { token_count: { input_tokens: 10, output_tokens: 3 } } } }, [10, 0, 3]],
  ])("tokens: %j", async (counted, [input, cached, output]) => {
    const { usage } = await summary({ end: { result: { stopReason: "end_turn", ...counted } } });
    expect(usage).toEqual({ input, cached, output, costUsd: null });
  });

  test("money is counted over the session", async () => {
    const during = [update("usage_update", { cost: { amount: 0.75, currency: "USD" } })];
    const before = { input: 0, cached: 0, output: 0, costUsd: 0.5 };
    expect(await summary({ during }, {}, { before })).toMatchObject({
      usage: { costUsd: 0.25 },
      sessionTotals: { costUsd: 0.75 },
    });
    const anew = { ...before, costUsd: 2 };
    expect((await summary({ during }, {}, { before: anew })).usage?.costUsd).toBe(0.75);
  });

  test("the model is the one that was asked for, or the turn fails", async () => {
    const options = optionsFor("agent", { model: "m2" });
    const plain = agent();
    await plain.take({ options });
    expect(plain.heardOf("session/set_model")?.["params"]).toEqual({ sessionId: "s1", modelId: "m2" });
    const configOptions = [{ id: "which", category: "model", currentValue: "m1" }];
    const configured = agent({ session: { configOptions } });
    const reader = await configured.take({ options });
    expect(configured.heardOf("session/set_config_option")?.["params"]).toMatchObject({
      configId: "which",
      value: "m2",
    });
    expect(reader.end(FINISHED).model).toBe("m2");
    const error = { code: -32602, message: "unknown" };
    const { failure } = await summary({ answers: { "session/set_model": { error } } }, { options });
    expect(failure?.message).toBe("it does not take the model m2: unknown");
  });
});

describe("errors in the guise of words", () => {
  const COPILOT = { agentInfo: { name: "Copilot" } };

  test("GitHub's agent: a remark is no word of the model", async () => {
    const during = [
      text("Info: Request failed due to a transient API error. Retrying..."),
      text("Do"),
      text("ne."),
    ];
    expect(await summary({ welcome: COPILOT, during })).toMatchObject({ failure: null, finalText: "Done." });
  });

  test("GitHub's agent: an error after its work is a failure, unless it goes on", async () => {
    const work = update("tool_call", {
      toolCallId: "1",
      kind: "edit",
      status: "completed",
      locations: [{ path: "a" }],
    });
    const error = text("Error: 503 Service unavailable");
    expect(await summary({ welcome: COPILOT, during: [work, text("half"), error] })).toMatchObject({
      failure: { class: "overloaded" },
      finalText: "",
      filesTouched: ["a"],
    });
    expect((await summary({ welcome: COPILOT, during: [error, work, text("done")] })).failure).toBeNull();
  });

  test("GitHub's agent: time that ran out over failing requests", async () => {
    const answers = [{ jsonrpc: "2.0", id: 0, result: { protocolVersion: 1, ...COPILOT } }];
    const fake = new FakeAgent(({ id, method }) => {
      if (method === "initialize") return answers.map((each) => ({ ...each, id }));
      if (method === "session/new") return [{ jsonrpc: "2.0", id, result: { sessionId: "s1" } }];
      return [text("Info: Request failed due to a transient API error. Retrying...")];
    });
    const reader = await fake.take();
    expect(reader.end(TIMEOUT).failure?.class).toBe("overloaded");
  });

  test("others: words count only where nothing was done", async () => {
    const during = [text("API Error: 401 Incorrect API key provided")];
    expect((await summary({ during })).failure?.class).toBe("auth");
    const work = update("tool_call", { toolCallId: "1", kind: "read", status: "completed" });
    expect((await summary({ during: [work, ...during] })).failure).toBeNull();
    expect((await summary({ during: [text("Error handling is done.")] })).failure).toBeNull();
  });
});

test("it is called as it stands", () => {
  const options = optionsFor("gemini", { args: ["--acp"], env: { A: "b" } });
  expect(acp.command(requestFor("gemini", { options }))).toEqual({
    words: ["gemini", "--acp"],
    env: { A: "b" },
  });
  expect(readerOf(acp).usageSoFar()).toBeNull();
});
