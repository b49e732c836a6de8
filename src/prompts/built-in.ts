import type { PromptName } from "../domain/prompt-template.ts";
import type { Lang } from "../domain/settings.ts";
import analyzeEn from "./analyze.en.md?raw";
import analyzeZh from "./analyze.zh.md?raw";
import implementEn from "./implement.en.md?raw";
import implementZh from "./implement.zh.md?raw";
import superviseEn from "./supervise.en.md?raw";
import superviseZh from "./supervise.zh.md?raw";
import verifyEn from "./verify.en.md?raw";
import verifyZh from "./verify.zh.md?raw";

/** The prompts that come with the program; a project may put its own in their place. */
export const BUILT_IN_PROMPTS: Readonly<Record<PromptName, Readonly<Record<Lang, string>>>> = {
  supervise: { en: superviseEn, zh: superviseZh },
  implement: { en: implementEn, zh: implementZh },
  verify: { en: verifyEn, zh: verifyZh },
  analyze: { en: analyzeEn, zh: analyzeZh },
};
