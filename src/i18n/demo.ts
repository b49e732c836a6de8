import type { Lang } from "../domain/event.ts";

export const demoTexts: Readonly<
  Record<Lang, { readonly intro: (project: string) => string; readonly outro: (project: string) => string }>
> = {
  en: {
    intro: (project) =>
      `A scripted agent works on a sample project in ${project}.\nFirst it lies, then it breaks the full tests, then it gets it right.`,
    outro: (project) => `Look around: cd ${project}`,
  },
  zh: {
    intro: (project) => `脚本 agent 在示例项目 ${project} 中工作：\n先撒谎，再弄坏全量测试，最后做对。`,
    outro: (project) => `看看结果：cd ${project}`,
  },
};
