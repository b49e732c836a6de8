import type { AdapterName } from "../core/agent-profile.ts";
import type { Adapter } from "./adapter.ts";
import { acp } from "./acp.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { command } from "./command.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

const MODULES: Readonly<Record<AdapterName, Adapter>> = {
  claude,
  codex,
  gemini,
  opencode,
  qwen,
  pi,
  copilot,
  acp,
  command,
};

export function adapterFor(name: AdapterName): Adapter {
  return MODULES[name];
}
