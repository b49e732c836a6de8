import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import { Rig } from "../rig/rig.ts";
import { StepsRig } from "../rig/steps.ts";

const CHECKS = { fast: ["test -f work.txt"], full: ["true"] };
const MODEL = ["--model", "opus"];

/** The zoo agent's arguments in its first turn. */
function argsOf(rig: Rig, agent: string): string {
  return fs.readFileSync(join(rig.home, `${agent}-args-1`), "utf8");
}

describe("--model", () => {
  test("is passed to the agent, and overrides its profile's", async () => {
    const rig = Rig.inWorkTree();
    rig.write("agent-foreman.yaml", "profiles: { claude: { model: sonnet } }\n");
    const { code, report } = await rig.supervise(
      { ...CHECKS, agents: "claude", more: MODEL },
      { env: rig.withAgents() },
    );
    expect(code).toBe(0);
    expect(argsOf(rig, "claude")).toContain("--model opus");
    expect(argsOf(rig, "claude")).not.toContain("sonnet");
    expect(report.agents).toMatchObject([{ name: "claude", model: "opus" }]);
  });

  test("is for the first of several agents; agent=model is for another one", async () => {
    const rig = Rig.inWorkTree();
    const more = [...MODEL, "--model", "codex=gpt-5"];
    const { code } = await rig.supervise(
      { ...CHECKS, agents: "claude,codex", more },
      { env: rig.withAgents({ CLAUDE_DOES: "auth" }) },
    );
    expect(code).toBe(0);
    expect(argsOf(rig, "claude")).toContain("--model opus");
    expect(argsOf(rig, "codex")).toContain("--model gpt-5");
  });

  test("of an agent that is not installed is not given to another one", async () => {
    const rig = Rig.inWorkTree();
    await rig.supervise({ ...CHECKS, agents: "gemini,claude", more: MODEL }, { env: rig.withAgents() });
    expect(argsOf(rig, "claude")).not.toContain("--model");
  });

  test("works in analyze, run, orchestrate and chat", async () => {
    const steps = new StepsRig();
    steps.write("needs.md", "# Needs\n\nA thing.\n");
    steps.step(1);
    const board = new BoardRig();
    const chat = new Rig();
    chat.write("SUPERVISOR.md", "Say [TASK_COMPLETED] when all is done.\n");
    const calls: readonly (readonly [Rig, readonly string[]])[] = [
      [steps, ["analyze", "needs.md", "--agents", "claude", ...MODEL]],
      [steps, ["run", "steps", "--agents", "claude,codex", "--model", "claude=opus"]],
      [board, ["orchestrate", "--roles", "MAIN=claude", "TEST=codex", "DEV=codex", "REVIEW=codex", ...MODEL]],
      [chat, ["chat", "--print", "hello", "--agent", "claude", ...MODEL]],
    ];
    for (const [rig, words] of calls) {
      const env = rig.withAgents({ CLAUDE_DOES: "auth" });
      await rig.run(words, { env });
      expect([words[0], argsOf(rig, "claude")]).toEqual([words[0], expect.stringContaining("--model opus")]);
      for (const name of fs.readdirSync(rig.home).filter((each) => /^(?:claude|codex)-/.test(each)))
        fs.rmSync(join(rig.home, name));
    }
  });

  const REFUSED: readonly (readonly [string, readonly string[], string])[] = [
    ["of an agent that does not take part", ["--model", "gemini=x"], "the agents of this run are claude"],
    ["given twice", [...MODEL, "--model", "claude=x"], "--model names two models for claude"],
    ["that is empty", ["--model", "claude="], "--model is empty"],
  ];
  test.each(REFUSED)("%s is refused", async (_, more, problem) => {
    const rig = new Rig();
    const words = rig.superviseArgs({ ...CHECKS, agents: "claude", more });
    const { code, stderr } = await rig.run(words, { env: rig.withAgents() });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
    expect(rig.runIds()).toEqual([]);
  });

  test("is refused for shell commands, which take none", async () => {
    const rig = new Rig();
    rig.write("agent-foreman.yaml", "profiles: { mine: { extends: command, command: claim DONE } }\n");
    const profile = await rig.run(rig.superviseArgs({ agents: "mine", more: MODEL }));
    expect(profile).toMatchObject({ code: 2, stderr: expect.stringContaining("mine is a shell command") });
    const command = await rig.run(rig.superviseArgs({ agent: "claim DONE", more: MODEL }));
    expect(command).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--model cannot be used with --agent-cmd"),
    });
  });
});

describe("supervise without --agent and --agent-cmd", () => {
  const bare = ["supervise", "--task", "the task", "--plan-file", "plan.md"];
  const tests = ["--test-fast", "test -f work.txt", "--test-full", "true"];

  test("takes the first installed one of the usual agents, and says so before it starts", async () => {
    const rig = Rig.inWorkTree();
    const { code, stdout } = await rig.run([...bare, ...tests], { env: rig.withAgents() });
    expect(code).toBe(0);
    const [head] = stdout.split("claude started");
    expect(head).toContain("started: claude, codex");
    expect(rig.report(rig.runIds()[0] ?? "").attempts.map(({ agent }) => agent.name)).toEqual(["claude"]);
  });

  test("says what to install if there is none", async () => {
    const rig = Rig.inWorkTree();
    const { code, stderr } = await rig.run([...bare, ...tests]);
    expect(code).toBe(5);
    expect(stderr).toContain("claude, codex, gemini, opencode");
    expect(rig.runIds()).toEqual([]);
  });
});
