import { beforeAll, describe, expect, test } from "vitest";
import { agent, FakeAgent, FINISHED, loadSdk, said, TIMEOUT, turnOf, update } from "./acp-agent.ts";
import { optionsFor } from "./golden.ts";

beforeAll(loadSdk);

describe("text and tool use", () => {
  test("the final message is the text after the last tool call", async () => {
    const during = [
      said("I will "),
      said("try."),
      update("tool_call", { toolCallId: "1", kind: "edit", title: "Edit", status: "pending" }),
      update("tool_call_update", {
        toolCallId: "1",
        status: "completed",
        locations: [{ path: "/home/someone/project/src/a.ts" }],
      }),
      said("Do"),
      said("ne."),
      update("tool_call_update", { toolCallId: "1", status: "completed" }),
    ];
    const reader = await agent({ during }).take();
    expect(reader.activity()).toBe("Edit");
    expect(reader.end(FINISHED)).toMatchObject({ finalText: "Done.", filesTouched: ["src/a.ts"] });
    const apart = [said("A warning.", {}), said("Done.", { messageId: "m1" })];
    expect((await turnOf({ during: apart })).finalText).toBe("Done.");
  });

  test("a failed or reading call touches no file", async () => {
    const locations = [{ path: "a.ts" }];
    const during = [
      update("tool_call", { toolCallId: "1", kind: "edit", status: "failed", locations }),
      update("tool_call", { toolCallId: "2", kind: "read", status: "completed", locations }),
    ];
    expect((await turnOf({ during })).filesTouched).toEqual([]);
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
    const { usage } = await turnOf({ end: { result: { stopReason: "end_turn", ...counted } } });
    expect(usage).toEqual({ input, cached, output, costUsd: null });
  });

  test("money is counted over the session", async () => {
    const during = [update("usage_update", { cost: { amount: 0.75, currency: "USD" } })];
    const before = { input: 0, cached: 0, output: 0, costUsd: 0.5 };
    expect(await turnOf({ during }, {}, { before })).toMatchObject({
      usage: { costUsd: 0.25 },
      sessionTotals: { costUsd: 0.75 },
    });
    const restarted = { ...before, costUsd: 2 };
    expect((await turnOf({ during }, {}, { before: restarted })).usage?.costUsd).toBe(0.75);
  });

  test("the turn fails if the agent uses another model than requested", async () => {
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
    const { failure } = await turnOf({ answers: { "session/set_model": { error } } }, { options });
    expect(failure?.message).toBe("it does not take the model m2: unknown");
  });
});

describe("errors in the guise of words", () => {
  const COPILOT = { agentInfo: { name: "Copilot" } };

  test("GitHub's agent: a remark is not part of the message", async () => {
    const during = [
      said("Info: Request failed due to a transient API error. Retrying..."),
      said("Do"),
      said("ne."),
    ];
    expect(await turnOf({ welcome: COPILOT, during })).toMatchObject({ failure: null, finalText: "Done." });
  });

  test("GitHub's agent: an error after its work is a failure, unless it continues", async () => {
    const work = update("tool_call", {
      toolCallId: "1",
      kind: "edit",
      status: "completed",
      locations: [{ path: "a" }],
    });
    const error = said("Error: 503 Service unavailable");
    expect(await turnOf({ welcome: COPILOT, during: [work, said("half"), error] })).toMatchObject({
      failure: { class: "overloaded" },
      finalText: "",
      filesTouched: ["a"],
    });
    expect((await turnOf({ welcome: COPILOT, during: [error, work, said("done")] })).failure).toBeNull();
  });

  test("GitHub's agent: time that ran out over failing requests", async () => {
    const answers = [{ jsonrpc: "2.0", id: 0, result: { protocolVersion: 1, ...COPILOT } }];
    const fake = new FakeAgent(({ id, method }) => {
      if (method === "initialize") return answers.map((each) => ({ ...each, id }));
      if (method === "session/new") return [{ jsonrpc: "2.0", id, result: { sessionId: "s1" } }];
      return [said("Info: Request failed due to a transient API error. Retrying...")];
    });
    const reader = await fake.take();
    expect(reader.end(TIMEOUT).failure?.class).toBe("overloaded");
  });

  test("others: an error text counts only without any work", async () => {
    const during = [said("API Error: 401 Incorrect API key provided")];
    expect((await turnOf({ during })).failure?.class).toBe("auth");
    const work = update("tool_call", { toolCallId: "1", kind: "read", status: "completed" });
    expect((await turnOf({ during: [work, ...during] })).failure).toBeNull();
    expect((await turnOf({ during: [said("Error handling is done.")] })).failure).toBeNull();
  });
});
