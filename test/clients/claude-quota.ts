import type { ModelError } from "./model/script.ts";

/** Only who is logged in has a plan that can be used up; a key is left out. */
export const LOGGED_IN = { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "scripted-key" } as const;

/** What Anthropic answers when the plan is used up. The reset is asked for when the answer is sent. */
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
