import fs from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ADAPTERS } from "../../src/core/agent-profile.ts";
import { agentHomes } from "../../src/agents/home-directories.ts";

function home(): string {
  const dir = fs.mkdtempSync(join(os.tmpdir(), "foreman-home-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test("agents' files in the home directory are theirs alone, and exist before they start", () => {
  const dir = home();
  const homes = ADAPTERS.map((adapter) => [adapter, agentHomes(adapter, dir, {})] as const);
  expect(
    Object.fromEntries(homes.map(([name, paths]) => [name, paths.map((path) => path.slice(dir.length))])),
  ).toEqual({
    claude: ["/.claude"],
    codex: ["/.codex"],
    gemini: ["/.gemini"],
    opencode: ["/.local/share/opencode", "/.local/state/opencode", "/.cache/opencode", "/.config/opencode"],
    qwen: ["/.qwen"],
    pi: ["/.pi/agent"],
    copilot: ["/.copilot", "/.cache/copilot"],
    acp: [],
    command: [],
  });
  const modes = homes.flatMap(([, paths]) => paths).map((path) => fs.statSync(path).mode & 0o777);
  expect(new Set(modes)).toEqual(new Set([0o700]));
});

test.each([
  ["claude", "CLAUDE_CONFIG_DIR", ""],
  ["codex", "CODEX_HOME", ""],
  ["gemini", "GEMINI_CLI_HOME", "/.gemini"],
  ["qwen", "QWEN_HOME", ""],
  ["pi", "PI_CODING_AGENT_DIR", ""],
  ["copilot", "COPILOT_HOME", ""],
] as const)("%s goes where %s says", (adapter, variable, below) => {
  const dir = home();
  expect(agentHomes(adapter, "/nowhere", { [variable]: `${dir}/mine` })[0]).toBe(`${dir}/mine${below}`);
  // A relative path is in the work tree.
  expect(agentHomes(adapter, dir, { [variable]: "mine" })[0]).toMatch(`${dir}/.`);
});

test("opencode follows all of the XDG variables", () => {
  const dir = home();
  const env = Object.fromEntries(
    ["DATA", "STATE", "CACHE", "CONFIG"].map((name) => [`XDG_${name}_HOME`, join(dir, name)]),
  );
  const expected = Object.values(env).map((path) => `${path}/opencode`);
  expect(agentHomes("opencode", "/nowhere", env)).toEqual(expected);
});

test("an unwritable home opens nothing", () => {
  expect(agentHomes("codex", "/proc/nowhere", {})).toEqual([]);
  const dir = home();
  fs.symlinkSync("missing/elsewhere", join(dir, ".codex"));
  expect(agentHomes("codex", dir, {})).toEqual([]);
});
