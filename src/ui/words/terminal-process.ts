import { exitCodeText } from "../../platform/process/process-end.ts";
import type { Lang } from "../../core/settings.ts";

/** The words for the end of a command. */
const en = {
  exit: (code: number) => `exit ${exitCodeText(code)}`,
  killedBy: (signal: string) => `killed by ${signal}`,
  timedOut: (after: string) => `timed out after ${after}`,
  tooMuchOutput: (cap: string) => `ended at ${cap} of output`,
  notStarted: (message: string) => `not started: ${message}`,
  stalled: (after: string) => `still for ${after}: no output, CPU time or file change`,
  finished: "ended after its last word",
  overBudget: "ended at the budget",
};

const zh: typeof en = {
  exit: (code) => `退出码 ${exitCodeText(code, (signal) => `（${signal}）`)}`,
  killedBy: (signal) => `被 ${signal} 终止`,
  timedOut: (after) => `超时 ${after}`,
  tooMuchOutput: (cap) => `输出达到 ${cap} 被终止`,
  notStarted: (message) => `无法启动：${message}`,
  stalled: (after) => `静止 ${after}：没有输出、CPU 时间和文件变化`,
  finished: "最后一条消息后被终止",
  overBudget: "因预算被终止",
};

export const processEndTexts: Readonly<Record<Lang, typeof en>> = { en, zh };
