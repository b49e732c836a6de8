import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StepsRig } from "../rig/steps.ts";
import { refused } from "./refused.ts";

/** The system's programs, and agents that exist but are never called. */
function pathWith(rig: StepsRig, names: readonly string[]): string {
  const bin = join(rig.root, "bin");
  fs.mkdirSync(bin, { recursive: true });
  for (const name of names) fs.writeFileSync(join(bin, name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  return `${bin}:/usr/bin:/bin`;
}

function withoutConfig(): StepsRig {
  const rig = StepsRig.inWorkTree();
  fs.rmSync(join(rig.project, "agent-foreman.yaml"));
  rig.step(1);
  return rig;
}

test("without named agents: the installed ones of claude, codex, gemini, opencode", async () => {
  const rig = withoutConfig();
  const plan = async (names: readonly string[]): Promise<unknown> => {
    fs.rmSync(join(rig.root, "bin"), { recursive: true, force: true });
    const { stdout } = await rig.run(["run", rig.dir, "--dry-run", "--json"], {
      env: { PATH: pathWith(rig, names) },
    });
    return (JSON.parse(stdout) as { workers: unknown }).workers;
  };
  expect(await plan(["opencode", "gemini", "codex", "claude", "qwen"])).toEqual([
    "claude",
    "codex",
    "gemini",
    "opencode",
  ]);
  expect(await plan(["opencode", "codex"])).toEqual(["codex", "opencode"]);
});

test("claude works and codex verifies, without a configuration", async () => {
  const rig = withoutConfig();
  const env = rig.withAgents({ CODEX_DOES: "review" });
  const { code, stdout, report } = await rig.steps([], { env });
  expect(code).toBe(0);
  expect(report.workers.slice(0, 2)).toEqual(["claude", "codex"]);
  expect(report.steps[0]?.attempts[0]).toMatchObject({
    work: { name: "claude" },
    verification: { name: "codex", items: [{ item: 1, passed: true, evidence: "codex looked" }] },
  });
  expect(stdout).toMatch(/正在调用命令行 AI 按 verification 进行验证\.\.\.\n.*\n.*codex/);
});

test("--agents precedes the configuration, and its order counts", async () => {
  const rig = StepsRig.inWorkTree();
  rig.profiles(["one", "two", "three"]);
  rig.step(1);
  const { code, report } = await rig.steps(["--agents", "three,one"]);
  expect({ code, workers: report.workers }).toEqual({ code: 0, workers: ["three", "one"] });
  expect(rig.calls().map(({ name, role }) => `${name} ${role}`)).toEqual(["three worker", "one reviewer"]);
});

test("no agent installed: starts nothing, exit 5, and says how to get one", async () => {
  const rig = withoutConfig();
  const PATH = pathWith(rig, []);
  const { code, stderr } = await rig.run(["run", rig.dir], { env: { PATH } });
  expect(code).toBe(5);
  expect(stderr).toBe(
    `error: none of these agents is on PATH: claude, codex, gemini, opencode; install one of them:
  claude    npm install -g @anthropic-ai/claude-code
  codex     npm install -g @openai/codex
  gemini    npm install -g @google/gemini-cli
  opencode  npm install -g opencode-ai
`,
  );
  const chinese = await rig.run(["run", rig.dir, "--lang", "zh"], { env: { PATH } });
  expect(chinese.stderr).toContain(
    "claude, codex, gemini, opencode；请安装其中一个：\n  claude    npm install -g",
  );
  expect(
    await refused(rig, [rig.dir, "--agents", "gemini", "--lang", "zh"], { env: { PATH } }),
  ).toMatchObject({
    code: 5,
    errors: [expect.stringContaining("gemini")],
  });
  expect(
    await refused(rig, [rig.dir, "--verifier", "gemini"], { env: { PATH: pathWith(rig, ["claude"]) } }),
  ).toMatchObject({
    code: 5,
    errors: [expect.stringContaining("gemini")],
  });
});

test("a named agent that is not installed is skipped, and reported", async () => {
  const rig = StepsRig.inWorkTree();
  rig.write(
    "agent-foreman.yaml",
    "agents: [gone, here]\nprofiles:\n" +
      "  gone: { extends: claude, program: no-such-program }\n  here: { extends: command, command: stepper }\n",
  );
  rig.step(1);
  const { code, stdout, report } = await rig.steps();
  expect({ code, workers: report.workers }).toEqual({ code: 0, workers: ["here"] });
  expect(stdout).toMatch(/gone/);
  expect(report.missing_agents).toEqual(["gone"]);
});
