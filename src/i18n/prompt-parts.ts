import type { Lang } from "../domain/settings.ts";

/** Words that stand in for what a prompt has no value for, and names for its lists. */
interface PromptPartTexts {
  readonly firstAttempt: string;
  readonly fast: string;
  readonly full: string;
}

export const promptPartTexts: Readonly<Record<Lang, PromptPartTexts>> = {
  en: {
    firstAttempt: "Nothing yet: this is the first attempt.",
    fast: "after every attempt",
    full: "after you said DONE and the others passed",
  },
  zh: { firstAttempt: "还没有：这是第一次尝试。", fast: "每次尝试之后", full: "你声明 DONE 且其余通过之后" },
};
