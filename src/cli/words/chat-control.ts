import type { Lang } from "../../core/settings.ts";

const en = {
  granted: {
    skip: (runId: string) => `✓ run ${runId} goes on without this review`,
    pause: (runId: string) => `✓ run ${runId} reviews nothing until agent-foreman chat go-on ${runId}`,
    "go-on": (runId: string) => `✓ run ${runId} reviews whatever the agent does`,
    stop: (runId: string) => `✓ run ${runId} reviews nothing any more`,
  },
  nothingToSkip: (runId: string) => `run ${runId} reviews nothing now`,
};

export type ChatControlTexts = typeof en;

const zh: ChatControlTexts = {
  granted: {
    skip: (runId) => `✓ 运行 ${runId} 跳过这次评审`,
    pause: (runId) => `✓ 运行 ${runId} 暂停评审，用 agent-foreman chat go-on ${runId} 恢复`,
    "go-on": (runId) => `✓ 运行 ${runId} 恢复评审`,
    stop: (runId) => `✓ 运行 ${runId} 不再评审`,
  },
  nothingToSkip: (runId) => `运行 ${runId} 目前没有评审`,
};

export const chatControlTexts: Readonly<Record<Lang, ChatControlTexts>> = { en, zh };
