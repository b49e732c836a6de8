import type { CheckPhase } from "../../../core/event.ts";
import type { Lang } from "../../../core/settings.ts";
import { zhTests } from "../../../core/words/feedback.ts";

/** The words of `supervise`, in its prompt and on the screen. */
const en = {
  fast: "after every attempt",
  full: "after you said DONE and the others passed",
  testsFailed: (phase: CheckPhase, command: string, how: string) =>
    `${phase} tests failed: ${command} (${how})`,
  testsPassed: (phases: readonly CheckPhase[]) => `${phases.join(" and ")} tests passed`,
  endAccepted: (attempt: number, limit: number) => `ACCEPTED at attempt ${attempt} of ${limit}`,
  endStuck: (used: number, limit: number) => `STUCK after ${used} of ${limit} attempts: they go in circles`,
  endRejected: (used: number, limit: number) => `REJECTED after ${used} of ${limit} attempts`,
  endPlan: {
    plan_file_missing: "NOT STARTED: the plan file is missing",
    plan_file_unreadable: "NOT STARTED: the plan file cannot be read",
  },
  endWaiting: (used: number, limit: number) => `WAITING for you: ${used} of ${limit} attempts used`,
  sameIn: (attempts: readonly number[]) => `same in attempts ${attempts.join(", ")}`,
};

const zh: typeof en = {
  fast: "每次尝试之后",
  full: "你声明 DONE 且其余通过之后",
  testsFailed: (phase, command, how) => `${zhTests[phase]}失败：${command} (${how})`,
  testsPassed: (phases) => `${phases.map((phase) => zhTests[phase]).join("和")}通过`,
  endAccepted: (attempt, limit) => `通过：第 ${attempt}/${limit} 次尝试`,
  endStuck: (used, limit) => `陷入循环，已停止：已用 ${used}/${limit} 次尝试`,
  endRejected: (used, limit) =>
    used >= limit ? `未通过：${limit} 次尝试已用完` : `未通过：已用 ${used}/${limit} 次尝试`,
  endPlan: {
    plan_file_missing: "未开始：计划文件不存在",
    plan_file_unreadable: "未开始：计划文件无法读取",
  },
  endWaiting: (used, limit) =>
    used >= limit ? `等待你决定：${limit} 次尝试已用完` : `等待你决定：已用 ${used}/${limit} 次尝试`,
  sameIn: (attempts) => `第 ${attempts.join("、")} 次相同`,
};

export const superviseWords: Readonly<Record<Lang, typeof en>> = { en, zh };
