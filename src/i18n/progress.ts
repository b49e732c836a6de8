import type { Lang } from "../domain/settings.ts";
import type { StepNote, StepResult } from "../domain/step-result.ts";

/** The words of run-progress.md. */
export interface ProgressTexts {
  readonly title: string;
  readonly run: string;
  readonly dir: string;
  readonly started: string;
  readonly ended: string;
  /** Also what a foreman that was killed leaves behind. */
  readonly underWay: (next: string) => string;
  readonly notEnded: (next: string) => string;
  readonly total: string;
  readonly passed: string;
  readonly failed: string;
  readonly stepUnderWay: string;
  readonly notRun: string;
  readonly alreadyDone: (count: number) => string;
  readonly firstFailure: string;
  readonly columns: readonly string[];
  readonly result: Readonly<Record<StepResult, string>>;
  readonly note: Readonly<Record<StepNote, string>>;
  readonly markedBefore: string;
  readonly redone: string;
  readonly edited: string;
  readonly stuck: string;
  readonly meddled: (files: string) => string;
  readonly unknown: string;
}

const en: ProgressTexts = {
  title: "Progress of the run",
  run: "Run",
  dir: "Steps directory",
  started: "Started",
  ended: "Ended",
  underWay: (next) => `under way, or interrupted: \`${next}\``,
  notEnded: (next) => `not ended; next: \`${next}\``,
  total: "Steps",
  passed: "Succeeded",
  failed: "Failed",
  stepUnderWay: "Under way",
  notRun: "Not run",
  alreadyDone: (count) => ` (already done: ${count})`,
  firstFailure: "First failure",
  columns: [
    "No.",
    "File",
    "id",
    "Status before",
    "Status after",
    "Description",
    "Attempts",
    "Time",
    "Result",
    "Error or note",
  ],
  result: { passed: "succeeded", failed: "failed", not_run: "not run" },
  note: {
    already_done: "already done",
    not_chosen: "not chosen",
    not_reached: "not reached",
    under_way: "under way",
    marked_by_person: "marked as done by a person, not by evidence",
    not_verified: "neither tested nor verified again (--no-reverify)",
  },
  markedBefore: "marked as done by a person in an earlier run, not by evidence",
  redone: "redone after a failed regression check",
  edited: "its file was changed by somebody else during the run",
  stuck: "stuck: the last attempts led nowhere",
  meddled: (files) => `a verifier changed files, look at them: ${files}`,
  unknown: "-",
};

const zh: ProgressTexts = {
  title: "run 进度报告",
  run: "运行",
  dir: "步骤目录",
  started: "开始时间",
  ended: "结束时间",
  underWay: (next) => `进行中；若已中断：\`${next}\``,
  notEnded: (next) => `尚未结束；下一步：\`${next}\``,
  total: "总步骤数",
  passed: "成功",
  failed: "失败",
  stepUnderWay: "进行中",
  notRun: "未执行",
  alreadyDone: (count) => `（其中此前已完成：${count}）`,
  firstFailure: "首个失败步骤",
  columns: [
    "序号",
    "文件",
    "id",
    "执行前状态",
    "执行后状态",
    "描述",
    "尝试次数",
    "用时",
    "结果",
    "错误或说明",
  ],
  result: { passed: "成功", failed: "失败", not_run: "未执行" },
  note: {
    already_done: "此前已完成，跳过",
    not_chosen: "未选择",
    not_reached: "尚未轮到",
    under_way: "进行中",
    marked_by_person: "由人工标记为完成，并非凭证据",
    not_verified: "未再测试和验证 (--no-reverify)",
  },
  markedBefore: "此前由人工标记为完成，并非凭证据",
  redone: "回归验证未通过后重新完成",
  edited: "其文件在运行期间被他人修改",
  stuck: "原地打转：最近几轮没有进展",
  meddled: (files) => `验证者改动过文件，请查看：${files}`,
  unknown: "-",
};

export const progressTexts: Readonly<Record<Lang, ProgressTexts>> = { en, zh };
