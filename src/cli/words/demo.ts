import type { Lang } from "../../core/settings.ts";

const en = {
  intro: {
    supervise: (project: string) =>
      `A scripted agent works on a sample project in ${project}.\nFirst it lies, then it breaks the full tests, then it gets it right.`,
    run: (project: string) =>
      `A scripted agent implements three steps of a sample project in ${project}, another one verifies them.\nThe second step needs a repair.`,
    orchestrate: (project: string) =>
      `Scripted agents work as MAIN, TEST, DEV and REVIEW on a sample project in ${project}.\nDEV claims too much, a test is wrong, TEST has a question, and MAIN wants to finish too early.`,
    chat: (project: string) =>
      `A scripted agent is asked for something in a sample project in ${project}, another one reviews.\nThe check passes at once, but a rule was forgotten: only the review sees it.`,
  },
  /** The demo answers itself, and shows the command it uses. */
  answers: (option: string, command: string) =>
    `The demo cannot ask you. It answers with what MAIN recommends (${option}) and goes on:\n  ${command}`,
  /** The note in that answer. */
  note: "answered by the demo",
  outro: (project: string) => `Look around: cd ${project}`,
};

const zh: typeof en = {
  intro: {
    supervise: (project) => `脚本 agent 在示例项目 ${project} 中工作：\n先撒谎，再弄坏全量测试，最后做对。`,
    run: (project) =>
      `一个脚本 agent 在示例项目 ${project} 中实现三个步骤，另一个负责验证。\n第二个步骤需要修复。`,
    orchestrate: (project) =>
      `脚本 agent 作为 MAIN、TEST、DEV、REVIEW 在示例项目 ${project} 中工作：\nDEV 谎报通过，一个测试有误，TEST 提出问题，MAIN 想要过早结束。`,
    chat: (project) =>
      `一个脚本 agent 在示例项目 ${project} 中完成要求，另一个负责评审。\n检查立刻通过，但漏掉了一条规则：只有评审能发现。`,
  },
  answers: (option, command) =>
    `演示中没有人可问：按 MAIN 推荐的选项（${option}）回答，然后继续：\n  ${command}`,
  note: "由演示程序回答",
  outro: (project) => `看看结果：cd ${project}`,
};

export const demoTexts: Readonly<Record<Lang, typeof en>> = { en, zh };
