import type { Lang } from "../domain/settings.ts";

export interface PromptTexts {
  readonly question: (used: number, limit: number, reasons: string) => string;
  readonly stepQuestion: (step: string, used: number, limit: number, why: string) => string;
  readonly continue: string;
  readonly continueHint: string;
  readonly pass: string;
  readonly passHint: string;
  readonly fail: string;
  readonly markDone: string;
  readonly stopFailed: string;
  readonly later: (runId: string) => string;
  readonly howMany: string;
  readonly notANumber: string;
  readonly note: string;
}

export const promptTexts: Readonly<Record<Lang, PromptTexts>> = {
  en: {
    question: (used, limit, reasons) => `${used} of ${limit} attempts used, not accepted: ${reasons}`,
    stepQuestion: (step, used, limit, why) =>
      `${step}: ${used} of ${limit} attempts used, not accepted: ${why}`,
    continue: "Continue",
    continueHint: "more attempts",
    pass: "Mark as passed",
    passHint: "recorded as your decision, not as evidence",
    fail: "Mark as failed",
    markDone: "Mark the step as done",
    stopFailed: "Stop as failed",
    later: (runId) => `Ctrl-C decides nothing; later: agent-foreman decide ${runId}`,
    howMany: "How many more attempts?",
    notANumber: "a whole number from 1 to 1000",
    note: "Note (may be empty)",
  },
  zh: {
    question: (used, limit, reasons) => `已用 ${used}/${limit} 轮，未通过：${reasons}`,
    stepQuestion: (step, used, limit, why) => `${step}：已用 ${used}/${limit} 轮，未通过：${why}`,
    continue: "继续",
    continueHint: "再给若干轮",
    pass: "标记通过",
    passHint: "记录为你的决定，而不是证据",
    fail: "标记失败",
    markDone: "将该步骤标记为已完成",
    stopFailed: "以失败结束",
    later: (runId) => `Ctrl-C 不作任何决定；之后可用：agent-foreman decide ${runId}`,
    howMany: "再继续几轮？",
    notANumber: "1 到 1000 的整数",
    note: "备注（可留空）",
  },
};
