import type { Lang } from "../../core/settings.ts";

type Counted = "attempts" | "iterations";

const en = {
  question: (used: number, limit: number, reasons: string) =>
    `${used} of ${limit} attempts used, not accepted: ${reasons}`,
  stepQuestion: (step: string, used: number, limit: number, why: string) =>
    `${step}: ${used} of ${limit} attempts used, not accepted: ${why}`,
  boardQuestion: (used: number, limit: number, why: string) =>
    `${used} of ${limit} iterations used, not finished: ${why}`,
  continue: "Continue",
  continueHint: { attempts: "more attempts", iterations: "more iterations" } satisfies Record<
    Counted,
    string
  >,
  pass: "Mark as passed",
  passHint: "recorded as your decision, not as evidence",
  fail: "Mark as failed",
  markDone: "Mark the step as done",
  stopFailed: "Stop as failed",
  later: (runId: string) => `Press Ctrl-C to decide later with: agent-foreman decide ${runId}`,
  keys: "↑/↓: choose, Enter: confirm",
  howMany: { attempts: "How many more attempts?", iterations: "How many more iterations?" } satisfies Record<
    Counted,
    string
  >,
  notANumber: "a whole number from 1 to 1000",
  note: "Note (may be empty)",
};

const zh: typeof en = {
  question: (used, limit, reasons) => `已用 ${used}/${limit} 轮，未通过：${reasons}`,
  stepQuestion: (step, used, limit, why) => `${step}：已用 ${used}/${limit} 轮，未通过：${why}`,
  boardQuestion: (used, limit, why) => `已用 ${used}/${limit} 次迭代，尚未结束：${why}`,
  continue: "继续",
  continueHint: { attempts: "再给若干轮", iterations: "再给若干次迭代" },
  pass: "标记通过",
  passHint: "记录为你的决定，而不是证据",
  fail: "标记失败",
  markDone: "将该步骤标记为已完成",
  stopFailed: "以失败结束",
  later: (runId) => `按 Ctrl-C 暂不决定，之后可用：agent-foreman decide ${runId}`,
  keys: "↑/↓ 选择，回车确认",
  howMany: { attempts: "再继续几轮？", iterations: "再进行几次迭代？" },
  notANumber: "1 到 1000 的整数",
  note: "备注（可留空）",
};

export const promptTexts: Readonly<Record<Lang, typeof en>> = { en, zh };
