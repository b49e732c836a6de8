import { describe, expect, test } from "vitest";
import { gemini } from "../../src/agents/gemini.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, type Table } from "./golden-tests.ts";

const RECORDED: Table = {
  defaultmodel: { class: "timeout", session: "7c66d424-693a-45f5-ae07-48c876f97c5e" },
  edits: {
    session: "9052e4d0-5441-40dc-95f1-9dfc19c6e06d",
    text: "edited",
    usage: [400, 0, 48, null],
    files: ["a.txt"],
  },
  empty: { class: "overloaded", session: "fbd5c60d-605f-4907-80e4-877fa12a72a0", usage: [400, 0, 48, null] },
  "err-drop-streamjson": { class: "overloaded", session: "d257f3dd-ea4e-4378-b7c7-0f9fad69b7f4" },
  "err-e400-streamjson": {
    class: "crashed",
    session: "04a84601-7e5a-4150-8267-e17e55146792",
    usage: [0, 0, 0, null],
  },
  "err-e401-streamjson": {
    class: "auth",
    session: "acbf4587-7b34-49a8-973b-c1c60c189d9c",
    usage: [0, 0, 0, null],
  },
  "err-e429-streamjson": {
    class: "rate_limited",
    session: "e19563da-00c8-4a57-aee7-e8b0b4a6be99",
    says: /^Attempt 3 failed with status 429/,
  },
  "err-e429ra-streamjson": { class: "rate_limited", session: "253c53bf-4491-4e29-a00c-93f6f03c179e" },
  "err-e500-streamjson": { class: "overloaded", session: "83cf264d-1a04-4faa-a8ea-ffdaac16db57" },
  "err-e529-streamjson": { class: "overloaded", session: "edf3d77a-c8d5-4064-8f08-206497522f22" },
  "err-hang-streamjson": { class: "timeout", session: "3785e7da-6165-4d56-8eea-ab5580753e41" },
  "err-stall-streamjson": { class: "timeout", session: "a4436b2b-44b1-45f8-9641-9dba896475ee" },
  "max2-e429-sj": {
    class: "rate_limited",
    session: "1c7b149e-13fa-4547-ab20-6b69a867856b",
    usage: [0, 0, 0, null],
    says: /scripted error 429/,
  },
  "max2-e500-sj": {
    class: "overloaded",
    session: "b431a69d-8876-44ac-8ad1-612a3e23206d",
    usage: [0, 0, 0, null],
  },
  "max2-e503-sj": {
    class: "overloaded",
    session: "0ce1f1da-3458-47f3-b68c-f5cf791a82d8",
    usage: [0, 0, 0, null],
  },
  maxturns: {
    class: "own_limit",
    session: "1772c51c-72ea-48b3-a6bf-d6858528b91a",
    usage: [200, 0, 24, null],
  },
  noauth: { class: "auth" },
  noyolo: {
    session: "6aff41eb-44ac-4e87-b7b6-b15cbb89d035",
    text: "Created hello.txt.",
    usage: [200, 0, 24, null],
  },
  "ok-json": {
    session: "40254827-2c74-4b6d-aee2-4010376413f9",
    text: "Created hello.txt.",
    usage: [200, 0, 24, null],
    files: ["hello.txt"],
  },
  "plan-denied": {
    session: "e42bf8eb-ca65-4bea-b628-826ceffd8d93",
    readOnly: true,
    text: "could not",
    usage: [200, 0, 24, null],
    denials: [{ tool: "write_file", about: "hello.txt" }],
  },
  resume: { session: "d485fa4e-5d83-4760-a710-dde009169366", text: "two", usage: [100, 0, 12, null] },
  "resume-bogus": { class: "session_lost", session: "99999999-2222-4333-8444-555555555555" },
  safety: { class: "refused", session: "84ecdd51-b3a7-471d-a157-c87113b96235", usage: [400, 0, 48, null] },
  sess1: { session: "d485fa4e-5d83-4760-a710-dde009169366", text: "one", usage: [100, 0, 12, null] },
  smoke: {
    session: "475af065-5559-4e84-89eb-a2b78448c3e2",
    text: "Created hello.txt.",
    usage: [200, 0, 24, null],
    files: ["hello.txt"],
  },
  untrusted: { class: "permission" },
};

goldenTests(gemini, "gemini", RECORDED, /"status":"success","stats"/);

function reader(...lines: readonly object[]): ReturnType<typeof readerOf> {
  const made = readerOf(gemini);
  for (const line of lines) made.push("stdout", Buffer.from(`${JSON.stringify(line)}\n`));
  return made;
}

const says = (content: string): object => ({ type: "message", role: "assistant", content, delta: true });
const calls = (tool_name: string, parameters: object): object => ({
  type: "tool_use",
  tool_name,
  tool_id: "1",
  parameters,
});
const DENIED = { type: "tool_result", tool_id: "1", status: "error", error: { type: "policy_violation" } };
const SUCCESS = { type: "result", status: "success" };
const EXITED = { kind: "exited", code: 0 } as const;

describe("gemini: lines no recording has", () => {
  test("a message in pieces, after one that was followed by work", () => {
    const lines = [
      says("I will look"),
      calls("read_file", { file_path: "a" }),
      says("It is "),
      says("done."),
    ];
    expect(reader(...lines, SUCCESS).end(EXITED).finalText).toBe("It is done.");
  });

  test("a long message keeps its end", () => {
    const lines = Array.from({ length: 9 }, () => says("x".repeat(2 ** 20)));
    const { finalText } = reader(...lines, says("THE END"), SUCCESS).end(EXITED);
    expect(finalText).toHaveLength(2 ** 20);
    expect(finalText.endsWith("xTHE END")).toBe(true);
  });

  test("thoughts count as output, and what came from the cache is not read anew", () => {
    const stats = {
      total_tokens: 130,
      input_tokens: 100,
      output_tokens: 10,
      cached: 80,
      models: { pro: {} },
    };
    const summary = reader({ type: "init", model: "auto" }, { ...SUCCESS, stats }).end(EXITED);
    expect(summary.usage).toEqual({ input: 20, cached: 80, output: 30, costUsd: null });
    expect(summary.model).toBe("pro");
  });

  test("a denied tool", () => {
    expect(reader(calls("run_shell_command", { command: "ls" }), DENIED, SUCCESS).end(EXITED)).toMatchObject({
      failure: { class: "permission", message: "denied: run_shell_command ls" },
      denials: [{ tool: "run_shell_command", about: "ls" }],
    });
  });

  test("a question that nobody could answer", () => {
    const asked = calls("ask_user", { questions: [{ question: "Which colour?" }] });
    expect(reader(asked, DENIED, SUCCESS).end(EXITED).failure).toMatchObject({
      class: "question",
      message: "Which colour?",
    });
  });

  test("attempts that failed before the model answered are no cause of a later hang", () => {
    const hung = readerOf(gemini);
    hung.push("stderr", Buffer.from("Attempt 1 failed with status 429. Retrying with backoff...\n"));
    hung.push("stdout", Buffer.from(`${JSON.stringify(says("well"))}\n`));
    expect(hung.end({ kind: "timeout", afterMs: 1000 }).failure?.class).toBe("timeout");
  });

  test("an error that it got over is none, and a warning never is", () => {
    const error = { type: "error", severity: "error", message: "no" };
    const warning = { type: "error", severity: "warning", message: "hm" };
    expect(reader(error, says("well"), warning, SUCCESS).end(EXITED).failure).toBeNull();
    expect(reader(says("well"), error, SUCCESS).end(EXITED).failure?.class).toBe("crashed");
  });

  test("what it does", () => {
    expect(reader(calls("write_file", { file_path: "/home/someone/project/a.ts" })).activity()).toBe(
      "edit a.ts",
    );
  });
});

describe("gemini: its command", () => {
  const command = (more: Parameters<typeof requestFor>[1]): ReturnType<typeof gemini.command> =>
    gemini.command(requestFor("gemini", more));

  test("a new session", () => {
    expect(command({}).words.join(" ")).toBe("gemini --output-format=stream-json --yolo");
  });

  test("resumed, with a model and an endpoint", () => {
    const options = optionsFor("gemini", { model: "flash", endpoint: "http://gate", env: { A: "b" } });
    const { words, env } = command({ options, session: { kind: "resume", id: "1" } });
    expect(words.join(" ")).toBe("gemini --output-format=stream-json --model flash --resume 1 --yolo");
    expect(env).toEqual({
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GOOGLE_GEMINI_BASE_URL: "http://gate",
      A: "b",
    });
  });

  test("a person who wants to be asked is", () => {
    const options = optionsFor("gemini", { args: ["--approval-mode", "default"] });
    expect(command({ options }).words).not.toContain("--yolo");
  });
});
