import type { ModelError } from "./model/script.ts";

/** Only a logged-in user has a plan with a quota, so the key is left out. */
export const LOGGED_IN = { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "scripted-key" } as const;

/** Anthropic's error for an exhausted plan. The reset is computed when the answer is sent. */
export function outOfQuota(reset: () => Date): ModelError {
  return {
    status: 429,
    message: "This request would exceed your account's rate limit. Please try again later.",
    headers: {
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-representative-claim": "five_hour",
      get "anthropic-ratelimit-unified-reset"() {
        return String(reset().getTime() / 1000);
      },
    },
  };
}
