import { describe, expect, test } from "vitest";
import { gemini } from "../../src/agents/gemini.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, recordedTable } from "./golden-tests.ts";

goldenTests(gemini, "gemini", recordedTable("gemini"), /"status":"success","stats"/);

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

  test("thoughts count as output, and cached tokens do not count as fresh input", () => {
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

  test("a question without an answer", () => {
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

  test("neither an error that it recovered from nor a warning is a failure", () => {
    const error = { type: "error", severity: "error", message: "no" };
    const warning = { type: "error", severity: "warning", message: "hm" };
    expect(reader(error, says("well"), warning, SUCCESS).end(EXITED).failure).toBeNull();
    expect(reader(says("well"), error, SUCCESS).end(EXITED).failure?.class).toBe("crashed");
  });

  test("its actions", () => {
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

  test.each([
    ["none", []],
    ["read", ["read_file", "grep_search", "glob", "list_directory"]],
  ] as const)("restricted to %s by a policy file, whatever a profile says", (tools, allowed) => {
    const args = ["--yolo", "--policy", "/mine", "--admin-policy=/mine", "-s", "--debug"];
    const options = optionsFor("gemini", { args, env: { GEMINI_SANDBOX: "docker" } });
    const { words, env, files = {} } = command({ options, tools, dir: "/turns/7" });
    expect(words.slice(2)).toEqual([
      "--debug",
      "--approval-mode=default",
      "--allowed-mcp-server-names=foreman-none",
      "--policy=/turns/7/policy.toml",
      "--admin-policy=/turns/7/policy.toml",
    ]);
    expect(env["GEMINI_SANDBOX"]).toBe("false");
    expect(Object.keys(files)).toEqual(["/turns/7/policy.toml"]);
    const [text = ""] = Object.values(files);
    expect(text).toContain('toolName = "*"\ndecision = "deny"');
    const names = [...(/toolName = \[(.*)\]/.exec(text)?.[1] ?? "").matchAll(/"(\w+)"/g)];
    expect(names.map(([, name]) => name)).toEqual(allowed);
  });

  test.each(["all", "read"] as const)("a system prompt is a file, with %s tools", (tools) => {
    const options = optionsFor("gemini", { env: { GEMINI_SYSTEM_MD: "/mine.md" } });
    const { env, files } = command({ options, tools, system: "Be strict.", dir: "/turns/7" });
    expect(env["GEMINI_SYSTEM_MD"]).toBe("/turns/7/system.md");
    expect(files).toMatchObject({ "/turns/7/system.md": "Be strict." });
  });

  test("a place where it would not find its policy", () => {
    const dir = "/a,b/turns/7";
    expect(() => command({ tools: "none", dir })).toThrow("takes a comma for the end of a path");
    expect(command({ dir }).files).toEqual({});
  });
});
