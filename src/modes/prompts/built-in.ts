import type { PromptName } from "../../text/prompt-template.ts";
import type { Lang } from "../../core/settings.ts";
import analyzeEn from "./analyze.en.md?raw";
import analyzeZh from "./analyze.zh.md?raw";
import devEn from "./dev.en.md?raw";
import devZh from "./dev.zh.md?raw";
import implementEn from "./implement.en.md?raw";
import implementZh from "./implement.zh.md?raw";
import mainEn from "./main.en.md?raw";
import mainZh from "./main.zh.md?raw";
import reviewEn from "./review.en.md?raw";
import reviewZh from "./review.zh.md?raw";
import superviseEn from "./supervise.en.md?raw";
import superviseZh from "./supervise.zh.md?raw";
import testEn from "./test.en.md?raw";
import testZh from "./test.zh.md?raw";
import verifyEn from "./verify.en.md?raw";
import verifyZh from "./verify.zh.md?raw";

/** Built-in prompts; a project may replace them with its own. */
export const BUILT_IN_PROMPTS: Readonly<Record<PromptName, Readonly<Record<Lang, string>>>> = {
  supervise: { en: superviseEn, zh: superviseZh },
  implement: { en: implementEn, zh: implementZh },
  verify: { en: verifyEn, zh: verifyZh },
  analyze: { en: analyzeEn, zh: analyzeZh },
  main: { en: mainEn, zh: mainZh },
  test: { en: testEn, zh: testZh },
  dev: { en: devEn, zh: devZh },
  review: { en: reviewEn, zh: reviewZh },
};
