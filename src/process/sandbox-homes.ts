import { isAbsolute, join } from "node:path";
import type { AdapterName } from "../domain/agent-profile.ts";
import { makeDirectories } from "../files/directories.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What an agent's program has to write in the home directory: its sessions above all, which a later turn goes on with. What is
 * missing is made, as the program itself would at its first start, for only what is there can be opened in a sandbox. Of
 * agents that only a person knows, nothing is known.
 *
 * Not among them: ~/.claude.json. A single file that is opened cannot be replaced by a new one, which is how it is written, and
 * to let files be replaced the home directory itself would have to be open. Its agent goes on without having written it.
 */
export function agentHomes(adapter: AdapterName, home: string, env: Environment): readonly string[] {
  return directoriesOf(adapter, home, env).filter((path) => isThere(path));
}

function directoriesOf(adapter: AdapterName, home: string, env: Environment): readonly string[] {
  switch (adapter) {
    case "claude":
      return [named("CLAUDE_CONFIG_DIR", env) ?? join(home, ".claude")];
    case "codex":
      return [named("CODEX_HOME", env) ?? join(home, ".codex")];
    case "gemini":
      return [join(named("GEMINI_CLI_HOME", env) ?? home, ".gemini")];
    case "opencode":
      return [
        named("XDG_DATA_HOME", env) ?? join(home, ".local", "share"),
        named("XDG_STATE_HOME", env) ?? join(home, ".local", "state"),
        named("XDG_CACHE_HOME", env) ?? join(home, ".cache"),
        named("XDG_CONFIG_HOME", env) ?? join(home, ".config"),
      ].map((path) => join(path, "opencode"));
    case "qwen":
      return [named("QWEN_HOME", env) ?? join(home, ".qwen")];
    case "pi":
      return [named("PI_CODING_AGENT_DIR", env) ?? join(home, ".pi", "agent")];
    case "copilot":
      return [
        named("COPILOT_HOME", env) ?? join(home, ".copilot"),
        // Its program unpacks itself there.
        named("COPILOT_CACHE_HOME", env) ??
          join(named("XDG_CACHE_HOME", env) ?? join(home, ".cache"), "copilot"),
      ];
    case "acp":
    case "command":
      return [];
  }
}

/** A relative one is meant from the work tree, which is open anyway. */
function named(variable: string, env: Environment): string | undefined {
  const path = env[variable];
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** Where the home directory takes nothing, the agent has to do without as well. */
function isThere(path: string): boolean {
  try {
    makeDirectories(path, 0o700);
    return true;
  } catch {
    return false;
  }
}
