import type { Lang } from "../domain/settings.ts";

/** In the place of entries of the history that are left out. */
export const skippedHistory: Readonly<Record<Lang, (from: number, to: number, counts: string) => string>> = {
  en: (from, to, counts) => `(Iterations ${from} to ${to} left out: ${counts})`,
  zh: (from, to, counts) => `（省略第 ${from} 至 ${to} 轮迭代：${counts}）`,
};
