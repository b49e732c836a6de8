import { codex } from "../../src/agents/codex.ts";
import { describeClient } from "./cases.ts";

describeClient("codex", codex, {
  echoes: false,
  lostSession: "00000000-0000-4000-8000-000000000000",
  overloaded: { status: 503, message: "Service unavailable" },
  quota: (reset) => ({
    status: 429,
    message: "The usage limit has been reached",
    body: { type: "usage_limit_reached", plan_type: "plus", resets_at: reset.getTime() / 1000 },
  }),
  quotaFailure: (reset) => ({ class: "quota", retryAt: reset }),
  denied: () => ({ args: ["--sandbox", "read-only"] }),
  // The stream omits what its sandbox denies, so the turn looks as if nothing had been tried.
  tellsDenials: false,
  deniedCall: (path) => ({ write: { path, text: "made" } }),
});
