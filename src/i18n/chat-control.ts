import type { Lang } from "../domain/settings.ts";

/** The answers to what a person can want of the reviews of a conversation. */
export interface ChatControlTexts {
  readonly granted: Readonly<Record<"skip" | "pause" | "go-on" | "stop", (runId: string) => string>>;
  readonly nothingToSkip: (runId: string) => string;
}

export const chatControlTexts: Readonly<Record<Lang, ChatControlTexts>> = {
  en: {
    granted: {
      skip: (runId) => `✓ run ${runId} goes on without this review`,
      pause: (runId) => `✓ run ${runId} reviews nothing until agent-foreman chat go-on ${runId}`,
      "go-on": (runId) => `✓ run ${runId} reviews whatever the agent does`,
      stop: (runId) => `✓ run ${runId} reviews nothing any more`,
    },
    nothingToSkip: (runId) => `run ${runId} reviews nothing now`,
  },
  zh: {
    granted: {
      skip: (runId) => `✓ 运行 ${runId} 跳过这次评审`,
      pause: (runId) => `✓ 运行 ${runId} 暂停评审，用 agent-foreman chat go-on ${runId} 恢复`,
      "go-on": (runId) => `✓ 运行 ${runId} 恢复评审`,
      stop: (runId) => `✓ 运行 ${runId} 不再评审`,
    },
    nothingToSkip: (runId) => `运行 ${runId} 目前没有评审`,
  },
};
