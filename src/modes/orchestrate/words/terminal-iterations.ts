import type { Lang } from "../../../core/settings.ts";
import { plural } from "../../../text/plural.ts";
import type { TerminalTexts } from "../../../ui/words/terminal.ts";

/** Words that count attempts; a board counts iterations. */
type CountingTexts = Pick<
  TerminalTexts,
  | "turnFailed"
  | "turnInterrupted"
  | "turnsInterrupted"
  | "hintWait"
  | "grantedMore"
  | "endBudget"
  | "endUncounted"
  | "turnCutOff"
  | "upTo"
>;

const words: Readonly<Record<Lang, CountingTexts>> = {
  en: {
    turnFailed: (what) => `${what}; no iteration spent`,
    turnInterrupted: "interrupted; no iteration spent",
    turnsInterrupted: (count) => `${count} interrupted; no iteration spent`,
    hintWait: "no iteration spent; Ctrl-C is safe",
    grantedMore: (count) => `a person decided: ${count} more ${count === 1 ? "iteration" : "iterations"}`,
    endBudget: (amount, notJudged) => `BUDGET reached: ${amount}${pending.en(notJudged)}`,
    endUncounted: (notJudged) => `BUDGET cannot be kept${pending.en(notJudged)}`,
    turnCutOff: (iteration) => `a turn of iteration ${iteration} was cut off; it will be taken again`,
    upTo: (iterations) => `up to ${plural(iterations, "iteration")}`,
  },
  zh: {
    turnFailed: (what) => `${what}；不计入迭代次数`,
    turnInterrupted: "被中断；不计入迭代次数",
    turnsInterrupted: (count) => `${count} 次执行被中断；不计入迭代次数`,
    hintWait: "不计入迭代次数；可以放心按 Ctrl-C",
    grantedMore: (count) => `人工决定：再进行 ${count} 次迭代`,
    endBudget: (amount, notJudged) => `预算已用完：${amount}${pending.zh(notJudged)}`,
    endUncounted: (notJudged) => `无法遵守预算${pending.zh(notJudged)}`,
    turnCutOff: (iteration) => `第 ${iteration} 次迭代的执行被打断；将重新执行`,
    upTo: (iterations) => `最多 ${iterations} 次迭代`,
  },
};

const pending: Readonly<Record<Lang, (iteration: number | null) => string>> = {
  en: (iteration) => (iteration === null ? "" : `; iteration ${iteration} not judged`),
  zh: (iteration) => (iteration === null ? "" : `；第 ${iteration} 次迭代未判定`),
};

export function inIterations(texts: TerminalTexts): TerminalTexts {
  return { ...texts, ...words[texts.lang] };
}
