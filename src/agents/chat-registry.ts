import type { ChatAdapter } from "./chat.ts";
import { claudeChat } from "./chat-claude.ts";
import { codexChat } from "./chat-codex.ts";
import { geminiChat } from "./chat-gemini.ts";
import { opencodeChat } from "./chat-opencode.ts";

const MODULES: Readonly<Partial<Record<string, ChatAdapter>>> = {
  claude: claudeChat,
  codex: codexChat,
  gemini: geminiChat,
  opencode: opencodeChat,
};

/** Null: we cannot follow this agent in a terminal. */
export function chatAdapterFor(name: string): ChatAdapter | null {
  return MODULES[name] ?? null;
}
