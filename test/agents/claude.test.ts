import { describe, expect, test } from "vitest";
import { claude } from "../../src/agents/claude.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, type Table } from "./golden-tests.ts";

const RECORDED: Table = {
  budget: {
    class: "own_limit",
    session: "19a52483-9549-491c-8074-be04c86afa19",
    usage: [10000, 0, 1000, 0.06],
  },
  "budget-streamjson": {
    class: "own_limit",
    session: "4011ac64-6dc1-4f16-a52b-112efb760607",
    usage: [9000, 0, 900, 0.054],
  },
  "cost-1": { session: "56fb435c-b3bc-46e8-9648-987574214a50", text: "ok", usage: [1000, 0, 100, 0.006] },
  "cost-2": {
    session: "56fb435c-b3bc-46e8-9648-987574214a50",
    before: { input: 1000, cached: 0, output: 100, costUsd: 0.006 },
    text: "ok",
    usage: [1000, 0, 100, 0.006],
  },
  "cost-3": {
    session: "56fb435c-b3bc-46e8-9648-987574214a50",
    before: { input: 2000, cached: 0, output: 200, costUsd: 0.012 },
    text: "ok",
    usage: [1000, 0, 100, 0.006],
  },
  "cost-4": {
    session: "56fb435c-b3bc-46e8-9648-987574214a50",
    before: { input: 3000, cached: 0, output: 300, costUsd: 0.018 },
    text: "ok",
    usage: [1000, 0, 100, 0.006],
  },
  "cost-fork": {
    session: "fc608cd2-3638-404c-9d00-1e24404e618d",
    before: { input: 3000, cached: 0, output: 300, costUsd: 0.018 },
    text: "ok",
    usage: [1000, 0, 100, 0.006],
  },
  "cost-fresh": { session: "0fef9e1f-f909-40d0-86a7-6aedabd6bb1c", text: "ok", usage: [1000, 0, 100, 0.006] },
  "e400-credit": { class: "quota", session: "9fdaf8b8-735b-48ba-ad28-c81d43aaa339", usage: [0, 0, 0, 0] },
  "e400-toolong": {
    class: "own_limit",
    session: "31bf4508-39cb-4dd1-ba32-16030e4a710b",
    usage: [0, 0, 0, 0],
  },
  "e429-quota": {
    class: "rate_limited",
    session: "068780ce-b558-4df0-9951-137b5d21a47f",
    usage: [0, 0, 0, 0],
  },
  edits: {
    session: "5b84222c-c452-4a7e-8ef7-641fd3f1c6bd",
    text: "edited",
    usage: [500, 0, 60, 0.0032],
    files: ["a.txt", "src/b.txt"],
  },
  "err-drop-json": {
    class: "overloaded",
    session: "44d48010-7231-40ad-b499-b0f87436eb05",
    usage: [0, 0, 0, 0],
  },
  "err-drop-streamjson": {
    class: "overloaded",
    session: "b9ee911c-a4d8-43b1-bc2b-12da1fc7a94c",
    usage: [0, 0, 0, 0],
  },
  "err-e400-streamjson": {
    class: "crashed",
    session: "04d3a249-a79c-4cea-9992-1ce8bd201bc9",
    usage: [0, 0, 0, 0],
  },
  "err-e401-streamjson": {
    class: "auth",
    session: "1c7cab7d-8ae7-4569-8c2c-db90b48f1a03",
    usage: [0, 0, 0, 0],
    says: /401 scripted error 401/,
  },
  "err-e403-streamjson": {
    class: "auth",
    session: "9481f3c6-4e09-4bff-935e-36be1ca2b160",
    usage: [0, 0, 0, 0],
  },
  "err-e429-json": {
    class: "rate_limited",
    session: "5a61f8f9-1a9b-4d32-9496-b6fe956d884c",
    usage: [0, 0, 0, 0],
  },
  "err-e429-streamjson": {
    class: "rate_limited",
    session: "a2e85ca5-248a-47e1-a790-e4532149ab4a",
    usage: [0, 0, 0, 0],
  },
  "err-e429ra-streamjson": {
    class: "rate_limited",
    session: "4c874f6c-5708-4a9d-94b2-4b514c0bfd07",
    usage: [0, 0, 0, 0],
  },
  "err-e500-default-retries": {
    class: "overloaded",
    session: "4edb7d14-db55-428c-ac37-75d23a58d752",
    usage: [0, 0, 0, 0],
  },
  "err-e500-streamjson": {
    class: "overloaded",
    session: "f98c41e3-b988-4690-89cf-1628c7c13966",
    usage: [0, 0, 0, 0],
  },
  "err-e529-default-retries": { class: "overloaded", session: "1ead48ec-d0ab-4089-a00b-7e20ad795740" },
  "err-e529-once-then-ok": {
    session: "4a7a21c8-ff05-44c0-b0cb-31a858299913",
    text: "ok after overload",
    usage: [100, 0, 12, 0.00064],
  },
  "err-e529-streamjson": {
    class: "overloaded",
    session: "12402abf-40d5-4a79-a101-f3a18e8df85f",
    usage: [0, 0, 0, 0],
  },
  "err-hang-streamjson": {
    class: "overloaded",
    session: "98f0759c-40c8-4179-b0d9-e379e6a3fa66",
    usage: [0, 0, 0, 0],
  },
  "err-notsse-streamjson": {
    class: "overloaded",
    session: "accabb35-0a8c-4307-ad0a-2352f8646d47",
    usage: [0, 0, 0, 0],
  },
  "err-sseoverl-streamjson": {
    class: "overloaded",
    session: "9d319fbc-6ed0-4a9e-ad4a-3a88f129e5af",
    usage: [300, 0, 3, 0.00126],
  },
  "err-stall-streamjson": { class: "timeout", session: "04791a80-e0c2-449a-8207-ae0e75165f6e" },
  "fallback-model": {
    session: "730cf3c0-70d5-47f3-bcd4-3d8905b07270",
    text: "from fallback",
    usage: [100, 0, 12, 0.00048],
  },
  fork: { session: "adf562fc-9b59-4ff0-8eaa-988077f5deab", text: "forked ok", usage: [100, 0, 12, null] },
  "fork-read-only": {
    session: "9bcdd071-7ae0-473b-babb-5b65fc6885f9",
    readOnly: true,
    text: "three",
    usage: [1200, 0, 124, 0.00728],
  },
  "fork-sid": {
    session: "11111111-2222-4333-8444-555555555555",
    text: "forked ok",
    usage: [100, 0, 12, null],
  },
  "fork-tools-ro": {
    session: "26602bb6-7332-4617-be90-d385eb86cf0f",
    readOnly: true,
    text: "tried",
    usage: [200, 0, 24, null],
  },
  "hang-default": {
    class: "overloaded",
    session: "d06e2c8d-c291-4087-8991-91f07eed843f",
    usage: [0, 0, 0, 0],
  },
  "hook-pretool-deny": {
    class: "permission",
    session: "07c59885-32b8-47a8-98c9-330001c64fd7",
    text: "fin",
    usage: [200, 0, 24, 0.00128],
    denials: [{ tool: "Write", about: "/home/someone/project/hello.txt" }],
  },
  "hook-stop-endless": { session: "c45a84c4-5228-4d12-81ff-e8df8673ded0", usage: [900, 0, 108, 0.00576] },
  "hook-stop-exit2": {
    session: "2cba8224-4c5c-4383-83b5-c3401d4f912e",
    text: "three",
    usage: [300, 0, 36, 0.00192],
  },
  "hook-stop-project": {
    session: "1eeac603-45cc-4969-9bc3-a9fa241f3845",
    text: "three",
    usage: [300, 0, 36, 0.00192],
  },
  "hookfork-fork-disableAllHooks": {
    session: "22472beb-9a7e-45d5-be13-2c12919cef98",
    text: "ok",
    usage: [100, 0, 12, null],
  },
  "input-interrupt": {
    session: "ff287428-ef4c-4d26-8d0a-3468ce0a3ccf",
    text: "after",
    usage: [100, 0, 12, 0.00064],
  },
  "input-streamjson": {
    session: "420e39b8-0d3f-43d5-8510-b81b0315823e",
    text: "answer two",
    usage: [200, 0, 24, 0.00128],
  },
  "kill9-midtool": { class: "timeout" },
  maxtokens: { session: "abfcbfc3-8fac-4a73-9623-fe7afd49d84f", text: "rest", usage: [200, 0, 24, 0.00128] },
  maxturns: {
    class: "own_limit",
    session: "fec1de18-d96a-4b28-8074-3fbb263e30f7",
    usage: [300, 0, 36, 0.00192],
  },
  "maxturns-streamjson": {
    class: "own_limit",
    session: "f0b42c3c-a327-4130-857d-b49c41f0a052",
    usage: [300, 0, 36, 0.00192],
  },
  noauth: { class: "auth" },
  "ok-streamjson": {
    session: "183f47eb-50bf-4367-b230-2f520a3d0613",
    text: "Created hello.txt.",
    usage: [200, 0, 24, 0.00128],
    files: ["hello.txt"],
  },
  partial: {
    session: "fc04855f-08a6-426f-ae35-c24f68c44a77",
    text: "a long text that is streamed in several chunks to the client",
    usage: [100, 0, 12, 0.00064],
  },
  "perm-bypassmode-nosandbox": { class: "permission" },
  "perm-default": {
    class: "permission",
    session: "d4fafcea-575f-4786-a382-f9ede6aa6b83",
    text: "Created hello.txt.",
    usage: [200, 0, 24, 0.00128],
    denials: [{ tool: "Write", about: "/home/someone/project/hello.txt" }],
    says: /^denied: Write /,
  },
  "perm-manual": {
    class: "permission",
    session: "beb63cfc-e534-4dd7-b61a-71f1820df9e6",
    text: "Created hello.txt.",
    usage: [200, 0, 24, 0.00128],
    denials: [{ tool: "Write", about: "/home/someone/project/hello.txt" }],
  },
  "perm-stdio": {
    session: "7a35dc0d-188f-4523-ade5-4b661ea2c676",
    text: "fin",
    usage: [200, 0, 24, 0.00128],
    files: ["hello.txt"],
  },
  refusal: {
    class: "refused",
    session: "68f567f3-5763-467c-8b0e-474d9f1faf47",
    usage: [200, 0, 24, 0.00128],
  },
  resume: { session: "fe08a035-8979-4998-9e71-13edc5442b54", text: "resumed ok", usage: [100, 0, 12, null] },
  "resume-after-kill9": {
    session: "dddddddd-1111-4222-8333-444444444444",
    before: { input: 2000, cached: 0, output: 200, costUsd: 0.012 },
    text: "resumed",
    usage: [100, 0, 12, 0.00064],
  },
  "resume-bogus": { class: "session_lost", session: "99999999-2222-4333-8444-555555555555" },
  "resume-bogus-sj": {
    class: "session_lost",
    session: "99999999-2222-4333-8444-555555555555",
    usage: [0, 0, 0, null],
    says: /^No conversation found/,
  },
  "resume-streamjson": {
    session: "c4efb329-ce86-4e48-ab68-022dafc0dfe5",
    text: "two",
    usage: [1000, 0, 100, 0.006],
  },
  "retry-killed": {
    class: "rate_limited",
    session: "dd103a2c-6ebd-44fc-af12-a200818aade9",
    says: /^still trying after attempt 4: rate_limit$/,
  },
  "root-nosandbox": { class: "permission" },
  "schema-bad": {
    class: "crashed",
    session: "2bfdea4d-f0e6-4879-9a05-841a33e55270",
    usage: [500, 0, 60, 0.0032],
  },
  "schema-text": {
    session: "c43b3aec-bbf3-483a-bbda-a68f83b027d0",
    text: '{"verdict":"ok","n":3}',
    usage: [200, 0, 24, 0.00128],
  },
  sess1: { session: "fe08a035-8979-4998-9e71-13edc5442b54", text: "done one", usage: [200, 0, 24, 0.00128] },
  "sig-SIGINT": {
    class: "timeout",
    session: "3be5cd67-1059-47aa-822d-d4d0dfe685b6",
    usage: [0, 0, 0, 0],
    says: /^timed out/,
  },
  "sig-SIGTERM": { class: "timeout", session: "2960cc0f-a2ab-47c1-afc9-da09d7bdf103" },
  smoke: {
    session: "bdad5213-3e99-484c-9217-1d7d1181dd0e",
    text: "Created hello.txt.",
    usage: [200, 0, 24, 0.00128],
    files: ["hello.txt"],
  },
  "stall-long": { class: "timeout", session: "e450f531-e751-4d99-9604-89d917c17d0d" },
  "stallenv-all": {
    session: "eb91c252-cd0d-4500-81f8-bc3facb97f8b",
    text: "recovered",
    usage: [100, 0, 12, 0.00064],
  },
  "stallenv-apitimeout-hang": {
    session: "f138a84c-ff83-4d3a-bf6d-da0dcf5c6a19",
    text: "recovered",
    usage: [100, 0, 12, 0.00064],
  },
  "start-streamjson": {
    session: "c4efb329-ce86-4e48-ab68-022dafc0dfe5",
    text: "one",
    usage: [1000, 0, 100, 0.006],
  },
  subagent: {
    session: "46a105ca-0e53-4f8a-8de2-3bd55730fd42",
    text: "main says",
    usage: [500, 0, 60, 0.0032],
    files: ["sub.txt"],
  },
  tmpdir: { session: "4ee2e978-d2ff-40b4-83ad-08498c06085e", text: "ok", usage: [200, 0, 24, 0.00128] },
  "work-then-retry-killed": {
    class: "overloaded",
    session: "6dc1f89f-236a-4703-b756-3007e08461ae",
    usage: [100, 0, 1, null],
    files: ["hello.txt"],
  },
};

const RECORDED_2_1_197: Table = {
  "err-e529": { class: "overloaded", session: "9e193862-3297-41dd-b323-842821bbca55", usage: [0, 0, 0, 0] },
  fork: { session: "54a3e328-3b50-4e93-96ae-3a95ca295630", text: "f", usage: [100, 0, 12, null] },
  "ok-streamjson": {
    session: "77f2fda8-0120-411f-8e7d-19c956aa6a0a",
    text: "Created.",
    usage: [300, 0, 36, 0.0024],
    files: ["hello.txt"],
  },
  "root-nosandbox": { class: "permission" },
};

const SUCCESS = /"is_error":false/;
goldenTests(claude, "claude", RECORDED, SUCCESS);
goldenTests(claude, "claude-2.1.197", RECORDED_2_1_197, SUCCESS);

function reader(...lines: readonly object[]): ReturnType<typeof readerOf> {
  const made = readerOf(claude);
  for (const line of lines) made.push("stdout", Buffer.from(`${JSON.stringify(line)}\n`));
  return made;
}

function assistant(...content: readonly object[]): object {
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 5,
    cache_read_input_tokens: 7,
    output_tokens: 2,
  };
  return { type: "assistant", message: { id: "m1", usage, content } };
}

const DONE = { type: "result", is_error: false, subtype: "success", stop_reason: "end_turn", result: "done" };
const OVER_LIMIT = {
  type: "result",
  is_error: true,
  subtype: "success",
  api_error_status: 429,
  result: "limit",
};
const EXITED = { kind: "exited", code: 0 } as const;

describe("claude: lines no recording has", () => {
  test("a limit that was reached tells when it is over", () => {
    const info = { status: "rejected", resetsAt: 1_794_760_000, rateLimitType: "five_hour" };
    const { failure } = reader({ type: "rate_limit_event", rate_limit_info: info }, OVER_LIMIT).end(EXITED);
    expect(failure).toEqual({ class: "quota", message: "limit", retryAt: "2026-11-15T16:26:40.000Z" });
  });

  test("a limit that is near is none", () => {
    const info = { status: "allowed_warning", resetsAt: 1_794_760_000 };
    const { failure } = reader({ type: "rate_limit_event", rate_limit_info: info }, OVER_LIMIT).end(EXITED);
    expect(failure).toMatchObject({ class: "rate_limited", retryAt: null });
  });

  test("a question that nobody could answer", () => {
    const tool_input = { questions: [{ question: "Which colour?" }] };
    const asked = { ...DONE, permission_denials: [{ tool_name: "AskUserQuestion", tool_input }] };
    expect(reader(asked).end(EXITED)).toMatchObject({
      failure: { class: "question", message: "Which colour?" },
      denials: [],
    });
  });

  test("a denied tool besides work that was done is no failure", () => {
    const denials = [{ tool_name: "Bash", tool_input: { command: "rm -rf /" } }];
    const summary = reader(
      assistant({ type: "tool_use", id: "t1", name: "Edit", input: { file_path: "src/a.ts" } }),
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1" }] } },
      { ...DONE, permission_denials: denials },
    ).end(EXITED);
    expect(summary).toMatchObject({
      failure: null,
      filesTouched: ["src/a.ts"],
      denials: [{ tool: "Bash", about: "rm -rf /" }],
    });
  });

  test("an older version's limit of turns is no success although it is called no error", () => {
    const { failure } = reader({ ...DONE, subtype: "error_max_turns" }).end(EXITED);
    expect(failure?.class).toBe("own_limit");
  });

  test("a result that does not say whether it is an error is none to rely on", () => {
    expect(reader({ type: "result", result: "done" }).end(EXITED).failure?.class).toBe("crashed");
  });

  test("a refusal is one although it is called no error", () => {
    expect(reader({ ...DONE, stop_reason: "refusal" }).end(EXITED).failure?.class).toBe("refused");
  });

  test("what it does and what it has used so far", () => {
    const running = reader(
      assistant({ type: "text", text: "let me see" }),
      assistant({ type: "tool_use", id: "t1", name: "Bash", input: { command: "npm  test" } }),
    );
    expect(running.activity()).toBe("run npm test");
    expect(running.usageSoFar()).toEqual({ input: 15, cached: 7, output: 2, costUsd: null });
    expect(running.finished()).toBe(false);
  });

  test("it has said its last word with its result", () => {
    expect(reader(DONE).finished()).toBe(true);
    expect(reader(DONE, assistant({ type: "text", text: "but" })).finished()).toBe(false);
  });

  test("a very long final message keeps its end", () => {
    const { finalText } = reader({ ...DONE, result: `${"x".repeat(2 ** 21)}THE END` }).end(EXITED);
    expect(finalText).toHaveLength(2 ** 20);
    expect(finalText.endsWith("THE END")).toBe(true);
  });
});

describe("claude: its command", () => {
  const words = (more: Parameters<typeof requestFor>[1]): string =>
    claude.command(requestFor("claude", more)).words.join(" ");

  test("a new session", () => {
    expect(words({})).toBe(
      "claude --print --output-format=stream-json --verbose --dangerously-skip-permissions",
    );
  });

  test("everything that can be asked for", () => {
    const options = optionsFor("/opt/claude", { model: "opus", args: ["--effort", "high"] });
    expect(words({ options, session: { kind: "fork", id: "1" }, maxCostUsd: 1.5 })).toBe(
      "/opt/claude --print --output-format=stream-json --verbose --model opus --resume 1 --fork-session --max-budget-usd 1.5 --dangerously-skip-permissions --effort high",
    );
  });

  test("a person who wants permissions kept has them kept", () => {
    const options = optionsFor("claude", { args: ["--permission-mode=acceptEdits"] });
    expect(words({ options })).not.toContain("--dangerously-skip-permissions");
  });

  test("read-only holds whatever the person's arguments say", () => {
    const args = ["--tools", "Bash", "Write", "--dangerously-skip-permissions", "--effort", "high"];
    expect(words({ options: optionsFor("claude", { args }), readOnly: true })).toBe(
      'claude --print --output-format=stream-json --verbose --effort high --permission-mode=dontAsk --tools=Read,Grep,Glob --strict-mcp-config --settings={"disableAllHooks":true}',
    );
  });

  test("the environment: a person's own values win", () => {
    const options = optionsFor("claude", { endpoint: "http://gate", env: { DISABLE_AUTOUPDATER: "0" } });
    const { env } = claude.command(requestFor("claude", { options }));
    expect(env).toMatchObject({ ANTHROPIC_BASE_URL: "http://gate", DISABLE_AUTOUPDATER: "0" });
    expect(env["IS_SANDBOX"]).toBe(process.getuid?.() === 0 ? "1" : undefined);
  });
});
