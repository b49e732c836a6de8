import type { EndReason, FinalStatus } from "../../core/event.ts";
import type { Lang } from "../../core/settings.ts";

/** The first words of lines: their subjects. */
const en = {
  subject: {
    run: "run",
    base: "base",
    agent: "agent",
    check: "check",
    review: "review",
    verdict: "verdict",
    person: "person",
  },
  label: {
    full: "full",
    change: "change",
    lost: "lost",
    outside: "outside",
    report: "report",
    receipt: "receipt",
    next: "next",
    why: "why",
    found: "found",
    output: "output",
    note: "note",
    plan: "plan",
    leaked: "leaked",
    turns: "turns",
    answers: "answers",
    agent: "agent",
    goOn: "go on",
  },
};

type LabelTexts = typeof en;
export type SummaryLabel = keyof LabelTexts["label"];

const zh: LabelTexts = {
  subject: {
    run: "运行",
    base: "基线",
    agent: "agent",
    check: "检查",
    review: "评审",
    verdict: "判定",
    person: "人工",
  },
  label: {
    full: "全量",
    change: "变更",
    lost: "丢失",
    outside: "树外",
    report: "报告",
    receipt: "凭证",
    next: "下一步",
    why: "原因",
    found: "实测",
    output: "输出",
    note: "备注",
    plan: "计划",
    leaked: "残留",
    turns: "中断",
    answers: "回答",
    agent: "agent",
    goOn: "继续",
  },
};

export const labelTexts: Readonly<Record<Lang, LabelTexts>> = { en, zh };

const finalStatus: Readonly<Record<Lang, Readonly<Record<FinalStatus, string>>>> = {
  en: {
    passed: "passed",
    failed: "failed",
    manually_passed: "marked as passed",
    manually_failed: "marked as failed",
  },
  zh: { passed: "通过", failed: "未通过", manually_passed: "人工标记通过", manually_failed: "人工标记失败" },
};

/** Ends that are neither a pass nor a failure of the work. */
const otherEnds: Readonly<Record<Lang, Readonly<Partial<Record<EndReason, string>>>>> = {
  en: {
    waiting_for_user: "waits for your answer",
    nothing_asked: "nothing was asked",
    nothing_to_do: "nothing to do",
    cancelled: "cancelled",
  },
  zh: {
    waiting_for_user: "等你回答",
    nothing_asked: "没有提出任何要求",
    nothing_to_do: "无事可做",
    cancelled: "已取消",
  },
};

/** The end of a run in a word or two. */
export function endWord(status: string, reason: string, lang: Lang): string {
  const words: Readonly<Record<string, string>> = { ...finalStatus[lang], ...otherEnds[lang] };
  return words[reason] ?? words[status] ?? status;
}
