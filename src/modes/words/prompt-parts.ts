import type { Lang } from "../../core/settings.ts";
import type { Stuck } from "../../evidence/stuck.ts";

/** Parts of prompts and feedback in more than one mode. */
const en = {
  firstAttempt: "Nothing yet: this is the first attempt.",
  stuck: ({ kind, like }: Stuck) =>
    kind === "same_failure"
      ? `You are going in circles: the last two attempts failed in the same way and the work tree did not change. Try something else this time.`
      : like === 0
        ? "You are going in circles: the work tree is as it was before the first attempt. Try something else this time."
        : `You are going in circles: the work tree is as it was after attempt ${like}, which failed. Try something else this time.`,
};

type SharedPromptTexts = typeof en;

const zh: SharedPromptTexts = {
  firstAttempt: "还没有：这是第一次尝试。",
  stuck: ({ kind, like }) =>
    kind === "same_failure"
      ? "你在原地打转：最近两轮以同样的方式失败，而且工作区没有变化。这一轮请换一种做法。"
      : like === 0
        ? "你在原地打转：工作区回到了第一轮尝试之前的状态。这一轮请换一种做法。"
        : `你在原地打转：工作区回到了第 ${like} 轮尝试之后的状态，而那一轮失败了。这一轮请换一种做法。`,
};

export const sharedPromptTexts: Readonly<Record<Lang, SharedPromptTexts>> = { en, zh };
