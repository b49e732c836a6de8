import type { Lang } from "../../../core/settings.ts";
import { noTerminal } from "../../../ui/words/no-terminal.ts";
import { plural } from "../../../text/plural.ts";

/** The words of `board`, of its files, and of questions with options. */
const en = {
  mainBreaksRules: (asked: number) => `MAIN was asked ${asked} times and still breaks rules:`,
  ask: {
    goal: "What is the goal?",
    goalHint: "the state of the project when the work is done",
    tests: "Which command shows that the goal is reached?",
    testsHint: "a shell command; it may fail now",
    needed: "it is needed",
    nothingWritten: "nothing was written",
  },
  noGoal: `missing required flag --goal (${noTerminal.en})`,
  noTests: "no test command was found in this project: name one with --test",
  badTest: (why: string) => `--test cannot be an acceptance command: ${why}`,
  dangerousTest: (command: string, rule: string) =>
    `--test looks dangerous: ${command} (${rule}); to use it anyway, name another command here, write yours into dev_plan.md, and start orchestrate with --force`,
  badPlace: {
    root: (path: string) => `--board cannot be the root directory: ${path}`,
    home: (path: string) => `--board cannot be the home directory itself: ${path}`,
    git: (path: string) => `--board cannot lie inside of .git: ${path}`,
  },
  forceAllows: "; orchestrate --force allows it",
  context: (goal: string) => `# Global context

## Goal

${goal}

## Constraints

What must not change, what may be used, what is out of scope. Nothing is written down yet.
`,
  plan: {
    head: `# Dev plan

MAIN divides this into milestones and tasks. Existing content stays: tasks are never lost, and only a person's decision changes
the acceptance of tasks that a person wrote.`,
    milestone: "first milestone",
  },
  wrote: (path: string) => `✓ wrote  ${path}`,
  ok: (milestones: number, tasks: number) =>
    `ok: ${plural(milestones, "milestone")}, ${plural(tasks, "task")}`,
  show: {
    review: "REVIEW",
    asksYou: "asks you",
    dropped: "left undone, as you decided",
    skipped: "put off, as you decided",
    found: {
      red: "red",
      red_before: "TEST, red before",
      red_waived: "TEST, red waived",
      green: "green",
      reviewed: "REVIEW passed",
      worked: "DEV, not tested",
      investigated: "investigated",
    },
    rejected: (role: string) => `${role} rejected`,
    decided: "decided",
    killed: (runId: string) =>
      `the foreman was killed during run ${runId}, so these files may be outdated; restore them with: agent-foreman resume ${runId}`,
    runDamaged: (runId: string) => `the journal of run ${runId} cannot be read: evidence is as the plan says`,
    next: "next",
  },
};

export type BoardTexts = typeof en;

const zh: BoardTexts = {
  mainBreaksRules: (asked) => `已询问 MAIN ${asked} 次，仍违反规则：`,
  ask: {
    goal: "目标是什么？",
    goalHint: "工作完成时应当成立的事实",
    tests: "用哪条命令证明目标已达到？",
    testsHint: "shell 命令；现在可以失败",
    needed: "必填",
    nothingWritten: "未写入任何内容",
  },
  noGoal: `缺少必需参数 --goal（${noTerminal.zh}）`,
  noTests: "项目中没有找到测试命令：请用 --test 指定",
  badTest: (why) => `--test 不能作为 acceptance 命令：${why}`,
  dangerousTest: (command, rule) =>
    `--test 看似危险：${command}（${rule}）；若确实需要，请先在此指定其他命令，再自行写入 dev_plan.md，并用 --force 启动 orchestrate`,
  badPlace: {
    root: (path) => `--board 不能是根目录：${path}`,
    home: (path) => `--board 不能是主目录本身：${path}`,
    git: (path) => `--board 不能位于 .git 之内：${path}`,
  },
  forceAllows: "；orchestrate --force 可放行",
  context: (goal) => `# 全局上下文

## 目标

${goal}

## 约束

哪些必须保持不变、可以使用什么、哪些不在范围内。尚未填写。
`,
  plan: {
    head: `# 开发计划

由 MAIN 拆分为 Milestone 和任务。已有的内容会保留：任务不会丢失；人写的任务，其 acceptance 只有经人决定才会改变。`,
    milestone: "第一个 Milestone",
  },
  wrote: (path) => `✓ 已写入  ${path}`,
  ok: (milestones, tasks) => `ok：${milestones} 个 Milestone，${tasks} 个任务`,
  show: {
    review: "REVIEW",
    asksYou: "等你决定",
    dropped: "按你的决定不做",
    skipped: "按你的决定先跳过",
    found: {
      red: "红灯",
      red_before: "TEST，之前为红灯",
      red_waived: "TEST，红灯已豁免",
      green: "绿灯",
      reviewed: "REVIEW 通过",
      worked: "DEV 已实现，未测试",
      investigated: "已调查",
    },
    rejected: (role) => `${role} 未通过`,
    decided: "决定",
    killed: (runId) =>
      `运行 ${runId} 期间 foreman 被强行终止：这些文件可能过时；恢复请用：agent-foreman resume ${runId}`,
    runDamaged: (runId) => `无法读取运行 ${runId} 的日志：证据以计划为准`,
    next: "下一步",
  },
};

export const boardTexts: Readonly<Record<Lang, BoardTexts>> = { en, zh };
