import { isAbsolute, join } from "node:path";
import type { AdapterName } from "../core/agent-profile.ts";
import { makeDirectories } from "../platform/files/directories.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Places in the home directory that an agent's program must write: above all its sessions, which a later turn resumes. Missing ones
 * are created, as the program itself would at its first start, because a sandbox can open only existing places. For a
 * person's own agent, no places are known.
 *
 * Excludes ~/.claude.json. The agent writes it by replacing the file, and a single mounted file cannot be replaced. Allowing that
 * would open the home directory itself. The agent continues without having written it.
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

/** A relative path starts at the work tree, which is writable anyway. */
function named(variable: string, env: Environment): string | undefined {
  const path = env[variable];
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** If the home directory is not writable, the agent works without it too. */
function isThere(path: string): boolean {
  try {
    makeDirectories(path, 0o700);
    return true;
  } catch {
    return false;
  }
}
