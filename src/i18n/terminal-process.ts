import { exitCodeText } from "../domain/process-end.ts";
import type { Lang } from "../domain/settings.ts";

/** How a command ended. */
export interface ProcessEndTexts {
  readonly exit: (code: number) => string;
  readonly killedBy: (signal: string) => string;
  readonly timedOut: (after: string) => string;
  readonly tooMuchOutput: (cap: string) => string;
  readonly notStarted: (message: string) => string;
  readonly stalled: (after: string) => string;
  readonly finished: string;
  readonly overBudget: string;
}

const en: ProcessEndTexts = {
  exit: (code) => `exit ${exitCodeText(code)}`,
  killedBy: (signal) => `killed by ${signal}`,
  timedOut: (after) => `timed out after ${after}`,
  tooMuchOutput: (cap) => `ended at ${cap} of output`,
  notStarted: (message) => `not started: ${message}`,
  stalled: (after) => `still for ${after}: no output, CPU time or file change`,
  finished: "ended after its last word",
  overBudget: "ended at the budget",
};

const zh: ProcessEndTexts = {
  exit: (code) => `退出码 ${exitCodeText(code, (signal) => `（${signal}）`)}`,
  killedBy: (signal) => `被 ${signal} 终止`,
  timedOut: (after) => `超时 ${after}`,
  tooMuchOutput: (cap) => `输出达到 ${cap} 被终止`,
  notStarted: (message) => `无法启动：${message}`,
  stalled: (after) => `静止 ${after}：没有输出、CPU 时间和文件变化`,
  finished: "最后一条消息后被终止",
  overBudget: "因预算被终止",
};

export const processEndTexts: Readonly<Record<Lang, ProcessEndTexts>> = { en, zh };
