import { opencode } from "../../src/agents/opencode.ts";
import { describeClient } from "./cases.ts";

describeClient("opencode", opencode, {
  echoes: false,
  lostSession: "ses_00000000000000000000000000",
  overloaded: { status: 503, message: "Service unavailable" },
  quota: () => ({
    status: 429,
    message: "You exceeded your current quota, please check your plan and billing details.",
    body: { type: "insufficient_quota", code: "insufficient_quota" },
    headers: { "retry-after": "3600" },
  }),
  quotaFailure: (reset) => ({ class: "quota", retryAt: reset }),
  denied: () => ({ args: ["--no-auto"], env: { OPENCODE_PERMISSION: '{"edit":"ask"}' } }),
  tellsDenials: true,
  deniedCall: (path) => ({ write: { path, text: "made" } }),
});
