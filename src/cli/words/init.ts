import type { Lang } from "../../core/settings.ts";

/** Texts of `init`: its questions, and the comments in the files it writes. */
const en = {
  ask: {
    agents: "Which agents? The first works, the next takes over where it cannot",
    installed: "installed",
    notFound: "not found on PATH",
    fast: "Fast tests, run after every turn",
    full: "Full tests, run before acceptance",
    none: "a shell command, or empty",
    plan: "Write a plan.md to start from?",
    nothingWritten: "nothing was written",
  },
  file: {
    title: "Configuration of agent-foreman",
    reference: "all keys: docs/configuration.md; what is in effect: agent-foreman config show",
    agents: "the first works, the next takes over where it cannot",
    noAgents: "none was found on PATH",
    fast: "after every turn",
    full: "before acceptance",
    limits: "0: no limit",
    profiles: "agents by your own names; secrets only by reference",
  },
  plan: `# Plan

## Goal

What is to be true when the work is done.

## Steps

1. The first step, small enough to check.

## Done when

- The tests that show it, by name.
`,
  wrote: (path: string) => `✓ wrote  ${path}`,
  task: "what is to be done",
  command: "command",
  next: (command: string) => `next  ${command}`,
};

export type InitTexts = typeof en;

const zh: InitTexts = {
  ask: {
    agents: "使用哪些 agent？排在前面的先工作，不可用时由下一个接替",
    installed: "已安装",
    notFound: "PATH 中未找到",
    fast: "快测命令，每轮之后执行",
    full: "全量测试命令，验收之前执行",
    none: "shell 命令，可留空",
    plan: "是否写一个起步用的 plan.md？",
    nothingWritten: "未写入任何内容",
  },
  file: {
    title: "agent-foreman 的配置",
    reference: "全部配置项：docs/configuration.md；当前生效的配置：agent-foreman config show",
    agents: "排在前面的先工作，不可用时由下一个接替",
    noAgents: "PATH 中没有找到任何 agent",
    fast: "每轮之后",
    full: "验收之前",
    limits: "0 表示不限",
    profiles: "自己命名的 agent；密钥只能用引用",
  },
  plan: `# 计划

## 目标

工作完成时应当成立的事实。

## 步骤

1. 第一步，小到可以检查。

## 完成标准

- 能证明完成的测试名称。
`,
  wrote: (path) => `✓ 已写入  ${path}`,
  task: "要做的事",
  command: "命令",
  next: (command) => `下一步  ${command}`,
};

export const initTexts: Readonly<Record<Lang, InitTexts>> = { en, zh };
