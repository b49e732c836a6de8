import { claude } from "../../src/agents/claude.ts";
import { describeClient } from "./cases.ts";
import { LOGGED_IN, outOfQuota } from "./claude-quota.ts";

describeClient("claude", claude, {
  echoes: false,
  lostSession: "00000000-0000-4000-8000-000000000000",
  overloaded: { status: 529, message: "Overloaded" },
  quota: (reset) => outOfQuota(() => reset),
  quotaFailure: (reset) => ({ class: "quota", retryAt: reset }),
  quotaEnv: LOGGED_IN,
  denied: () => ({ args: ["--permission-mode", "default"] }),
  tellsDenials: true,
  deniedCall: (path) => ({ write: { path, text: "made" } }),
});
