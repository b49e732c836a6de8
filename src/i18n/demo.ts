import type { Lang } from "../domain/settings.ts";

interface DemoTexts {
  readonly intro: Readonly<Record<"supervise" | "run", (project: string) => string>>;
  readonly outro: (project: string) => string;
}

export const demoTexts: Readonly<Record<Lang, DemoTexts>> = {
  en: {
    intro: {
      supervise: (project) =>
        `A scripted agent works on a sample project in ${project}.\nFirst it lies, then it breaks the full tests, then it gets it right.`,
      run: (project) =>
        `A scripted agent implements three steps of a sample project in ${project}, another one verifies them.\nThe second step needs a repair.`,
    },
    outro: (project) => `Look around: cd ${project}`,
  },
  zh: {
    intro: {
      supervise: (project) => `脚本 agent 在示例项目 ${project} 中工作：\n先撒谎，再弄坏全量测试，最后做对。`,
      run: (project) =>
        `一个脚本 agent 在示例项目 ${project} 中实现三个步骤，另一个负责验证。\n第二个步骤需要修复。`,
    },
    outro: (project) => `看看结果：cd ${project}`,
  },
};
