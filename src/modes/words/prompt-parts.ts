import type { Lang } from "../../core/settings.ts";

/** Replaces missing values in a prompt, and names its lists. */
const en = {
  firstAttempt: "Nothing yet: this is the first attempt.",
  fast: "after every attempt",
  full: "after you said DONE and the others passed",
};

type PromptPartTexts = typeof en;

const zh: PromptPartTexts = {
  firstAttempt: "还没有：这是第一次尝试。",
  fast: "每次尝试之后",
  full: "你声明 DONE 且其余通过之后",
};

export const promptPartTexts: Readonly<Record<Lang, PromptPartTexts>> = { en, zh };
