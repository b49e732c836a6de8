import type { Lang } from "../../../core/settings.ts";

/** Replaces entries of the history that are left out. */
export const skippedHistory: Readonly<Record<Lang, (from: number, to: number, counts: string) => string>> = {
  en: (from, to, counts) => `(Iterations ${from} to ${to} left out: ${counts})`,
  zh: (from, to, counts) => `（省略第 ${from} 至 ${to} 轮迭代：${counts}）`,
};

/** Appears below an entry with a FINISH that was refused. */
export const refusedFinish: Readonly<Record<Lang, Readonly<Record<"by_rules" | "by_person", string>>>> = {
  en: {
    by_rules: "(FINISH refused; the plan was taken over)",
    by_person: "(FINISH not carried out: a person changed the plan)",
  },
  zh: {
    by_rules: "（FINISH 被拒绝；计划已采用）",
    by_person: "（FINISH 未执行：人改动了计划）",
  },
};
