import { claude } from "../../src/agents/claude.ts";
import { describeClient } from "./cases.ts";

describeClient("claude", claude, {
  lostSession: "00000000-0000-4000-8000-000000000000",
  overloaded: { status: 529, message: "Overloaded" },
  quota: (reset) => ({
    status: 429,
    message: "This request would exceed your account's rate limit. Please try again later.",
    headers: {
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-reset": String(reset.getTime() / 1000),
      "anthropic-ratelimit-unified-representative-claim": "five_hour",
    },
  }),
  quotaFailure: (reset) => ({ class: "quota", retryAt: reset }),
  // Only who is logged in has a plan that can be used up.
  quotaEnv: { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "scripted" },
  denied: () => ({ args: ["--permission-mode", "default"] }),
  tellsDenials: true,
  deniedCall: (path) => ({ write: { path, text: "made" } }),
});
